/// <reference lib="dom" />
import type { Browser, Locator, Page, Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import type { PageEntry } from '../apps/web/src/kit/pages.ts'
import { type Api, apiAs, logIn, openShell, type Visitor, visit } from './browser.ts'
import { needNoSample, samples } from './page-samples.ts'

/**
 * Saving an unchanged record changes nothing and shows no error. Tests every page with a save bar that shows a record, and every drawer
 * opened by the row action 修改. Write requests are intercepted.
 */
const demo = inject('demo')
const registry = new URL('../apps/web/src/app/routes.ts', import.meta.url).href
const { allPages } = (await import(registry)) as { allPages: readonly PageEntry[] }

/** In order of preference: a form is tested as the first account that may open it. */
const accounts = ['hospital-pm', 'yunze-lu', 'city-fang', 'admin'] as const

/** Forms that require an input at each save: their expected error. */
const asksEachTime: Readonly<Record<string, RegExp>> = { '/loadometer/edit': /^修改原因/ }

let browser: Browser
const visitors = new Map<string, Visitor>()
beforeAll(async () => {
  browser = await openShell()
})
afterAll(() => browser.close())

async function as(account: string): Promise<Visitor> {
  const known = visitors.get(account)
  if (known) return known
  const visitor = await visit(browser, demo)
  await logIn(visitor, demo, account)
  visitors.set(account, visitor)
  return visitor
}

interface Sent {
  method: string
  path: string
  body: unknown
}

/** Lets reads through and intercepts all writes from now on. */
async function catchWrites(page: Page): Promise<Sent[]> {
  const sent: Sent[] = []
  await page.route('**/api/**', async (route: Route) => {
    const request = route.request()
    if (request.method() === 'GET') return route.fallback()
    sent.push({ method: request.method(), path: new URL(request.url()).pathname, body: request.postDataJSON() as unknown })
    return route.fulfill({
      status: 200,
      contentType: 'application/json',
      body: JSON.stringify({ status: 4, message: '已拦截', data: null }),
    })
  })
  return sent
}

/** Error messages of the form by field. */
const complaints = (form: Locator) =>
  form
    .locator('.ant-form-item-explain-error')
    .evaluateAll((all) =>
      all.map((one) => `${one.closest('.ant-form-item')?.querySelector('.zg-label')?.textContent ?? ''}: ${one.textContent}`),
    )

const settled = 400
/** Clicks save; returns errors and intercepted requests. */
async function saved(visitor: Visitor, form: Locator, button: Locator): Promise<{ wrong: string[]; sent: Sent[] }> {
  const { page } = visitor
  const sent = await catchWrites(page)
  try {
    await button.click()
    await page.waitForTimeout(settled)
    await visitor.quiet()
    return { wrong: await complaints(form), sent }
  } finally {
    await page.unroute('**/api/**')
  }
}

interface MenuNode {
  path?: string
  relevance: string[]
  code?: string
  operator: string[]
  children: MenuNode[]
}
const inMenu = (nodes: readonly MenuNode[]): MenuNode[] => nodes.flatMap((one) => [one, ...inMenu(one.children)])

const apis = Object.fromEntries(
  await Promise.all(accounts.map(async (account) => [account, await apiAs(demo, account)] as const)),
) as Record<(typeof accounts)[number], Api>
/** Paths in each account's menu. */
const available = new Map(
  await Promise.all(
    accounts.map(async (account) => {
      const { data } = (await apis[account].post('/api/v1/sys/ui/tree/init', {})) as { data: MenuNode[] }
      return [account, new Set(inMenu(data).flatMap((one) => [...(one.path ? [one.path] : []), ...one.relevance]))] as const
    }),
  ),
)

/** Pages of one record and settings pages; those with a save bar are tested. */
const edited = allPages.filter((page) => page.auth !== 'public' && /edit|set|information|message/i.test(page.path))

describe('a form on a record saved as it is', () => {
  const cases = edited.flatMap((entry) => {
    const account = accounts.find((one) => available.get(one)?.has(entry.path))
    return account ? [{ entry, account, title: `${entry.path} as ${account}` }] : []
  })
  test.for(cases)('$title', async ({ entry, account }) => {
    const sample = await samples[entry.path]?.(apis[account])
    // Without a record the page creates a new one, which must be filled in first.
    if ((entry.path in samples && !sample) || needNoSample[entry.path]?.includes('form for a new')) return
    const address = entry.path.includes(':') ? entry.path.replace(/:\w+/, sample ?? '') : entry.path + (sample ?? '')
    const visitor = await as(account)
    await visitor.go(address)
    await visitor.quiet()
    const form = visitor.page.locator('.app-page:not([hidden])')
    const button = form.locator('.zg-savebar .ant-btn-primary.zg-save')
    if ((await button.count()) === 0 || (await button.isDisabled())) return
    const { wrong, sent } = await saved(visitor, form, button)
    const known = asksEachTime[entry.path]
    const left = wrong.filter((text) => !known?.test(text))
    expect(left, `${address} as ${account}: ${left.join('; ')}`).toEqual([])
    saves.set(entry.path, sent)
  })
  test('most forms were found and did send what they had', () => {
    expect([...saves.values()].filter((sent) => sent.length > 0).length).toBeGreaterThan(10)
  })
})

const saves = new Map<string, Sent[]>()

/** Lists whose rows open a form in a drawer by 修改 or 编辑. */
const rowForms: readonly (readonly [account: (typeof accounts)[number], path: string])[] = [
  ['yunze-lu', '/reportPushSet'],
  ['admin', '/accountList'],
  ['admin', '/administratorList'],
  ['admin', '/organizationList'],
  ['hospital-pm', '/gateway?tab=apps'],
]

/** Clicks 修改 of the first row, directly or in the row's menu. */
async function openRowForm(page: Page): Promise<void> {
  const row = page.locator('tr.ant-table-row:visible').first()
  await row.waitFor()
  const direct = row.getByText(/^(修改|编辑)$/)
  if (await direct.count()) return direct.click()
  await row.getByText('更多', { exact: true }).click()
  await page.getByRole('menuitem', { name: /^(修改|编辑)$/ }).click()
}

describe('a drawer on a row saved as it is', () => {
  test.for(rowForms.map(([account, path]) => ({ account, path, title: `${path} as ${account}` })))('$title', async ({ account, path }) => {
    const visitor = await as(account)
    await visitor.go(path)
    await visitor.quiet()
    const { page } = visitor
    await openRowForm(page)
    const drawer = page.locator('.ant-drawer-content:visible, .ant-drawer-section:visible')
    await drawer.waitFor()
    await visitor.quiet()
    const { wrong, sent } = await saved(visitor, drawer, drawer.getByRole('button', { name: /保存/ }))
    expect(wrong).toEqual([])
    expect(sent.length).toBeGreaterThan(0)
  })
})

test('a multiple choice that is cleared is sent as an empty list: the last role can be taken away', async () => {
  const visitor = await as('admin')
  const { page } = visitor
  await visitor.go('/accountList?account=admin')
  await visitor.quiet()
  await openRowForm(page)
  const drawer = page.locator('.ant-drawer-content:visible, .ant-drawer-section:visible')
  await drawer.waitFor()
  await visitor.quiet()
  const roles = drawer.locator('.ant-form-item', { hasText: /的角色/ })
  const remove = roles.locator('.ant-select-selection-item-remove')
  await remove.first().waitFor()
  while (await remove.count()) await remove.first().click()
  const { sent } = await saved(visitor, drawer, drawer.getByRole('button', { name: /保\s*存/ }))
  expect(sent.at(-1)?.body).toMatchObject({ roleIds: [] })
})

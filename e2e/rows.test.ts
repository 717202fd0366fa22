/// <reference lib="dom" />
import type { Browser, Locator } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { logIn, openShell, type Visitor, visit } from './browser.ts'

const demo = inject('demo')
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

const patienceMs = 10_000

/** Lists with row menus, and an item that opens a dialog or drawer. */
const menus: [account: string, path: string, item: string][] = [
  ['hospital-pm', '/personList', '退场'],
  ['hospital-pm', '/administration', '停用'],
  ['admin', '/gateway', '停用'],
  ['admin', '/gatewayOther', '删除'],
  ['admin', '/brand', '删除'],
  ['admin', '/model', '删除'],
  ['admin', '/equipmentProvider', '绑定设备'],
]

test.each(menus)('%s %s: %s in a row’s menu stays on its page and is no click on the row', async (account, path, item) => {
  const { page, go, quiet } = await as(account)
  await go(path)
  await quiet()
  // Rows with a menu; rows in other states have other items.
  const rows = page.locator('tr.ant-table-row:visible', { has: page.getByText('更多', { exact: true }) })
  await rows.first().waitFor()
  // Detect an open menu by its class: while it unfolds it is briefly not visible.
  const menu = page.locator('.ant-dropdown:not(.ant-dropdown-hidden)')
  const items = menu.getByRole('menuitem', { includeHidden: true })
  const found = menu.getByRole('menuitem', { name: item, includeHidden: true })
  const layers = page.locator('.ant-modal:visible, .ant-drawer-content:visible, .ant-drawer-section:visible')
  /** Opens one row menu after another until one has the item, and clicks it. */
  const take = async () => {
    const seen: string[] = []
    for (let i = 0; i < (await rows.count()); i++) {
      // Wait until the menu has closed, or it would be taken for the next one.
      await expect.poll(() => menu.count(), { timeout: patienceMs }).toBe(0)
      await rows.nth(i).getByText('更多', { exact: true }).click()
      await items.first().waitFor({ state: 'attached' })
      if ((await found.count()) > 0 && (await found.getAttribute('aria-disabled')) !== 'true') return found.click()
      seen.push((await items.allTextContents()).join(' '))
      await page.keyboard.press('Escape')
    }
    throw new Error(`no row of ${path} offers ${item}: ${seen.join('; ')}`)
  }
  await take()
  await layers.first().waitFor()
  await quiet()
  expect(new URL(page.url()).pathname).toBe(path)
  expect(await layers.count()).toBe(1)
})

/** Whether the element or a descendant is cut off at the right. */
const isCut = (element: Locator) =>
  element.evaluate(
    (one) => one.scrollWidth > one.clientWidth + 1 || [...one.children].some((child) => child.scrollWidth > child.clientWidth + 1),
  )

test.each([1280, 1440])('what may be done with chosen rows has its room at %i', async (width) => {
  const { page, go } = await as('hospital-pm')
  await page.setViewportSize({ width, height: 900 })
  await go('/personList')
  await page.locator('tr.ant-table-row input[type=checkbox]').first().check()
  const bar = page.locator('.zg-table-footer').filter({ hasText: '已选' }).filter({ visible: true }).first()
  await bar.waitFor()
  expect(await isCut(bar)).toBe(false)
  await page.setViewportSize({ width: 1440, height: 900 })
})

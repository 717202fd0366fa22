/// <reference lib="dom" />
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PageEntry } from '../apps/web/src/kit/pages.ts'
import { logIn, openShell, type Visitor, visit } from './browser.ts'
import { type Exception, exceptions, twins } from './page-exceptions.ts'
import { type Glance, type Look, look, narrow, type Problem, serious, settle, sizeFor, watchShifts, wide } from './page-look.ts'
import { accounts, addressOf, allPages, demo, inside, judge, type Kind, kinds, mayEnter, visitors } from './page-visitors.ts'

/** Opens every page as each kind of account that may enter it. New pages of the registry are included automatically. */

/** Timeout for the shell to show a page. */
const patienceMs = 20_000
/** Poll by timer: polling in every frame would make the page render 60 times a second. */
const pollMs = 50

/** Consecutive visits use different accounts, so that pages opened in parallel belong to different ones. */
const visits = inside.flatMap((page) =>
  (visitors.get(page.name) ?? []).map((kind) => ({ kind, page, title: `${page.path} as ${accounts[kind]}` })),
)

const glanceOf = (kind: Kind, page: PageEntry): Glance => {
  if (kind !== judge(page)) return 'narrow'
  // Pages of a project have the fullest rows, so check that they fit as well.
  return kind === 'project' || visitors.get(page.name)?.length === 1 ? 'both' : 'wide'
}

let browser: Browser
const idle = new Map<Kind, Visitor[]>()
const home = new Map<Kind, Promise<Visitor>>()
beforeAll(async () => {
  browser = await openShell()
})
afterAll(() => browser.close())

/** Runs in the page: tabs that wait at /404 count as hidden, so that they do not poll beside the checked pages. */
function hideIdle(): void {
  Object.defineProperty(document, 'visibilityState', { get: () => (location.pathname === '/404' ? 'hidden' : 'visible') })
}

/** One login per account; pages are tabs of its context. The first tab stays on a light page, because new tabs get their session from it. */
async function tabOf(kind: Kind): Promise<Visitor> {
  const free = idle.get(kind)?.pop()
  if (free) return free
  let first = home.get(kind)
  if (!first) {
    first = visit(browser, demo, { viewport: narrow }).then(async (visitor) => {
      await visitor.context.addInitScript(watchShifts)
      await visitor.context.addInitScript(hideIdle)
      await logIn(visitor, demo, accounts[kind])
      await visitor.go('/404')
      return visitor
    })
    home.set(kind, first)
  }
  return (await first).another()
}
/**
 * Leaves the page, because a page left open would keep loading and rendering beside the checked ones. The key press counts as activity, so
 * that the idle session is renewed: the visits take longer than its 30 minutes on a slow machine.
 */
async function release(kind: Kind, tab: Visitor) {
  await tab.follow('/404')
  await tab.page.keyboard.press('Shift')
  idle.set(kind, [...(idle.get(kind) ?? []), tab])
}

const looks = new Map<Kind, Map<string, Look>>(kinds.map((kind) => [kind, new Map()]))
const needed = new Set<Exception>()
const visited = new Set<string>()

async function problemsOf(kind: Kind, page: PageEntry): Promise<Problem[]> {
  const address = await addressOf(kind, page)
  const tab = await tabOf(kind)
  try {
    // A new tab has no loaded shell yet, so client-side navigation is impossible.
    const byAddress = kind === judge(page) || page.auth === 'top' || tab.page.url() === 'about:blank'
    const problems = await openedAt(tab, kind, page, address, byAddress)
    // Layout may shift by chance when data arrives in a different order; only a shift that repeats is a fault.
    if (!problems.some(({ check }) => check === 'shift')) return problems
    const again = await openedAt(tab, kind, page, address, true)
    return again.some(({ check }) => check === 'shift') ? problems : problems.filter(({ check }) => check !== 'shift')
  } finally {
    await release(kind, tab)
  }
}

const knownOf = (page: PageEntry, { check, text }: Problem) =>
  exceptions.find((one) => one.page === page.name && one.check === check && one.text.test(text))

/** Opens a page by its URL for one account, as a bookmark does; for the others by client-side navigation, which costs a tenth. */
async function openedAt(tab: Visitor, kind: Kind, page: PageEntry, address: string, byAddress: boolean): Promise<Problem[]> {
  const glance = glanceOf(kind, page)
  if (tab.page.viewportSize()?.width !== sizeFor(glance).width) await tab.page.setViewportSize(sizeFor(glance))
  if (byAddress) await tab.page.goto(demo.url + address, { waitUntil: 'commit' })
  // Discard errors of the previous page's aborted requests.
  tab.trouble()
  if (byAddress) await tab.page.waitForLoadState('load')
  else await tab.follow(address)
  const wanted = (page.redirect ?? page.path).replace(/:\w+/, '[^/]+')
  if (!byAddress) await inFront(tab, wanted)
  const seen = await look(tab, glance, (problem) => knownOf(page, problem) !== undefined)
  looks.get(kind)?.set(page.name, seen)
  const at = new URL(tab.page.url()).pathname
  const astray = new RegExp(`^${wanted}$`).test(at) ? [] : [{ check: 'address' as const, text: `ended on ${at}` }]
  const said = tab.trouble().filter((text) => !text.includes('Failed to load resource'))
  const trouble = said.map((text) => ({ check: /^\d/.test(text) ? ('call' as const) : ('console' as const), text }))
  return [...trouble, ...astray, ...seen.problems]
}

/** Waits until the shell shows the page; before that the previous page would be checked. */
const inFront = (tab: Visitor, wanted: string) =>
  tab.page.waitForFunction(
    (path) => new RegExp(`^${path}$`).test(document.querySelector<HTMLElement>('.app-page:not([hidden])')?.dataset['path'] ?? ''),
    wanted,
    { timeout: patienceMs, polling: pollMs },
  )

test('every page of the frame may be entered by somebody', () => {
  const closed = inside.filter((page) => !kinds.some((kind) => mayEnter(kind, page))).map((page) => page.path)
  // Give one of the accounts above the code, or add an account that holds it.
  expect(closed).toEqual([])
})

describe.concurrent('opens without a fault, by its address and from within [route-history-mode]', () => {
  test.for(visits)('$title', async ({ kind, page }, { expect: expectHere }) => {
    visited.add(page.name)
    const left = (await problemsOf(kind, page)).filter((problem) => {
      const known = knownOf(page, problem)
      if (known) needed.add(known)
      return !known
    })
    const texts = left.map(({ check, text }) => `${check}: ${text}`)
    // The message has the texts, because the report shows only the message.
    expectHere(texts, texts.join('\n')).toEqual([])
  })
})

test.for(kinds)('the frame around the pages can be read and operated by everybody, as %s', async (kind) => {
  const tab = await tabOf(kind)
  await tab.page.setViewportSize(wide)
  await tab.go('/main')
  await settle(tab)
  expect(await serious(tab.page)).toEqual([])
  await release(kind, tab)
})

test('public pages open for a stranger, the promised ones among them [public-routes]', async () => {
  const open = allPages.filter((page) => page.auth === 'public').map(({ path }) => path)
  for (const path of ['/login', '/login/v1', '/hqwladmin', '/policy', '/expert/apply']) expect(open).toContain(path)
  const stranger = await visit(browser, demo, { viewport: wide })
  await stranger.context.addInitScript(watchShifts)
  for (const { path } of allPages.filter((page) => page.auth === 'public')) {
    await stranger.page.setViewportSize(wide)
    await stranger.go(path)
    const { problems } = await look(stranger, 'both')
    expect({ path, trouble: stranger.trouble(), problems }).toEqual({ path, trouble: [], problems: [] })
  }
  await stranger.close()
})

test('no two pages look alike', () => {
  const redirected = new Set(inside.filter((page) => page.redirect).map((page) => page.name))
  const pairs = kinds.flatMap((kind) => {
    const seen = [...(looks.get(kind) ?? [])].filter(([name]) => !redirected.has(name))
    return seen.flatMap(([name, one], i) =>
      seen
        .slice(i + 1)
        .filter(([, other]) => one.text === other.text || (one.sign.length > 8 && one.sign === other.sign))
        .map(([other]) => [name, other] as const),
    )
  })
  const strange = pairs.filter(([a, b]) => !twins.some(({ pages }) => pages.includes(a) && pages.includes(b)))
  // Different pages show different content; exceptions are in e2e/page-exceptions.ts with the reason.
  expect([...new Set(strange.map(([a, b]) => `${a} = ${b}`))]).toEqual([])
})

test('no exception stands for nothing', () => {
  const idleOnes = exceptions.filter(
    (one) => (visited.has(one.page) || !inside.some((page) => page.name === one.page)) && !one.sometimes && !needed.has(one),
  )
  // These exceptions are not needed any more: remove them from e2e/page-exceptions.ts.
  expect(idleOnes.map((one) => `${one.page} ${one.check} ${one.text}`)).toEqual([])
})

/// <reference lib="dom" />
import type { Browser, Route } from 'playwright-core'
import { afterAll, beforeAll, describe, test } from 'vitest'
import type { PageEntry } from '../apps/web/src/kit/pages.ts'
import { logIn, openShell, type Visitor, visit } from './browser.ts'
import { wide } from './page-look.ts'
import { accounts, addressOf, demo, inside, judge, type Kind, offered } from './page-visitors.ts'

/**
 * Nothing says "none" before the answer has come. Each page is opened with all its calls held, and again with all of them failing. What claims
 * that something is not there while a call is under way, and is gone when all have been answered, was not known when it was said.
 */

/** Where the session, the account and live values come from: without these there is no page to look at. */
const frameCalls = /\/api\/v1\/sys\/(my|ui|login)\b|\/api\/v1\/iot\/live/

/** So long nothing new is asked for until what is held is looked at: a call that follows from another begins within a frame or two. */
const gatheredMs = 350
/** Calls that follow from each other; a page that reads again and again is not followed further. */
const maxWaves = 6
const patienceMs = 15_000
const pollMs = 50

type Mode = 'open' | 'held' | 'failing'
interface Tap {
  mode: Mode
  held: Route[]
  lastAt: number
  asked: string[]
}

/** Runs in the page: every sentence in front that says that something is not there or counts none. */
function claims(): string[] {
  const none = /没有|暂无|尚无|未安装|从未|(^|[^\d.,/])0 ?(人|台|个|条|次|辆|车|家|项|起|处|种|座|张|份|件|天)(?![\d.])/
  const front = document.querySelector('.app-page:not([hidden])') ?? document.querySelector('main, [role=main]') ?? document.body
  const found = new Set<string>()
  const walker = document.createTreeWalker(front, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement
    if (!parent || parent.closest('script, style, textarea, pre, code')) continue
    // A figure and its unit may stand in two elements.
    const whole = (parent.textContent ?? '').length < 3 ? (parent.parentElement ?? parent) : parent
    const text = (whole.textContent ?? '').replace(/\s+/g, ' ').trim()
    if (text.length < 120 && none.test(text) && parent.getClientRects().length > 0) found.add(text)
  }
  return [...found]
}

let browser: Browser
const homes = new Map<Kind, Promise<Visitor>>()
const idle = new Map<Kind, { tab: Visitor; tap: Tap }[]>()
beforeAll(async () => {
  browser = await openShell()
})
afterAll(() => browser.close())

async function tapped(kind: Kind): Promise<{ tab: Visitor; tap: Tap }> {
  const free = idle.get(kind)?.pop()
  if (free) return free
  let first = homes.get(kind)
  if (!first) {
    first = visit(browser, demo, { viewport: wide }).then(async (visitor) => {
      await logIn(visitor, demo, accounts[kind])
      await visitor.go('/404')
      return visitor
    })
    homes.set(kind, first)
  }
  const tab = await (await first).another()
  const tap: Tap = { mode: 'open', held: [], lastAt: 0, asked: [] }
  await tab.page.route(/\/api\//, async (route) => {
    const { pathname } = new URL(route.request().url())
    if (tap.mode === 'open' || frameCalls.test(pathname)) return route.continue()
    tap.lastAt = performance.now()
    tap.asked.push(pathname)
    if (tap.mode === 'held') tap.held.push(route)
    else await route.fulfill({ status: 500, contentType: 'application/json', body: '{"status":1,"message":"服务器链接失败！"}' })
  })
  return { tab, tap }
}

const sampledAfter = async (tab: Visitor, tap: Tap) => {
  const until = performance.now() + patienceMs
  while (performance.now() < until && performance.now() - tap.lastAt < gatheredMs) await tab.page.waitForTimeout(pollMs)
  return tab.page.evaluate(claims)
}

/** The frame stands and has what it asks for; then the page is opened from within, as the menu does. */
async function openWith(mode: Mode, { tab, tap }: { tab: Visitor; tap: Tap }, address: string, page: PageEntry) {
  const path = (page.redirect ?? page.path).replace(/:\w+/, '[^/]+')
  const top = page.auth === 'top'
  tap.mode = 'open'
  await release(tap)
  await tab.page.goto(`${demo.url}/404`, { waitUntil: 'load' })
  await tab.page.waitForSelector('header', { timeout: patienceMs })
  await tab.quiet()
  tap.mode = mode
  tap.asked = []
  tap.lastAt = performance.now()
  await tab.follow(address)
  if (!top)
    await tab.page.waitForFunction(
      (wanted) => new RegExp(`^${wanted}$`).test(document.querySelector<HTMLElement>('.app-page:not([hidden])')?.dataset['path'] ?? ''),
      path,
      { timeout: patienceMs, polling: pollMs },
    )
  // What a page asks for is asked with its first frame, after its file has come.
  const until = performance.now() + 1_500
  while (performance.now() < until && tap.asked.length === 0) await tab.page.waitForTimeout(pollMs)
}

/** Lets what is held go, and waits for the answers. */
const release = async (tap: Tap) => {
  const all = tap.held
  tap.held = []
  const answered = all.map(async (route) => {
    await route.continue()
    await (await route.request().response())?.finished()
  })
  await Promise.race([Promise.allSettled(answered), new Promise((resolve) => setTimeout(resolve, patienceMs))])
}

async function saidTooEarly(kind: Kind, page: PageEntry) {
  const address = await addressOf(kind, page)
  const pair = await tapped(kind)
  const { tab, tap } = pair
  try {
    await openWith('failing', pair, address, page)
    const failed = (await sampledAfter(tab, tap)).map((claim) => ({ claim, while: 'all calls failed' }))
    await openWith('held', pair, address, page)
    const early: { claim: string; while: string }[] = []
    for (let wave = 0; wave < maxWaves; wave++) {
      for (const claim of await sampledAfter(tab, tap)) if (tap.held.length > 0) early.push({ claim, while: `wave ${wave}` })
      if (tap.held.length === 0) break
      await release(tap)
      tap.lastAt = performance.now()
    }
    tap.mode = 'open'
    await release(tap)
    await tab.quiet()
    const last = new Set(await tab.page.evaluate(claims))
    return [...early, ...failed].filter(({ claim }) => !last.has(claim))
  } finally {
    tap.mode = 'open'
    await release(tap)
    await tab.follow('/404')
    idle.set(kind, [...(idle.get(kind) ?? []), pair])
  }
}
/** Opening all of them takes as long as all other tests: every sixteenth in the registry's order, or all with WAITING_PAGES=all. */
const each = process.env.WAITING_PAGES === 'all' ? 1 : 16
/** What stands in a menu: lists, live pages, homes and walls. */
const opened = inside
  .flatMap((page) => {
    const kind = judge(page)
    return kind && offered(kind, page.path) ? [{ page, kind, title: `${page.path} as ${accounts[kind]}` }] : []
  })
  .filter((_, i) => i % each === 0)
describe.concurrent('says nothing is there only when that is known', () => {
  test.for(opened)('$title', async ({ page, kind }, { expect: expectHere }) => {
    const faults = await saidTooEarly(kind, page)
    const lines = [...new Set(faults.map((one) => `${one.claim} (${one.while})`))]
    expectHere(lines, lines.join('\n')).toEqual([])
  })
})

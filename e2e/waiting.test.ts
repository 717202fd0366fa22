/// <reference lib="dom" />
import type { Browser, Route } from 'playwright-core'
import { afterAll, beforeAll, describe, test } from 'vitest'
import type { PageEntry } from '../apps/web/src/kit/pages.ts'
import { logIn, openShell, type Visitor, visit } from './browser.ts'
import { wide } from './page-look.ts'
import { accounts, addressOf, available, demo, inside, judge, type Kind } from './page-visitors.ts'

/**
 * No page says "none" before its data has arrived. Each page is opened with all calls held back, and again with all calls failing. A text that
 * says "none" while a call is pending, and is gone once all have answered, fails the test.
 */

/** Calls that are never held: session, account and live values, without which no page renders. */
const frameCalls = /\/api\/v1\/sys\/(my|ui|login)\b|\/api\/v1\/iot\/live/

/** Quiet time without new calls before the page is inspected. */
const gatheredMs = 350
/** Most rounds of dependent calls; a page that polls is not followed further. */
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

/** Runs in the page: visible texts that say that something does not exist or is zero. */
function claims(): string[] {
  const none = /没有|暂无|尚无|未安装|从未|(^|[^\d.,/])0 ?(人|台|个|条|次|辆|车|家|项|起|处|种|座|张|份|件|天)(?![\d.])/
  const front = document.querySelector('.app-page:not([hidden])') ?? document.querySelector('main, [role=main]') ?? document.body
  const found = new Set<string>()
  const walker = document.createTreeWalker(front, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement
    if (!parent || parent.closest('script, style, textarea, pre, code')) continue
    // A figure and its unit may be in separate elements.
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

/** Loads the shell, then opens the page by client-side navigation. */
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
  // A page sends its calls with the first render, after its code has loaded.
  const until = performance.now() + 1_500
  while (performance.now() < until && tap.asked.length === 0) await tab.page.waitForTimeout(pollMs)
}

/** Releases held calls and waits for their responses. */
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
/** Opening all pages takes as long as all other tests: every sixteenth of the registry, or all with WAITING_PAGES=all. */
const each = process.env.WAITING_PAGES === 'all' ? 1 : 16
/** Pages that have a menu entry. */
const opened = inside
  .flatMap((page) => {
    const kind = judge(page)
    return kind && available(kind, page.path) ? [{ page, kind, title: `${page.path} as ${accounts[kind]}` }] : []
  })
  .filter((_, i) => i % each === 0)
describe.concurrent('says nothing is there only when that is known', () => {
  test.for(opened)('$title', async ({ page, kind }, { expect: expectHere }) => {
    const faults = await saidTooEarly(kind, page)
    const lines = [...new Set(faults.map((one) => `${one.claim} (${one.while})`))]
    expectHere(lines, lines.join('\n')).toEqual([])
  })
})

/// <reference lib="dom" />
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import type { Visitor } from './browser.ts'

/** Problem of an open page, by check. */
export type Check = 'error' | 'call' | 'console' | 'wide' | 'clipped' | 'shift' | 'raw' | 'axe' | 'empty' | 'address'
export interface Problem {
  check: Check
  text: string
}

/** Maximum cumulative layout shift rated "good" by web.dev/articles/cls. */
const maxLayoutShift = 0.1
/** Timeout for a page to show its data. */
const patienceMs = 20_000

declare global {
  interface Window {
    /** Layout shift by session (at most 5 s long, gaps below 1 s), as the metric is defined. */
    shiftSessions?: { from: number; to: number; value: number; what: string }[]
  }
}

/** Injected into every page before its scripts: records layout shifts. */
export function watchShifts(): void {
  window.shiftSessions = []
  interface Shift extends PerformanceEntry {
    value: number
    hadRecentInput: boolean
    sources?: { node?: Node | null }[]
  }
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as Shift[]) {
      if (entry.hadRecentInput) continue
      const sessions = window.shiftSessions ?? []
      const last = sessions.at(-1)
      const node = entry.sources?.[0]?.node
      const what = node instanceof Element ? `${node.tagName.toLowerCase()}.${node.className}` : ''
      if (last && entry.startTime - last.to < 1_000 && entry.startTime - last.from < 5_000) {
        last.value += entry.value
        last.to = entry.startTime
        last.what ||= what
      } else sessions.push({ from: entry.startTime, to: entry.startTime, value: entry.value, what })
    }
  }).observe({ type: 'layout-shift', buffered: true })
}

/** Waits until the page has loaded: no skeleton, no spinner, no pending request. */
export async function settle({ page, quiet }: Visitor): Promise<void> {
  await quiet()
  await page
    .waitForFunction(
      () => {
        const busy = document.querySelectorAll('.zg-bone, .app-splash, [aria-busy=true], .ant-spin-spinning')
        return ![...busy].some((one) => one.getClientRects().length > 0)
      },
      undefined,
      // Poll by timer: polling in every frame would make the page render 60 times a second.
      { timeout: patienceMs, polling: 50 },
    )
    .catch(() => undefined)
}

export interface Look {
  problems: Problem[]
  /** Visible text of the main region without numbers. */
  text: string
  /** Column heads and labels; pages with the same ones are duplicates. */
  sign: string
}

/** Smallest supported screen, and the usual one. */
export const narrow = { width: 1280, height: 800 }
export const wide = { width: 1440, height: 900 }

/**
 * Sizes at which a page is checked: the smallest shows whether it fits; the usual one includes the axe check, which takes longer than all
 * others. Resizing takes half as long as opening a page, so `both` is for pages opened only once.
 */
export type Glance = 'narrow' | 'wide' | 'both'
/** Size at which a page is opened. */
export const sizeFor = (glance: Glance) => (glance === 'narrow' ? narrow : wide)

/** Checks the page in front, which was opened at `sizeFor(glance)`. Does not wait for `known` problems to disappear. */
export async function look(visitor: Visitor, glance: Glance, known: (problem: Problem) => boolean = () => false): Promise<Look> {
  const { page } = visitor
  const problems: Problem[] = []
  const add = (check: Check, texts: readonly string[]) => problems.push(...texts.map((text) => ({ check, text })))
  /** Checks again later, because on a busy computer the page may not be complete; a problem that remains is real. */
  const atLast = async (check: Check, size: { width: number }, seen: () => string[]) => {
    for (const until = Date.now() + arrangeMs; ; await page.waitForTimeout(arrangedMs)) {
      const found = (await page.evaluate(seen)).map((text) => ({ check, text: `${size.width}: ${text}` }))
      if (found.every(known) || Date.now() > until) return void problems.push(...found)
    }
  }
  await settle(visitor)
  const facts = await page.evaluate(readFacts)
  add('error', facts.errors)
  if (facts.text.length < 12 && !facts.pictures) add('empty', [`shows “${facts.text}” and nothing else`])
  add('raw', facts.raw)
  if (facts.shift.value > maxLayoutShift) add('shift', [`${facts.shift.value.toFixed(2)} over ${maxLayoutShift}, ${facts.shift.what}`])
  if (glance !== 'narrow') {
    await page.waitForTimeout(arrangedMs)
    await atLast('clipped', wide, clippedHeads)
    add('axe', await seriousAtLast(page, frontPage))
  }
  if (glance === 'both') {
    await page.setViewportSize(narrow)
    await page.waitForTimeout(arrangedMs)
  }
  if (glance !== 'wide') await atLast('wide', narrow, tooWide)
  return { problems, text: facts.text.replace(/[\d.,:%/ \s-]+/g, ' '), sign: facts.sign }
}

/** Runs in the page. */
function readFacts() {
  // Pages opened before are still in the document, hidden.
  const main = document.querySelector('.app-page:not([hidden])') ?? document.querySelector('main, [role=main]') ?? document.body
  const shown = (selector: string) => [...main.querySelectorAll<HTMLElement>(selector)].filter((one) => one.getClientRects().length > 0)
  const words = (all: HTMLElement[]) => all.map((one) => one.textContent.trim()).filter(Boolean)
  const codePanels = 'pre, code, textarea, input, script, style, [data-code]'
  const readable: string[] = []
  const walker = document.createTreeWalker(main, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement
    if (parent && !parent.closest(codePanels) && parent.getClientRects().length > 0) readable.push(node.textContent ?? '')
  }
  const rawKinds = [
    /\b[0-9a-f]{32}\b/g,
    /\b[a-z]{2,}[A-Z][a-z]\w*/g,
    /\d{4}-\d\d-\d\dT\d\d:\d\d/g,
    /\b(undefined|NaN|null|Invalid Date)\b|\[object /g,
  ]
  const raw = new Set(readable.flatMap((text) => rawKinds.flatMap((kind) => text.match(kind) ?? [])))
  const sessions = window.shiftSessions ?? []
  const shift = sessions.reduce((worst, one) => (one.value > worst.value ? one : worst), { from: 0, to: 0, value: 0, what: '' })
  const failed = /加载失败|页面出错|无权访问|页面不存在|网络连接失败|建设中|敬请期待|开发中/
  return {
    text: main instanceof HTMLElement ? main.textContent.trim() : '',
    errors: words(shown('.zg-state, [role=alert]')).filter((text) => failed.test(text)),
    raw: [...raw].slice(0, 5),
    shift,
    pictures: shown('canvas, svg, video, input, [role=combobox]').length,
    sign: `${words(shown('th')).join('|')}#${words(shown('label, .ant-descriptions-item-label')).join('|')}`,
  }
}

/** Runs in the page: elements that scroll horizontally, the page itself or a table. */
function tooWide(): string[] {
  const found: string[] = []
  const over = (one: Element) => one.scrollWidth - one.clientWidth
  const root = document.scrollingElement
  if (root && over(root) > 1) found.push(`page by ${over(root)} px`)
  for (const one of document.querySelectorAll('main, .app-main, .app-page')) {
    if (one.getClientRects().length > 0 && over(one) > 1 && /auto|scroll/.test(getComputedStyle(one).overflowX))
      found.push(`${one.className || one.tagName} by ${over(one)} px`)
  }
  for (const table of document.querySelectorAll('main table')) {
    for (let box: Element | null = table.parentElement; box && !box.matches('main'); box = box.parentElement) {
      if (box.getClientRects().length > 0 && over(box) > 1 && /auto|scroll/.test(getComputedStyle(box).overflowX)) {
        const heads = [...(table.closest('.ant-table') ?? table).querySelectorAll('th')]
          .map((one) => one.textContent.trim())
          .filter(Boolean)
        found.push(`table ${heads.slice(0, 3).join(' ')}… by ${over(box)} px`)
        break
      }
    }
  }
  return [...new Set(found)]
}

const arrangeMs = 10_000
/** Columns are fitted some frames after the page has rendered or been resized. */
const arrangedMs = 150

/** Runs in the page: column heads that are cut off. */
function clippedHeads(): string[] {
  // Text for screen readers only has no size.
  const clipped = (one: Element): boolean =>
    !one.matches('.zg-heard') &&
    ((one.scrollWidth - one.clientWidth > 1 && getComputedStyle(one).overflowX !== 'visible') || [...one.children].some(clipped))
  return [...document.querySelectorAll<HTMLElement>('main th')]
    .filter((one) => one.getClientRects().length > 0 && one.textContent.trim() && clipped(one))
    .map((one) => one.textContent.trim())
}

/** The page in front inside the shell; the shell is the same for all and checked once (every-page.test.ts). */
const frontPage = '.app-page:not([hidden])'

/** Repeats the check, because an element that is fading in has too little contrast for a moment. */
async function seriousAtLast(page: Page, within: string): Promise<string[]> {
  const found = await serious(page, within)
  if (found.length === 0) return found
  await page.waitForTimeout(1_000)
  const again = await serious(page, within)
  return found.filter((text) => again.includes(text))
}

/** Violations that axe rates serious or critical, with their elements: on the whole page, or `within` a part. */
export async function serious(page: Page, within?: string): Promise<string[]> {
  const whole = new AxeBuilder({ page })
  const builder = within && (await page.locator(within).count()) > 0 ? whole.include(within) : whole
  // No frames and no passes, which halves the time. Rules outside landmarks are never more than moderate.
  const { violations } = await builder
    .setLegacyMode()
    .options({ resultTypes: ['violations'], rules: { region: { enabled: false } } })
    .analyze()
  return violations
    .filter((v) => v.impact === 'serious' || v.impact === 'critical')
    .map((v) => `${v.id}: ${[...new Set(v.nodes.map((n) => n.target.join(' ')))].slice(0, 3).join(' | ')}`)
}

/// <reference lib="dom" />
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { logIn, openShell, type Visitor, visit } from './browser.ts'
import { settle } from './page-look.ts'

/**
 * Whoever stands beside the machine holds a telephone: the page does not scroll sideways, the value that matters is read, another machine
 * is chosen with a thumb.
 */
const demo = inject('demo')
const phone = { width: 390, height: 844 }
/** What a thumb hits; smaller ones are pressed beside. */
const leastTarget = 32

interface LivePage {
  name: string
  path: string
  account: string
  /** The value one comes for. */
  value: string
  /** Where another machine is chosen, and how the chosen one is marked. */
  rail: string
  chosen: string
}

const pages: readonly LivePage[] = [
  {
    name: '塔机',
    path: '/tower/monitor',
    account: 'hospital-pm',
    value: '[role=meter][aria-label="力矩"]',
    rail: '.mon-row',
    chosen: '[aria-current=true]',
  },
  {
    name: '升降机',
    path: '/equipment/lifter',
    account: 'hospital-pm',
    value: '[role=meter][aria-label="载重"]',
    rail: '.mon-row',
    chosen: '[aria-current=true]',
  },
  {
    name: '基坑',
    path: '/foundationPit/monitor',
    account: 'hospital-pm',
    value: '.pit-figures dd',
    rail: '.pit-kind',
    chosen: '[aria-pressed=true]',
  },
  {
    name: '安全帽',
    path: '/helmet/location',
    account: 'hospital-pm',
    value: '.helmet-facts dd',
    rail: '.mon-row',
    chosen: '[aria-current=true]',
  },
]

/** Runs in the page: everything that reaches beyond the glass or can be moved sideways as a whole. */
function sideways(): string[] {
  const root = document.scrollingElement
  const found: string[] = []
  if (root && root.scrollWidth - root.clientWidth > 1) found.push(`page by ${root.scrollWidth - root.clientWidth} px`)
  for (const one of document.querySelectorAll<HTMLElement>('main, .app-main, .app-page:not([hidden]), .zg-page, .zg-body, .mon-stack')) {
    if (one.getClientRects().length > 0 && one.scrollWidth - one.clientWidth > 1)
      found.push(`${one.className || one.tagName} by ${one.scrollWidth - one.clientWidth} px`)
  }
  const count = document.querySelector('.app-header .count')?.getBoundingClientRect()
  for (const one of document.querySelectorAll<HTMLElement>('.app-header .modules > .module, .app-header .modules [aria-current]')) {
    const box = one.getBoundingClientRect()
    const meets = count && box.width > 0 && box.right > count.left && box.left < count.right && box.top < count.bottom
    if (meets) found.push(`count of alarms over ${one.textContent}`)
  }
  return found
}

/** Runs in the page: actions of the title row and of the rail that a thumb misses. */
function tooSmall({ rail, least }: { rail: string; least: number }): string[] {
  return [
    ...document.querySelectorAll<HTMLElement>(`.app-page:not([hidden]) .zg-page-title :is(button, a), .app-page:not([hidden]) ${rail}`),
  ]
    .filter((one) => one.getClientRects().length > 0)
    .map((one) => ({ one, box: one.getBoundingClientRect() }))
    .filter(({ box }) => box.height < least || box.width < least)
    .map(({ one, box }) => `${one.textContent.trim() || one.className} ${Math.round(box.width)} × ${Math.round(box.height)}`)
}

/** The value stands within the glass, in letters that are read at arm's length. */
async function readable(page: Page, selector: string) {
  const value = page.locator(`.app-page:not([hidden])`).locator(selector).first()
  await value.waitFor()
  await value.scrollIntoViewIfNeeded()
  return value.evaluate((one) => {
    const box = one.getBoundingClientRect()
    return {
      inside: box.left >= 0 && box.right <= window.innerWidth + 1 && box.top >= 0 && box.top < window.innerHeight,
      fontSize: Number.parseFloat(getComputedStyle(one).fontSize),
      says: /\d|[\u4e00-\u9fa5]/.test(one.textContent),
    }
  })
}

let browser: Browser
const visitors = new Map<string, Visitor>()
beforeAll(async () => {
  browser = await openShell()
})
afterAll(() => browser.close())

async function visitorOf(account: string): Promise<Visitor> {
  const known = visitors.get(account)
  if (known) return known
  const visitor = await visit(browser, demo, { viewport: phone })
  await logIn(visitor, demo, account)
  visitors.set(account, visitor)
  return visitor
}

describe('live pages on a telephone', () => {
  test.each(pages)('$name $path', async ({ path, account, value, rail, chosen }) => {
    const visitor = await visitorOf(account)
    const { page } = visitor
    await visitor.go(path)
    await settle(visitor)
    const seen = await readable(page, value)
    const small = await page.evaluate(tooSmall, { rail, least: leastTarget })
    const wide = await page.evaluate(sideways)
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/phone${path.replaceAll('/', '-')}.png` })
    expect({ wide, small, inside: seen.inside, says: seen.says }).toEqual({ wide: [], small: [], inside: true, says: true })
    expect(seen.fontSize).toBeGreaterThanOrEqual(12)
    // The last of the list is another one than that in front: reached by scrolling, chosen by a touch.
    const list = page.locator('.app-page:not([hidden])').locator(rail)
    await list.first().waitFor()
    const last = list.last()
    await last.scrollIntoViewIfNeeded()
    await last.click()
    await expect.poll(() => last.evaluate((one, mark) => one.matches(mark), chosen)).toBe(true)
  })
})

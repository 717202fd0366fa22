/// <reference lib="dom" />
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { logIn, openShell, type Visitor, visit } from './browser.ts'
import { settle } from './page-look.ts'

/**
 * Live pages on a phone: the page does not scroll sideways, the main value is readable, another device can be selected by touch.
 */
const demo = inject('demo')
const phone = { width: 390, height: 844 }
/** Minimum size of a touch target in px. */
const leastTarget = 32

interface LivePage {
  name: string
  path: string
  account: string
  /** Selector of the main value. */
  value: string
  /** Selector of the device list, and of the selected device. */
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

/** Runs in the page: elements that extend beyond the screen or scroll sideways. */
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

/** Runs in the page: touch targets in title row and device list that are too small. */
function tooSmall({ rail, least }: { rail: string; least: number }): string[] {
  return [
    ...document.querySelectorAll<HTMLElement>(`.app-page:not([hidden]) .zg-page-title :is(button, a), .app-page:not([hidden]) ${rail}`),
  ]
    .filter((one) => one.getClientRects().length > 0)
    .map((one) => ({ one, box: one.getBoundingClientRect() }))
    .filter(({ box }) => box.height < least || box.width < least)
    .map(({ one, box }) => `${one.textContent.trim() || one.className} ${Math.round(box.width)} × ${Math.round(box.height)}`)
}

/** The value is on the screen in a readable size. */
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
    // Select the last device of the list: scroll to it and tap.
    const list = page.locator('.app-page:not([hidden])').locator(rail)
    await list.first().waitFor()
    const last = list.last()
    await last.scrollIntoViewIfNeeded()
    await last.click()
    await expect.poll(() => last.evaluate((one, mark) => one.matches(mark), chosen)).toBe(true)
  })
})

/** Lists and the work items they link to: rows are readable on a phone, and actions can be tapped. */
const lists = [
  {
    name: '告警',
    path: '/alarm/record?tab=all',
    account: 'hospital-safety',
    row: '.zg-phone-rows > li',
    says: [/重大|较大|一般|低/, /设备/, /开始/],
  },
  { name: '人员', path: '/personList', account: 'hospital-pm', row: '.zg-phone-rows > li', says: [/[\u4e00-\u9fa5]{2,}/] },
] as const

describe('desks on a telephone', () => {
  test.each(lists)('$name: a row says what it is, and nothing is cut', async ({ path, account, row, says }) => {
    const visitor = await visitorOf(account)
    const { page } = visitor
    await visitor.go(path)
    await settle(visitor)
    const first = page.locator('.app-page:not([hidden])').locator(row).first()
    await first.waitFor()
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/phone${path.replaceAll('/', '-').replace(/\?.*/, '')}.png` })
    const text = await first.innerText()
    expect(await page.evaluate(sideways)).toEqual([])
    for (const word of says) expect(text).toMatch(word)
    const cut = await first.evaluate(
      (one) => [...one.querySelectorAll('*')].filter((e) => e.getBoundingClientRect().right > window.innerWidth + 1).length,
    )
    expect(cut).toBe(0)
  })

  test('an alarm is one column: what may be done with it comes first, and the way out is on the glass', async () => {
    const visitor = await visitorOf('hospital-safety')
    const { page } = visitor
    await visitor.go('/alarm/record?tab=all')
    await settle(visitor)
    const first = page.locator('.app-page:not([hidden])').locator('.zg-phone-rows > li').first()
    await first.getByRole('button', { name: '打开' }).click()
    const handling = page.locator('.zg-work-handling')
    await handling.waitFor()
    await settle(visitor)
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/phone-alarm-detail.png` })
    const seen = await page.evaluate(() => {
      const box = (selector: string) => document.querySelector(selector)?.getBoundingClientRect()
      const [action, main, out] = [box('.zg-work-handling'), box('.zg-work-main'), box('.zg-work-head [aria-label="关闭"]')]
      return {
        wide: action?.width ?? 0,
        before: (action?.bottom ?? 0) <= (main?.top ?? 0) + 1,
        out: (out?.right ?? 999) <= window.innerWidth + 1,
        read: main?.width ?? 0,
      }
    })
    expect(seen).toMatchObject({ before: true, out: true })
    expect(Math.min(seen.wide, seen.read)).toBeGreaterThan(340)
  })

  test('home stands within the glass', async () => {
    const visitor = await visitorOf('hospital-pm')
    await visitor.go('/home')
    await settle(visitor)
    if (process.env.SHOTS) await visitor.page.screenshot({ path: `${process.env.SHOTS}/phone-home.png` })
    expect(await visitor.page.evaluate(sideways)).toEqual([])
    const cut = await visitor.page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('.home-body > *')]
        .filter((one) => one.getBoundingClientRect().right > window.innerWidth + 1)
        .map((one) => one.className),
    )
    expect(cut).toEqual([])
  })
})

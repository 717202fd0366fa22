import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { apiAs, openShell, type Visitor } from '../browser.ts'
import { dayBefore, figure, look, until, windows } from './day.ts'

/** A district checks the presence of key people: from the figure on the home page to one person's day; and which warnings it may act on. */
const demo = inject('demo')
const account = 'bj-zhao'
let browser: Browser
let visitor: Visitor
let page: Page
const as = windows(() => browser, demo)
beforeAll(async () => {
  browser = await openShell()
  visitor = await as(account)
  page = visitor.page
  // The demonstration writes its history after the first page can be opened.
  const api = await apiAs(demo, account)
  // The month of the last complete day: on the first of a month the current one is still empty.
  const month = dayBefore(demo.simulation.today).slice(0, 7)
  const path = `/api/v1/attendance/stats/list/keyPost?projectCode=*&size=100&month=${month}`
  await until(
    'somebody is short of days',
    () => api.get<{ list: { below: boolean }[] }>(path),
    ({ list }) => list.some((one) => one.below),
  )
}, 180_000)
afterAll(() => browser.close())

const rows = () => page.locator('tr.ant-table-row:visible')
const numbers = (text: string | null | undefined) => (text?.match(/\d+(\.\d+)?/g) ?? []).map(Number)

describe.sequential('who answers for a site and is not there', () => {
  test('the figure at home opens exactly those people; on a day of rest it claims nothing', async () => {
    // Somebody may enter meanwhile, so retry until figure and list agree.
    await until(
      'figure and list agree',
      async () => {
        await visitor.go('/main')
        const card = page.locator('.zg-figure:visible', { hasText: '关键岗位未到' })
        await card.waitFor()
        if ((await card.getAttribute('href')) === null) return (await card.textContent())?.includes('休息或停工')
        const missing = await figure(page, '关键岗位未到')
        await card.click()
        await page.waitForURL(/checkingList\?chip=keyAbsent/)
        const total = page.getByText(/^共 [\d,]+ 人$/).filter({ visible: true })
        await total.waitFor()
        await look(page, 'district-1-absent')
        return numbers((await total.textContent())?.replaceAll(',', ''))[0] === missing
      },
      (agree) => agree === true,
      40_000,
    )
  })

  test('over the month, whoever is there least stands first, and his own page says the same', async () => {
    // The month of the last complete day: on the first of a month the current one is still empty.
    await visitor.go(`/checkAnalysis?tab=posts&month=${dayBefore(demo.simulation.today).slice(0, 7)}`)
    await rows().first().waitFor()
    await look(page, 'district-2-posts')
    expect(await figure(page, '到岗率不足')).toBeGreaterThan(0)
    const least = rows().first()
    const name = (await least.locator('td').first().textContent())?.trim() ?? ''
    const [due, came, rate] = (await least.locator('td').allTextContents()).slice(3, 6).map(Number)
    expect(await figure(page, '最低')).toBe(rate)
    await least.click()
    await page.getByRole('heading', { level: 1, name }).waitFor()
    await look(page, 'district-3-man')
    const own = page.locator('.zg-figure:visible', { hasText: '到岗率' })
    expect(numbers(await own.textContent())).toEqual(expect.arrayContaining([rate, due, came]))
  })

  test('a warning is read with what it is about; a body that may not handle it is offered no handling', async () => {
    await visitor.go('/alarmSet?tab=records&state=1')
    await rows().first().waitFor()
    await look(page, 'district-4-warnings')
    const kinds = page.locator('.la-kinds li:visible')
    const sum = (await kinds.locator('b').allTextContents()).reduce((all, n) => all + Number(n), 0)
    expect(sum).toBe(await figure(page, '待处理'))
    for (const word of ['处理', '忽略']) expect(await rows().getByText(word, { exact: true }).count()).toBe(0)
    const contract = rows().filter({ hasText: '未签合同已进场' }).first()
    const name = (await contract.locator('td').nth(2).textContent())?.trim() ?? ''
    await contract.getByRole('link', { name: '查看' }).click()
    await page.getByRole('heading', { level: 1, name }).waitFor()
    await look(page, 'district-5-warned')
    for (const word of ['新签', '去签订', '转正式'])
      expect(await page.getByText(word, { exact: true }).filter({ visible: true }).count()).toBe(0)
    expect(visitor.trouble()).toEqual([])
  })
})

import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { openShell, type Visitor } from '../browser.ts'
import { accountOf, cityOf, figure, fromExportCentre, look, windows } from './day.ts'
import { openWorkbook } from './workbook.ts'

/** A labour company looks after its people on several sites: from the figure on the home page to the list, then to one site and its people. */
const demo = inject('demo')
const city = cityOf(demo)
const account = 'dingli-cheng'
const corpCode = accountOf(demo, account).corpCode
const sites = [
  ...new Set(city.projectWorkers.filter((one) => one.corpCode === corpCode && one.stationed === '1').map((one) => one.projectCode)),
]
let browser: Browser
let visitor: Visitor
let page: Page
const as = windows(() => browser, demo)
beforeAll(async () => {
  browser = await openShell()
  visitor = await as(account)
  page = visitor.page
})
afterAll(() => browser.close())

/** Waits until the footer of the list shows this number of people. */
const lists = (people: number) => page.getByText(`共 ${people} 人`, { exact: true }).filter({ visible: true }).waitFor()
const open = async (label: string) => {
  const at = await figure(page, label)
  await page.locator('a.zg-figure:visible', { hasText: label }).click()
  return at
}

describe.sequential('from home to a site’s people', () => {
  const bySite = new Map<string, number>()

  test('the table of sites adds up to the figures above it', async () => {
    await visitor.go('/main')
    await page.locator('a.zg-figure', { hasText: '在册人数' }).waitFor()
    await look(page, 'company-1-home')
    const table = page.locator('table', { has: page.getByRole('columnheader', { name: '在册' }) }).first()
    const column = (await table.locator('thead th').allTextContents()).findIndex((title) => title.trim() === '在册')
    for (const code of sites) {
      const name = city.projects.find((one) => one.projectCode === code)?.name ?? ''
      const row = table.locator('tbody tr', { hasText: name }).first()
      bySite.set(name, Number(await row.locator('td, th').nth(column).textContent()))
    }
    expect(bySite.size).toBeGreaterThan(1)
    expect([...bySite.values()].reduce((sum, n) => sum + n, 0)).toBe(await figure(page, '在册人数'))
  })

  test('each figure opens a list of just as many people', async () => {
    for (const label of ['在册人数', '今日出勤']) {
      await visitor.go('/main')
      const at = await open(label)
      await page.waitForURL((url) => url.pathname !== '/main')
      await lists(at)
    }
  })

  test('entering one site narrows everything to it; the way back widens it again', async () => {
    await visitor.go('/main')
    const [name = '', people] = [...bySite].sort(([, a], [, b]) => b - a)[0] ?? []
    await page.getByRole('link', { name }).or(page.getByRole('button', { name })).first().click()
    await page.locator('button.switch', { hasText: name }).waitFor()
    await look(page, 'company-2-site')
    await visitor.go('/personList?stationed=1')
    await lists(people ?? 0)
    await page.locator('button.switch').click()
    await page
      .getByRole('button', { name: /全部项目/ })
      .last()
      .click()
    await page.locator('button.switch', { hasText: '全部项目' }).waitFor()
    await visitor.go('/personList?stationed=1')
    await lists([...bySite.values()].reduce((sum, n) => sum + n, 0))
    await look(page, 'company-3-list')
    expect(visitor.trouble()).toEqual([])
  })

  test('the export holds the same people, with their numbers masked', async () => {
    await page.getByRole('button', { name: '导出', exact: true }).click()
    const dialog = page.getByRole('dialog')
    expect(await dialog.getByRole('checkbox', { name: /明文/ }).isDisabled()).toBe(true)
    await look(page, 'company-4-export')
    await dialog.getByRole('button', { name: '导出 Excel' }).click()
    await dialog
      .getByText(/保留 7 天/)
      .first()
      .waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: '导出中心' }).click()
    const file = await fromExportCentre(page)
    const rows = openWorkbook(file.body).rows(1)
    const people = [...bySite.values()].reduce((sum, n) => sum + n, 0)
    const text = rows.flat().join(' ')
    expect(rows.length).toBeGreaterThanOrEqual(people + 1)
    for (const { name, idCardNumber, cellPhone } of city.workers) {
      if (!text.includes(name)) continue
      expect(text).not.toContain(idCardNumber)
      expect(text).not.toContain(cellPhone)
    }
    expect(visitor.trouble()).toEqual([])
  })
})

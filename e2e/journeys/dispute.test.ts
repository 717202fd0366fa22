import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { apiAs, openShell, type Visitor } from '../browser.ts'
import { accountOf, dayBefore, figure, fromExportCentre, look, pdfPages, until, windows } from './day.ts'

/** A worker disputes a day. The labour officer reviews it entry by entry with the ledger; the district checks it against its own copy. */
const demo = inject('demo')
const projectCode = accountOf(demo, 'hospital-labour').projectCode ?? ''
let browser: Browser
let visitor: Visitor
let page: Page
const as = windows(() => browser, demo)

/** The last day on which a person who came has doubtful hours; without passages there is nothing to dispute. */
let date = demo.simulation.today
let name = ''
beforeAll(async () => {
  browser = await openShell()
  visitor = await as('hospital-labour')
  page = visitor.page
  const api = await apiAs(demo, 'hospital-labour')
  await until(
    'a day with something wrong',
    async () => {
      for (date = dayBefore(demo.simulation.today); date > dayBefore(demo.simulation.today).replace(/..$/, '00'); date = dayBefore(date)) {
        const { list } = await api.get<{ list: { name: string; firstIn: string | null }[] }>(
          `/api/v1/attendance/daily?projectCode=${projectCode}&date=${date}&chip=wrong&size=100`,
        )
        name = list.find(({ firstIn }) => firstIn)?.name ?? ''
        if (name) return true
      }
      return false
    },
    (found) => found,
  )
}, 180_000)
afterAll(() => browser.close())

describe.sequential('a disputed day', () => {
  let entry = ''

  test('the desk opens the day with its passages and reads in words how it was reckoned', async () => {
    await visitor.go(`/checkingList?date=${date}&chip=wrong&name=${encodeURIComponent(name)}`)
    const row = page.locator('tr.ant-table-row:visible', { hasText: name }).first()
    await row.waitFor()
    await row.locator('td').last().click()
    const drawer = page.getByRole('dialog').filter({ visible: true })
    await drawer.getByText('计算过程').waitFor()
    await drawer.getByText('链校验通过').waitFor()
    const words = await drawer.locator('.att-words li').allTextContents()
    expect(words.at(-1)).toMatch(/^结果：/)
    const passes = drawer.locator('.att-passes li')
    expect(await passes.count()).toBeGreaterThan(0)
    const first = (await passes.first().locator('.time').textContent())?.trim().slice(0, 5)
    expect(words.join(' ')).toContain(first)
    await look(page, 'dispute-1-day')
    expect(visitor.trouble()).toEqual([])
  })

  test('each passage leads to its entry in the ledger, and the ledger is checked over the whole time', async () => {
    const link = page
      .getByRole('dialog')
      .getByRole('link', { name: /^第 [\d,]+ 条$/ })
      .first()
    entry = (await link.textContent()) ?? ''
    const hash = await link.locator('xpath=..').getAttribute('title')
    await link.click()
    await page.getByRole('heading', { name: entry }).waitFor()
    const shown = page.locator('.att-entry')
    expect(await shown.textContent()).toContain(hash)
    expect(await shown.textContent()).toContain(name)
    await page.getByRole('button', { name: '校验这段时间' }).click()
    const verdict = page.getByText(/^校验 [\d,]+ 条，日根值 \d+ 个/).filter({ visible: true })
    await verdict.waitFor()
    await look(page, 'dispute-2-ledger')
    expect(Number(/[\d,]+/.exec((await verdict.textContent()) ?? '')?.[0].replaceAll(',', ''))).toBeGreaterThan(1_000)
    expect(await page.locator('.att-findings').count()).toBe(0)
    expect(visitor.trouble()).toEqual([])
  })

  test('the district asks the copies it keeps itself', async () => {
    const district = await as('bj-zhao')
    await district.go('/main')
    await district.page.evaluate(
      (code) => localStorage.setItem('activeGroup', JSON.stringify({ projectCode: code, name: '' })),
      projectCode,
    )
    await district.go('/checkRecord?tab=ledger')
    await district.page.getByRole('button', { name: '校验这段时间' }).click()
    const verdict = district.page.getByText(/与本组留存比对 [1-9]\d* 个/).filter({ visible: true })
    await verdict.waitFor()
    await look(district.page, 'dispute-3-district')
    expect(await district.page.locator('.att-findings').count()).toBe(0)
    expect(district.trouble()).toEqual([])
  })

  test('the man takes home a proof of his month', async () => {
    await visitor.go(`/checkingList?date=${date}&chip=wrong&name=${encodeURIComponent(name)}`)
    await page.locator('tr.ant-table-row:visible').getByRole('link', { name }).first().click()
    await page.getByRole('heading', { level: 1, name }).waitFor()
    expect(await figure(page, '本月出勤')).toBeGreaterThan(0)
    await page.getByRole('button', { name: '出具考勤证明' }).click()
    const proof = await fromExportCentre(page)
    expect(proof.name).toMatch(/考勤证明.*\.pdf$/)
    expect(pdfPages(proof.body)).toBeGreaterThanOrEqual(2)
    await look(page, 'dispute-4-proof')
    expect(visitor.trouble()).toEqual([])
  })

  test('whoever is nobody here is led to the login', async () => {
    const context = await browser.newContext()
    const stranger = await context.newPage()
    await stranger.goto(`${demo.url}/checkRecord?tab=ledger`)
    await stranger.waitForURL(/\/login/)
    await context.close()
  })
})

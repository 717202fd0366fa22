import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { apiAs, openShell } from '../browser.ts'
import { accountOf, cityOf, enterProject, figure, fromExportCentre, look, pdfPages, until, windows } from './day.ts'

/** A team's month: its company requests a missing passage; site and general contractor approve; the month is confirmed and closed again. */
const demo = inject('demo')
const city = cityOf(demo)
const projectCode = accountOf(demo, 'hospital-labour').projectCode ?? ''
const projectName = accountOf(demo, 'hospital-labour').groupName
const ownCorp = accountOf(demo, 'dingli-cheng').corpCode
const teams = city.teams.filter((team) => team.projectCode === projectCode)
const own = teams.filter((team) => team.corpCode === ownCorp)
const others = teams.filter((team) => team.corpCode !== ownCorp)
/** The last month that the demonstration has closed: in the first five days of a month the one before the last. */
const late = new Date(Date.parse(`${demo.simulation.today}T00:00:00Z`) - 5 * 86_400_000).toISOString()
const month = new Date(Date.parse(`${late.slice(0, 7)}-01T00:00:00Z`) - 1).toISOString().slice(0, 7)

let browser: Browser
const as = windows(() => browser, demo)
beforeAll(async () => {
  browser = await openShell()
  // The demonstration writes its history after the first page can be opened.
  const api = await apiAs(demo, 'hospital-labour')
  const path = `/api/v1/oa/process/attendanceMonth?projectCode=${projectCode}&month=${month}`
  await until(
    'the last month is closed',
    () => api.get<{ closed?: boolean }>(path),
    ({ closed }) => closed === true,
  )
}, 180_000)
afterAll(() => browser.close())

const sheet = `/attendance?month=${month}`

describe.sequential('the month of one gang', () => {
  let worker = ''
  let day = 0
  let before = { days: 0, hours: 0 }

  test('its company sees its own gangs and nobody else, by address as well', async () => {
    const { page, ...foreman } = await as('dingli-cheng')
    await foreman.go(sheet)
    await page.locator('.att-sheet tbody tr').first().waitFor()
    const shown = await page.locator('.att-sheet tbody th.name').evaluateAll((all) => all.map((one) => one.getAttribute('title') ?? ''))
    expect(shown.length).toBeGreaterThan(20)
    for (const title of shown) expect(own.some((team) => title.includes(team.teamName)) || title.includes('鼎力架业'), title).toBe(true)
    const text = await page.locator('main').textContent()
    for (const team of others) expect(text).not.toContain(team.teamName)
    await look(page, 'leader-1-sheet')

    const foreign = others[0]
    if (!foreign) throw new Error('the site has one company only')
    await foreman.go(`${sheet}&unit=${foreign.corpCode}|${foreign.teamSysNo}`)
    await page
      .getByText(/没有|暂无/)
      .first()
      .waitFor()
    expect(await page.locator('.att-sheet tbody tr').count()).toBe(0)
    const stranger = city.projectWorkers.find((one) => one.projectCode === projectCode && one.corpCode === foreign.corpCode)
    await foreman.go(`/SingleAttendance?workerId=${stranger?.workerId}&month=${month}`)
    await look(page, 'leader-2-stranger')
    expect(foreman.trouble()).toEqual([])
  })

  test('the builder opens the closed month again, with a reason', async () => {
    const builder = await as('yunze-lu')
    const { page } = builder
    await builder.go(`${sheet}&tab=closing`)
    await enterProject(page, projectName)
    await builder.go(`${sheet}&tab=closing`)
    await page.getByText('已封账').first().waitFor()
    await page.getByRole('button', { name: '重开' }).click()
    const dialog = page.getByRole('dialog', { name: `重开 ${month} 考勤` })
    await dialog.getByRole('textbox').fill('架子班补卡未办，核对后重新封账')
    await dialog.getByRole('button', { name: /^确\s*定$/ }).click()
    await page.getByText('已重开').first().waitFor()
    await look(page, 'leader-3-reopened')
  })

  test('the foreman finds the day on which a passage is missing and asks for it; nothing changes by asking', async () => {
    const foreman = await as('dingli-cheng')
    const { page } = foreman
    await foreman.go(`${sheet}&unit=${ownCorp}|${own[0]?.teamSysNo}`)
    const missing = page.locator('.att-sheet td button[aria-label*="缺卡"]:not([aria-label*="补录"])').first()
    await missing.waitFor()
    const label = (await missing.getAttribute('aria-label')) ?? ''
    worker = label.split(' ')[0] ?? ''
    day = Number(/ (\d+) 日/.exec(label)?.[1])
    before = await sums()
    await missing.click()
    await look(page, 'leader-4-cell')
    await page.getByRole('link', { name: '考勤详情' }).click()
    await page.getByRole('heading', { level: 1, name: new RegExp(worker) }).waitFor()
    const passes = page.locator('.att-passes li:visible')
    await passes.first().waitFor()
    const ways = await passes.and(page.locator(':not(.ignored)')).locator('b').allTextContents()
    await page.getByRole('button', { name: '补卡申请' }).click()
    const drawer = page.getByRole('dialog', { name: /补卡/ })
    const date = `${month}-${String(day).padStart(2, '0')}`
    const isOut = ways.at(-1) === '进'
    await drawer.getByLabel('实际时间').fill(`${date} ${isOut ? '18:00' : '06:30'}:00`)
    await drawer.getByLabel('实际时间').press('Enter')
    if (!isOut) {
      await drawer.getByLabel('方向').click()
      await page.locator('.ant-select-item-option').filter({ hasText: '入场', visible: true }).click()
    }
    await drawer.getByLabel('原因').fill('闸机断电，有班组日志和监控')
    await look(page, 'leader-5-ask')
    await drawer.getByRole('button', { name: /^(保\s*存|提\s*交)$/ }).click()
    await page.getByText(/已提交 1 条.*须经企业同意/).waitFor()
    await foreman.go(`/attendance?tab=fixes&month=${month}`)
    await page.locator('tr.ant-table-row', { hasText: worker }).getByText('审批中').waitFor()
    await look(page, 'leader-6-asked')
    expect(await sums()).toEqual(before)
    expect(foreman.trouble()).toEqual([])
  })

  test('site and builder agree, each for its part; then it is a day like others and the gang has other sums', async () => {
    for (const account of ['hospital-pm', 'yunze-lu']) {
      const decider = await as(account)
      await decider.go(`/attendance?tab=fixes&month=${month}`)
      const requested = decider.page.locator('tr.ant-table-row:visible', { hasText: worker })
      await requested.click()
      const drawer = decider.page.getByRole('dialog', { name: '考勤更正' })
      await drawer.getByText('更正前后').waitFor()
      await look(decider.page, `leader-7-${account}`)
      await drawer.getByRole('button', { name: /^同\s*意$/ }).click()
      await drawer.waitFor({ state: 'detached' })
      expect(decider.trouble()).toEqual([])
    }
    await until('the sums follow', sums, (now) => now.hours > before.hours, 30_000)
  })

  test('the desk of the site agrees for the gangs that changed, and the month is closed as its second version', async () => {
    const desk = await as('hospital-labour')
    await desk.go(`${sheet}&tab=closing`)
    const line = desk.page.locator('.att-teams li', { hasText: own[0]?.teamName })
    await line.getByText('确认后有变化').waitFor()
    await look(desk.page, 'leader-8-closing')
    const changed = desk.page.locator('.att-teams li', { hasText: '确认后有变化' })
    const count = await changed.count()
    for (const box of await changed.getByRole('checkbox').all()) await box.check()
    await desk.page.getByRole('button', { name: `确认 ${count} 个班组` }).click()
    await expect.poll(() => changed.count()).toBe(0)

    const manager = await as('hospital-pm')
    await manager.go(`${sheet}&tab=closing`)
    expect(await figure(manager.page, '未确认班组')).toBe(0)
    await manager.page.getByRole('button', { name: /封\s*账$/ }).click()
    await manager.page
      .getByRole('dialog')
      .getByRole('button', { name: /^封\s*账$/ })
      .click()
    await manager.page.getByText('已封账').first().waitFor()
    await manager.page.getByText('第 2 版').first().waitFor()
    expect(await figure(manager.page, '封账后差异')).toBe(0)
    await look(manager.page, 'leader-9-closed')
    await manager.page.getByRole('button', { name: '打印 A3 横' }).click()
    const paper = await fromExportCentre(manager.page)
    // At least one page per team.
    expect(pdfPages(paper.body)).toBeGreaterThanOrEqual(teams.length)
    expect(desk.trouble()).toEqual([])
    expect(manager.trouble()).toEqual([])
  })

  test('what it comes to is the same on the sheet, at the closing and on the man’s own page', async () => {
    const foreman = await as('dingli-cheng')
    const now = await sums()
    const { page } = foreman
    await foreman.go(`/attendance?month=${month}&unit=${ownCorp}|${own[0]?.teamSysNo}&name=${encodeURIComponent(worker)}`)
    const row = page.locator('.att-sheet tbody tr', { hasText: worker }).first()
    await row.locator('td.total').first().waitFor()
    const [days, hours] = (await row.locator('td.total').allTextContents()).map((text) => Number(text.replaceAll(',', '')))
    await row.getByRole('link', { name: worker }).click()
    await page.getByRole('heading', { level: 1, name: worker }).waitFor()
    await look(page, 'leader-10-man')
    expect([await figure(page, '本月出勤'), await figure(page, '本月工时')]).toEqual([days, hours])
    expect(now.hours).toBe(await closed())
  })
})

/** Days and hours of the first team, from the totals of its sheet. */
async function sums(): Promise<{ days: number; hours: number }> {
  const api = await apiAs(demo, 'dingli-cheng')
  const { attendDays, workHours } = await api.get<{ attendDays: number; workHours: number }>(
    `/api/v1/attendance/monthly?projectCode=${projectCode}&month=${month}&teamSysNo=${own[0]?.teamSysNo}`,
  )
  return { days: attendDays, hours: workHours }
}

/** Hours of the same team in the closed version. */
async function closed(): Promise<number | undefined> {
  const api = await apiAs(demo, 'hospital-labour')
  const { teams: all } = await api.get<{ teams: { teamSysNo: string; workHours: number }[] }>(
    `/api/v1/oa/process/attendanceMonth?projectCode=${projectCode}&month=${month}`,
  )
  return all.find((team) => team.teamSysNo === String(own[0]?.teamSysNo))?.workHours
}

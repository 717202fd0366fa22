import { randomBytes } from 'node:crypto'
import pg from 'pg'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type Api, apiAs, logIn, openShell, type Visitor, visit } from '../browser.ts'
import { accountOf, look, until } from './day.ts'
import { photo, press } from './page-acts.ts'
import { draw } from './signing.ts'

/**
 * An inspector's day on a tablet: planned by the head, unknown to the site; the officers arrive, check and write without network for two hours,
 * then send, sign and submit; the site learns of it with its notice.
 */
const demo = inject('demo')
const projectCode = accountOf(demo, 'hospital-pm').projectCode ?? ''
const path = '/api/v1/oa/process/daycheck'
const tablet = { width: 820, height: 1180 }
const hourMs = 3_600_000
const problem = `三层东侧临边防护栏杆缺失 ${Date.now() % 100_000}`
let browser: Browser
let officer: Visitor
let head: Api
let site: Api
const id = randomBytes(16).toString('hex')
beforeAll(async () => {
  browser = await openShell()
  head = await apiAs(demo, 'bj-wu')
  site = await apiAs(demo, 'hospital-pm')
}, 180_000)
afterAll(() => browser.close())

interface Check {
  state: string
  version: number
  checkIn: { at: string; outsideM: number | null } | null
  presence: unknown[]
  score: number | null
  units: { id: string; done: boolean; judged: number; items: number; wrong: number }[]
  problems: { description: string; notice: { id: string } | null }[]
  conclusion: string | null
}
const read = () => head.get<Check>(`${path}/${id}?projectCode=*`)
const chinaDay = () => new Date(Date.now() + 8 * hourMs).toISOString().slice(0, 10)
const outbox = (page: Page) => page.locator('.app-outbox')
/** What the account can find of the check. */
async function known(api: Api): Promise<string[]> {
  const { list } = await api.get<{ list: { id: string }[] | null }>(`${path}?projectCode=*&size=200`)
  const todos = await api.get<{ list: { link: string }[] | null }>('/api/v1/oa/todo/message/list?size=200')
  return [...(list ?? []).map((one) => one.id), ...(todos?.list ?? []).map((one) => one.link)].filter((one) => one.includes(id))
}
const choose = async (page: Page, label: string, option?: string) => {
  await page.getByRole('combobox', { name: label }).filter({ visible: true }).first().click()
  await page
    .locator('.ant-select-dropdown:visible .ant-select-item-option', { ...(option ? { hasText: option } : {}) })
    .first()
    .click()
}

describe.sequential('the day of an inspector', () => {
  test('the head plans a check of two officers; the site finds nothing of it', async () => {
    const { officers, sheets } = await head.get<{
      officers: { id: string; name: string }[]
      sheets: { code: string; whole: boolean }[]
    }>(`${path}/start?projectCode=${projectCode}&discipline=1`)
    const checkers = officers.filter((one) => ['赵启明', '钱红'].includes(one.name))
    expect(checkers).toHaveLength(2)
    const whole = sheets.find((one) => one.whole)?.code
    const made = await head.post(`${path}?projectCode=${projectCode}`, {
      ...{ id, inspectType: '01', discipline: ['1'], plannedDate: chinaDay(), checkers, template: [whole] },
      ...{ planId: null, visitId: null },
    })
    expect(made).toMatchObject({ status: 0 })
    expect(await known(head)).toContain(id)
    expect(await known(site)).toEqual([])
  })

  test('on site without network they arrive, check the sheet and find a problem', async () => {
    officer = await visit(browser, demo, { viewport: tablet, field: true })
    const { page, context } = officer
    const pool = new pg.Pool({ connectionString: inject('databaseUrl'), max: 1 })
    const { rows } = await pool.query<{ lng: number; lat: number }>('select lng, lat from project where project_code = $1', [projectCode])
    await pool.end()
    const [{ lng, lat } = { lng: 0, lat: 0 }] = rows
    await context.grantPermissions(['geolocation'])
    await context.setGeolocation({ longitude: lng, latitude: lat })
    await logIn(officer, demo, 'bj-zhao')
    await officer.go(`/jgt/daycheck/edit?id=${id}`)
    await page.getByRole('button', { name: '获取定位' }).waitFor()
    await until(
      'the cached files of the field pages',
      () => page.evaluate(async () => navigator.serviceWorker?.controller != null && (await caches.match('/build')) !== undefined),
      Boolean,
    )
    await context.setOffline(true)
    // The device's clock shows when it happened, two hours before it can be sent.
    await page.clock.setSystemTime(Date.now() - 2 * hourMs)
    await press(page, '获取定位')
    await page.getByText(/^\d+\.\d{5}，/).waitFor()
    await page
      .locator('.app-page:not([hidden])')
      .getByLabel('选择文件')
      .first()
      .setInputFiles(await photo(page))
    await page.locator('.field-photo').first().waitFor()
    await choose(page, '形象进度')
    await look(page, 'inspector-1-arrival')
    await press(page, '签到，开始检查')
    await outbox(page)
      .getByText(/待传 1 项/)
      .waitFor()
    await page.locator('.day-unit a').first().click()
    const items = page.locator('.scoring-item:visible')
    await items.first().waitFor()
    await items.first().getByText('不合格', { exact: true }).click()
    await items.first().getByRole('textbox', { name: '问题' }).fill(problem)
    await items
      .first()
      .getByLabel('选择文件')
      .setInputFiles(await photo(page))
    await items.first().locator('.field-photo').first().waitFor()
    await press(page, /^其余 \d+ 项合格$/)
    await look(page, 'inspector-2-sheet')
    await press(page, '完成本单体')
    await outbox(page)
      .getByText(/待传 2 项/)
      .waitFor()
    expect((await read()).state).toBe('0')
    expect(await known(site)).toEqual([])
  })

  test('with a network everything arrives once, with the time at which it happened', async () => {
    const { page, context } = officer
    await page.clock.setSystemTime(Date.now())
    await context.setOffline(false)
    await outbox(page).waitFor({ state: 'detached' })
    const check = await until('the check', read, (one) => one.units.every((unit) => unit.done))
    expect(check).toMatchObject({ state: '1', units: [{ wrong: 1 }] })
    expect(check.checkIn?.outsideM).toBe(0)
    const late = Date.now() + 8 * hourMs - Date.parse(`${check.checkIn?.at.replace(' ', 'T')}Z`)
    expect(late / hourMs).toBeGreaterThan(1.9)
    expect(late / hourMs).toBeLessThan(2.5)
    // Before the check is submitted the site knows nothing of it, although the officers are there.
    expect(await known(site)).toEqual([])
  })

  test('they conclude, both sign, and the site gets the notice', async () => {
    const { page } = officer
    await officer.go(`/jgt/daycheck/edit?id=${id}&step=3`)
    await press(page, '列为问题')
    await choose(page, '检查结论', '整改')
    for (const name of ['赵启明', '钱红']) await sign(page, page.locator('.day-signs > div', { hasText: `监督人员 ${name}` }))
    await look(page, 'inspector-3-conclusion')
    await press(page, '提交检查')
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^提\s*交$/ })
      .click()
    await page.waitForURL(/daycheck\/checkResult/)
    await look(page, 'inspector-4-result')
    const check = await read()
    expect(check.state).toBe('3')
    expect(check.problems.map((one) => one.description)).toEqual([problem])
    expect(await known(site)).toContain(id)
    const notice = check.problems[0]?.notice?.id ?? ''
    expect(await site.get<{ state: string; summary: string }>(`/api/v2/oa/se/rectify/${notice}`)).toMatchObject({ state: '1' })
    await officer.close()
  })
})

async function sign(page: Page, seat: Locator): Promise<void> {
  await draw(page, seat)
  await seat.getByRole('button', { name: '确认签名' }).click()
  await seat.getByRole('button', { name: '重签' }).waitFor()
}

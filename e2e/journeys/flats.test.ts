import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type Api, apiAs, openShell } from '../browser.ts'
import { accountOf, fromExportCentre, look, pdfPages, windows } from './day.ts'
import { attach, press } from './page-acts.ts'
import { signSeat } from './signing.ts'

/**
 * A building of two flats to its certificates: the dry run before the sync, one flat that passes, one with a leak that is mended, three
 * parties that sign on their own accounts. Only when both have passed may the building go to its final acceptance.
 */
const demo = inject('demo')
const officer = 'hospital-pm'
const { projectCode } = accountOf(demo, officer)
const building = `家属楼${String(Date.now()).slice(-6)}`
const names = ['101', '102'] as const
/** A refusal is back by then, and so would be a wrong acceptance. */
const refusedWithinMs = 3_000
let browser: Browser
let api: Api
let flats: { id: string; name: string }[] = []
const as = windows(() => browser, demo)
beforeAll(async () => {
  browser = await openShell()
  api = await apiAs(demo, officer)
}, 180_000)
afterAll(() => browser.close())

interface Flat {
  id: string
  name: string
  state: string
  certNo: string | null
  version: number
}
interface Buildings {
  list: Flat[]
  buildings: { id: string; name: string; total: number; passed: number; ready: boolean }[]
}
const read = () => api.get<Buildings>(`/api/v1/house/sync?projectCode=${projectCode}&page=1&size=1000`)
const own = async () => (await read()).buildings.find((one) => one.name === building)
const flat = (no: number) => api.get<Flat>(`/api/v1/house/sync/${flats[no]?.id}?projectCode=*`)
const open = (no: number) => `/house_async?house=${flats[no]?.id}`
const drawer = (page: Page) => page.getByRole('dialog', { name: new RegExp(building) })

describe.sequential('the flats of a building', () => {
  test('come from a table; the dry run says what would happen and the bad row', async () => {
    const who = await as(officer)
    const { page } = who
    await who.go('/house_async')
    await press(page, /^(sync )?同\s*步$/)
    const rows = [
      ['外部编号', '楼栋', '单元', '楼层', '房号', '户型', '业态', '建筑面积'],
      ...names.map((name, i) => [`${building}-${name}`, building, '1单元', '1层', name, 'A', '住宅', String(89.5 + i)]),
      [`${building}-103`, building, '1单元', '1层', '', 'A', '住宅', '90'],
    ]
    await page.getByLabel(/从 Excel 复制粘贴/).fill(rows.map((one) => one.join('\t')).join('\n'))
    await press(page, /^试\s*算$/)
    await page.getByText('新增 2，').waitFor()
    await page.getByText('缺少房号').waitFor()
    expect(await own()).toBeUndefined()
    await look(page, 'flats-1-dry-run')
    await press(page, /^写\s*入$/)
    await page.getByText('已同步：新增 2').waitFor()
    flats = (await read()).list.filter((one) => names.includes(one.name as '101') && one.state === '0')
    const made = await own()
    expect(made).toMatchObject({ total: 2, passed: 0, ready: false })
    flats = (await api.get<Buildings>(`/api/v1/house/sync?projectCode=${projectCode}&building=${made?.id}&page=1&size=10`)).list.toSorted(
      (a, b) => (a.name < b.name ? -1 : 1),
    )
    expect(flats.map((one) => one.name)).toEqual(names)
    expect(who.trouble()).toEqual([])
  })

  /** All items right and saved, so that the parties can sign. */
  async function inspect(page: Page, bad?: string): Promise<void> {
    if (bad) {
      const item = drawer(page).locator('.houses-items li', { hasText: bad })
      await item.getByText('不合格', { exact: true }).click()
      await item.getByLabel(`${bad}的问题`).fill('卫生间蓄水 24 h，东北角渗漏')
      await attach(page, item)
    }
    await press(page, '其余全部合格')
    await drawer(page).getByText('还有 0 项未验收').waitFor()
  }
  /** The three parties sign, each with its own account. */
  async function signed(no: number): Promise<void> {
    for (const [account, role] of [
      ['weijian-xia', '建设单位'],
      [officer, '施工单位'],
      ['hospital-jl', '监理单位'],
    ] as const) {
      const who = await as(account)
      await who.go(open(no))
      await signSeat(who.page, role)
    }
  }
  const saveAll = async (page: Page, no: number) => {
    const { version } = await flat(no)
    await press(page, /^保\s*存$/)
    await expect.poll(async () => (await flat(no)).version, { timeout: 20_000 }).toBeGreaterThan(version)
  }

  test('the first passes with three signatures and not before', async () => {
    const who = await as(officer)
    const { page } = who
    await who.go(open(0))
    await press(page, '开始验收')
    await inspect(page)
    await saveAll(page, 0)
    await press(page, '验收合格')
    await page.waitForTimeout(refusedWithinMs)
    expect((await flat(0)).state).toBe('1')
    who.trouble()
    await signed(0)
    await who.go(open(0))
    await press(page, '验收合格')
    await expect.poll(async () => (await flat(0)).state, { timeout: 20_000 }).toBe('4')
    expect((await flat(0)).certNo).toMatch(/\S/)
    expect(await own()).toMatchObject({ passed: 1, ready: false })
    await look(page, 'flats-2-passed')
    expect(who.trouble()).toEqual([])
  })

  test('the second leaks, is mended and rechecked; then the building is complete', async () => {
    const who = await as(officer)
    const { page } = who
    await who.go(open(1))
    await press(page, '开始验收')
    const first = drawer(page).locator('.houses-items li span').first()
    await first.waitFor()
    const bad = (await first.textContent())?.trim() ?? ''
    await inspect(page, bad)
    await press(page, '提交，1 项待整改')
    await expect.poll(async () => (await flat(1)).state, { timeout: 20_000 }).toBe('2')
    await who.go(`/house_async?building=${(await own())?.id}`)
    await page
      .getByText(/还差 1 户/)
      .filter({ visible: true })
      .waitFor()
    await look(page, 'flats-3-open')
    await who.go(open(1))
    await page.getByLabel('整改情况').fill('重做东北角防水，二次蓄水 24 h 无渗漏')
    await press(page, '提交整改')
    await expect.poll(async () => (await flat(1)).state, { timeout: 20_000 }).toBe('3')
    await who.go(open(1))
    const item = drawer(page).locator('.houses-items li', { hasText: bad })
    await item.getByText('合格', { exact: true }).click()
    await saveAll(page, 1)
    await signed(1)
    await who.go(open(1))
    await press(page, '复验合格')
    await expect.poll(async () => (await flat(1)).state, { timeout: 20_000 }).toBe('4')
    expect(await own()).toMatchObject({ total: 2, passed: 2, ready: true })
    await who.go(`/house_async?building=${(await own())?.id}`)
    await page.getByText('可提交竣工验收').filter({ visible: true }).first().waitFor()
    await look(page, 'flats-4-complete')
    expect(who.trouble()).toEqual([])
  })

  test('each has its certificate', async () => {
    const who = await as(officer)
    const certs = await Promise.all([flat(0), flat(1)])
    expect(new Set(certs.map((one) => one.certNo)).size).toBe(2)
    await who.go(open(1))
    await press(who.page, '打印分户验收证明')
    const { body } = await fromExportCentre(who.page)
    expect(pdfPages(body)).toBeGreaterThan(0)
    expect(who.trouble()).toEqual([])
  })
})

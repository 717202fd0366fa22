import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type Api, apiAs, openShell, type Visitor } from '../browser.ts'
import { accountOf, look, windows } from './day.ts'
import { attach, choose, press } from './page-acts.ts'
import { draw, signSeat } from './signing.ts'

/**
 * A batch of cement from the gate to the laboratory: received with its papers, accepted, sampled under witness, failed, and therefore blocked.
 */
const demo = inject('demo')
const keeper = 'hospital-pm'
const supervisor = 'hospital-jl'
const { projectCode } = accountOf(demo, keeper)
const site = `projectCode=${projectCode}`
const stamp = String(Date.now())
const batchNo = `C${stamp}`
const reportNo = `BG-${stamp}`
let browser: Browser
let api: Api
let id = ''
const as = windows(() => browser, demo)
beforeAll(async () => {
  browser = await openShell()
  api = await apiAs(demo, keeper)
}, 180_000)
afterAll(() => browser.close())

interface Batch {
  state: string
  version: number
  usable: boolean
  whyNot: string | null
  exited: boolean
  actions: { action: string }[]
  events: { action: string }[]
}
const read = () => api.get<Batch>(`/api/v1/oa/process/material/${id}?projectCode=*`)
const detail = () => `/material/details?id=${id}`

/** Opens the drawer of an action on the file, fills it and saves. */
async function handle(who: Visitor, action: string, fill: (page: Page, drawer: Locator) => Promise<void>): Promise<void> {
  await who.go(detail())
  await press(who.page, action)
  const drawer = who.page.getByRole('dialog', { name: action })
  await drawer.waitFor()
  await fill(who.page, drawer)
  await drawer.getByRole('button', { name: /^保\s*存$/ }).click()
  await drawer.waitFor({ state: 'detached' })
}
/** Tries to take from the batch past the page, as an application of the site might. */
const take = async () => {
  const { version } = await read()
  const body = { action: 'use', version, quantity: 1, part: '二层砌体', placeId: null, pin: null, team: null }
  return api.put(`/api/v1/oa/process/material/${id}?projectCode=*`, body)
}
const verdict = (page: Page) => page.locator('.material-verdict:visible')

describe.sequential('a batch of cement', () => {
  test('is received with its papers and may not be used before its acceptance', async () => {
    const who = await as(keeper)
    const { page } = who
    await who.go('/material/management')
    await press(page, '进场登记')
    const drawer = page.getByRole('dialog', { name: '进场登记' })
    await drawer.waitFor()
    await choose(page, '材料类别', '水泥')
    await drawer.getByLabel('材料名称').fill('普通硅酸盐水泥')
    await drawer.getByLabel('规格型号').fill('P·O 42.5')
    await drawer.getByLabel('批号').fill(batchNo)
    await drawer.getByLabel('数量').fill('30')
    await choose(page, '单位', '吨')
    await drawer.getByLabel('供应商').fill('江城水泥公司')
    await choose(page, '收料单位', '云泽建工集团')
    await drawer.getByText('应见证取样 1 组').waitFor()
    await attach(page, drawer)
    await look(page, 'material-1-receive')
    await drawer.getByRole('button', { name: /^保\s*存$/ }).click()
    await drawer.waitFor({ state: 'detached' })
    const { list } = await api.get<{ list: { id: string }[] }>(`/api/v1/oa/process/material?${site}&batchNo=${batchNo}&page=1&size=2`)
    expect(list).toHaveLength(1)
    id = list[0]?.id ?? ''
    expect(await read()).toMatchObject({ state: '0', usable: false, whyNot: '尚未验收' })
    expect((await take()).status).not.toBe(0)
    expect(who.trouble()).toEqual([])
  })

  test('is accepted by the supervisor for retest, sampled under witness and sent', async () => {
    const who = await as(supervisor)
    await handle(who, '验收', async (page) => {
      await page.getByLabel('验收意见').fill('外观与合格证一致')
      await draw(page)
    })
    expect(await read()).toMatchObject({ state: '2', usable: false, whyNot: '复验未出合格报告' })
    expect(await take()).toMatchObject({ message: expect.stringContaining('复验未出合格报告，不得使用') })
    const site = await as(keeper)
    await handle(site, '见证取样', async (page, drawer) => {
      await page.getByLabel('样品编号').fill(`YP${stamp}`)
      await page.getByLabel('取样部位与数量').fill('自二十袋各取等量，共 12 kg')
      await attach(page, drawer)
    })
    // Nothing is sent before the witness has signed.
    expect((await read()).actions.map((one) => one.action)).not.toContain('send')
    await who.go(detail())
    await signSeat(who.page, '见证人（监理）')
    await handle(site, '送检', async (page) => page.getByLabel('检测机构').fill('江城建材检测中心'))
    await site.go(detail())
    await verdict(site.page).getByText('复验未出合格报告').waitFor()
    await look(site.page, 'material-2-sent')
    expect(who.trouble()).toEqual([])
    expect(site.trouble()).toEqual([])
  })

  test('fails in the laboratory and is blocked for everybody', async () => {
    const who = await as(keeper)
    await handle(who, '录入复验报告', async (page, drawer) => {
      await page.getByLabel('报告编号').fill(reportNo)
      await choose(page, '复验结论', '不合格')
      await page.getByLabel('主要检测值').fill('28 d 抗压强度 36.8 MPa，低于 42.5 MPa')
      await attach(page, drawer)
    })
    expect(await read()).toMatchObject({ state: '3', usable: false, whyNot: '复验不合格，须退场' })
    expect((await take()).status).not.toBe(0)
    await who.go(detail())
    await verdict(who.page).getByText('复验不合格，须退场').waitFor()
    expect(await who.page.getByRole('button', { name: '领用登记' }).filter({ visible: true }).count()).toBe(0)
    await look(who.page, 'material-3-blocked')
    await who.go('/material/management?step=banned')
    await who.page.getByText(batchNo).filter({ visible: true }).first().waitFor()
    expect(who.trouble()).toEqual([])
  })
})

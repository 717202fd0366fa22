import { emberMs } from '@zhugong/contract/hazards/permit-rules'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type Api, apiAs, openShell, type Visitor } from '../browser.ts'
import { accountOf, look, windows } from './day.ts'
import { given, inside } from './given.ts'
import { choose, photo, press } from './page-acts.ts'
import { signSeat } from './signing.ts'

/** Welding in a shaft: asked for, approved by the manager, the air tested, begun, its guardian relieved, ended, and looked at for embers. */
const demo = inject('demo')
const projectCode = accountOf(demo, 'hospital-pm').projectCode ?? ''
const path = '/api/v1/oa/process/dangerous'
const part = `电梯井底坑 ${Date.now()}`
interface Person {
  workerId: string
  name: string
  corpCode: string
  unfit: string | null
}
interface Permit {
  state: string
  endedAt: string | null
  late: boolean
  gas: { faults: string[] }[]
  people: { role: string; name: string; until: string | null }[]
  timeline: { action: string }[]
}
let browser: Browser
let officer: Visitor
let manager: Visitor
let api: Api
let welder: Person
let guardian: Person
let relief: Person
let corpName = ''
let id = ''
const as = windows(() => browser, demo)
beforeAll(async () => {
  browser = await openShell()
  officer = await as('hospital-safety')
  manager = await as('hospital-pm')
  api = await apiAs(demo, 'hospital-safety')
  const { people } = await api.get<{ people: Person[] }>(`${path}/people?projectCode=${projectCode}&type=1`)
  const alone = people.filter((one) => people.filter((other) => other.name === one.name).length === 1)
  const [fit] = alone.filter((one) => one.unfit === null)
  const [first, second] = alone.filter((one) => one.unfit !== null && one.corpCode === fit?.corpCode)
  if (!fit || !first || !second) throw new Error('no welder with two others of his company')
  welder = fit
  guardian = first
  relief = second
  const [corp] = await given<{ name: string }>('select corp_name as name from corporation where corp_code = $1', [fit.corpCode])
  corpName = corp?.name ?? ''
}, 180_000)
afterAll(() => browser.close())

const read = () => api.get<Permit>(`${path}/permits/${id}?projectCode=*`)
const detail = () => `/safety/dangerous/details?permit=${id}`
const trouble = () => [...officer.trouble(), ...manager.trouble()]
/** Presses an action of the permit, fills its form and sends it. */
async function act(who: Visitor, button: RegExp, fill: (page: Page) => Promise<void> = async () => undefined): Promise<void> {
  await who.go(detail())
  await press(who.page, button)
  const sheet = who.page.getByRole('dialog').last()
  await sheet.waitFor()
  await fill(who.page)
  await sheet.getByRole('button', { name: /^保\s*存/ }).click()
  await sheet.waitFor({ state: 'detached' })
}
async function picture(page: Page): Promise<void> {
  const sheet = page.getByRole('dialog').last()
  await sheet
    .locator('input[type=file]')
    .first()
    .setInputFiles(await photo(page))
  await sheet.locator('.zg-thumb').first().waitFor()
}
async function air(page: Page, combustible: number): Promise<void> {
  const sheet = page.getByRole('dialog').last()
  for (const [label, value] of [
    ['氧含量', 20.8],
    ['可燃气', combustible],
    ['一氧化碳', 2],
    ['硫化氢', 0],
  ] as const)
    await sheet.getByLabel(label).fill(String(value))
  await sheet.getByLabel('检测点').fill('坑底')
}

describe.sequential('a permit for hot work', () => {
  test('is asked for with a licensed welder; who has no licence stands there with the reason', async () => {
    const { page } = officer
    await officer.go('/safety/dangerous/create?kind=permit')
    await choose(page, '作业类型', '动火作业')
    await choose(page, '级别', '一级')
    await page.getByLabel('作业内容').fill('底坑钢梁焊接')
    await page.getByLabel('作业部位').fill(part)
    await choose(page, '作业单位', corpName)
    await page.getByRole('combobox', { name: '作业人员' }).click()
    await page.getByRole('combobox', { name: '作业人员' }).fill(guardian.name)
    await page.locator('.ant-select-item-option-disabled', { hasText: '操作证' }).first().waitFor()
    await page.getByRole('combobox', { name: '作业人员' }).fill(welder.name)
    await page.locator('.ant-select-item-option', { hasText: welder.name }).filter({ visible: true }).first().click()
    await page.keyboard.press('Escape')
    await choose(page, '监护人', guardian.name)
    const measures = page.locator('.hazard-measure:visible')
    for (let i = 0; i < (await measures.count()); i++) {
      const one = measures.nth(i)
      await one.getByRole('checkbox').check()
      const file = one.getByLabel('选择文件')
      if ((await file.count()) === 0) continue
      await file.setInputFiles(await photo(page))
      await one.locator('.field-photo').first().waitFor()
    }
    await look(page, 'hot-work-1-form')
    await press(page, /^提交审批/)
    await page.waitForURL(/details\?permit=/)
    id = new URL(page.url()).searchParams.get('permit') ?? ''
    expect((await read()).state).toBe('1')
    expect(trouble()).toEqual([])
  })

  test('is approved by the manager, not by who asked', async () => {
    await officer.go(detail())
    expect(
      await officer.page
        .getByRole('button', { name: /^批\s*准$/, disabled: false })
        .filter({ visible: true })
        .count(),
    ).toBe(0)
    await act(manager, /^批\s*准$/)
    expect((await read()).state).toBe('2')
    expect(trouble()).toEqual([])
  })

  test('does not begin with nobody inside, nor in foul air; then its people sign and it begins', async () => {
    await given('delete from attendance_presence where project_code = $1 and worker_id = any ($2)', [
      projectCode,
      [welder.workerId, guardian.workerId, relief.workerId],
    ])
    const { page } = officer
    await officer.go(detail())
    await page
      .getByText(/此刻不在场（闸机记录）/)
      .filter({ visible: true })
      .first()
      .waitFor()
    await inside(projectCode, [welder.workerId, guardian.workerId, relief.workerId])
    await act(officer, /^登记气体检测$/, (at) => air(at, 12))
    await officer.go(detail())
    await page
      .getByText(/气体不合格：可燃气 12/)
      .filter({ visible: true })
      .first()
      .waitFor()
    await look(page, 'hot-work-2-foul-air')
    await act(officer, /^登记气体检测$/, (at) => air(at, 0))
    await officer.go(detail())
    await signSeat(page, '作业人员', welder.name)
    await signSeat(page, '监护人', guardian.name)
    await act(officer, /^开工确认$/, picture)
    const { state, gas } = await read()
    expect([state, gas.map((one) => one.faults.length)]).toEqual(['3', [0, 1]])
    await look(page, 'hot-work-3-running')
    expect(trouble()).toEqual([])
  })

  test('its guardian is relieved by somebody inside', async () => {
    await act(officer, /^监护交接$/, async (page) => {
      await choose(page, '接班监护人', relief.name)
      await page.getByLabel('交接情况').fill('灭火器两具在位，底坑通风正常')
    })
    const { people } = await read()
    expect(people.filter((one) => one.role === 'guardian').map((one) => [one.name, one.until === null])).toEqual([
      [guardian.name, false],
      [relief.name, true],
    ])
    await officer.go(detail())
    await officer.page
      .getByText(/监护至/)
      .filter({ visible: true })
      .first()
      .waitFor()
    expect(trouble()).toEqual([])
  })

  test('ends, waits for the look for embers, and is closed', async () => {
    const { page } = officer
    await act(officer, /^动火结束$/, picture)
    await officer.go(detail())
    await page
      .getByText(/起检查余火并完工确认/)
      .filter({ visible: true })
      .first()
      .waitFor()
    await look(page, 'hot-work-4-embers')
    await given(`update work_permit set ended_at = ended_at - make_interval(secs => $2) where id = $1`, [id, emberMs / 1000])
    await act(officer, /余火检查并完工/, picture)
    await officer.go(detail())
    await look(page, 'hot-work-5-closed')
    const { state, late, timeline } = await read()
    expect([state, late]).toEqual(['4', false])
    expect(timeline.map((one) => one.action)).toEqual(
      expect.arrayContaining(['submit', 'approve', 'gas', 'start', 'handover', 'finish', 'close']),
    )
    expect(trouble()).toEqual([])
  })
})

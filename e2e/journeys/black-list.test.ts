import { MqttGateway } from '@zhugong/simulator/mqtt-gateway'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { apiAs, openShell, type Visitor } from '../browser.ts'
import { accountOf, cityOf, figure, look, until, windows } from './day.ts'

/** A person on a district's black list tries every way in: registration, import, gate. */
const demo = inject('demo')
const city = cityOf(demo)
const account = 'hospital-labour'
const projectCode = accountOf(demo, account).projectCode ?? ''
const { today } = demo.simulation
let browser: Browser
let visitor: Visitor
let page: Page
const as = windows(() => browser, demo)

interface Entry {
  id: string
  name: string
  idCardNumber: string
  effective: boolean
  scope: string
  hits: number
}
/** The entry, and the person with the unmasked ID number, which only the simulated city still has. */
let entry: Entry
let man: (typeof city.workers)[number]
const entries = async () =>
  (await (await apiAs(demo, 'admin')).get<{ list: Entry[] }>('/api/v1/oa/process/laborBlack?projectCode=*&size=100')).list
beforeAll(async () => {
  browser = await openShell()
  visitor = await as(account)
  page = visitor.page
  const gone = new Set(city.projectWorkers.filter((one) => one.projectCode === projectCode && one.exitTime).map((one) => one.workerId))
  for (const one of await entries()) {
    const [head = '', tail = ''] = one.idCardNumber.split(/\*+/)
    const worker = city.workers.find(
      (w) => gone.has(w.workerId) && w.name === one.name && w.idCardNumber.startsWith(head) && w.idCardNumber.endsWith(tail),
    )
    if (!one.effective || one.scope !== '3' || !worker) continue
    entry = one
    man = worker
  }
  if (!entry) throw new Error('the district has listed nobody who worked here')
})
afterAll(() => browser.close())

const team = city.teams.find((one) => one.projectCode === projectCode && one.teamName === '钢筋一班')
const corpName = city.corporations.find((one) => one.corpCode === team?.corpCode)?.corpName ?? ''
const choose = async (label: string, option: string) => {
  await page.getByRole('combobox', { name: new RegExp(`^${label}`) }).click()
  await page.getByRole('combobox', { name: new RegExp(`^${label}`) }).fill(option)
  await page.locator('.ant-select-item-option').filter({ hasText: option, visible: true }).first().click()
}
const refusals = async () => (await entries()).find((one) => one.id === entry.id)?.hits ?? 0

describe.sequential('a man on the list of the district', () => {
  test('the form says so as soon as his number is typed, and does not enter him', async () => {
    const before = await refusals()
    await visitor.go('/personListEdit')
    await page
      .getByLabel(/^证件号码/)
      .first()
      .fill(man.idCardNumber)
    await page.getByLabel(/^姓名/).first().fill(man.name)
    await page
      .getByText(/黑名单/)
      .filter({ visible: true })
      .first()
      .waitFor()
    await look(page, 'black-1-form')
    await choose('单位', corpName)
    await choose('班组', team?.teamName ?? '')
    await choose('工种', '钢筋工')
    await page.getByRole('button', { name: '沿用档案办理进场' }).click()
    // Warned at the top already; now refused on registration.
    await page
      .locator('.ant-message, .ant-notification, [role=alert], .errors')
      .getByText(/黑名单|不得进场/)
      .first()
      .waitFor()
    await look(page, 'black-2-refused')
    await expect.poll(refusals).toBe(before + 1)
  })

  test('a list of names is read with him in it, and he is the one who is left out', async () => {
    await visitor.go('/personImport')
    await page.getByRole('button', { name: /^粘\s*贴$/ }).click()
    const dialog = page.getByRole('dialog', { name: '粘贴表格' })
    const lines = [
      ['姓名', '证件号码', '企业', '班组', '工种', '进场日期'],
      [man.name, man.idCardNumber, corpName, team?.teamName, '钢筋工', today],
    ]
    await dialog.getByRole('textbox').fill(lines.map((line) => line.join('\t')).join('\n'))
    await dialog.getByRole('button', { name: '校验 1 行' }).click()
    await page.waitForURL(/personImportEdit/)
    await page.getByText(`黑名单命中 1 人：${man.name}`).waitFor()
    expect(await figure(page, '可导入')).toBe(0)
    expect(await page.getByRole('button', { name: '确认导入' }).isDisabled()).toBe(true)
    await look(page, 'black-3-import')
  })

  test('the gate that sees him raises an alarm that names the list', async () => {
    const admin = await apiAs(demo, 'admin')
    const sn = `E2E-FG-${Date.now()}`
    const gateway = (await admin.post('/api/v1/iot/gateway', { projectCode, name: `验收网关 ${sn}`, connectionType: 'mqtt' })).data as {
      id: string
      secret: string
    }
    const made = await admin.post('/api/v1/iot/device', {
      name: '验收闸机',
      deviceSn: sn,
      projectCode,
      family: 'faceGate',
      access: { protocol: 'mqtt', gatewayId: gateway.id },
    })
    const gate = made.data as { id: string }
    await admin.put(`/api/v1/iot/device/${gate.id}`, { auditState: '1' })
    const box = new MqttGateway({ url: demo.mqttUrl, gatewayId: gateway.id, secret: gateway.secret }).start()
    const time = Math.floor(Date.now() / 1000) * 1000
    box.record(sn, 'attendance', time, {
      recordId: sn,
      time: new Date(time).toISOString(),
      direction: '0',
      pass: '0',
      personType: '1',
      mode: '1',
      score: 93,
      workerId: man.workerId,
      name: man.name,
    })
    const safety = await apiAs(demo, 'hospital-safety')
    await until(
      'the alarm',
      () => safety.get<{ list: { alarmKey: string }[] }>(`/api/v1/iot/alarm/family?deviceId=${gate.id}&size=10`),
      ({ list }) => list.some((one) => one.alarmKey === 'blacklist'),
      30_000,
    )
    await box.stop()
    const officer = await as('hospital-safety')
    await officer.go('/alarm/record')
    const row = officer.page
      .locator('tr.ant-table-row', { hasText: `验收闸机 · ${man.name}` })
      .filter({ hasText: '黑名单' })
      .first()
    await row.waitFor()
    await look(officer.page, 'black-4-alarm')
    await row.click()
    const detail = officer.page.getByRole('dialog').filter({ visible: true })
    await detail.getByText('触发时的值').waitFor()
    await look(officer.page, 'black-5-detail')
    // No raw ids in the text.
    expect(await detail.textContent()).not.toMatch(/[0-9a-f]{32}/)
    expect(officer.trouble()).toEqual([])
  })

  test('what the list kept out stands on it: where, when, by which way', async () => {
    const desk = await as(account)
    await desk.go(`/LaborBlackDetail?id=${entry.id}`)
    const kept = desk.page.locator('.zg-card', { hasText: '拦截记录' }).last()
    await kept.getByRole('row').filter({ hasText: '门禁通行' }).filter({ hasText: '验收闸机' }).first().waitFor()
    await kept.getByRole('row').filter({ hasText: '进场' }).first().waitFor()
    await look(desk.page, 'black-6-list')
    expect(desk.trouble()).toEqual([])
  })
})

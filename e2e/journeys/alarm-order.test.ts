import { MqttGateway } from '@zhugong/simulator/mqtt-gateway'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type Api, apiAs, openShell, type Visitor } from '../browser.ts'
import { look, until, windows } from './day.ts'

/**
 * A crane exceeds its load moment: the alarm orders a rectification by itself, the site answers, 监理 passes it, and nobody can close the
 * notice before the reading agrees.
 */
const demo = inject('demo')
const projectCode = demo.accounts.find((one) => one.account === 'hospital-pm')?.projectCode ?? ''
const sn = `E2E-TO-${Date.now()}`
let browser: Browser
let admin: Api
let api: Api
let box: MqttGateway
let site: Visitor
let supervisor: Visitor
/** Whoever answers does not recheck: a colleague does. */
let colleague: Visitor
let crane = ''
let alarmId = ''
let id = ''
const as = windows(() => browser, demo)
const pageOf = () => `/safetyP/abarbeitung/details?id=${id}`

beforeAll(async () => {
  browser = await openShell()
  admin = await apiAs(demo, 'admin')
  api = await apiAs(demo, 'hospital-pm')
  site = await as('hospital-pm')
  supervisor = await as('hospital-jl')
  colleague = await as('hospital-safety')
  const gateway = (await admin.post('/api/v1/iot/gateway', { projectCode, name: `验收网关 ${sn}`, connectionType: 'mqtt' })).data as {
    id: string
    secret: string
  }
  const made = await admin.post('/api/v1/iot/device', {
    name: '验收塔机',
    deviceSn: sn,
    projectCode,
    family: 'towerCrane',
    access: { protocol: 'mqtt', gatewayId: gateway.id },
  })
  crane = (made.data as { id: string }).id
  await admin.put(`/api/v1/iot/device/${crane}`, { auditState: '1' })
  const exec = await admin.post('/api/v1/iot/rule/exec/', {
    name: `力矩告警整改 ${sn}`,
    kind: 'rectify',
    projectCode,
    rectify: { category: '04', requirement: '停机检查力矩限制器并校准', days: 3, fromLevel: 2 },
  })
  const rule = await admin.post('/api/v1/iot/rule/trigger/', {
    name: `力矩超限 ${sn}`,
    family: 'towerCrane',
    alarmKey: 'momentAlarm',
    projectCode,
    execIds: [(exec.data as { id: string }).id],
    levels: [{ level: 2, condition: { type: 'threshold', metric: 'momentPercent', op: '>=', value: 100 } }],
  })
  expect([made.status, exec.status, rule.status]).toEqual([0, 0, 0])
  box = new MqttGateway({ url: demo.mqttUrl, gatewayId: gateway.id, secret: gateway.secret }).start()
}, 180_000)
afterAll(async () => {
  await box?.stop()
  await browser.close()
})

const send = (momentPercent: number) =>
  box.telemetry(sn, Date.now(), { momentPercent, loadPercent: 60, radius: 30, hookHeight: 20, slewAngle: 90, windSpeed: 3 })

const notices = () =>
  api.get<{ list: { id: string; sourceId: string; summary: string }[] }>(
    `/api/v2/oa/se/rectify/list?projectCode=${projectCode}&origin=site&sourceKind=alarm&sourceId=${alarmId}&size=10`,
  )
const alarms = () =>
  api.get<{ list: { id: string; alarmKey: string; active: boolean }[] }>(
    `/api/v1/iot/alarm/family?deviceId=${crane}&size=20&sort=-startTime`,
  )
const press = (at: Visitor, name: string | RegExp) => at.page.getByRole('button', { name }).filter({ visible: true }).first().click()
const state = (at: Visitor, word: string) => at.page.locator('[class*=tag]:visible', { hasText: word }).first().waitFor()

describe.sequential('from an alarm to a closed notice', () => {
  test('the alarm of the crane orders the rectification; the detail of the alarm leads to it', async () => {
    await until('the crane is known', () => api.get<{ status?: string } | null>(`/api/v1/iot/device/${crane}`), Boolean)
    send(70)
    send(106)
    const { list } = await until('the alarm', alarms, (answer) => answer.list.some((one) => one.alarmKey === 'momentAlarm' && one.active))
    alarmId = list.find((one) => one.alarmKey === 'momentAlarm')?.id ?? ''
    const ordered = await until('the notice', notices, (answer) => answer.list.length > 0)
    id = ordered.list[0]?.id ?? ''
    await site.go(pageOf())
    await site.page.getByText('停机检查力矩限制器并校准').filter({ visible: true }).first().waitFor()
    await site.page.getByText('监测告警').filter({ visible: true }).first().waitFor()
    await look(site.page, 'alarm-order-1-notice')
    // The same alarm again makes no second notice.
    expect((await notices()).list).toHaveLength(1)
    expect(site.trouble()).toEqual([])
  })

  test('the site answers with a photograph and 监理 passes it', async () => {
    const { page } = site
    await press(site, /^签\s*收$/)
    await press(site, /确认签收/)
    const fill = page.locator('.rectify-fill:visible')
    await fill.locator('textarea').fill('已停机，力矩限制器重新校准并做试吊')
    const buffer = await page.screenshot({ clip: { x: 0, y: 0, width: 320, height: 200 } })
    await fill.getByLabel('选择文件').setInputFiles({ name: '校准.png', mimeType: 'image/png', buffer })
    await fill.locator('.field-photo').first().waitFor()
    await press(site, /^提交回复$/)
    await state(site, '待监理复核')
    await supervisor.go(pageOf())
    await supervisor.page.locator('.rectify-fill:visible').getByText('合格', { exact: true }).click()
    await press(supervisor, /^监理通过$/)
    await state(supervisor, '待复查')
    expect([...site.trouble(), ...supervisor.trouble()]).toEqual([])
  })

  test('while the crane still alarms nobody closes it; when the reading agrees it closes', async () => {
    const { page } = colleague
    const recheck = async () => {
      await colleague.go(pageOf())
      await page.locator('.rectify-fill:visible').getByText('合格', { exact: true }).click()
      await press(colleague, /^复查合格$/)
      await page.locator('.ant-modal').getByRole('button', { name: '复查合格' }).click()
    }
    await recheck()
    await page
      .getByText(/尚未解除，读数恢复后才能闭合/)
      .first()
      .waitFor()
    await look(page, 'alarm-order-2-refused')
    // The refusal of a call is logged by the browser; nothing else may be.
    expect(colleague.trouble().filter((line) => !/rectify|status of 4\d\d/.test(line))).toEqual([])
    await until(
      'the alarm clears',
      async () => {
        send(60)
        return alarms()
      },
      ({ list }) => !list.some((one) => one.active && one.alarmKey.startsWith('moment')),
    )
    await recheck()
    await state(colleague, '已闭合')
    await look(page, 'alarm-order-3-closed')
    expect(colleague.trouble()).toEqual([])
  })
})

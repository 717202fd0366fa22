import { connect } from 'node:net'
import * as alarmCalls from '@zhugong/contract/alarms/endpoints'
import * as deviceToolsCalls from '@zhugong/contract/equipment/device-tools'
import * as equipmentCalls from '@zhugong/contract/equipment/endpoints'
import * as gatewayCalls from '@zhugong/contract/equipment/gateway-endpoints'
import type { Endpoint, InputFor } from '@zhugong/contract/kit/endpoint'
import * as craneCalls from '@zhugong/contract/monitoring/crane/crane-endpoints'
import * as environment from '@zhugong/contract/monitoring/environment/environment-endpoints'
import { getFamily, listFamilies, liveToken } from '@zhugong/contract/telemetry/endpoints'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { alarmRoutes } from '../alarms/routes.ts'
import { craneRoutes } from '../monitoring/crane/crane-routes.ts'
import { environmentRoutes } from '../monitoring/environment/environment-routes.ts'
import { buildFrame } from '../telemetry/hj212/frame.ts'
import { acknowledged, craneData, message, openSite, type Site, until, uplink } from '../telemetry/ingest-for-test.ts'
import { principalOf, type TestGroup } from '../telemetry/principal-for-test.ts'
import { telemetryRoutes } from '../telemetry/routes.ts'
import { askOf, callOf, serveFor } from '../telemetry/served-for-test.ts'
import { equipmentRoutes } from './routes.ts'

let site: Site
let app: FastifyInstance
let group: TestGroup = { type: 0, projects: '*' }

beforeAll(async () => {
  site = await openSite(inject('postgresUrl'))
  app = await serveFor(
    site,
    () => principalOf(group),
    (serve) => {
      telemetryRoutes(serve, { config: site.config })
      craneRoutes(serve)
      environmentRoutes(serve, site.config)
      equipmentRoutes(serve, site.config)
      alarmRoutes(serve)
    },
  )
})
afterAll(async () => {
  await app.close()
  await site.close()
})

const ask = <E extends Endpoint>(endpoint: E, input?: InputFor<E>) => askOf(app, endpoint, input)
const call = <E extends Endpoint>(endpoint: E, input?: InputFor<E>) => callOf(app, endpoint, input)

test('from an empty site to an alarm that is handled', async () => {
  await site.given.project('A1')
  const gateway = await call(gatewayCalls.createGateway, { body: { name: '塔机网关', projectCode: 'A1' } })
  const device = await call(equipmentCalls.createDevice, {
    body: {
      name: '1#塔机',
      deviceSn: 'TC-A1-1',
      projectCode: 'A1',
      category: '300',
      access: { protocol: 'mqtt', gatewayId: gateway.id },
      params: { jibLength: 60, towerHeight: 45 },
    },
  })
  expect(device.status).toBe('1')
  const client = await site.gatewayClient(gateway)
  const now = Date.now()
  for (const [i, momentPercent] of [60, 105, 108, 90].entries()) {
    await acknowledged(
      client,
      uplink(gateway.id, 'TC-A1-1', 'telemetry'),
      message([{ time: now - 40_000 + i * 10_000, seq: i, data: craneData({ momentPercent }) }]),
    )
  }
  const info = await call(craneCalls.towerInfo, { params: { id: device.id } })
  expect(info).toMatchObject({ online: true, latest: { values: { momentPercent: 90 } } })
  expect(info.limits.find((l) => l.alarmKey === 'momentAlarm')).toMatchObject({ value: 100, clearValue: 95, level: 2 })
  const line = await call(craneCalls.towerLine, { query: { deviceId: device.id, metrics: 'momentPercent' } })
  expect(line.list.map((p) => p.v.momentPercent?.[2])).toEqual([60, 105, 108, 90])
  const records = await call(craneCalls.towerRecords, { query: { deviceId: device.id } })
  expect(records.total).toBe(4)

  const list = await call(alarmCalls.listAlarms, { query: { deviceId: device.id } })
  // The default rules may raise other alarms too: both moment alarms must be there.
  expect(list.list.map((one) => (one as alarmCalls.AlarmRow).alarmKey)).toEqual(expect.arrayContaining(['momentAlarm', 'momentWarning']))
  const closed = await call(alarmCalls.listAlarms, { query: { deviceId: device.id, alarmKey: 'momentAlarm' } })
  const alarm = closed.list[0] as alarmCalls.AlarmRow
  expect(alarm).toMatchObject({ active: false, state: 'open', peakValue: 108, clearReason: 'recovered', level: 2 })
  const detail = await call(alarmCalls.getAlarm, { params: { id: alarm.id }, query: { projectCode: '*' } })
  expect(detail.evidence.length).toBe(4)
  expect(detail).toMatchObject({ limitValue: 100, clearValue: 95 })
  expect(detail.log.map((l) => l.event)).toEqual(['open', 'clear'])

  const act = (body: InputFor<typeof alarmCalls.actOnAlarm>['body']) =>
    ask(alarmCalls.actOnAlarm, { params: { id: alarm.id }, query: { projectCode: '*' }, body })
  group = { type: 3, projects: ['A1'] }
  expect((await act({ action: 'handle', measure: '已减幅卸载复核' })).message).toContain('照片')
  expect(await act({ action: 'ack', version: alarm.version })).toMatchObject({
    status: 0,
    data: { state: 'acknowledged', handlerName: '测试' },
  })
  expect(await act({ action: 'handle', measure: '已减幅卸载复核', photos: ['of-another'] })).toMatchObject({
    http: 400,
    data: { field: 'photos' },
  })
  await site.pool.query(
    `insert into stored_file (id, project_code, group_id, name, mime, bytes, sha256, create_by) values ('f', 'A1', 'g', 'f', 'image/png', 1, 'x', 'u')`,
  )
  expect(await act({ action: 'handle', version: alarm.version, measure: '已减幅卸载复核', photos: ['f'] })).toMatchObject({ status: 4 })
  expect(await act({ action: 'handle', measure: '已减幅卸载复核', photos: ['f'] })).toMatchObject({ status: 0, data: { state: 'handled' } })
  // Stored as an id and shown as a fresh link, whichever form was sent.
  const shown = async () => (await call(alarmCalls.getAlarm, { params: { id: alarm.id }, query: { projectCode: '*' } })).photos
  expect(await shown()).toEqual([expect.stringMatching(/^\/api\/v1\/tool\/image\?id=f&expires=\d+&sign=\w+$/)])
  // An older row contains the link itself.
  const old = `/api/v1/tool/image?id=f&expires=1000&sign=${site.secrets.sign('file', 'f|1000')}`
  await site.pool.query('update alarm set photos = $2 where id = $1', [alarm.id, JSON.stringify([old, old.replace('id=f', 'id=g')])])
  expect((await shown()).map((link) => /expires=1000/.test(link))).toEqual([false, true])
  expect(await act({ action: 'close' })).toMatchObject({ status: 0, data: { state: 'closed' } })
  group = { type: 0, projects: '*' }

  expect(await ask(gatewayCalls.removeGateway, { params: { id: gateway.id } })).toMatchObject({ status: 4 })
  await call(gatewayCalls.switchGateway, { body: { id: gateway.id, status: '0' } })
  await until(() => !client.connected)
  await call(equipmentCalls.removeDevice, { params: { id: device.id } })
  const left = await site.pool.query('select active, clear_reason from alarm where device_id = $1 and alarm_key = $2', [
    device.id,
    'momentWarning',
  ])
  expect(left.rows).toEqual([{ active: false, clear_reason: 'deviceRemoved' }])
})

test('every list and detail answers in its form, for everybody', async () => {
  const gateway = await site.given.gateway('B1')
  const crane = await site.given.device('B1', 'towerCrane', { protocol: 'mqtt', gatewayId: gateway.id })
  const station = await site.given.device('B1', 'environment', { protocol: 'hj212', accessKey: 'MN0001' })
  for (const caller of [
    { type: 0, projects: '*' },
    { type: 3, projects: ['B1'] },
    { type: 2, projects: [] },
  ] as const) {
    group = { type: caller.type, projects: caller.projects === '*' ? '*' : [...caller.projects] }
    const lists: [Endpoint, Record<string, unknown>?][] = [
      [gatewayCalls.listGateways],
      [equipmentCalls.listDevices, { with: 'latest', sort: '-lastTime' }],
      [equipmentCalls.listDevices, { category: '300', due: '1', sort: 'openLevel' }],
      [equipmentCalls.pickDevices, { size: 999999 }],
      [deviceToolsCalls.deviceStatistics, { groupBy: 'project,category' }],
      [deviceToolsCalls.ownDeviceTypes],
      [deviceToolsCalls.ownDeviceModels],
      [deviceToolsCalls.listUnregistered],
      [alarmCalls.listAlarms],
      [alarmCalls.listAlarms, { groupBy: 'project' }],
      [alarmCalls.listAlarms, { level: '1,2', state: 'open', active: 'true', sort: '-startTime', startTime: '2026-11-01' }],
      [alarmCalls.towerDailyAlarms],
      [alarmCalls.towerDailyAlarms, { groupBy: 'device' }],
      [alarmCalls.envDailyAlarms, { groupBy: 'project' }],
      [listFamilies],
      [craneCalls.towerRecords],
      [craneCalls.towerRecords, { groupBy: 'day' }],
      [craneCalls.towerOnline],
      [craneCalls.towerCycles],
      ...['driver', 'device', 'hour', 'class'].map((groupBy): [Endpoint, Record<string, unknown>] => [craneCalls.towerCycles, { groupBy }]),
      [craneCalls.towerVideo],
      [environment.envRealtime],
      [environment.envRecords],
      [environment.envRecords, { kind: 'period' }],
      [environment.envAnalysis],
      [environment.sprayRecords],
      [environment.openEnvDevices],
      [environment.openEnvRealtime],
      [environment.openEnvLine],
      [liveToken],
    ]
    for (const [endpoint, query] of lists) await call(endpoint, { query: query ?? {} } as never)
    await call(getFamily, { params: { key: '300' } })
    const sees = caller.projects === '*' || caller.projects.length > 0
    const details: [Endpoint, Record<string, unknown>][] = [
      [craneCalls.towerInfo, { params: { id: crane.id } }],
      [craneCalls.towerDevice, { params: { id: crane.id } }],
      [craneCalls.towerLine, { query: { deviceId: crane.id } }],
      [craneCalls.towerLine, { query: { deviceId: crane.id, startTime: '2026-11-01', endTime: '2026-11-20' } }],
      [environment.envInfo, { params: { id: station.id } }],
      [environment.envDevice, { params: { id: station.id } }],
      [environment.envLine, { query: { deviceId: station.id } }],
      [gatewayCalls.getGateway, { params: { id: gateway.id } }],
      [equipmentCalls.getDevice, { params: { id: crane.id } }],
    ]
    for (const [endpoint, input] of details) {
      const answer = await ask(endpoint, input as never)
      expect(answer, endpoint.path).toMatchObject(sees ? { status: 0 } : { http: 400, status: 2 })
    }
    expect(await ask(craneCalls.towerInfo, { params: { id: 'nobody' } })).toMatchObject({ http: 400, status: 2 })
    expect(await ask(alarmCalls.getAlarm, { params: { id: 'nobody' }, query: { projectCode: '*' } })).toMatchObject({
      http: 400,
      status: 2,
    })
  }
  group = { type: 0, projects: '*' }
})

test('a gateway and a device are edited, copied and refused when they clash', async () => {
  await site.given.project('C1')
  const gateway = await call(gatewayCalls.createGateway, { body: { name: 'g', code: 'GW-1', projectCode: 'C1' } })
  expect(await ask(gatewayCalls.createGateway, { body: { name: 'h', code: 'GW-1', projectCode: 'C1' } })).toMatchObject({ status: 4 })
  const renewed = await call(gatewayCalls.updateGateway, { params: { id: gateway.id }, body: { name: 'g2', renewSecret: true } })
  expect(renewed.secret).not.toBe(gateway.secret)
  const copy = await call(gatewayCalls.copyGateway, { params: { id: gateway.id } })
  expect(await call(gatewayCalls.getGateway, { params: { id: copy.id } })).toMatchObject({ status: '0', name: 'g2 副本' })
  const access = { protocol: 'hj212', mn: '010000A8900016F000169DC0' } as const
  const station = await call(equipmentCalls.createDevice, {
    body: { name: '扬尘', deviceSn: 'ENV-1', projectCode: 'C1', family: 'environment', access },
  })
  expect(station.password).toMatch(/^\w{9}$/)
  expect(
    await ask(equipmentCalls.createDevice, { body: { name: '扬尘', deviceSn: 'ENV-2', projectCode: 'C1', family: 'environment', access } }),
  ).toMatchObject({ status: 4 })
  expect(
    await ask(equipmentCalls.createDevice, {
      body: { name: '塔机', deviceSn: 'T-9', projectCode: 'C1', family: 'towerCrane', params: { jibLength: 900 } },
    }),
  ).toMatchObject({ status: 2 })
  await call(equipmentCalls.updateDevice, { params: { id: station.id }, body: { name: '扬尘二号', params: { stage: 'earthwork' } } })
  expect(await call(equipmentCalls.getDevice, { params: { id: station.id } })).toMatchObject({
    name: '扬尘二号',
    params: { stage: 'earthwork' },
    missing: expect.arrayContaining(['TSP上报单位']),
  })
  const verdict = await call(deviceToolsCalls.verifyDevice, { body: { deviceSn: 'ENV-1', mn: 'FREE0', family: '500' } })
  expect(verdict.checks.map((c) => [c.key, c.ok])).toEqual([
    ['deviceSn', false],
    ['mn', true],
    ['family', true],
  ])
  expect(await ask(equipmentCalls.removeDevices, { body: { ids: [station.id, 'nobody'] } })).toMatchObject({ status: 2 })
  await call(equipmentCalls.removeDevices, { body: { ids: [station.id] } })
})

test('a station whose every frame fails its check: the self check blames the check and not the cable', async () => {
  await site.given.project('A7')
  const mn = 'SELFCHECK00000000000001'
  const made = await call(equipmentCalls.createDevice, {
    body: {
      name: '扬尘站',
      deviceSn: 'EN-SELF-1',
      family: 'environment',
      projectCode: 'A7',
      access: { protocol: 'hj212', mn, password: '123456', crcMode: 'standard', maxLength: 2048 },
    },
  })
  await site.pool.query(`update device set status = '1' where id = $1`, [made.id])
  const steps = async () => (await call(equipmentCalls.getDevice, { params: { id: made.id } })).selfCheck
  expect((await steps()).find((step) => step.state === 'bad')).toMatchObject({
    key: 'connected',
    text: expect.stringContaining('没有收到任何报文'),
  })
  const socket = connect(site.ingest.ports.hj212, '127.0.0.1')
  const fields = { qn: '20261121120000123', st: '39', cn: '2011', pw: '123456', mn, flag: 5, cp: 'DataTime=20261121120000;LA-Rtd=61' }
  // Repeats like a real station: the first frame may arrive before the ingest knows the device.
  await until(async () => {
    socket.write(buildFrame(fields, 'modbus'))
    return (await site.count(`device_frame where result = 'crc' and device_id = $1`, [made.id])) > 0
  })
  expect((await steps()).find((step) => step.state === 'bad')).toMatchObject({
    key: 'format',
    text: expect.stringContaining('与Modbus CRC16相符'),
  })
  const device = await call(equipmentCalls.getDevice, { params: { id: made.id } })
  expect(device.access).toMatchObject({ maxLength: 2048 })
  expect(device.ports).toMatchObject({ hj212: site.config.hj212Port })
  socket.destroy()
})

test('a terminal may register for a day after it was entered, and whenever somebody opens it', async () => {
  await site.given.project('R1')
  const made = await call(equipmentCalls.createDevice, {
    body: {
      name: '渣土车',
      deviceSn: 'TK-R1-1',
      projectCode: 'R1',
      category: 'truckMonitor',
      access: { protocol: 'jt808', phone: '013911112222', terminalId: 'LM00001' },
    },
  })
  const params = { id: made.id }
  const device = () => call(equipmentCalls.getDevice, { params })
  const left = (until: string | undefined) => Math.round((Date.parse(`${until?.replace(' ', 'T')}+08:00`) - Date.now()) / 3_600_000)
  const first = await device()
  expect(first.registration).toMatchObject({ open: { byName: '测试', replaces: false }, bound: null })
  expect(left(first.registration?.open?.openUntil)).toBe(24)
  expect(first.access).toMatchObject({ terminalId: 'LM00001' })
  expect((await call(equipmentCalls.closeRegistration, { params })).open).toBeNull()
  const opened = await call(equipmentCalls.openRegistration, { params, body: { hours: 2, replaces: true } })
  expect(opened.open).toMatchObject({ replaces: true })
  expect(left(opened.open?.openUntil)).toBe(2)
  expect((await device()).changes.map((one) => one.act)).toEqual(['开放终端注册（更换终端）', '关闭终端注册', '登记并启用'])
  expect(await ask(equipmentCalls.openRegistration, { params, body: { hours: 169 } })).toMatchObject({ message: '最多开放 168 小时' })

  // Another SIM card reopens the registration; a changed name does not.
  await call(equipmentCalls.closeRegistration, { params })
  await call(equipmentCalls.updateDevice, { params, body: { name: '渣土车 1 号' } })
  expect((await device()).registration?.open).toBeNull()
  await call(equipmentCalls.updateDevice, { params, body: { access: { protocol: 'jt808', phone: '13911113333' } } })
  expect((await device()).registration?.open).not.toBeNull()

  const crane = await site.given.device('R1', 'towerCrane', { protocol: 'http' })
  expect(await ask(equipmentCalls.openRegistration, { params: { id: crane.id }, body: {} })).toMatchObject({
    message: '只有 JT/T 808 终端需要注册',
  })
  expect((await call(equipmentCalls.getDevice, { params: { id: crane.id } })).registration).toBeNull()
  group = { type: 3, projects: ['A1'] }
  expect((await ask(equipmentCalls.openRegistration, { params, body: {} })).http).not.toBe(200)
  group = { type: 0, projects: '*' }
})

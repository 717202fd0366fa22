import * as deviceToolsCalls from '@zhugong/contract/equipment/device-tools'
import * as docking from '@zhugong/contract/equipment/docking-endpoints'
import * as devices from '@zhugong/contract/equipment/endpoints'
import * as gates from '@zhugong/contract/equipment/gate-endpoints'
import * as gatewayCalls from '@zhugong/contract/equipment/gateway-endpoints'
import * as library from '@zhugong/contract/equipment/library-endpoints'
import * as modelCalls from '@zhugong/contract/equipment/model-endpoints'
import * as service from '@zhugong/contract/equipment/service-endpoints'
import type { Endpoint } from '@zhugong/contract/kit/endpoint'
import { shanghaiOffsetMs } from '@zhugong/contract/kit/time'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import { storedFile } from '../../../test/givens.ts'
import type { Caller, World } from '../../../test/world.ts'
import { countDays } from './device-days.ts'

let world: World
let city: CityWorld
let admin: Caller
let pm: Caller
let projectCode: string

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  city = await settleCity(world)
  admin = await city.as('admin')
  pm = await city.as('hospital-pm')
  projectCode = city.city.projects[0]?.projectCode ?? ''
})
afterAll(() => world.close())

const deviceOf = (family: string, at = projectCode) => city.city.devices.find((d) => d.family === family && d.projectCode === at)?.id ?? ''

test('a maker, its brand and its model, and what hangs on them', async () => {
  const maker = await admin.call(library.createFactory, {
    body: {
      name: '临江监测技术公司',
      corpCode: '91420200MA4TERT13Y',
      contact: '何工',
      contactPhone: '13800138000',
      families: ['towerCrane'],
    },
  })
  expect(await admin.ask(library.createFactory, { body: { name: '临江监测技术公司' } })).toMatchObject({
    status: 4,
    data: { field: 'name' },
  })
  expect(await admin.ask(library.createFactory, { body: { name: '又一家', corpCode: '91420200MA4TERT13Y' } })).toMatchObject({ status: 4 })
  expect(await admin.ask(library.createFactory, { body: { name: '再一家', corpCode: '123' } })).toMatchObject({ status: 2 })
  expect(await pm.ask(library.createFactory, { body: { name: '不该有' } })).toMatchObject({ http: 403 })

  const brand = await admin.call(library.createBrand, { body: { factoryId: maker.id, name: '临江', alias: ['LJ'] } })
  expect(await admin.ask(library.createBrand, { body: { factoryId: maker.id, name: 'lj' } })).toMatchObject({ status: 4 })
  const model = await admin.call(modelCalls.createModel, {
    body: {
      brandId: brand.id,
      family: '300',
      name: 'LJ-T1',
      metrics: [{ key: 'load', max: 20 }, { key: 'radius' }],
      params: { jibLength: 55 },
    },
  })
  const second = await admin.call(modelCalls.createModel, {
    body: {
      brandId: brand.id,
      family: '300',
      name: 'LJ-T1',
      metrics: [{ key: 'load', max: 10 }],
      params: { jibLength: 60, maxLoad: 6 },
      versionOf: model.id,
    },
  })
  expect(second.modelVersion).toBe(2)
  expect((await admin.call(modelCalls.listModels, { query: { brandId: brand.id } })).list.map((m) => m.modelVersion)).toEqual([2])
  expect((await admin.call(modelCalls.getModel, { params: { id: second.id } })).versions[0]?.diff.length).toBeGreaterThan(1)

  const made = await admin.call(devices.createDevice, {
    body: { name: '试验塔机', deviceSn: 'LJ-0001', projectCode, modelId: model.id, access: { protocol: 'http' } },
  })
  expect(await admin.call(devices.getDevice, { params: { id: made.id } })).toMatchObject({
    family: 'towerCrane',
    brandName: '临江',
    factoryName: '临江监测技术公司',
    params: { jibLength: 55 },
  })
  const preview = await admin.call(modelCalls.updateModel, { params: { id: second.id }, body: { applyTo: 'preview' } })
  expect(preview.applied?.changes).toMatchObject([{ deviceName: '试验塔机', from: 'V1', params: [expect.any(String)] }])
  await admin.call(modelCalls.updateModel, { params: { id: second.id }, body: { applyTo: 'all' } })
  expect(await admin.call(devices.getDevice, { params: { id: made.id } })).toMatchObject({
    modelId: second.id,
    params: { jibLength: 55, maxLoad: 6 },
  })
  expect(await admin.ask(modelCalls.removeModel, { params: { id: second.id } })).toMatchObject({ status: 4 })
  expect(await admin.ask(library.removeBrand, { params: { id: brand.id } })).toMatchObject({ status: 4 })
  expect(await admin.ask(library.removeFactory, { params: { id: maker.id } })).toMatchObject({ status: 4 })

  // All users who may see devices can read the library, with masked phone numbers.
  const read = await pm.call(library.getFactory, { params: { id: maker.id } })
  expect(read).toMatchObject({ contactPhone: '138****8000', devices: 1 })
  expect((await admin.call(library.getFactory, { params: { id: maker.id } })).contactPhone).toBe('13800138000')

  // A partial change leaves the rest.
  await admin.call(library.updateFactory, { params: { id: maker.id }, body: { remark: '复测合格' } })
  expect(await admin.call(library.getFactory, { params: { id: maker.id } })).toMatchObject({
    families: ['towerCrane'],
    contact: '何工',
    remark: '复测合格',
  })

  // A docking test starts with a device of the maker; passing it with failed checks requires a reason.
  await admin.call(library.updateFactory, { params: { id: maker.id }, body: { dock: { action: 'start', deviceId: made.id } } })
  expect(await admin.ask(library.updateFactory, { params: { id: maker.id }, body: { dock: { action: 'pass' } } })).toMatchObject({
    status: 4,
  })
  await admin.call(library.updateFactory, { params: { id: maker.id }, body: { dock: { action: 'pass', reason: '现场见证' } } })
  const tested = await admin.call(library.getFactory, { params: { id: maker.id } })
  expect(tested).toMatchObject({ dockState: '2', dockTests: [{ state: '2', reason: '现场见证', deviceName: '试验塔机' }] })
  expect(tested.changes.map((c) => c.act)).toContain('对接测试：标记通过')
  const other = await city.as('zhigu-pm')
  expect((await other.call(library.getFactory, { params: { id: maker.id } })).dockTests[0]?.deviceId).toBeNull()

  // Merges two brands, then undoes it.
  const twin = await admin.call(library.createBrand, { body: { factoryId: maker.id, name: '临江科技' } })
  const listed = await admin.call(library.listBrands, { query: { with: 'quality', size: 100 } })
  expect(listed.duplicates.some((d) => d.brands.some((b) => b.id === twin.id) && d.brands.some((b) => b.id === brand.id))).toBe(true)
  const merged = await admin.call(library.updateBrand, { params: { id: twin.id }, body: { mergeFrom: [brand.id] } })
  expect(await admin.call(devices.getDevice, { params: { id: made.id } })).toMatchObject({ brandName: '临江科技' })
  expect(await admin.ask(library.updateBrand, { params: { id: brand.id }, body: { name: 'x' } })).toMatchObject({ status: 4 })
  await admin.call(library.updateBrand, { params: { id: twin.id }, body: { undoMerge: merged.mergeId ?? '' } })
  expect(await admin.call(devices.getDevice, { params: { id: made.id } })).toMatchObject({ brandName: '临江' })

  // A service provider with devices.
  const provider = await admin.call(library.createFactory, {
    body: { name: '诚安租赁', roles: ['rent', 'maintain'], serviceUntil: '2026-12-05' },
  })
  await admin.call(library.updateFactory, { params: { id: provider.id }, body: { bindDevices: [made.id] } })
  expect(
    (await admin.call(library.listFactories, { query: { kind: 'provider', with: 'quality' } })).list.find((f) => f.id === provider.id),
  ).toMatchObject({
    devices: 1,
    quality: { few: true },
  })
  expect(
    (await admin.call(deviceToolsCalls.deviceStatistics, { query: { groupBy: 'brand' } })).groups.find((g) => g.key === brand.id),
  ).toMatchObject({ name: '临江', all: 1 })
  const points = await admin.ask(modelCalls.exportModelPoints, { params: { id: second.id } })
  expect((points.data as unknown as Buffer).subarray(0, 2).toString()).toBe('PK')
})

test('a change of key fields by the site waits for a review; the old values stay in force', async () => {
  const id = deviceOf('towerCrane')
  const before = await pm.call(devices.getDevice, { params: { id } })
  const answer = await pm.call(devices.updateDevice, { params: { id }, body: { params: { jibLength: 50 }, leader: '周机械' } })
  expect(answer.pending).toBe(true)
  const waiting = await pm.call(devices.getDevice, { params: { id } })
  expect(waiting.params.jibLength).toBe(before.params.jibLength)
  expect(waiting).toMatchObject({
    leader: '周机械',
    pending: [{ label: expect.any(String), before: expect.stringContaining('55'), after: expect.stringContaining('50') }],
  })
  expect(
    (await admin.call(devices.listDevices, { query: { auditState: '0', with: 'checks', size: 100 } })).list.find((d) => d.id === id)
      ?.checks,
  ).toHaveLength(7)
  expect(await admin.ask(devices.updateDevice, { params: { id }, body: { auditState: '2' } })).toMatchObject({ status: 2 })
  await admin.call(devices.updateDevice, { params: { id }, body: { auditState: '1' } })
  const after = await pm.call(devices.getDevice, { params: { id } })
  expect(after).toMatchObject({ params: { jibLength: 50 }, pending: [] })
  expect(after.changes.map((c) => c.act)).toEqual(expect.arrayContaining(['变更审核通过', '提交变更审核']))

  // A new device of the site needs a review; a crane passes only with its registration number.
  const made = await pm.call(devices.createDevice, {
    body: { name: '新塔机', deviceSn: 'NEW-T-1', projectCode, family: 'towerCrane', access: { protocol: 'http' } },
  })
  expect(made.status).toBe('0')
  expect(await admin.ask(devices.updateDevice, { params: { id: made.id }, body: { auditState: '1' } })).toMatchObject({ status: 4 })
  await admin.call(devices.updateDevice, { params: { id: made.id }, body: { auditState: '2', auditRemark: '缺产权备案编号' } })
  await pm.call(devices.updateDevice, { params: { id: made.id }, body: { specialRecordNo: '鄂B-T-2026-001' } })
  expect(await pm.call(devices.getDevice, { params: { id: made.id } })).toMatchObject({ status: '0', auditRemark: '缺产权备案编号' })
  await admin.call(devices.updateDevice, { params: { id: made.id }, body: { auditState: '1' } })
  expect(await pm.call(devices.getDevice, { params: { id: made.id } })).toMatchObject({ status: '1' })
})

test('an HJ 212 station is a gateway: units, codes, another site', async () => {
  const stations = await admin.call(gatewayCalls.listGateways, { query: { connType: '6', size: 50 } })
  expect(stations.list.length).toBe(city.city.devices.filter((d) => d.access.protocol === 'hj212').length)
  expect((await admin.call(gatewayCalls.listGateways, { query: { connType: '1', size: 100 } })).total).toBe(
    city.city.gateways.filter((g) => !g.wire).length,
  )
  const one = stations.list.find((s) => s.projectCode === projectCode)
  if (!one) throw new Error('no station')
  expect(one.station).toMatchObject({ unitsMissing: [], crcMode: 'standard' })
  await admin.call(gatewayCalls.updateGateway, {
    params: { id: one.id },
    body: { station: { units: { pm10: 'mg' }, crcMode: 'modbus', sm4Key: '0'.repeat(32) } },
  })
  const changed = await admin.call(gatewayCalls.getGateway, { params: { id: one.id } })
  expect(changed).toMatchObject({
    station: { unitsMissing: ['tsp', 'pm25'], crcMode: 'modbus' },
    match: { hasKey: true, outsideMeters: expect.any(Number) },
  })
  expect((await admin.call(gatewayCalls.listGateways, { query: { connType: '6', unit: 'missing' } })).counts.unitsMissing).toBe(1)
  expect(
    await admin.ask(gatewayCalls.updateGateway, {
      params: { id: one.id },
      body: { modelMatch: { codes: { A: { metric: 'pm10' }, B: { metric: 'pm10' } } } },
    }),
  ).toMatchObject({ status: 2 })
  await admin.call(gatewayCalls.updateGateway, {
    params: { id: one.id },
    body: { modelMatch: { codes: { PMTEN: { metric: 'pm10', factor: 1000 } } } },
  })
  expect((await admin.call(gatewayCalls.getGateway, { params: { id: one.id } })).match?.codes[0]).toMatchObject({
    code: 'PMTEN',
    metric: 'pm10',
    by: 'own',
  })
  const renewed = await admin.call(gatewayCalls.updateGateway, { params: { id: one.id }, body: { renewSecret: true } })
  expect(renewed.secret).toMatch(/^\w{9}$/)
  const to = city.city.projects[2]?.projectCode ?? ''
  expect(await pm.ask(gatewayCalls.updateGateway, { params: { id: one.id }, body: { projectMatch: { projectCode: to } } })).toMatchObject({
    http: 400,
  })
  await admin.call(gatewayCalls.updateGateway, { params: { id: one.id }, body: { projectMatch: { projectCode: to, reason: '转场' } } })
  const moved = await admin.call(gatewayCalls.getGateway, { params: { id: one.id } })
  expect(moved.match?.moves).toHaveLength(2)
  expect(moved.projectCode).toBe(to)
  const copy = await admin.call(gatewayCalls.copyGateway, { params: { id: one.id } })
  expect(await admin.call(gatewayCalls.getGateway, { params: { id: copy.id } })).toMatchObject({ status: '0', connType: '6' })
  await admin.call(gatewayCalls.removeGateway, { params: { id: copy.id } })
})

test('polled gateways carry what the poller needs', async () => {
  expect(await admin.ask(gatewayCalls.createGateway, { body: { name: '电表网关', projectCode, connectionType: 'dlt645' } })).toMatchObject({
    status: 2,
  })
  const gateway = await admin.call(gatewayCalls.createGateway, {
    body: { name: '电表网关', projectCode, connectionType: 'dlt645', poll: { host: '223.5.5.5', port: 4001 } },
  })
  expect(await admin.call(gatewayCalls.getGateway, { params: { id: gateway.id } })).toMatchObject({
    connType: '4',
    poll: { host: '223.5.5.5', intervalSeconds: 60 },
  })
  const device = await admin.call(devices.createDevice, {
    body: {
      name: '配电房电表',
      deviceSn: 'EM-POLL-1',
      projectCode,
      family: '600',
      access: { protocol: 'poll', gatewayId: gateway.id, address: '202611210001' },
    },
  })
  expect((await world.database.pool.query('select address from poll_device where id = $1', [device.id])).rows).toEqual([
    { address: '202611210001' },
  ])
  await admin.call(gatewayCalls.switchGateway, { body: { id: gateway.id, status: '0' } })
  expect((await world.database.pool.query('select enabled from poll_gateway where id = $1', [gateway.id])).rows).toEqual([
    { enabled: false },
  ])
})

test("a polled gateway's address inside the house is refused at its field, however it is written", async () => {
  const poll = (host: string) => ({ name: '电表网关', projectCode, connectionType: 'modbusTcp' as const, poll: { host, port: 502 } })
  const known = await admin.call(gatewayCalls.createGateway, { body: poll('223.5.5.5') })
  for (const host of [
    'localhost',
    '2130706433',
    '0177.0.0.1',
    '0x7f.1',
    '::ffff:7f00:1',
    '64:ff9b::7f00:1',
    '10.0.0.8',
    '169.254.169.254',
  ]) {
    for (const answer of [
      await admin.ask(gatewayCalls.createGateway, { body: poll(host) }),
      await admin.ask(gatewayCalls.updateGateway, { params: { id: known.id }, body: { poll: poll(host).poll } }),
    ])
      expect(answer, host).toMatchObject({ http: 400, status: 2, data: { field: 'poll.host' } })
  }
})

test('other platforms: mapping, matching, runs; nobody but the platform sees them', async () => {
  expect(await pm.ask(docking.listDockings, { query: {} })).toMatchObject({ http: 403 })
  const sample = JSON.stringify({
    rows: [{ id: 'X1', name: '1# 电表', kind: 'E3', site: '东湾', sn: 'EXT-1', ts: Date.now(), kwh: '12.5' }],
  })
  const mapping = {
    list: 'rows',
    name: 'name',
    model: 'kind',
    project: 'site',
    sn: 'sn',
    time: 'ts',
    values: [{ from: 'kwh', metric: 'totalEnergy' }],
  }
  const trial = await admin.call(docking.tryDocking, { body: { sample, mapping } })
  expect(trial).toMatchObject({ ok: true, total: 1, rows: [{ externalId: 'X1', values: { totalEnergy: 12.5 } }] })
  expect(await admin.call(docking.tryDocking, { body: { endpoint: 'http://127.0.0.1:9/x', mapping } })).toMatchObject({
    ok: false,
    message: expect.stringContaining('不允许访问'),
  })
  expect(await admin.ask(docking.createDocking, { body: { name: 'x', vendor: 'y', connType: '3' } })).toMatchObject({ status: 2 })
  const pulled = await admin.call(docking.createDocking, {
    body: {
      name: '拉取',
      vendor: '楚电',
      connType: '3',
      endpoint: 'http://127.0.0.1:9/x',
      authKind: 'header',
      authSecret: 'never read back',
      mapping,
    },
  })
  const again = { http: 400, data: { field: 'authSecret' }, message: '接口地址已改动，请重新填写密钥' }
  const elsewhere = 'http://127.0.0.1:9/elsewhere'
  expect(await admin.ask(docking.tryDocking, { body: { id: pulled.id, endpoint: elsewhere, mapping } })).toMatchObject(again)
  expect(await admin.ask(docking.updateDocking, { params: { id: pulled.id }, body: { endpoint: elsewhere } })).toMatchObject(again)
  await admin.call(docking.tryDocking, { body: { id: pulled.id, endpoint: elsewhere, authSecret: 'given again', mapping } })
  const { rows: tried } = await world.database.pool.query(`select summary from audit_log where object_id = $1 and summary like '试拉取%'`, [
    pulled.id,
  ])
  expect(tried).toEqual([{ summary: '试拉取第三方数据 拉取（http://127.0.0.1:9）' }])
  await admin.call(docking.removeDocking, { params: { id: pulled.id } })
  const made = await admin.call(docking.createDocking, { body: { name: '楚电云', vendor: '楚电', connType: '2', mapping, enable: '1' } })
  expect(made.pushSecret).toBeTruthy()

  const { createHmac } = await import('node:crypto')
  const { pushText } = await import('./docking-push.ts')
  const push = (key: string, body: string) => {
    const timestamp = String(Date.now())
    return world.api.app.inject({
      method: 'POST',
      url: `/api/v1/open/dock/${made.id}`,
      headers: {
        'content-type': 'application/json',
        'x-timestamp': timestamp,
        'x-sign': createHmac('sha256', key).update(pushText(timestamp, body)).digest('hex'),
      },
      payload: body,
    })
  }
  expect((await push('wrong', sample)).statusCode).toBe(401)
  const pushed = await push(made.pushSecret ?? '', sample)
  expect(pushed.json()).toMatchObject({ data: { accepted: 0, rejected: [{ externalId: 'X1', reason: '没有匹配到平台设备' }] } })
  expect(await admin.call(docking.listExternalDevices, { query: {} })).toMatchObject({
    list: [{ externalId: 'X1', matchState: '2', externalName: '1# 电表' }],
    counts: { waiting: 1 },
  })
  const model = await admin.call(modelCalls.createModel, {
    body: {
      brandId: (
        await admin.call(library.createBrand, {
          body: { factoryId: (await admin.call(library.createFactory, { body: { name: '楚电表业' } })).id, name: '楚电表' },
        })
      ).id,
      family: 'electricMeter',
      name: 'E3',
    },
  })
  const matched = await admin.call(docking.updateDocking, {
    params: { id: made.id },
    body: { match: { externalId: 'X1', create: { modelId: model.id, projectCode } } },
  })
  expect(await admin.call(devices.getDevice, { params: { id: matched.deviceId ?? '' } })).toMatchObject({
    source: '2',
    deviceSn: 'EXT-1',
    protocol: 'http',
  })
  // Matched now. Without an ingest in this test, the push reports the failure and loses no data on our side.
  expect((await push(made.pushSecret ?? '', sample)).json().data.rejected[0].reason).toContain('暂时不可用')
  const runs = await admin.call(docking.listDockingRuns, { params: { id: made.id }, query: {} })
  expect(runs.list.map((r) => r.result)).toEqual(['failed', 'failed'])
  await admin.call(docking.updateDocking, {
    params: { id: made.id },
    body: { modelMatch: { E3: model.id }, projectMatch: { 东湾: projectCode } },
  })
  expect(await admin.call(docking.getDocking, { params: { id: made.id } })).toMatchObject({
    openModels: [],
    modelMatch: { E3: model.id },
    matched: 1,
  })
  expect(await admin.ask(docking.updateDocking, { params: { id: made.id }, body: { sync: {} } })).toMatchObject({ status: 4 })
  const copy = await admin.call(docking.copyDocking, { params: { id: made.id } })
  expect(await admin.call(docking.getDocking, { params: { id: copy.id } })).toMatchObject({ enable: '0' })
  await admin.call(docking.switchDocking, { body: { id: made.id, status: '0' } })
  expect((await push(made.pushSecret ?? '', sample)).statusCode).toBe(403)
  await admin.call(docking.removeDocking, { params: { id: copy.id } })
})

test('dues are renewed with a paper where the law wants one', async () => {
  const lift = deviceOf('lifter')
  const { id } = await pm.call(service.createDue, { params: { id: lift }, body: { kind: 'fallArrester', dueDate: '2026-11-25' } })
  expect(await pm.ask(service.createDue, { params: { id: lift }, body: { kind: 'fallArrester', dueDate: '2026-11-26' } })).toMatchObject({
    status: 4,
  })
  expect(await pm.ask(service.updateDue, { params: { id: lift, dueId: id }, body: { dismiss: true } })).toMatchObject({ status: 4 })
  expect(await pm.ask(service.updateDue, { params: { id: lift, dueId: id }, body: { renew: { dueDate: '2027-11-25' } } })).toMatchObject({
    status: 2,
  })
  await pm.call(service.updateDue, { params: { id: lift, dueId: id }, body: { noticedTo: '诚安维保' } })
  expect((await pm.call(service.listDues, { query: { deviceId: lift } })).list[0]).toMatchObject({
    noticeState: '1',
    noticedTo: '诚安维保',
    needsPaper: true,
  })
  const group = await world.database.pool.query<{ id: string }>('select id from tenant where type = 3 and code = $1', [projectCode])
  const file = await storedFile(world, group.rows[0]?.id ?? '')
  await pm.call(service.updateDue, {
    params: { id: lift, dueId: id },
    body: { renew: { dueDate: '2027-11-25', files: [`/api/v1/tool/image?id=${file}&expires=1`] } },
  })
  expect((await pm.call(service.listDues, { query: { deviceId: lift } })).list[0]).toMatchObject({
    dueDate: '2027-11-25',
    noticeState: '0',
    files: [expect.stringContaining(file)],
  })
  expect((await pm.call(devices.getDevice, { params: { id: lift } })).params.safetyDeviceExpiry).toBe('2027-11-25')
  const stranger = await city.as('zhigu-pm')
  expect(await stranger.ask(service.updateDue, { params: { id: lift, dueId: id }, body: { noticedTo: 'x' } })).toMatchObject({ http: 400 })
  await pm.call(service.saveDueSetting, { body: { days: [7, 30, 7], receivers: ['机械员'] } })
  expect(await pm.call(service.getDueSetting, {})).toEqual({ days: [30, 7], receivers: ['机械员'] })

  const repair = await pm.call(service.createRepair, { params: { id: lift }, body: { fault: '载重显示为零' } })
  expect(await pm.ask(service.createRepair, { params: { id: lift }, body: { fault: '再报一次' } })).toMatchObject({ status: 4 })
  await pm.call(service.closeRepair, { params: { id: lift, repairId: repair.id }, body: { measure: '更换传感器', score: 5 } })
  expect((await pm.call(service.listRepairs, { params: { id: lift }, query: {} })).list[0]).toMatchObject({
    score: 5,
    doneBy: expect.any(String),
  })
})

test('gates: who belongs on one, and who is taken off', async () => {
  const gate = deviceOf('faceGate')
  const list = await pm.call(gates.listGates, { query: {} })
  expect(list.list.find((g) => g.id === gate)?.expected).toBeGreaterThan(10)
  const synced = await pm.call(gates.syncGate, { body: { deviceId: gate } })
  expect(synced.added).toBeGreaterThan(10)
  const faces = await pm.call(gates.gateFaces, { query: { deviceId: gate, size: 1000 } })
  expect(faces.total).toBe(synced.added)
  expect(faces.list.every((f) => f.name.includes('*'))).toBe(true)
  expect((await pm.call(devices.getDevice, { params: { id: gate } })).changes[0]?.act).toBe('查看门禁人脸')
  // A gate may send any id: only pictures of its own project are shown.
  const { pool } = world.database
  await pool.query(
    `insert into stored_file (id, project_code, group_id, name, mime, bytes, sha256, create_by)
     select 'snap-' || t.code, t.code, t.id, 'f.png', 'image/png', 1, 'x', 't' from tenant t where t.type = 3`,
  )
  await pool.query(
    `insert into device_record (device_id, project_code, ts, id, record, data, received_at)
     select d.id, d.project_code, now(), 'attendance:' || t.code, 'attendance', jsonb_build_object('photoId', 'snap-' || t.code), now()
     from device d, tenant t where d.id = $1 and t.type = 3`,
    [gate],
  )
  const snaps = await pm.call(gates.gateSnaps, { query: { deviceId: gate } })
  expect(snaps.total).toBeGreaterThan(1)
  expect(snaps.list.flatMap((s) => s.photo ?? [])).toEqual([expect.stringContaining(`id=snap-${projectCode}&`)])
  expect((await pm.call(gates.clearGateFaces, { query: { deviceId: gate } })).removed).toBe(synced.added)
  expect(await pm.ask(gates.syncGate, { body: { deviceId: deviceOf('towerCrane') } })).toMatchObject({ status: 4 })
})

test('a sheet is checked cell by cell and its good rows are registered', async () => {
  const template = await pm.ask(service.importTemplate, {})
  expect((template.data as unknown as Buffer).subarray(0, 2).toString()).toBe('PK')
  const { writeXlsx } = await import('hucre/xlsx')
  const file = Buffer.from(
    (await writeXlsx({
      sheets: [
        {
          name: '设备导入',
          rows: [
            ['设备名称*', '序列号*', '设备类别*', '安装日期'],
            ['导入水表', 'IMP-1', '水表', '2026-10-01'],
            ['坏行', 'IMP-1', '水表', '明天'],
          ],
        },
      ],
    } as never)) as Uint8Array,
  )
  const send = (mode: string) => {
    const boundary = 'xx'
    const payload = Buffer.concat([
      Buffer.from(
        `--${boundary}\r\ncontent-disposition: form-data; name="mode"\r\n\r\n${mode}\r\n--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a.xlsx"\r\ncontent-type: application/octet-stream\r\n\r\n`,
      ),
      file,
      Buffer.from(`\r\n--${boundary}--\r\n`),
    ])
    return world.api.app.inject({
      method: 'POST',
      url: '/api/v1/iot/device/import',
      headers: { token: pm.token, group: '*', 'content-type': `multipart/form-data; boundary=${boundary}` },
      payload,
    })
  }
  const checked = (await send('check')).json().data
  expect(checked).toMatchObject({
    saved: 0,
    rows: [
      { row: 2, ok: true },
      { row: 3, ok: false, errors: [{ column: 'deviceSn' }, { column: 'installDate' }] },
    ],
  })
  expect((await send('save')).json().data.saved).toBe(1)
  expect((await pm.call(devices.listDevices, { query: { deviceSn: 'IMP-1' } })).list[0]).toMatchObject({
    origin: '2',
    status: '0',
    name: '导入水表',
  })
  const sheet = await admin.ask(service.exportDevices, { query: { projectCode } })
  expect((sheet.data as unknown as Buffer).length).toBeGreaterThan(2_000)
})

test('every list answers every filter and order it offers', async () => {
  const lists: [Endpoint, Record<string, unknown>][] = [
    [
      devices.listDevices,
      {
        with: 'latest,health,checks,online30',
        badFrames24h: '0,10',
        onlinePercent30d: '0,100',
        complete: '0,100',
        projectName: '医院',
        gatewayName: '网关',
      },
    ],
    [
      devices.listDevices,
      {
        sort: '-badFrames24h',
        openLevel: '1,2',
        areaCode: '420202',
        origin: '1',
        source: '1',
        applicant: 'x',
        lastTime: '2026-11-01,',
        applyTime: ',2026-12-01',
      },
    ],
    [devices.listDevices, { sort: 'onlinePercent30d', modelName: 'HA', specialRecordNo: '1', installPlace: '楼' }],
    ...['project', 'brand', 'factory', 'provider', 'model', 'project,category'].map((groupBy): [Endpoint, Record<string, unknown>] => [
      deviceToolsCalls.deviceStatistics,
      { groupBy },
    ]),
    [
      gatewayCalls.listGateways,
      {
        connType: '6',
        mn: 'A',
        edition: '2017',
        crcMode: 'standard',
        unit: 'ok',
        badFrames24h: '0,',
        sort: 'name',
        lastSeen: '2026-11-01,',
      },
    ],
    [gatewayCalls.listGateways, { connType: '1,10', refused24h: '0,5', lastSeen: '2026-11-01,', projectName: '医院', enable: '1' }],
    [
      library.listFactories,
      {
        kind: 'all',
        with: 'quality',
        families: 'towerCrane',
        roles: 'maker',
        dockState: '2',
        areaCode: '420200',
        devices: '0,',
        sort: '-updateTime',
      },
    ],
    [library.listBrands, { alias: 'x', families: 'towerCrane', merged: 'true', sort: '-devices', with: 'quality' }],
    [
      modelCalls.listModels,
      { category: '300', protocols: 'mqtt', hasRegisterMap: 'false', devices: '0,', allVersions: 'true', sort: 'family' },
    ],
    [
      service.listDues,
      { daysLeft: '-100,400', kind: 'service', noticeState: '0,1', all: 'true', sort: '-dueDate', deviceName: '塔', projectName: '医院' },
    ],
    [gates.listGates, { online: 'false', sort: 'name', name: '门' }],
    [docking.listExternalDevices, { matchState: '1', conflict: 'true', sort: 'lastSync', lastError: 'x', deviceName: 'x' }],
    [docking.listDockings, { connType: '2', lastResult: 'failed', sort: '-failed24h', tokenExpire: ',2026-12-01' }],
  ]
  for (const [endpoint, query] of lists) {
    const answer = await admin.ask(endpoint, { query } as never)
    expect([endpoint.path, answer.status, answer.message]).toEqual([endpoint.path, 0, 'ok'])
  }
  expect(
    (await admin.call(deviceToolsCalls.deviceStatistics, { query: { groupBy: 'project,category' } })).gaps.length,
  ).toBeGreaterThanOrEqual(0)
  const odd: { sort: string } = { sort: 'secret' }
  for (const [endpoint, query] of lists)
    if ('sort' in query) expect([endpoint.path, (await admin.ask(endpoint, { query: odd })).status]).toEqual([endpoint.path, 2])
})

test('the share online is of machines in use, and what is due soon is one figure: strip, statistics, due list and the lists behind them', async () => {
  const { pool } = world.database
  const id = deviceOf('waterMeter')
  const other = deviceOf('electricMeter')
  await pool.query(`update device set status = '0' where id = $1`, [id])
  for (const one of [id, other])
    await pool.query(
      `insert into device_latest (device_id, ts, received_at, v, online, online_since) values ($1, now(), now(), '{}', true, now())
       on conflict (device_id) do update set online = true`,
      [one],
    )
  const day = (after: number) => new Date(Date.now() + after * 86_400_000 + shanghaiOffsetMs).toISOString().slice(0, 10)
  // The number of due items in the demonstration city depends on the current date.
  const owed = (await admin.call(service.listDues, { query: {} })).counts
  const dueBefore = (await admin.call(devices.listDevices, { query: { size: 1 } })).counts.dueSoon
  const given = [
    { device: other, after: 5, state: '0' },
    { device: other, after: -3, state: '0' },
    { device: other, after: 9, state: '2' },
    { device: id, after: 60, state: '0' },
  ]
  for (const [i, { device, after, state }] of given.entries())
    await pool.query(
      `insert into device_due (id, device_id, project_code, kind, due_date, notice_state)
       select $1, d.id, d.project_code, $2, $3, $4 from device d where d.id = $5`,
      [`due${i}`, ['calibration', 'service', 'certificate', 'sim'][i], day(after), state, device],
    )
  const { counts } = await admin.call(devices.listDevices, { query: { size: 1 } })
  const stats = await admin.call(deviceToolsCalls.deviceStatistics, { query: {} })
  const listed = async (query: Record<string, unknown>) => (await admin.call(devices.listDevices, { query: { size: 1, ...query } })).total
  const { rows } = await pool.query<{ n: number; online: number }>(
    `select count(*)::int as n, count(*) filter (where l.online)::int as online from device d left join device_latest l on l.device_id = d.id where d.status = '1'`,
  )
  expect(counts).toMatchObject({ inUse: rows[0]?.n, online: rows[0]?.online, offline: (rows[0]?.n ?? 0) - (rows[0]?.online ?? 0) })
  expect(counts.all).toBeGreaterThan(counts.inUse)
  expect([stats.all, stats.inUse, stats.online]).toEqual([counts.all, counts.inUse, counts.online])
  expect([await listed({ online: true }), await listed({ online: false })]).toEqual([counts.online, counts.offline])
  const dues = await admin.call(service.listDues, { query: {} })
  expect(dues.counts).toMatchObject({ month: owed.month + 1, week: owed.week + 1, overdue: owed.overdue + 1 })
  expect([counts.dueSoon, await listed({ due: true })]).toEqual([dueBefore + 1, dueBefore + 1])
  await pool.query(`delete from device_due where id = any ($1)`, [given.map((_, i) => `due${i}`)])
  await pool.query(`update device set status = '1' where id = $1`, [id])
})

test('how a device reported is counted hour by hour, once', async () => {
  const id = deviceOf('waterMeter')
  const now = Date.now()
  const at = (minutes: number) => new Date(Math.floor(now / 3_600_000) * 3_600_000 - minutes * 60_000)
  for (const minutes of [11, 12, 30])
    await world.database.pool.query(
      `insert into telemetry (device_id, ts, received_at, schema_ver, v, quality) values ($1, $2, $2, 1, '{1}', $3)`,
      [id, at(minutes), minutes === 30 ? '{"flow":"fault"}' : null],
    )
  await countDays(world.database.pool, now)
  await countDays(world.database.pool, now)
  const { rows } = await world.database.pool.query(
    'select sum(readings)::int as readings, sum(doubtful)::int as doubtful, sum(spans)::int as spans from device_day where device_id = $1',
    [id],
  )
  expect(rows[0]).toEqual({ readings: 3, doubtful: 1, spans: 2 })
})

test('a date of service written at the device is its due item, and the item written is the date at the device', async () => {
  const body = { name: '到期试验电表', deviceSn: 'DUE-0001', projectCode, family: 'electricMeter', dueDate: '2027-03-01' }
  const { id } = await admin.call(devices.createDevice, { body })
  const items = async () =>
    (await admin.call(service.listDues, { query: { deviceId: id, all: 'true' } })).list.map((one) => [
      one.kind,
      one.dueDate,
      one.noticeState,
    ])
  expect(await items()).toEqual([['service', '2027-03-01', '0']])

  const [due] = (await admin.call(service.listDues, { query: { deviceId: id } })).list
  await admin.call(service.updateDue, { params: { id, dueId: due?.id ?? '' }, body: { noticedTo: '机械员' } })
  await admin.call(devices.updateDevice, { params: { id }, body: { leader: '何工' } })
  expect(await items()).toEqual([['service', '2027-03-01', '1']])
  await admin.call(devices.updateDevice, { params: { id }, body: { dueDate: '2027-09-01' } })
  expect(await items()).toEqual([['service', '2027-09-01', '0']])

  await admin.call(devices.updateDevice, { params: { id }, body: { dueDate: null } })
  expect(await items()).toEqual([])
  await admin.call(service.createDue, { params: { id }, body: { kind: 'service', dueDate: '2028-01-01' } })
  expect((await admin.call(devices.getDevice, { params: { id } })).dueDate).toBe('2028-01-01')
  await admin.call(devices.removeDevice, { params: { id } })
})

test('what the way in says of the parameters is not asked for a second time', async () => {
  const base = { projectCode, params: {} }
  const truck = await admin.call(devices.createDevice, {
    body: {
      ...base,
      name: '渣土车试验',
      deviceSn: 'SAID-0001',
      family: 'truckMonitor',
      access: { protocol: 'jt808', phone: '13900001234' },
    },
  })
  const station = await admin.call(devices.createDevice, {
    body: {
      ...base,
      name: '扬尘试验',
      deviceSn: 'SAID-0002',
      family: 'environment',
      access: { protocol: 'hj212', mn: 'SAIDBYACCESS0001', units: { tsp: 'mg' } },
    },
  })
  const of = async (id: string) => (await admin.call(devices.getDevice, { params: { id } })).params
  expect(await of(truck.id)).toMatchObject({ simNo: '13900001234' })
  expect(await of(station.id)).toMatchObject({ unitTsp: 'mg' })
  await admin.call(gatewayCalls.updateGateway, {
    params: { id: station.id },
    body: { station: { units: { tsp: 'ug', pm10: 'ug', pm25: 'ug' } } },
  })
  expect(await of(station.id)).toMatchObject({ unitTsp: 'ug' })
  await admin.call(devices.removeDevices, { body: { ids: [truck.id, station.id] } })
})

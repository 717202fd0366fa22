import { listGateShares, listPassages } from '@zhugong/contract/monitoring/gateway/passages'
import * as calls from '@zhugong/contract/monitoring/gateway/vehicle-registry'
import type { Device } from '@zhugong/simulator/city-types'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type CityWorld, openHospital } from '../../../../test/city.ts'
import type { Caller, World } from '../../../../test/world.ts'
import { Plates } from '../../rules/plates.ts'

const now = Date.now()
const hour = 3_600_000
let world: World
let settled: CityWorld
let pm: Caller
let regulator: Caller
let stranger: Caller
let main: string
let lane: Device

async function pass(ago: number, data: Record<string, unknown>): Promise<void> {
  await world.database.pool.query(
    `insert into device_record (device_id, project_code, ts, id, record, data, received_at) values ($1, $2, $3, $4, 'accessRecord', $5, $3)`,
    [lane.id, main, new Date(now - ago), `accessRecord:${now - ago}`, JSON.stringify(data)],
  )
}

beforeAll(async () => {
  ;({ world, settled, pm, regulator, stranger, main } = await openHospital(inject('postgresUrl'), now))
  const found = settled.city.devices.find((d) => d.family === 'truckAccess' && d.projectCode === main)
  if (!found) throw new Error('no lane')
  lane = found
  await pass(hour, { plateNo: '鄂A10001', direction: '0', vehicleType: '1', registered: false, confidence: 0.95 })
  await pass(2 * hour, { plateNo: '鄂A10002', direction: '0', vehicleType: '1', registered: false, confidence: 0.95 })
  await pass(3 * hour, {
    plateNo: '鄂A10003',
    direction: '0',
    vehicleType: '4',
    registered: false,
    confidence: 0.95,
    photoUrl: 'https://a.example/1.jpg',
  })
})
afterAll(() => world.close())

test('a site registers and bars vehicles; passages, filters and the rules of gates go by it', async () => {
  const query = { projectCode: main }
  const made = await pm.call(calls.addRegistered, {
    query,
    body: { kind: 'known', plateNo: '鄂a·10001', vehicleType: '1', corpName: '通达运输', permitNo: '黄渣运 1', untilDay: '2099-01-01' },
  })
  expect(made).toMatchObject({ plateNo: '鄂A10001', kind: 'known', passages: 1, ended: false, mayChange: true, lastTime: now - hour })
  const again = await pm.ask(calls.addRegistered, { query, body: { kind: 'known', plateNo: '鄂A10001' } })
  expect(again.message).toBe('鄂A10001 已在登记车辆中')
  expect((await pm.ask(calls.addRegistered, { query, body: { kind: 'black', plateNo: '鄂A10002' } })).message).toBe(
    '请填写列入黑名单的原因',
  )
  expect((await pm.ask(calls.addRegistered, { query, body: { kind: 'known', plateNo: '一二三' } })).message).toContain('车牌格式不正确')
  const ban = await pm.call(calls.addRegistered, { query, body: { kind: 'black', plateNo: '鄂A10002', reason: '拒绝冲洗' } })
  const ended = await pm.call(calls.addRegistered, { query, body: { kind: 'known', plateNo: '鄂A10009', untilDay: '2020-01-01' } })
  expect(ended.ended).toBe(true)

  const passages = (await pm.call(listPassages, { query: { projectCode: main, deviceId: lane.id } })).list
  const seen = (plateNo: string) => passages.find((one) => one.plateNo === plateNo)
  expect(seen('鄂A10001')).toMatchObject({
    registered: true,
    barred: false,
    transportCorp: '通达运输',
    permitNo: '黄渣运 1',
    permitUntil: '2099-01-01',
  })
  expect(seen('鄂A10002')).toMatchObject({ registered: false, barred: true, transportCorp: null })
  const filtered = async (more: object) =>
    (await pm.call(listPassages, { query: { projectCode: main, deviceId: lane.id, ...more } })).list.map((one) => one.plateNo)
  expect(await filtered({ registered: '1' })).toEqual(['鄂A10001'])
  expect(await filtered({ transportCorp: '通达' })).toEqual(['鄂A10001'])

  const black = await pm.call(calls.listRegistry, { query: { ...query, kind: 'black' } })
  expect([black.list.map((one) => one.plateNo), black.counts]).toEqual([['鄂A10002'], { known: 2, black: 1, ended: 1 }])
  expect((await pm.call(calls.listRegistry, { query: { ...query, ended: '1' } })).list.map((one) => one.plateNo)).toEqual(['鄂A10009'])

  const plates = new Plates()
  await plates.refresh(world.database.pool, now)
  expect(plates.isListed(main, 'vehicleBlack', '鄂A10002')).toBe(true)
  expect(plates.isListed(main, 'vehicleBlack', '鄂A10001')).toBe(false)
  expect([plates.isRegistered(main, '鄂A10001'), plates.isRegistered(main, '鄂A10009')]).toEqual([true, false])

  const change = {
    params: { id: ban.id },
    query,
    body: { kind: 'black' as const, plateNo: '鄂A10002', reason: '改为半年', untilDay: '2020-06-30', version: 0 },
  }
  expect(await pm.call(calls.changeRegistered, change)).toMatchObject({ ended: true, version: 1 })
  expect((await pm.ask(calls.changeRegistered, change)).message).toContain('请刷新后再改')
  expect((await pm.ask(calls.changeRegistered, { ...change, body: { ...change.body, kind: 'known', version: 1 } })).message).toContain(
    '不能互相改',
  )
  await plates.refresh(world.database.pool, now + 2 * 60_000)
  expect(plates.isListed(main, 'vehicleBlack', '鄂A10002')).toBe(false)
})

test('gates are ranked by how clean lorries leave, what was not recognised beside the share', async () => {
  const out = { direction: '1', vehicleType: '1', confidence: 0.95 }
  await pass(5 * hour, { ...out, plateNo: '鄂A30001', washed: '1', covered: '1' })
  await pass(6 * hour, { ...out, plateNo: '鄂A30002', washed: '0', covered: '1' })
  await pass(7 * hour, { ...out, plateNo: '鄂A30003', covered: '0' })
  await pass(8 * hour, { ...out, plateNo: '鄂A30004', vehicleType: '4', washed: '0', covered: '0' })
  const { list } = await regulator.call(listGateShares, { query: { projectCode: main } })
  expect(list.find((one) => one.deviceId === lane.id)).toMatchObject({
    exits: 4,
    muckOut: 3,
    washPercent: 50,
    unwashed: 1,
    coverPercent: 66.7,
    uncovered: 1,
    unknownPercent: 33.3,
    lastTime: now - hour,
  })
  const below = await regulator.call(listGateShares, { query: { projectCode: main, washPercent: ',40' } })
  expect(below.list.some((one) => one.deviceId === lane.id)).toBe(false)
  expect((await stranger.ask(listGateShares, { query: { projectCode: main } })).status).not.toBe(0)
})

test('who supervises reads the registers and no private plate; strangers see and change nothing', async () => {
  const query = { projectCode: main }
  const rows = await regulator.call(listPassages, { query: { projectCode: main, deviceId: lane.id } })
  const car = rows.list.find((one) => one.vehicleType === '4')
  expect(car).toMatchObject({ plateNo: '鄂A•••03', photo: null })
  expect((await regulator.call(listPassages, { query: { projectCode: main, deviceId: lane.id, plateNo: '10003' } })).total).toBe(0)
  expect((await pm.call(listPassages, { query: { projectCode: main, deviceId: lane.id, plateNo: '10003' } })).total).toBe(1)
  const seen = await regulator.call(calls.listRegistry, { query })
  expect(seen.list.some((one) => one.mayChange)).toBe(false)
  expect((await regulator.ask(calls.addRegistered, { query, body: { kind: 'known', plateNo: '鄂A20001' } })).status).not.toBe(0)
  const [row] = seen.list
  const removing = { params: { id: row?.id ?? '' }, query: { projectCode: '*', reason: '试试' } }
  expect((await stranger.ask(calls.removeRegistered, removing)).status).not.toBe(0)
  expect((await stranger.ask(calls.listRegistry, { query })).status).not.toBe(0)
  await pm.call(calls.removeRegistered, { ...removing, query: { ...query, reason: '不再来' } })
  expect((await pm.call(calls.listRegistry, { query })).list.some((one) => one.id === row?.id)).toBe(false)
})

test('a passage shows the pictures of its own site, whatever its camera names', async () => {
  const other = settled.city.projects.find((one) => one.projectCode !== main)?.projectCode
  await world.database.pool.query(
    `insert into stored_file (id, project_code, group_id, name, mime, bytes, sha256, create_by, source)
     select f.id, f.code, t.id, '车头.png', 'image/png', 10, repeat('a', 64), 'test', 'device'
     from unnest($1::text[], $2::text[]) f(id, code) join tenant t on t.type = 3 and t.code = f.code`,
    [
      ['gate-own', 'gate-other'],
      [main, other],
    ],
  )
  await pass(9 * hour, {
    plateNo: '鄂A40001',
    direction: '0',
    vehicleType: '1',
    confidence: 0.95,
    photoUrl: 'gate-own',
    plateUrl: 'gate-other',
  })
  const { list } = await pm.call(listPassages, { query: { projectCode: main, deviceId: lane.id, plateNo: '鄂A40001' } })
  expect([list[0]?.photo?.includes('id=gate-own'), list[0]?.platePhoto]).toEqual([true, null])
  const seen = await pm.call(listPassages, { query: { projectCode: main, deviceId: lane.id, plateNo: '鄂A10003' } })
  expect(seen.list[0]?.photo).toBe('https://a.example/1.jpg')
})

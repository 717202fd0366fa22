import { findAlarms } from '@zhugong/contract/alarms/lists'
import { checkTicket } from '@zhugong/contract/monitoring/weigh/weigh-checks'
import { findTickets } from '@zhugong/contract/monitoring/weigh/weigh-lists'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import { givenAlarm } from '../../../test/givens.ts'
import type { World } from '../../../test/world.ts'

/** Family-specific columns of alarms: a crane's driver, lift, other crane and zone; the loss of a short load. */
const now = Date.parse('2026-11-20T10:00:00+08:00')
let world: World
let city: CityWorld
let site = ''
let crane = ''
let bridge = ''

const alarm = (id: string, device: string, family: string, alarmKey: string, at: string, used: object) =>
  givenAlarm(world, {
    id,
    projectCode: site,
    device: { id: device, name: '样机', family },
    at: new Date(`${at}+08:00`),
    alarmKey,
    active: false,
    valuesUsed: JSON.stringify(used),
  })
const record = (device: string, name: string, id: string, at: string, data: object) =>
  world.database.pool.query(
    `insert into device_record (device_id, project_code, ts, id, record, data, received_at) values ($1, $2, $3, $4, $5, $6, $3)`,
    [device, site, `${at}+08:00`, id, name, JSON.stringify(data)],
  )

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'), { clock: { now: () => now } })
  city = await settleCity(world)
  site = city.city.personas.find((p) => p.account === 'hospital-pm')?.projectCode ?? ''
  const of = (family: string) => city.city.devices.find((d) => d.projectCode === site && d.family === family)?.id ?? ''
  crane = of('towerCrane')
  bridge = of('weighbridge')
  await record(crane, 'workingCycle', 'lift1', '2026-11-19T09:05:00', { cycleNo: 'C-0917', durationSeconds: 400, driverName: '周大勇' })
  await alarm('collide', crane, 'towerCrane', 'collisionWarning', '2026-11-19T09:02:00', { otherCrane: '3# 塔机', clearance: 3.82 })
  await alarm('zone', crane, 'towerCrane', 'zoneWarning', '2026-11-19T11:00:00', { zoneName: '学校上空', driverName: '欧阳立新' })
})
afterAll(() => world.close())

test('driver, other crane, distance, zone and lift stand in the row, and are what the caller may read', async () => {
  const pm = await city.as('hospital-pm')
  const officer = await city.as('city-fang')
  const rows = async (query: object, who = pm) =>
    (await who.call(findAlarms, { query: { projectCode: site, family: 'towerCrane', sort: 'startTime', ...query } })).list.filter((one) =>
      ['collide', 'zone'].includes(one.id),
    )
  expect((await rows({})).map((one) => one.crane)).toEqual([
    { driverName: '周大勇', cycleNo: 'C-0917', otherCrane: '3# 塔机', clearance: 3.82, zoneName: null },
    { driverName: '欧阳立新', cycleNo: null, otherCrane: null, clearance: null, zoneName: '学校上空' },
  ])
  expect((await rows({}, officer)).map((one) => one.crane?.driverName)).toEqual(['周**', '欧阳**'])
  const ids = async (query: object, who = pm) => (await rows(query, who)).map((one) => one.id)
  expect(await ids({ driverName: '大勇' })).toEqual(['collide'])
  // A regulator can search only by the masked name, not by the full one.
  expect(await ids({ driverName: '大勇' }, officer)).toEqual([])
  expect(await ids({ driverName: '周*' }, officer)).toEqual(['collide'])
  expect(await ids({ otherCrane: '3#' })).toEqual(['collide'])
  expect(await ids({ zoneName: '学校' })).toEqual(['zone'])
  expect(await ids({ cycleNo: '0917' })).toEqual(['collide'])
  expect(await ids({ clearance: '3,4' })).toEqual(['collide'])
  expect(await ids({ clearance: '4,' })).toEqual([])
})

test('a short load is worth what somebody found; else the price such a load was last reckoned with, and without one tonnes only', async () => {
  const pm = await city.as('hospital-pm')
  const ticket = (recordNo: string, goodsName: string) => ({
    recordNo,
    plateNo: '鄂B12345',
    direction: '1',
    goodsName,
    grossWeight: 45.5,
    tareWeight: 15,
    netWeight: 30.5,
    plannedWeight: 32,
    deviationPercent: -4.69,
    grossTime: '2026-11-19T01:00:00.000Z',
    tareTime: '2026-11-19T01:30:00.000Z',
  })
  await record(bridge, 'weighRecord', 'short1', '2026-11-19T09:30:00', ticket('T-1', '测试砂'))
  await record(bridge, 'weighRecord', 'short2', '2026-11-19T10:30:00', ticket('T-2', '测试砂'))
  await alarm('short1', bridge, 'weighbridge', 'shortWeight', '2026-11-19T09:30:00', ticket('T-1', '测试砂'))
  await alarm('short2', bridge, 'weighbridge', 'shortWeight', '2026-11-19T10:30:00', ticket('T-2', '测试砂'))
  await alarm('short3', bridge, 'weighbridge', 'shortWeight', '2026-11-19T11:30:00', ticket('T-3', '从未核实的货'))
  const losses = async () =>
    Object.fromEntries(
      (await pm.call(findAlarms, { query: { projectCode: site, alarmKey: 'shortWeight', size: 100 } })).list
        .filter((one) => one.id.startsWith('short'))
        .map((one) => [one.id, one.loss]),
    )
  expect((await losses()).short1).toEqual({ tonnes: 1.5, price: null, amount: null, checked: false })
  const [row] = (await pm.call(findTickets, { query: { projectCode: site, deviceId: bridge, billNo: 'T-1' } })).list
  const looked = await pm.ask(checkTicket, {
    query: { projectCode: site },
    body: { ticketId: row?.id ?? '', outcome: 'short', unitPrice: 480, reason: '与送货单差 1.5 吨' },
  })
  expect(looked.status).toBe(0)
  expect(await losses()).toEqual({
    short1: { tonnes: 1.5, price: 480, amount: 720, checked: true },
    short2: { tonnes: 1.5, price: 480, amount: 720, checked: false },
    short3: { tonnes: 1.5, price: null, amount: null, checked: false },
  })
})

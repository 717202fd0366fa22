import { addPourStep } from '@zhugong/contract/monitoring/formwork/formwork'
import { formworkInfo } from '@zhugong/contract/monitoring/formwork/formwork-live'
import { advisePour, listPourAdvice } from '@zhugong/contract/monitoring/formwork/pour-advice'
import { pitInfo } from '@zhugong/contract/monitoring/pit/pit-live'
import { findPitDays } from '@zhugong/contract/monitoring/pit/pits'
import { changePitPoint, listPitPointChanges, listPointZeros, zeroBay } from '@zhugong/contract/monitoring/point-changes'
import { storedOrder } from '@zhugong/contract/telemetry/families'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import type { Caller, World } from '../../../test/world.ts'
import { markGiven, toColumns } from '../readings/public.ts'
import { withMarks } from './point-marks.ts'
import type { Work } from './work.ts'

/** Points that are damaged, replaced or zeroed: later readings continue the earlier ones. */
const start = Date.parse('2026-11-20T10:00:00+08:00')
const minute = 60_000
let now = start
let world: World
let city: CityWorld
let site = ''
let pm: Caller
let point = ''
let bay: string[] = []
let seq = 0

const run = (text: string, values: unknown[] = []) => world.database.pool.query(text, values)
/** Stores a reading with the marks of its point applied. */
async function tell(family: string, deviceId: string, values: Record<string, unknown>, time = now): Promise<void> {
  const order = storedOrder(family)!
  const { rows } = await run('select name, params, points from device where id = $1', [deviceId])
  const reported = { time, receivedAt: time, mark: markGiven(++seq), values, unknown: null, quality: null, flag: 0 as const }
  const [reading] = withMarks({ device: rows[0], readings: [reported] } as unknown as Work).readings
  const { v, w, extra } = toColumns(order, reading!)
  await run(
    'insert into telemetry (device_id, ts, seq, received_at, schema_ver, v, w, extra, quality) values ($1, $2, $3, $2, 1, $4, $5, $6, $7)',
    [deviceId, new Date(time), seq, v, w, extra && JSON.stringify(extra), reading!.quality && JSON.stringify(reading!.quality)],
  )
  await run(
    `insert into device_latest (device_id, ts, received_at, v, online, online_since) values ($1, $2, $2, $3, true, $2)
     on conflict (device_id) do update set ts = excluded.ts, received_at = excluded.received_at, v = excluded.v`,
    [deviceId, new Date(time), JSON.stringify(reading!.values)],
  )
}
const change = (who: Caller, kind: string, more: Record<string, unknown> = {}) =>
  who.ask(changePitPoint, {
    query: { projectCode: site },
    body: { deviceId: point, pointCode: 'DB-77', kind, reason: '挖机碰断', initial: null, carried: null, ...more } as never,
  })
const seen = async () => (await pm.call(pitInfo, { params: { id: point } })).points.find((one) => one.pointCode === 'DB-77')

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'), { clock: { now: () => now } })
  city = await settleCity(world)
  const pit = city.city.devices.find((d) => d.family === 'foundationPit')!
  site = pit.projectCode
  point = pit.id
  const account = city.city.personas.find((p) => p.projectCode === site && /-pm$/.test(p.account))!.account
  pm = await city.as(account)
  await run(
    `update device set params = params || '{"pointCode": "DB-77", "pointType": "surface", "controlValue": 30, "controlRate": 3}' where id = $1`,
    [point],
  )
  const formwork = city.city.devices.filter((d) => d.family === 'highFormwork' && d.projectCode === site).slice(0, 2)
  bay = formwork.map((one) => one.id)
  await run(`update device set params = params || '{"bayName": "样板区"}' where id = any ($1)`, [bay])
})
afterAll(() => world.close())

test('a damaged point leaves the figures with its reason; its replacement goes on from what had moved', async () => {
  await tell('foundationPit', point, { surfaceSettlement: -12.4 }, start - 24 * 3_600_000)
  await tell('foundationPit', point, { surfaceSettlement: -12.6 }, start - minute)
  expect(await seen()).toMatchObject({ cumulative: -12.6, damaged: null, share: 42 })
  expect((await change(pm, 'damaged', { reason: ' ' })).message).toContain('原因')
  expect((await change(pm, 'damaged', { pointCode: '没有' })).message).toContain('没有这个测点')
  expect((await change(pm, 'damaged')).status).toBe(0)
  expect((await change(pm, 'damaged')).message).toContain('已标记损坏')
  now += minute
  await tell('foundationPit', point, { surfaceSettlement: -80 })
  expect(await seen()).toMatchObject({ state: 'damaged', cumulative: null, share: null, damaged: { since: start, reason: '挖机碰断' } })
  const days = await pm.call(findPitDays, {
    query: { deviceId: point, groupBy: 'day', startTime: '2026-11-20 00:00:00', endTime: '2026-11-20 23:59:59' } as never,
  })
  expect(days.list.map((one) => one.value)).toEqual([-12.6])
  expect((await change(pm, 'replaced', { reason: '重新埋设', initial: 0.2 })).status).toBe(0)
  now += minute
  await tell('foundationPit', point, { surfaceSettlement: 0.1 })
  expect(await seen()).toMatchObject({ state: 'fine', cumulative: -12.7, damaged: null, ratePerDay: expect.closeTo(-0.3, 1) })
  const { list } = await pm.call(listPitPointChanges, { query: { projectCode: site, deviceId: point } as never })
  expect(list.map((one) => [one.kind, one.value, one.initial])).toEqual([
    ['replaced', -12.6, 0.2],
    ['damaged', -12.6, null],
  ])
})

test('a bay counts from where its points stand, while nobody pours; forces stay', async () => {
  const [first, second] = bay as [string, string]
  const zero = (who: Caller) => who.ask(zeroBay, { query: { projectCode: site }, body: { bayName: '样板区', reason: '' } as never })
  await tell('highFormwork', first, { axialForce: 3.2, settlement: 1.4, horizontalDisplacement: -2, tiltX: 0.1, tiltY: -0.2 })
  await run('delete from device_latest where device_id = $1', [second])
  const answer = await zero(pm)
  expect(answer.status).toBe(0)
  expect(answer.data).toMatchObject({ zeroed: [expect.any(String)], missing: [expect.any(String)] })
  now += minute
  await tell('highFormwork', first, { axialForce: 3.2, settlement: 1.9, horizontalDisplacement: -2, tiltX: 0.1, tiltY: -0.2 })
  const read = async () => (await pm.call(formworkInfo, { params: { id: first } })).points.find((one) => one.deviceId === first)
  expect(await read()).toMatchObject({ axialForce: 3.2, settlement: 0.5, horizontalDisplacement: 0, tilt: 0 })
  // Zeroed again: relative to the current value, not to the instrument's.
  expect((await zero(pm)).status).toBe(0)
  now += minute
  await tell('highFormwork', first, { axialForce: 3.2, settlement: 2.0 })
  expect(await read()).toMatchObject({ settlement: 0.1 })
  expect((await pm.call(listPointZeros, { query: { projectCode: site, bayName: '样板区' } as never })).total).toBe(2)
  const advise = (bayName: string, text: string) => pm.ask(advisePour, { query: { projectCode: site }, body: { bayName, text } as never })
  expect((await advise('样板区', '慢')).message).toContain('至少 5 个字')
  expect((await advise('别处', '东侧先核对立杆间距')).message).toContain('没有这个浇筑部位')
  expect((await advise('样板区', '东侧先核对立杆间距')).status).toBe(0)
  const advice = async () => (await pm.call(listPourAdvice, { query: { projectCode: site, bayName: '样板区' } as never })).list[0]
  expect(await advice()).toMatchObject({ text: '东侧先核对立杆间距', isOpen: true })
  now += minute
  await pm.call(addPourStep, {
    query: { projectCode: site },
    body: { bayName: '样板区', kind: 'start', volume: null, note: null } as never,
  })
  expect((await zero(pm)).message).toContain('浇筑进行中')
  expect((await advice())?.isOpen).toBe(false)
})

test('whoever only looks changes nothing, and a stranger sees none of it', async () => {
  const stranger = city.city.personas.find((p) => p.projectCode && p.projectCode !== site && /-pm$/.test(p.account))!
  const other = await city.as(stranger.account)
  expect((await change(other, 'damaged')).status).not.toBe(0)
  expect((await other.ask(zeroBay, { query: { projectCode: site }, body: { bayName: '样板区', reason: '' } as never })).status).not.toBe(0)
  expect((await other.call(listPitPointChanges, { query: { projectCode: '*', deviceId: point } as never })).total).toBe(0)
  const regulator = await city.as('bj-zhao')
  expect((await change(regulator, 'damaged')).http).toBe(403)
})

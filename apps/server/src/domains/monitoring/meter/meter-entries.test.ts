import type { InputFor } from '@zhugong/contract/kit/endpoint'
import { shanghaiOffsetMs } from '@zhugong/contract/kit/time'
import { addMeterEntry, listMeterEntries, voidMeterEntry } from '@zhugong/contract/monitoring/meter/meter-entries'
import { listIntensity } from '@zhugong/contract/monitoring/meter/meter-intensity'
import { findMeterReadings, findSettlements } from '@zhugong/contract/monitoring/meter/meter-lists'
import { draftSheet, settleMonth } from '@zhugong/contract/monitoring/meter/meter-settle'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../../../../test/city.ts'
import type { Caller, World } from '../../../../test/world.ts'

/** Manual readings and meter replacements count like transmitted readings, and never twice. */
const now = Date.parse('2026-11-20T10:00:00+08:00')
let world: World
let city: CityWorld
let pm: Caller
let stranger: Caller
let site = ''
let meter = ''
let other = ''
let water = ''
let ratio = 1
let files = 0

async function photo(account = 'hospital-pm'): Promise<string> {
  const id = `dial${++files}`
  await world.database.pool.query(
    `insert into stored_file (id, group_id, name, mime, bytes, sha256, create_by)
     select $1, m.group_id, '表盘.jpg', 'image/jpeg', 3, $1, m.user_id from member m join app_user u on u.id = m.user_id where u.account = $2 limit 1`,
    [id, account],
  )
  return id
}
const reads = (deviceId: string, at: string, v: Record<string, number>) =>
  world.database.pool.query(
    'insert into telemetry_5m (device_id, ts, n, v) values ($1, $2, 1, $3) on conflict (device_id, ts) do update set v = excluded.v',
    [deviceId, `${at}+08:00`, Object.fromEntries(Object.entries(v).map(([key, value]) => [key, [value, value, value, 1]]))],
  )
type Body = InputFor<typeof addMeterEntry>['body']
const ratioOf = (id: string) => Number(city.city.devices.find((d) => d.id === id)?.params.ratio ?? 1)
const enter = async (given: Partial<Body>, who = pm) =>
  who.ask(addMeterEntry, {
    query: { projectCode: site },
    body: { deviceId: meter, kind: 'reading', at: null, reading: 0, reason: '表计离线', files: [await photo()], ...given },
  })
const days = async (deviceId = meter, kind: 'electric' | 'water' = 'electric') =>
  (
    await pm.call(findMeterReadings, {
      query: { deviceId, kind, step: 'day', startTime: '2026-11-09', endTime: '2026-11-20 10:00:00', sort: 'time', size: 50 },
    })
  ).list.map((one) => [new Date(one.time + shanghaiOffsetMs).toISOString().slice(5, 10), one.reading, one.usage, one.entered])

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'), { clock: { now: () => now } })
  city = await settleCity(world)
  pm = await city.as('hospital-pm')
  stranger = await city.as('zhigu-pm')
  site = city.city.personas.find((p) => p.account === 'hospital-pm')?.projectCode ?? ''
  const meters = city.city.devices.filter((d) => d.family === 'electricMeter' && d.projectCode === site)
  meter = meters[0]?.id ?? ''
  other = meters[1]?.id ?? ''
  water = city.city.devices.find((d) => d.family === 'waterMeter' && d.projectCode === site)?.id ?? ''
  ratio = Number(meters[0]?.params.ratio ?? 1)
  // Ten units a day, reported at noon until the 12th, then silence.
  for (let day = 1; day <= 12; day++) {
    const date = `2026-11-${String(day).padStart(2, '0')}`
    await reads(meter, `${date}T12:00:00`, { totalEnergy: 1_000 + day * 10, peakEnergy: 300 + day })
  }
})
afterAll(() => world.close())

test('a reading by hand is held against what stands around it, and looked at twice where the use is odd', async () => {
  expect((await enter({ files: [] })).message).toContain('请上传表盘照片')
  expect((await enter({ reason: ' ' })).status).toBe(2)
  expect((await enter({ reading: 1_200, at: '2026-11-21 08:00:00' })).message).toContain('不能晚于现在')
  expect((await enter({ reading: 1_200, at: '2026-08-01 08:00:00' })).message).toContain('60 天内')
  expect((await enter({ reading: 1_119 })).message).toContain('读数不能小于上一读数 1120（2026-11-12 12:00）；若已换表，请登记换表')
  expect((await enter({ reading: 1_050, at: '2026-11-03 18:00:00' })).message).toContain('不能大于之后的读数 1040')
  expect((await enter({ reading: 1_100, startReading: 0 })).message).toContain('抄表没有新表起始读数')
  expect((await enter({ deviceId: city.city.devices.find((d) => d.family === 'towerCrane')?.id ?? '', reading: 1 })).status).not.toBe(0)
  expect((await enter({ reading: 1_125 }, stranger)).status).not.toBe(0)
  const odd = await enter({ reading: 1_900, at: '2026-11-16 12:00:00' })
  expect(odd.message).toContain('超过近 30 天日均')
  expect((await enter({ reading: 1_160, at: '2026-11-16 12:00:00' })).status).toBe(0)
  expect((await enter({ reading: 1_160, at: '2026-11-16 12:00:00' })).message).toContain('已有登记')
  expect((await days()).slice(1)).toEqual([
    ['11-10', 1_100, 10 * ratio, null],
    ['11-11', 1_110, 10 * ratio, null],
    ['11-12', 1_120, 10 * ratio, null],
    ['11-13', null, 10 * ratio, null],
    ['11-14', null, 10 * ratio, null],
    ['11-15', null, 10 * ratio, null],
    ['11-16', 1_160, 10 * ratio, 'reading'],
  ])
  const { list } = await pm.call(findSettlements, {
    query: { projectCode: site, deviceId: meter, kind: 'electric', groupBy: 'meter,month', startTime: '2026-11-01' },
  })
  expect(list[0]).toMatchObject({ endReading: 1_160, usage: 150 * ratio, manualReads: 1, rollbacks: 0 })
})

test('a changed meter: the use before and after are added, wherever the new one begins', async () => {
  const change = { kind: 'change' as const, at: '2026-11-17 09:02:00', reading: 1_165, reason: '表计损坏更换' }
  expect((await enter(change)).message).toContain('请填写新表起始读数')
  expect((await enter({ ...change, startReading: 5_000 })).status).toBe(0)
  await reads(meter, '2026-11-17T12:00:00', { totalEnergy: 5_003, peakEnergy: 2 })
  await reads(meter, '2026-11-18T12:00:00', { totalEnergy: 5_013, peakEnergy: 3 })
  expect((await days()).slice(-2)).toEqual([
    ['11-17', 5_003, 8 * ratio, 'change'],
    ['11-18', 5_013, 10 * ratio, null],
  ])
  const { list } = await pm.call(findSettlements, {
    query: { projectCode: site, deviceId: meter, kind: 'electric', groupBy: 'meter,month', startTime: '2026-11-01' },
  })
  expect(list[0]).toMatchObject({ startReading: 1_010, endReading: 5_013, usage: (155 + 13) * ratio, rollbacks: 1 })
})

test('taken back it counts no more and stays to be read; a meter that told less afterwards is believed', async () => {
  const params = { id: (await enter({ reading: 5_050, at: '2026-11-20 09:30:00' })).data?.id ?? '' }
  const take = (who: Caller) => who.ask(voidMeterEntry, { params, query: { projectCode: site }, body: { reason: '看错表盘' } })
  expect((await days()).at(-1)).toEqual(['11-20', 5_050, 18.5 * ratio, 'reading'])
  expect((await take(stranger)).status).not.toBe(0)
  expect((await take(pm)).status).toBe(0)
  expect((await take(pm)).message).toContain('已经撤销')
  expect((await days()).at(-1)?.[0]).toBe('11-18')
  const { list, total } = await pm.call(listMeterEntries, { query: { projectCode: site, deviceId: meter } })
  expect([total, list[0]?.voidReason, list[0]?.voidBy === null]).toEqual([3, '看错表盘', false])
  expect((await stranger.call(listMeterEntries, { query: { projectCode: '*' } })).total).toBe(0)
  expect((await enter({ reading: 5_040, at: '2026-11-19 08:00:00' })).status).toBe(0)
  await reads(meter, '2026-11-19T12:00:00', { totalEnergy: 5_023 })
  expect((await days()).at(-1)).toEqual(['11-19', 5_023, 10 * ratio, null])
})

test('a meter nobody hears is settled by its readings by hand; a settled month stays as it is', async () => {
  expect((await enter({ deviceId: water, reading: 100, at: '2026-10-01 08:00:00', reason: '无远传' })).status).toBe(0)
  expect((await enter({ deviceId: water, reading: 160, at: '2026-10-31 18:00:00', reason: '无远传' })).status).toBe(0)
  const query = { projectCode: site }
  const draft = await pm.call(draftSheet, { query: { ...query, kind: 'water', month: '2026-10' } })
  expect(draft.rows.find((one) => one.deviceId === water)).toMatchObject({ startReading: 100, endReading: 160, usage: 60, manualReads: 2 })
  expect((await pm.ask(settleMonth, { query, body: { kind: 'water', month: '2026-10', totalUsage: draft.totalUsage } })).status).toBe(0)
  expect((await enter({ deviceId: water, reading: 161, at: '2026-10-31 20:00:00' })).message).toContain('2026-10 已月结')
  const [entry] = (await pm.call(listMeterEntries, { query: { projectCode: site, deviceId: water } })).list
  expect(entry?.locked).toBe(true)
  const undone = await pm.ask(voidMeterEntry, { params: { id: entry?.id ?? '' }, query, body: { reason: '看错' } })
  expect(undone.message).toContain('2026-10 已月结')
  expect((await days(other)).length).toBe(0)
})

test('sites are compared by their size and their people', async () => {
  const { pool } = world.database
  await pool.query('update project set building_area = 20000 where project_code = $1', [site])
  const officer = await city.as('city-fang')
  const query = { projectCode: '*', kind: 'water' as const, month: '2026-10' }
  const { list, total } = await officer.call(listIntensity, { query })
  expect(total).toBe(1)
  expect(list[0]).toMatchObject({ projectCode: site, usage: 60, perArea: 30, locked: true })
  const open = (await officer.call(listIntensity, { query: { ...query, kind: 'electric', month: '2026-11' } })).list
  expect(open.find((one) => one.projectCode === site)?.usage).toBeGreaterThan(0)
  expect((await stranger.call(listIntensity, { query })).total).toBe(0)
})

test('a change of the transformers counts from its moment on: what was counted before stays, and taken back all is as it was', async () => {
  const deviceId = other
  const before = ratioOf(other)
  const next = before === 60 ? 80 : 60
  for (let day = 1; day <= 9; day++)
    await reads(deviceId, `2026-11-${String(day).padStart(2, '0')}T12:00:00`, { totalEnergy: 2_000 + day * 10 })
  const month = async () =>
    (
      await pm.call(findSettlements, {
        query: { projectCode: site, deviceId, kind: 'electric', groupBy: 'meter,month', startTime: '2026-11-01' },
      })
    ).list[0]
  expect(await month()).toMatchObject({ usage: 80 * before, ratio: before })
  const change = {
    deviceId,
    kind: 'change' as const,
    at: '2026-11-09 18:00:00',
    reading: 2_095,
    startReading: 0,
    reason: '互感器与表计一并更换',
  }
  expect((await enter({ ...change, ratio: 0 })).message).toContain('变比不能小于 1')
  expect((await enter({ ...change, kind: 'reading', startReading: null, ratio: next })).message).toContain('抄表不改变比')
  expect(
    (await enter({ deviceId: water, kind: 'change', at: '2026-11-09 18:00:00', reading: 170, startReading: 0, ratio: 5 })).message,
  ).toContain('水表没有变比')
  const done = await enter({ ...change, ratio: next })
  expect(done.status).toBe(0)
  await reads(deviceId, '2026-11-10T12:00:00', { totalEnergy: 10 })
  await reads(deviceId, '2026-11-11T12:00:00', { totalEnergy: 20 })
  expect(await month()).toMatchObject({ usage: 85 * before + 20 * next, ratio: next, rollbacks: 1 })
  expect((await days(deviceId)).map((one) => one[2])).toEqual([15 * before, 10 * next, 10 * next])
  const params = async () => (await world.database.pool.query('select params from device where id = $1', [deviceId])).rows[0].params
  expect((await params()).ratio).toBe(next)
  // No ratio change may be inserted before it.
  expect((await enter({ ...change, at: '2026-11-05 18:00:00', reading: 2_055, startReading: 2_055, ratio: 77 })).message).toContain(
    '之后已登记过变比变更',
  )
  const [entry] = (await pm.call(listMeterEntries, { query: { projectCode: site, deviceId } })).list
  expect(entry).toMatchObject({ prevRatio: before, nextRatio: next })
  expect(
    (await pm.ask(voidMeterEntry, { params: { id: entry?.id ?? '' }, query: { projectCode: site }, body: { reason: '登记错表' } })).status,
  ).toBe(0)
  expect((await params()).ratio).toBe(before)
})

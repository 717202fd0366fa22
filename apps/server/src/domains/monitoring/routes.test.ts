import { mkdtempSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { submitExport } from '@zhugong/contract/exports/endpoints'
import type { Endpoint, InputFor } from '@zhugong/contract/kit/endpoint'
import { craneRanks } from '@zhugong/contract/monitoring/crane/crane-analysis'
import * as cranes from '@zhugong/contract/monitoring/crane/crane-endpoints'
import * as environment from '@zhugong/contract/monitoring/environment/environment-endpoints'
import { findSprayDays, findUnsprayed } from '@zhugong/contract/monitoring/environment/environment-lists'
import { stationRanks } from '@zhugong/contract/monitoring/environment/station-ranks'
import * as formwork from '@zhugong/contract/monitoring/formwork/formwork'
import * as formworkLive from '@zhugong/contract/monitoring/formwork/formwork-live'
import * as passages from '@zhugong/contract/monitoring/gateway/passages'
import * as helmetMedia from '@zhugong/contract/monitoring/helmet/helmet-media'
import * as helmetStatistics from '@zhugong/contract/monitoring/helmet/helmet-statistics'
import * as helmets from '@zhugong/contract/monitoring/helmet/helmets'
import * as lifts from '@zhugong/contract/monitoring/lift/lift-lists'
import * as liftLive from '@zhugong/contract/monitoring/lift/lift-live'
import * as meters from '@zhugong/contract/monitoring/meter/meters'
import * as piles from '@zhugong/contract/monitoring/pile/piles'
import * as pitLive from '@zhugong/contract/monitoring/pit/pit-live'
import * as pits from '@zhugong/contract/monitoring/pit/pits'
import * as unloadingLive from '@zhugong/contract/monitoring/unloading/unloading-live'
import * as vehicles from '@zhugong/contract/monitoring/vehicle/vehicles'
import * as ai from '@zhugong/contract/monitoring/video/ai-events'
import * as video from '@zhugong/contract/monitoring/video/video'
import * as weighing from '@zhugong/contract/monitoring/weigh/weighing'
import { familyOf, storedOrder } from '@zhugong/contract/telemetry/families'
import type { Device, Family } from '@zhugong/simulator/city-types'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { rollUpAll } from '#domains/telemetry/rollup'
import { copyReadings, type StoredReading, writeLatest } from '#domains/telemetry/store'
import { formatDay, startOfDay } from '#kit/clock'
import { createLog } from '#kit/log'
import { createSecrets } from '#kit/secret'
import { type CityWorld, openCity, openHospital, settleCity } from '../../../test/city.ts'
import type { Caller, World } from '../../../test/world.ts'
import { exportNamed } from '../exports/registry.ts'
import { runExport } from '../exports/run-export.ts'
import { markGiven } from '../readings/public.ts'
import { findCycles } from './cycles/watch.ts'

const minute = 60_000
const hour = 60 * minute
/** 15:00, so that no day boundary falls between two readings. */
const now = startOfDay(formatDay(Date.now())) + 15 * hour

let world: World
let settled: CityWorld
let pm: Caller
let regulator: Caller
let stranger: Caller
let main = ''

const device = (family: Family, test: (d: Device) => boolean = () => true): Device => {
  const found = settled.city.devices.find((d) => d.family === family && d.projectCode === main && d.behaviour === 'normal' && test(d))
  if (!found) throw new Error(`no ${family}`)
  return found
}

/** Stores readings, the newest of each device as its latest. */
async function tell(of: Device, readings: readonly [number, Record<string, unknown>][]): Promise<void> {
  const [family, order] = [familyOf(of.family), storedOrder(of.family)]
  if (!family || !order) throw new Error(of.family)
  const fleet = { id: of.id, family, order } as StoredReading['device']
  const rows = readings.map(([time, data]): StoredReading => {
    const { unknown, ...values } = { unknown: null as Record<string, unknown> | null, ...data }
    return { device: fleet, reading: { time, receivedAt: time + 200, mark: markGiven(0), values, unknown, quality: null, flag: 0 } }
  })
  const client = await world.database.pool.connect()
  try {
    await client.query('begin')
    await copyReadings(client, rows)
    const newest = rows.at(-1)
    if (newest) await writeLatest(client, [{ device: fleet, receivedAt: newest.reading.receivedAt, reading: newest.reading }])
    await client.query('commit')
  } finally {
    client.release()
  }
}

async function keep(of: Device, record: string, time: number, data: Record<string, unknown>): Promise<void> {
  await world.database.pool.query(
    `insert into device_record (device_id, project_code, ts, id, record, data, received_at) values ($1, $2, $3, $4, $5, $6, $3)`,
    [of.id, of.projectCode, new Date(time), `${record}:${time}`, record, JSON.stringify(data)],
  )
}

const every = (
  from: number,
  to: number,
  pace: number,
  data: (at: number) => Record<string, unknown>,
): [number, Record<string, unknown>][] =>
  Array.from({ length: Math.floor((to - from) / pace) }, (_, i) => [from + i * pace, data(from + i * pace)])

beforeAll(async () => {
  ;({ world, settled, pm, regulator, stranger, main } = await openHospital(inject('postgresUrl'), now))
})
afterAll(() => world.close())

const refused = async (call: Promise<{ http: number; status: number }>) => expect((await call).status).toBe(2)
/** Expects a refusal because of state, whoever calls. */
const barred = async (call: Promise<{ status: number }>) => expect((await call).status).toBe(4)

describe('lifters', () => {
  test('the page finds cages, dates, curves and runs; another project finds nothing', async () => {
    const lift = device('lifter')
    await tell(
      lift,
      every(now - 20 * minute, now - minute, 10_000, (at) => ({
        cage: String(lift.params.cage ?? '1'),
        height: (at / 1000) % 60,
        speed: 0.5,
        direction: '1',
        personCount: 6,
        loadPercent: 40,
      })),
    )
    await keep(lift, 'workingCycle', now - 5 * minute, {
      cage: '1',
      maxPersonCount: 12,
      maxLoadPercent: 104,
      durationSeconds: 40,
      illegal: true,
      startFloor: 1,
      endFloor: 9,
      startHeight: 0,
      endHeight: 30,
    })
    const info = await pm.call(liftLive.liftInfo, { params: { id: lift.id } })
    expect(info.cages[0]?.latest?.values.personCount).toBe(6)
    expect(info.expiryDays).toBe(
      (startOfDay(String(lift.params.safetyDeviceExpiry).slice(0, 10)) - startOfDay(formatDay(now))) / (24 * hour),
    )
    const file = await pm.call(liftLive.liftDevice, { params: { id: lift.id } })
    expect(file.siblings.every((s) => s.deviceId !== lift.id)).toBe(true)
    const line = await pm.call(liftLive.liftLine, { query: { deviceId: lift.id } })
    expect(line.list.length).toBeGreaterThan(20)
    const ofCage = await pm.call(liftLive.liftLine, { query: { deviceId: lift.id, cage: '9' } })
    expect(ofCage.list).toEqual([])
    expect((await pm.call(liftLive.liftRecords, { query: { deviceId: lift.id } })).total).toBeGreaterThan(100)
    const days = await pm.call(liftLive.liftRecords, { query: { groupBy: 'day', projectCode: main } })
    expect(days.list.some((d) => 'runs' in d && d.runs === 1 && d.overPersonRuns === 1)).toBe(true)
    const status = await pm.call(liftLive.liftStatus, { query: {} })
    expect(status.running).toBeGreaterThan(0)
    const cycles = await pm.call(liftLive.liftCycles, { query: { deviceId: lift.id } })
    expect([cycles.total, cycles.today.persons, cycles.today.illegal]).toEqual([1, 12, 1])
    for (const groupBy of ['driver', 'device', 'hour', 'floor', 'hour,floor'] as const)
      expect((await pm.call(liftLive.liftCycles, { query: { groupBy } })).list[0]).toMatchObject({
        runs: 1,
        illegalPercent: 100,
        kilometers: 0.03,
      })
    expect((await pm.call(liftLive.liftDailyAlarms, { query: {} })).total).toBe(0)
    const found = async (query: InputFor<typeof lifts.findLiftRuns>['query']) => (await pm.call(lifts.findLiftRuns, { query })).total
    expect(await found({ maxPersonCount: '10,', startFloor: '1,1', endFloor: '9,', illegal: '1' })).toBe(1)
    expect([await found({ maxPersonCount: ',9' }), await found({ cage: '2' }), await found({ driverName: '张' })]).toEqual([0, 0, 0])
    const result = await pm.call(lifts.liftAnalysis, { query: { deviceId: lift.id } })
    expect(result.figures).toMatchObject({ runs: 1, persons: 12, overPersonRuns: 1, overLoadRuns: 1, doorOpenRuns: 0 })
    expect(result.floors).toEqual([{ from: 1, to: 9, runs: 1, persons: 12 }])
    expect(result.quarters).toMatchObject([{ runs: 1, full: 1, fullPercent: 100, overs: 1 }])
    expect(result.loads).toEqual([{ from: 100, runs: 1 }])
    // An open door is an alarm of its own: it is assigned to the current run.
    await world.database.pool.query(
      `insert into alarm (id, project_code, device_id, device_name, family, alarm_key, label, level, max_level, start_time, fire_time)
       values ('lift-door', $1, $2, '升降机', 'lifter', 'doorOpenRunning', '开门运行', 1, 1, $3, $3)`,
      [lift.projectCode, lift.id, new Date(now - 5 * minute - 20_000)],
    )
    const byDriver = await pm.call(lifts.findLiftRunGroups, { query: { groupBy: 'driver' } })
    expect(byDriver.list).toMatchObject([{ name: '未识别', runs: 1, doorOpenRuns: 1, overPersonRuns: 1, noRecognitionRuns: 1 }])
    const opened = await pm.call(lifts.findLiftDays, { query: { groupBy: 'day', projectCode: main, doorOpenRuns: '1,' } })
    expect(opened.list).toMatchObject([{ deviceId: lift.id, doorOpenRuns: 1, runs: 1, expiryDays: info.expiryDays }])
    const ranks = await pm.call(lifts.liftRanks, { query: { deviceId: lift.id } })
    expect(ranks.list).toMatchObject([{ runs: 1, doorOpenRuns: 1, doorOpenPer1000: null, doubtful: true }])
    expect((await stranger.call(lifts.liftRanks, { query: {} })).list.every((one) => one.deviceId !== lift.id)).toBe(true)
    expect((await stranger.call(lifts.findLiftDays, { query: { groupBy: 'day' } })).list.every((one) => one.deviceId !== lift.id)).toBe(
      true,
    )
    await refused(stranger.ask(lifts.liftAnalysis, { query: { deviceId: lift.id } }))
    await world.database.pool.query("delete from alarm where id = 'lift-door'")
    await refused(stranger.ask(liftLive.liftInfo, { params: { id: lift.id } }))
    expect((await stranger.call(liftLive.liftCycles, { query: {} })).total).toBe(0)
  })
})

describe('piles', () => {
  test('what was made stands beside what was designed; counts are of all, whatever is filtered; another project has none', async () => {
    const rig = settled.city.devices.find((d) => d.family === 'pileFoundation')
    if (!rig) throw new Error('no pileFoundation')
    const design = Number(rig.params.designDepth)
    const pile = (at: number, data: Record<string, unknown>) =>
      keep(rig, 'pileRecord', at, { startTime: new Date(at - 2 * 60 * minute).toISOString(), ...data })
    await pile(now - 20 * minute, { pileNo: 'ZH1-7', finalDepth: design + 0.1, maxVerticality: 0.4, result: '1' })
    await pile(now - 10 * minute, { pileNo: 'ZH1-8', finalDepth: design - 0.5, maxVerticality: 1.3, result: '2' })
    const operator = await settled.as('admin')
    const query = { deviceId: rig.id }
    const all = await operator.call(piles.findPiles, { query })
    expect(all.counts).toMatchObject({ piles: 2, today: 2, pending: 1, failed: 0 })
    expect(all.list.map((row) => piles.pileOf(row).pileNo)).toEqual(['ZH1-8', 'ZH1-7'])
    expect(all.list.map((row) => piles.pileOf(row).doubts)).toEqual([['短 0.50 m', '垂直度 1.3 %'], []])
    const leaning = await operator.call(piles.findPiles, { query: { ...query, maxVerticality: '1,' } })
    expect([leaning.total, leaning.counts.piles]).toEqual([1, 2])
    expect((await operator.call(piles.pileInfo, { params: { id: rig.id } })).today).toEqual({ piles: 2, open: 1 })
    expect((await stranger.call(piles.findPiles, { query: {} })).counts.piles).toBe(0)
    await refused(stranger.ask(piles.pileInfo, { params: { id: rig.id } }))
  })
})

describe('cycles of machines that send none', () => {
  test('are found once, by whoever works, and go on after a restart', async () => {
    const crane = device('towerCrane')
    const at = now - 30 * minute
    const load = (time: number) => ({
      load: time - at > minute && time - at < 4 * minute ? 2.5 : 0.05,
      momentPercent: 60,
      radius: 20,
      hookHeight: 30,
      slewAngle: 90,
      windSpeed: 3,
    })
    await tell(crane, every(at, at + 2 * minute, 10_000, load))
    expect(await findCycles(world.database.pool, now)).toBe(0)
    await tell(crane, every(at + 2 * minute, at + 8 * minute, 10_000, load))
    expect(await findCycles(world.database.pool, now)).toBe(1)
    expect(await findCycles(world.database.pool, now)).toBe(0)
    const { rows } = await world.database.pool.query(`select data from device_record where device_id = $1 and record = 'workingCycle'`, [
      crane.id,
    ])
    expect(rows).toHaveLength(1)
    expect(rows[0].data).toMatchObject({ maxLoad: 2.5, detectedBy: 'platform' })
  })
  test('a machine that sends its own is believed', async () => {
    const crane = device('towerCrane', (d) => d.name.startsWith('2#'))
    await keep(crane, 'workingCycle', now - hour, { cycleNo: '1' })
    await tell(
      crane,
      every(now - 10 * minute, now - 5 * minute, 10_000, (t) => ({ load: t < now - 7 * minute ? 3 : 0 })),
    )
    await findCycles(world.database.pool, now)
    const { rows } = await world.database.pool.query(`select id from device_record where device_id = $1 and id like '%:zg%'`, [crane.id])
    expect(rows).toEqual([])
  })
})

describe('shares of time', () => {
  test('how much of a week each crane was there, and whether a site sprays when dust is high', async () => {
    const crane = device('towerCrane')
    await world.database.pool.query(
      `insert into device_event (device_id, ts, id, kind, data) values ($1, $2, 'offline', 'offline', $4), ($1, $3, 'online', 'online', '{}')`,
      [crane.id, new Date(now - 10 * hour), new Date(now - 5 * hour), JSON.stringify({ since: now - 10 * hour })],
    )
    const query = { groupBy: 'device' as const, startTime: new Date(now - 10 * hour).toISOString(), endTime: new Date(now).toISOString() }
    const share = (await pm.call(cranes.towerOnline, { query })).list.find((s) => s.deviceId === crane.id)
    expect(share).toMatchObject({ spans: 1, offlineSeconds: 18_000, onlinePercent: 50 })
    const station = device('environment')
    await world.database.pool.query(
      `insert into alarm (id, project_code, device_id, device_name, family, alarm_key, label, level, max_level, active, start_time, fire_time, clear_time)
       values ('dust1', $1, $2, '站', 'environment', 'pm10Warning', '扬尘', 4, 4, false, $3, $3, $4), ('dust2', $1, $2, '站', 'environment', 'tsp5min', '扬尘', 3, 3, false, $3, $3, $4)`,
      [main, station.id, new Date(now - 2 * hour), new Date(now - hour)],
    )
    await keep(
      device('sprayController', (d) => d.name !== '西线'),
      'sprayRecord',
      now - 90 * minute,
      { durationSeconds: 900, waterVolume: 3, trigger: 'manual' },
    )
    const groups = (await pm.call(findSprayDays, { query: { groupBy: 'project,day', projectCode: main, sort: '-day' } })).list
    expect(groups[0]).toMatchObject({
      hasSpray: true,
      overMinutes: 60,
      sprayedMinutes: 15,
      responsePercent: 25,
      runs: 1,
      manualPercent: 100,
      waterVolume: 3,
    })
    expect(groups[1]).toMatchObject({ overMinutes: 0, responsePercent: null })
  })
  test('an exceedance that met no water is told of with what held it back', async () => {
    const station = device('environment')
    const dust = (id: string, from: number, to: number) =>
      world.database.pool.query(
        `insert into alarm (id, project_code, device_id, device_name, family, alarm_key, label, level, max_level, active, start_time, fire_time, clear_time, peak_value)
         values ($1, $2, $3, '站', 'environment', 'pm10Alarm', 'PM10 超标', 3, 3, false, $4, $4, $5, 180)`,
        [id, main, station.id, new Date(from), new Date(to)],
      )
    await dust('dry1', now - 8 * hour, now - 7 * hour)
    await dust('dry2', now - 6 * hour, now - 6 * hour + 30 * minute)
    // Ended before spraying was required.
    await dust('dry3', now - 4 * hour, now - 4 * hour + 5 * minute)
    const spray = device('sprayController')
    await world.database.pool.query(
      `insert into alarm (id, project_code, device_id, device_name, family, alarm_key, label, level, max_level, active, start_time, fire_time, clear_time)
       values ('nowater', $1, $2, '喷淋', 'sprayController', 'noWater', '缺水', 3, 3, false, $3, $3, $4)`,
      [main, spray.id, new Date(now - 8 * hour), new Date(now - 7 * hour)],
    )
    const query = { projectCode: main }
    const { list, counts } = await pm.call(findUnsprayed, { query })
    expect(list.map((one) => [one.alarmId, one.minutes, one.reason, one.excused])).toEqual([
      ['dry2', 30, 'unknown', false],
      ['dry1', 60, 'dry', true],
    ])
    expect(counts).toEqual({ unexcused: 1, minutes: 90 })
    expect((await pm.call(findUnsprayed, { query: { ...query, reason: 'dry' } })).total).toBe(1)
    expect((await pm.call(findUnsprayed, { query: { ...query, sort: '-minutes' } })).list[0]?.alarmId).toBe('dry1')
    expect((await stranger.call(findUnsprayed, { query: { projectCode: '*' } })).list.map((one) => one.alarmId)).not.toContain('dry1')
  })
})

describe('unloading platforms', () => {
  test('loads, how long something lies there, teams and days', async () => {
    const platform = device('unloadingPlatform')
    await tell(platform, [
      ...every(now - 3 * hour, now - hour, minute, () => ({ weight: 0, weightPercent: 0 })),
      ...every(now - hour, now - minute, minute, () => ({ weight: 0.8, weightPercent: 66.7 })),
    ])
    await keep(platform, 'unloadingRecord', now - 2 * minute, {
      startTime: '',
      maxWeight: 1.3,
      maxWeightPercent: 108,
      durationSeconds: 7300,
      overload: true,
      teamName: '木工一班',
    })
    const info = await pm.call(unloadingLive.unloadingInfo, { params: { id: platform.id } })
    expect(Math.abs((info.loadedSince ?? 0) - (now - hour))).toBeLessThan(minute + 1)
    expect(info.today).toEqual({ loads: 1, overloads: 1, maxWeight: 1.3, longestSeconds: 7300 })
    expect((await pm.call(unloadingLive.unloadingRecords, { query: {} })).total).toBe(1)
    expect((await pm.call(unloadingLive.unloadingRecords, { query: { kind: 'reading', deviceId: platform.id } })).total).toBeGreaterThan(
      100,
    )
    const sumsOf = async (query: { overload?: '0' | '1'; maxWeightPercent?: string; deviceName?: string }) =>
      (await pm.call(unloadingLive.unloadingRecords, { query })).sums
    expect(await sumsOf({ overload: '1', maxWeightPercent: '100,' })).toEqual({
      loads: 1,
      overloads: 1,
      maxWeight: 1.3,
      longestSeconds: 7300,
    })
    expect(await sumsOf({ overload: '0' })).toMatchObject({ loads: 0, maxWeight: null })
    expect(await sumsOf({ deviceName: '没有这个名称' })).toMatchObject({ loads: 0 })
    expect((await pm.call(unloadingLive.unloadingRecords, { query: { groupBy: 'day', overloads: ',0' } })).total).toBe(0)
    expect((await pm.call(unloadingLive.unloadingRecords, { query: { groupBy: 'team' } })).list[0]).toMatchObject({
      name: '木工一班',
      overloads: 1,
      stayOver2h: 1,
    })
    expect((await pm.call(unloadingLive.unloadingRecords, { query: { groupBy: 'day' } })).list[0]).toMatchObject({
      loads: 1,
      maxWeightPercent: 108,
    })
    expect((await pm.call(unloadingLive.unloadingLine, { query: { deviceId: platform.id } })).total).toBeGreaterThan(5)
    await refused(stranger.ask(unloadingLive.unloadingInfo, { params: { id: platform.id } }))
  })
})

describe('foundation pits', () => {
  test('points by their share of control, the rate from the day before, the matrix', async () => {
    const [a, b] = settled.city.devices.filter(
      (d) => d.family === 'foundationPit' && d.projectCode === main && d.params.pointType === 'surface',
    )
    const tilt = device('foundationPit', (d) => d.params.pointType === 'deepHorizontal')
    if (!a || !b) throw new Error('points')
    const settle = (value: number) => ({ surfaceSettlement: value, unknown: { pointCode: '', pointType: 'surface' } })
    const shown = (d: Device, from: number, to: number): [number, Record<string, unknown>][] => [
      [now - 24 * hour - minute, { ...settle(from), unknown: { pointCode: d.params.pointCode, pointType: 'surface' } }],
      [now - minute, { ...settle(to), unknown: { pointCode: d.params.pointCode, pointType: 'surface' } }],
    ]
    await tell(a, shown(a, -20, -26))
    await tell(b, shown(b, -3, -3.2))
    await tell(tilt, [
      [
        now - minute,
        {
          unknown: {
            pointCode: tilt.params.pointCode,
            pointType: 'deepHorizontal',
            points: [
              { depth: 0.5, deepHorizontalDisplacement: 4 },
              { depth: 1, deepHorizontalDisplacement: 31 },
            ],
          },
        },
      ],
    ])
    const info = await pm.call(pitLive.pitInfo, { params: { id: a.id } })
    const point = (d: Device) => info.points.find((p) => p.deviceId === d.id)
    expect(point(a)).toMatchObject({ cumulative: -26, control: 30, share: 86.7, rateShare: 200, state: 'over' })
    expect(point(a)?.ratePerDay).toBeCloseTo(-6, 1)
    expect(point(b)).toMatchObject({ state: 'fine' })
    expect(point(tilt)).toMatchObject({ cumulative: 31, share: 77.5, ratePerDay: null, state: 'warning' })
    expect(point(tilt)?.profile).toHaveLength(2)
    expect(info.points.some((p) => p.state === 'silent')).toBe(true)
    const records = await pm.call(pitLive.pitRecords, { query: { pointCode: String(a.params.pointCode) } })
    expect(records.list).toMatchObject([
      { value: -26, change: -6, source: 'device' },
      { value: -20, change: null },
    ])
    const matrix = await pm.call(pitLive.pitRecords, { query: { groupBy: 'pit,pointType' } })
    expect(matrix.list[0]).toMatchObject({ pointType: 'surface', worstShare: 200, worstPoint: a.params.pointCode })
    expect((await stranger.call(pitLive.pitRecords, { query: {} })).total).toBe(0)
  })

  test('a row per point and day, days without a reading among them; points by state', async () => {
    const [a] = settled.city.devices.filter(
      (d) => d.family === 'foundationPit' && d.projectCode === main && d.params.pointType === 'surface',
    )
    if (!a) throw new Error('point')
    const days = await pm.call(pits.findPitDays, {
      query: { deviceId: a.id, groupBy: 'day', startTime: String(now - 3 * 24 * hour), endTime: String(now), sort: 'time' },
    })
    expect(days.list.map((d) => [d.value, d.change])).toEqual([
      [null, null],
      [null, null],
      [-20, null],
      [-26, -6],
    ])
    expect(days.list.at(-1)).toMatchObject({ share: 86.7, unit: 'mm', pointTypeName: '地表沉降' })
    const missing = await pm.call(pits.findPitDays, {
      query: { deviceId: a.id, groupBy: 'day', startTime: String(now - 3 * 24 * hour), endTime: String(now), missing: 'true' },
    })
    expect(missing.total).toBe(2)
    const over = await pm.call(pits.findPitPoints, { query: { groupBy: 'point', state: 'over' } })
    expect(over.list.map((p) => p.deviceId)).toEqual([a.id])
    expect((await stranger.call(pits.findPitDays, { query: { groupBy: 'day' } })).total).toBe(0)
  })

  test('the dig is reported once and read against the movements; not from the future', async () => {
    const at = new Date(now - hour).toISOString()
    const stage = { pitName: '基坑', depth: 6.5, at, note: '第二层土方' }
    await pm.call(pits.reportPitStage, { query: { projectCode: main }, body: stage })
    const result = await pm.call(pits.listPitStages, { query: { projectCode: main, pitName: '基坑' } })
    expect(result.list[0]).toMatchObject({ depth: 6.5, note: '第二层土方', pitName: '基坑' })
    await refused(
      pm.ask(pits.reportPitStage, { query: { projectCode: main }, body: { ...stage, at: new Date(now + 48 * hour).toISOString() } }),
    )
    await refused(pm.ask(pits.reportPitStage, { query: { projectCode: main }, body: { ...stage, depth: 90 } }))
    expect((await stranger.call(pits.listPitStages, { query: { projectCode: '*' } })).list.some((s) => s.projectCode === main)).toBe(false)
  })
})

describe('high formwork', () => {
  test('one verdict over the bay; pours and readings', async () => {
    const points = settled.city.devices.filter((d) => d.family === 'highFormwork' && d.projectCode === main)
    const [first] = points
    if (!first) throw new Error('points')
    for (const [i, p] of points.entries())
      await tell(
        p,
        every(now - 5 * minute, now - 1000, 5_000, () => ({
          axialForce: i === 0 ? 17 : 8,
          settlement: -2,
          horizontalDisplacement: 1,
          tiltX: 0.1,
          tiltY: 0.1,
          unknown: { pointCode: p.params.pointCode },
        })),
      )
    const info = await pm.call(formworkLive.formworkInfo, { params: { id: first.id } })
    expect(info).toMatchObject({ pouring: true, verdict: 'watch', verdictText: '注意：GZ-01 轴力 85 %' })
    expect(info.points).toHaveLength(points.length)
    await keep(first, 'pourRecord', now - hour, { pourName: '第 3 次', pointCode: 'GZ-01', maxAxialForce: 18 })
    expect((await pm.call(formworkLive.formworkRecords, { query: { kind: 'pour' } })).total).toBe(1)
    expect((await pm.call(formworkLive.formworkRecords, { query: { deviceId: first.id, pointCode: 'GZ-01' } })).total).toBe(59)
    expect((await pm.call(formworkLive.formworkLine, { query: { deviceId: first.id, pointCode: 'GZ-01' } })).total).toBeGreaterThan(10)
    expect((await pm.call(formworkLive.formworkDevice, { params: { id: first.id } })).points).toHaveLength(points.length)
    await refused(stranger.ask(formworkLive.formworkInfo, { params: { id: first.id } }))
  })
})

describe('meters', () => {
  test('use of the day by steps, the month’s sheet, the nights of a water meter', async () => {
    const electric = device('electricMeter')
    const water = device('waterMeter')
    const ratio = Number(electric.params.ratio)
    await tell(
      electric,
      every(now - 3 * hour, now - 10_000, minute, (at) => ({
        totalEnergy: 1000 + ((at - now) / hour) * 2,
        activePower: 40,
        voltageA: 229,
      })),
    )
    await tell(
      water,
      every(now - 3 * hour, now - 10_000, 2 * minute, (at) => ({ totalVolume: 500 + ((at - now) / hour) * 1.5, flowRate: 1.5 })),
    )
    await rollUpAll(world.database.pool, now - 4 * hour, now)
    const info = await pm.call(meters.electricInfo, { params: { id: electric.id } })
    expect(info.ratio).toBe(ratio)
    const line = await pm.call(meters.electricLine, { query: { deviceId: electric.id, step: 'hour' } })
    expect(line.list.length).toBeGreaterThan(20)
    const total = line.usage.reduce((sum, u) => sum + u.usage, 0)
    expect(total).toBeGreaterThan(5.8 * ratio)
    expect(total).toBeLessThan(6.2 * ratio)
    const records = await pm.call(meters.electricRecords, { query: { deviceId: electric.id, step: 'hour' } })
    expect(records.list[0]).toMatchObject({ deviceName: electric.name, estimated: false, rollback: false })
    const sheet = await pm.call(meters.electricRecords, {
      query: { groupBy: 'meter,month', startTime: new Date(now - 4 * hour).toISOString() },
    })
    expect(sheet.list.find((r) => r.deviceId === electric.id)).toMatchObject({ ratio, rollbacks: 0 })
    const sheetOf = async (query: { deviceName?: string; usage?: string; sort?: '-usage' }) =>
      (
        await pm.call(meters.electricRecords, {
          query: { ...query, groupBy: 'meter,month', startTime: new Date(now - 4 * hour).toISOString() },
        })
      ).total
    expect(await sheetOf({ deviceName: electric.name, sort: '-usage' })).toBe(1)
    expect(await sheetOf({ deviceName: '没有这个名称' })).toBe(0)
    expect(await sheetOf({ usage: '10000000,' })).toBe(0)
    const readingsOf = async (query: { usage?: string; estimated?: '0' | '1' }) =>
      (await pm.call(meters.electricRecords, { query: { deviceId: electric.id, step: 'hour', ...query } })).total
    expect(await readingsOf({ usage: '0.001,', estimated: '0' })).toBeGreaterThan(1)
    expect(await readingsOf({ usage: '10000000,' })).toBe(0)
    const waterInfo = await pm.call(meters.waterInfo, { params: { id: water.id } })
    expect(waterInfo.monthUsage).toBeGreaterThan(4)
    const waterLine = await pm.call(meters.waterLine, { query: { deviceId: water.id } })
    expect(waterLine.usageUnit).toBe('m³')
    const waterSheet = await pm.call(meters.electricRecords, {
      query: { groupBy: 'meter,month', kind: 'water', startTime: new Date(now - 4 * hour).toISOString() },
    })
    expect(waterSheet.total).toBeGreaterThan(0)
    await refused(stranger.ask(meters.electricInfo, { params: { id: electric.id } }))
  })
})

describe('meters that were changed', () => {
  /** The first meter of each kind already has readings from above. */
  const meterNo = (n: number): Device => {
    const own = settled.city.devices.filter((d) => d.family === 'electricMeter' && d.projectCode === main && d.behaviour === 'normal')
    return own[n] as Device
  }
  const noon = now - 3 * hour

  test('at noon: what each of the two has counted is added, and what was misread is not', async () => {
    const meter = meterNo(1)
    const ratio = Number(meter.params.ratio)
    const at = (time: number) => (time < noon ? 18_000 + ((time - noon) / hour) * 2 : 3 + ((time - noon) / hour) * 4)
    // Misreadings of zero, in the middle of a five-minute interval and at its edges.
    const misread = new Set([noon - hour + 2 * minute, noon + hour - minute, noon + hour])
    await tell(
      meter,
      every(noon - 2 * hour, noon + 3 * hour, minute, (time) => ({ totalEnergy: misread.has(time) ? 0 : at(time) })),
    )
    await rollUpAll(world.database.pool, noon - 3 * hour, now + hour)
    const used = (2 * 2 + 3 * 4 - 4 / 60 - 2 / 60) * ratio
    const info = await pm.call(meters.electricInfo, { params: { id: meter.id } })
    expect(info.todayUsage).toBeCloseTo(used, 1)
    const records = await pm.call(meters.electricRecords, { query: { deviceId: meter.id, step: 'hour', sort: 'time' } })
    const hours = records.list.map((one) => one as { time: number; usage: number; rollback: boolean })
    expect(hours.map((one) => [(one.time - noon) / hour, Math.round(one.usage / ratio), one.rollback])).toEqual([
      [-2, 2, false],
      [-1, 2, false],
      [0, 4, true],
      [1, 4, false],
      [2, 4, false],
    ])
    const sheet = await pm.call(meters.electricRecords, {
      query: { groupBy: 'meter,month', deviceId: meter.id, startTime: new Date(noon - 4 * hour).toISOString() },
    })
    const [row] = sheet.list
    expect(row).toMatchObject({ startReading: 17_996, rollbacks: 1 })
    expect((row as { usage: number }).usage).toBeCloseTo(used, 1)
    // The register of the new meter.
    expect((row as { endReading: number }).endReading).toBeCloseTo(3 + 4 * 3 - 4 / 60, 1)
  })

  test('at the end of its register, and once the raw readings are gone', async () => {
    const meter = meterNo(2)
    const ratio = Number(meter.params.ratio)
    const at = (time: number) => (999_999 + ((time - noon) / hour) * 2) % 1_000_000
    await tell(
      meter,
      every(noon - 2 * hour, noon + 2 * hour, minute, (time) => ({ totalEnergy: at(time + 2 * minute) })),
    )
    await rollUpAll(world.database.pool, noon - 3 * hour, now + hour)
    const usage = async () => ((await pm.call(meters.electricInfo, { params: { id: meter.id } })).todayUsage ?? 0) / ratio
    expect(await usage()).toBeCloseTo(8 - 2 / 60, 3)
    await world.database.pool.query('delete from telemetry where device_id = $1', [meter.id])
    expect(await usage()).toBeCloseTo(8 - 2 / 60, 3)
  })
})

describe('weighing', () => {
  test('a ticket is corrected in the open: master fields at once, weights by a second person', async () => {
    const bridge = device('weighbridge')
    const time = now - 30 * minute
    const data = {
      recordNo: '20261121-0001',
      plateNo: '鄂B2C661',
      direction: '1',
      goodsName: '商品混凝土',
      supplier: '云泽商砼公司',
      grossWeight: 40,
      tareWeight: 13.8,
      deduction: 0.2,
      plannedWeight: 27,
      status: '2',
      source: 'device',
    }
    await keep(bridge, 'weighRecord', time, data)
    await keep(bridge, 'weighRecord', time + minute, { recordNo: '20261121-0002', plateNo: '鄂B2C661', direction: '1', grossWeight: 40 })
    await tell(bridge, [[now - 1000, { weight: 13.8, stable: true, plateNo: '鄂B2C661' }]])
    const list = await pm.call(weighing.listTickets, { query: { sort: 'time' } })
    expect(list.sums).toEqual({ trucks: 2, actualWeight: 26, billWeight: 27, shortWeight: 1, shortTrucks: 1, waiting: 1, manual: 0 })
    const [ticket] = list.list
    if (!ticket || !('billNo' in ticket)) throw new Error('ticket')
    expect(ticket).toMatchObject({ netWeight: 26.2, actualWeight: 26, deviation: -1, deviationPercent: -3.7, deviationState: 'short' })
    const totalOf = async (query: { deviationPercent?: string; actualWeight?: string; spec?: string }) =>
      (await pm.call(weighing.listTickets, { query })).total
    expect(await totalOf({ deviationPercent: ',-3' })).toBe(1)
    expect(await totalOf({ deviationPercent: '-3,' })).toBe(0)
    expect(await totalOf({ actualWeight: '25,27' })).toBe(1)
    expect(await totalOf({ spec: 'C35' })).toBe(0)
    const params = { id: ticket.id }
    const saved = await pm.call(weighing.correctTicket, {
      params,
      body: { reason: '面单看错', billWeight: 26.1, grossWeight: 40.2, version: 0 },
    })
    expect(saved).toMatchObject({ billWeight: 26.1, grossWeight: 40, awaitingAudit: true, corrected: true, version: 1 })
    expect((await pm.ask(weighing.correctTicket, { params, body: { reason: '又改', billWeight: 26.2, version: 0 } })).message).toContain(
      '请刷新后再改',
    )
    expect((await pm.ask(weighing.correctTicket, { params, body: { action: 'approve', reason: '同意' } })).message).toContain(
      '不能审批自己',
    )
    const auditor = await settled.as('admin')
    await auditor.ask(weighing.correctTicket, { params, body: { action: 'approve', reason: '核对照片' } })
    expect((await pm.ask(weighing.correctTicket, { params, body: { reason: '错', tareWeight: 50 } })).message).toBe('毛重应大于皮重')
    const detail = await pm.call(weighing.getTicket, { params })
    expect(detail.device.plannedWeight).toBe(27)
    expect(detail.log[0]?.changes.map((c) => [c.label, c.from, c.to])).toEqual([
      ['面单重量', '27', '26.1'],
      ['毛重', '40', '40.2'],
    ])
    expect(detail.nextId).not.toBeNull()
    await pm.call(weighing.correctTicket, { params, body: { action: 'void', reason: '重复打印' } })
    expect((await pm.ask(weighing.correctTicket, { params, body: { reason: '再改', supplier: '某公司' } })).message).toBe('磅单已作废')
    expect((await pm.call(weighing.listTickets, { query: { status: '3' } })).total).toBe(1)
    expect((await pm.call(weighing.listTickets, { query: { groupBy: 'supplier,material' } })).total).toBe(0)
    const day = await pm.call(weighing.ticketDay, { params: { id: bridge.id }, query: {} })
    expect(day.days.reduce((sum, d) => sum + d.trucks, 0)).toBe(1)
    const info = await pm.call(weighing.scaleInfo, { params: { id: bridge.id } })
    expect(info.truck).toMatchObject({ plateNo: '鄂B2C661', tares: [13.8] })
    expect(info.truck?.waitingId).not.toBeNull()
    await refused(stranger.ask(weighing.getTicket, { params }))
    await refused(pm.ask(weighing.getTicket, { params: { id: 'nonsense' } }))
    expect((await regulator.ask(weighing.correctTicket, { params, body: { reason: '改', supplier: 'x' } })).http).toBe(403)
  })
})

describe('whatever a device puts into a record', () => {
  test('no list breaks over words where numbers belong', async () => {
    const nonsense = {
      maxPersonCount: 'viele',
      durationSeconds: {},
      illegal: 'ja',
      overload: 'nein',
      maxWeight: [],
      grossWeight: 'schwer',
      tareWeight: true,
      confidence: 'hoch',
      plateNo: 5,
    }
    for (const [family, record] of [
      ['lifter', 'workingCycle'],
      ['unloadingPlatform', 'unloadingRecord'],
      ['weighbridge', 'weighRecord'],
      ['truckAccess', 'accessRecord'],
    ] as const)
      await keep(device(family), record, now - 3 * minute - 17, nonsense)
    for (const groupBy of ['device', 'hour'] as const) await pm.call(liftLive.liftCycles, { query: { groupBy } })
    await pm.call(liftLive.liftRecords, { query: { groupBy: 'day' } })
    await pm.call(unloadingLive.unloadingRecords, { query: { groupBy: 'day' } })
    await pm.call(weighing.listTickets, { query: {} })
    await pm.call(passages.listPassages, { query: { tab: 'doubtful' } })
    await world.database.pool.query(`delete from device_record where ts = $1`, [new Date(now - 3 * minute - 17)])
  })
})

describe('vehicles', () => {
  test('passages are paired, counted once, and tell who is still inside', async () => {
    const lane = device('truckAccess')
    const seen = (minutes: number, plate: string, direction: string, more = {}) =>
      keep(lane, 'accessRecord', now - minutes * minute, {
        plateNo: plate,
        direction,
        vehicleType: '1',
        registered: true,
        confidence: 0.95,
        ...more,
      })
    await seen(90, '鄂B32817', '0')
    await seen(89.8, '鄂B32817', '0')
    await seen(60, '鄂B32817', '1', { washed: '1', washSeconds: 60, covered: '1' })
    await seen(40, '鄂B56093', '0')
    await seen(20, '鄂B77777', '1', { washed: '0', covered: '0', confidence: 0.4 })
    const all = await pm.call(passages.listPassages, { query: { projectCode: main } })
    expect(all.total).toBe(4)
    expect(all.list.map((p) => [p.plateNo, p.direction, p.stayMinutes, p.inside])).toEqual([
      ['鄂B77777', '2', null, false],
      ['鄂B56093', '1', 40, true],
      ['鄂B32817', '2', 30, false],
      ['鄂B32817', '1', 30, false],
    ])
    expect((await pm.call(passages.listPassages, { query: { tab: 'inside' } })).list.map((p) => p.plateNo)).toEqual(['鄂B56093'])
    expect((await pm.call(passages.listPassages, { query: { tab: 'doubtful' } })).list.map((p) => p.plateNo)).toEqual(['鄂B77777'])
    expect((await pm.call(passages.listPassages, { query: { washState: '2' } })).total).toBe(1)
    const out = all.list[2]
    const detail = await pm.call(passages.getPassage, { params: { id: out?.id ?? '' } })
    expect(detail.pair?.direction).toBe('1')
    expect(detail.previousId).not.toBeNull()
    expect(detail.month.reduce((sum, d) => sum + d.passages, 0)).toBe(3)
    await refused(stranger.ask(passages.getPassage, { params: { id: out?.id ?? '' } }))
  })
  test('a truck’s track, its films, and why there is no picture', async () => {
    const truck = device('truckMonitor')
    const origin = settled.city.sitePlans.find((p) => p.projectCode === main)?.origin ?? { lng: 115, lat: 30 }
    await tell(
      truck,
      every(now - hour, now - minute, 30_000, (at) => ({
        longitude: origin.lng + ((at - now) / hour) * 0.2,
        latitude: origin.lat,
        speed: 40,
        positioned: true,
        loadState: '3',
        cover: '0',
        lift: at > now - 10 * minute && at < now - 8 * minute ? '1' : '0',
      })),
    )
    const [track] = (await pm.call(vehicles.truckTrack, { query: { deviceId: truck.id } })).list
    expect(track?.segments).toHaveLength(1)
    expect(track?.distanceKm).toBeGreaterThan(15)
    expect(track?.tips).toHaveLength(1)
    expect(track?.trips[0]?.uncoveredMinutes).toBeGreaterThan(50)
    await keep(truck, 'videoClip', now - 30 * minute, {
      channel: '1',
      startTime: new Date(now - 30 * minute).toISOString(),
      endTime: new Date(now - 15 * minute).toISOString(),
      size: 1e8,
    })
    const clips = await pm.call(vehicles.truckClips, { params: { id: truck.id }, query: {} })
    expect(clips.list[0]).toMatchObject({ storage: '设备', reason: '未配置流媒体服务' })
    const live = await pm.call(vehicles.truckVideo, { params: { id: truck.id } })
    expect(live.channels[0]).toMatchObject({ url: null, reason: '未配置流媒体服务' })
    await refused(stranger.ask(vehicles.truckTrack, { query: { deviceId: truck.id } }))
  })
})

describe('a pour, step by step', () => {
  test('is begun once, stopped, gone on only when everybody is out; what was poured never shrinks', async () => {
    const query = { projectCode: main }
    const step = (kind: formwork.PourStepKind, volume: number | null = null) => ({
      query,
      body: { bayName: 'B9 报告厅', kind, volume, note: null },
    })
    await barred(pm.ask(formwork.addPourStep, step('stop')))
    await pm.call(formwork.addPourStep, step('start', 0))
    await barred(pm.ask(formwork.addPourStep, step('start')))
    await pm.call(formwork.addPourStep, step('layer', 60))
    await refused(pm.ask(formwork.addPourStep, step('layer', 40)))
    await pm.call(formwork.addPourStep, step('stop'))
    await barred(pm.ask(formwork.addPourStep, step('resume')))
    await pm.call(formwork.addPourStep, step('evacuated'))
    await pm.call(formwork.addPourStep, step('resume'))
    await pm.call(formwork.addPourStep, step('end', 130))
    const result = await pm.call(formwork.listPourSteps, { query: { ...query, bayName: 'B9 报告厅' } })
    expect(result.list.map((one) => one.kind)).toEqual(['end', 'resume', 'evacuated', 'stop', 'layer', 'start'])
    expect(
      (await stranger.call(formwork.listPourSteps, { query: { projectCode: '*' } })).list.some((one) => one.projectCode === main),
    ).toBe(false)
  })

  test('the points of a bay make one pour with the worst of them', async () => {
    const points = settled.city.devices.filter((d) => d.family === 'highFormwork' && d.projectCode === main)
    const end = now - 5 * 24 * hour
    for (const [i, p] of points.entries())
      await keep(p, 'pourRecord', end + i, {
        pointCode: String(p.params.pointCode),
        pourName: '第 1 次浇筑',
        startTime: new Date(end - 2 * hour).toISOString(),
        endTime: new Date(end).toISOString(),
        maxAxialForce: 10 + i,
      })
    const pours = await pm.call(formwork.findPours, {
      query: { groupBy: 'pour', kind: 'pour', startTime: String(end - hour), endTime: String(end + hour) },
    })
    const last = points.at(-1)
    expect(pours.list).toHaveLength(1)
    expect(pours.list[0]).toMatchObject({
      pourName: '第 1 次浇筑',
      maxAxialForce: 10 + points.length - 1,
      maxAxialForcePercent: ((10 + points.length - 1) / 20) * 100,
      worstPoint: last?.params.pointCode,
      hours: 2,
      stopSeconds: null,
    })
    expect((await stranger.call(formwork.findPours, { query: { groupBy: 'pour', kind: 'pour' } })).total).toBe(0)
  })
})

describe('what cameras recognise', () => {
  test('is judged once at a time, the first verdict stays; counts and groups follow; strangers see none', async () => {
    const camera = device('videoAi')
    const at = now - 2 * hour
    await keep(camera, 'aiEvent', at, {
      eventId: 'E1',
      type: 'smoking',
      confidence: 0.82,
      boxes: '[[0.2,0.3,0.1,0.2],[9,9]]',
      review: '0',
      count: 3,
    })
    await keep(camera, 'aiEvent', at + minute, { eventId: 'E2', type: 'fire', confidence: 0.4, review: '1' })
    const query = { projectCode: main, deviceId: camera.id, startTime: String(now - 3 * hour), endTime: String(now) }
    const seen = await pm.call(ai.findAiEvents, { query })
    expect(seen.list.map((one) => [one.type, one.review, one.count, one.boxes.length])).toEqual([
      ['smoking', '0', 3, 1],
      ['fire', '1', 1, 0],
    ])
    expect(seen.counts).toMatchObject({ total: 2, open: 1, real: 1, wrong: 0 })
    const [first] = seen.list
    if (!first) throw new Error('event')
    await refused(
      pm.ask(ai.reviewAiEvent, {
        params: { id: first.id },
        query: { projectCode: main },
        body: { review: '2', reason: null, version: -1 },
      }),
    )
    await pm.call(ai.reviewAiEvent, {
      params: { id: first.id },
      query: { projectCode: main },
      body: { review: '1', reason: null, version: -1 },
    })
    await barred(
      pm.ask(ai.reviewAiEvent, {
        params: { id: first.id },
        query: { projectCode: main },
        body: { review: '2', reason: '反光', version: -1 },
      }),
    )
    await pm.call(ai.reviewAiEvent, {
      params: { id: first.id },
      query: { projectCode: main },
      body: { review: '2', reason: '反光', version: 0 },
    })
    const result = await pm.call(ai.getAiEvent, { params: { id: first.id }, query: { projectCode: main } })
    expect(result).toMatchObject({ review: '2', firstReview: '1', reason: '反光', version: 1 })
    expect(result.similar.map((one) => one.type)).toContain('fire')
    const groups = await pm.call(ai.findAiGroups, { query: { ...query, groupBy: 'project,type' } })
    expect(groups.list.find((one) => one.type === 'smoking')).toMatchObject({ hits: 1, wrong: 1, real: 0, open: 0 })
    await refused(stranger.ask(ai.getAiEvent, { params: { id: first.id }, query: { projectCode: main } }))
    await refused(
      stranger.ask(ai.reviewAiEvent, {
        params: { id: first.id },
        query: { projectCode: main },
        body: { review: '1', reason: null, version: 1 },
      }),
    )
    expect((await stranger.call(ai.findAiEvents, { query: { projectCode: '*' } })).list.some((one) => one.deviceId === camera.id)).toBe(
      false,
    )
  })
})

describe('video', () => {
  test('addresses are signed once the operator has named a media server', async () => {
    const camera = device('videoAi')
    await tell(camera, [[now - 1000, { online: '1', stream: '1' }]])
    expect((await pm.call(video.mediaToken, { query: { deviceId: camera.id } })).reason).toBe('未配置流媒体服务')
    const admin = await settled.as('admin')
    await admin.call(video.setMediaAccount, {
      body: { provider: '演示流媒体', baseUrl: 'https://media.example.com/live', kind: 'hls', secret: 'a secret of sixteen' },
    })
    const token = await pm.call(video.mediaToken, { query: { deviceId: camera.id } })
    expect(token.url).toMatch(/^https:\/\/media\.example\.com\/live\/.+\/sub\.m3u8\?expires=\d+&sign=[0-9a-f]{64}$/)
    expect((await pm.call(video.mediaAccount)).baseUrl).toBeNull()
    expect((await admin.call(video.mediaAccount)).baseUrl).toBe('https://media.example.com/live')
    await refused(stranger.ask(video.mediaToken, { query: { deviceId: camera.id } }))
    const at = Math.min(now, Date.now()) - hour
    const clip = (who: Caller, body = {}) =>
      who.ask(video.downloadClip, {
        body: { deviceId: camera.id, startTime: String(at), endTime: String(at + 5 * minute), reason: '事故调查取证', ...body },
      })
    const taken = await clip(pm)
    expect(taken.data.url).toMatch(new RegExp(`/main\\.mp4\\?from=${at}&to=${at + 5 * minute}&expires=\\d+&sign=[0-9a-f]{64}$`))
    expect((await clip(pm, { endTime: String(at + 11 * minute) })).message).toContain('最多下载 10 分钟')
    expect((await clip(pm, { startTime: String(at + 6 * minute) })).message).toContain('晚于开始')
    expect((await clip(pm, { reason: '' })).status).not.toBe(0)
    await refused(clip(stranger))
    expect((await clip(await settled.as('hengsheng-shi'))).status).not.toBe(0)
    const { rows } = await world.database.pool.query(`select summary from audit_log where object_id = $1 order by at desc limit 1`, [
      camera.id,
    ])
    expect(rows[0]?.summary).toMatch(/^下载录像 .+：事故调查取证$/)
  })
})

describe('helmets', () => {
  test('who wears what, in groups; health and place by permission; every look at a track is written down', async () => {
    const helmet = device('smartHelmet')
    const origin = settled.city.sitePlans.find((p) => p.projectCode === main)?.origin ?? { lng: 115, lat: 30 }
    await tell(
      helmet,
      every(now - 20 * minute, now - 1000, 10_000, (at) => ({
        longitude: origin.lng + (at - now) / 1e11,
        latitude: origin.lat,
        positioned: true,
        heartRate: 130,
        batteryPercent: 12,
        wearing: false,
        speed: 1,
      })),
    )
    const list = await pm.call(helmets.listHelmets, { query: { projectCode: main } })
    const row = list.list.find((h) => h.deviceId === helmet.id)
    expect(row).toMatchObject({ heartState: '异常', heartRate: 130, wearing: false, status: '2' })
    expect(row?.workerName).toBeTruthy()
    expect(list).toMatchObject({ notWorn: 1, lowBattery: 1 })
    const seen = await regulator.call(helmets.listHelmets, { query: { projectCode: main } })
    expect(seen.list.every((h) => h.workerName === null && h.workerId === null)).toBe(true)
    expect(seen.total).toBe(list.total)
    const positions = await pm.call(helmets.helmetPositions, { query: {} })
    expect(positions.list.find((p) => p.deviceId === helmet.id)?.lng).toBeCloseTo(origin.lng, 3)
    expect((await regulator.call(helmets.helmetPositions, { query: { projectCode: main } })).list).toEqual([])
    const track = await pm.call(helmets.helmetTrack, { query: { deviceId: helmet.id, reason: '巡查' } })
    expect(track.list[0]).toMatchObject({ deviceId: helmet.id })
    const { rows } = await world.database.pool.query(`select summary from audit_log where action = 'look' and object_id = $1`, [helmet.id])
    expect(rows.map((r) => r.summary)).toEqual([`查看安全帽轨迹：${helmet.name}（巡查）`])
    expect((await regulator.ask(helmets.helmetTrack, { query: { deviceId: helmet.id } })).http).toBe(403)
    await refused(stranger.ask(helmets.getHelmet, { params: { id: helmet.id } }))
    expect((await pm.call(helmets.getHelmet, { params: { id: helmet.id } })).workerName).toBe(row?.workerName)
    await keep(helmet, 'snapshot', now - minute, { trigger: 'manual' })
    expect((await pm.call(helmetMedia.helmetSnaps, { query: {} })).total).toBe(1)
    expect((await pm.call(helmetMedia.helmetVideos, { query: {} })).cameras.length).toBeGreaterThan(0)
    for (const call of [helmetStatistics.helmetAlarms, helmetStatistics.helmetAlarmLine, helmetStatistics.helmetAlarmPie])
      expect((await pm.call(call, { query: {} })).total).toBe(0)
  })
  test('wearing is compared by team in working hours; answers and false alarms by kind; another project is not in it', async () => {
    const helmet = device('smartHelmet', (one) => one.name !== device('smartHelmet').name)
    const ten = startOfDay(formatDay(now)) - 14 * 60 * minute
    for (let i = 0; i < 12; i++)
      await world.database.pool.query(
        `insert into telemetry_5m (device_id, ts, n, v) values ($1, $2, 10, '{"batteryPercent":[50,60,550,10]}') on conflict do nothing`,
        [helmet.id, new Date(ten + i * 5 * minute)],
      )
    const alarm = (id: string, key: string, from: number, to: number, state: string) =>
      world.database.pool.query(
        `insert into alarm (id, project_code, device_id, device_name, family, alarm_key, label, level, max_level, start_time, fire_time, clear_time, state, active)
         values ($1, $2, $3, '安全帽', 'smartHelmet', $4, $4, 3, 3, $5, $5, $6, $7, false)`,
        [id, helmet.projectCode, helmet.id, key, new Date(from), new Date(to), state],
      )
    // Not worn for a quarter of an hour.
    await alarm('helmet-off', 'removal', ten, ten + 15 * minute, 'open')
    await alarm('helmet-fall', 'fall', ten, ten + minute, 'false')
    const result = await pm.call(helmetStatistics.helmetAnalysis, { query: { projectCode: main } })
    expect(result.figures).toMatchObject({ alarms: 2, falls: 1, sos: 0, wearingPercent: 75 })
    expect(result.teams.find((one) => one.wearingPercent !== null)).toMatchObject({
      wearingPercent: 75,
      alarms: 2,
      worstHour: 10,
      hours: 1,
    })
    expect(result.kinds.find((one) => one.alarmKey === 'fall')).toMatchObject({ count: 1, falseCount: 1 })
    expect(result.responses).toEqual([0, 0, 0, 0, 0, 2])
    const elsewhere = await stranger.call(helmetStatistics.helmetAnalysis, { query: {} })
    expect([elsewhere.figures.alarms, elsewhere.figures.wearingPercent]).toEqual([0, null])
    await world.database.pool.query("delete from alarm where id in ('helmet-off', 'helmet-fall')")
  })
  test('groups: one name once, a helmet in one group, only empty ones go', async () => {
    const [a, b] = settled.city.devices.filter((d) => d.family === 'smartHelmet' && d.projectCode === main)
    const foreign = settled.city.devices.find((d) => d.family === 'smartHelmet' && d.projectCode !== main)
    if (!a || !b || !foreign) throw new Error('helmets')
    const body = { projectCode: main, name: '巡检组', deviceIds: [a.id, b.id] }
    const group = await pm.call(helmets.createHelmetGroup, { body })
    expect(group.count).toBe(2)
    expect((await pm.ask(helmets.createHelmetGroup, { body })).message).toBe('分组名称已存在')
    await refused(pm.ask(helmets.createHelmetGroup, { body: { ...body, name: '外人', deviceIds: [foreign.id] } }))
    const other = await pm.call(helmets.createHelmetGroup, { body: { projectCode: main, name: '木工', deviceIds: [b.id] } })
    expect((await pm.call(helmets.listHelmetGroups, { query: {} })).list.map((g) => [g.name, g.count]).sort()).toEqual([
      ['巡检组', 1],
      ['木工', 1],
    ])
    expect((await pm.call(helmets.listHelmets, { query: { groupId: other.id } })).total).toBe(1)
    expect((await pm.ask(helmets.deleteHelmetGroup, { params: { id: other.id } })).message).toContain('还有 1 顶')
    await pm.call(helmets.updateHelmetGroup, { params: { id: other.id }, body: { name: '木工班', deviceIds: [], version: 0 } })
    expect((await pm.ask(helmets.updateHelmetGroup, { params: { id: other.id }, body: { name: '木', version: 0 } })).message).toContain(
      '请刷新后再改',
    )
    await pm.call(helmets.deleteHelmetGroup, { params: { id: other.id } })
    await refused(stranger.ask(helmets.updateHelmetGroup, { params: { id: group.id }, body: { name: '夺' } }))
    expect((await regulator.ask(helmets.createHelmetGroup, { body })).http).toBe(403)
  })
  test('under ground: stays by station, and a dead station is unknown, not empty', async () => {
    const tag = device('baseStationHelmet', (d) => !d.params.stationId)
    const [one, two] = settled.city.devices.filter((d) => d.family === 'baseStationHelmet' && d.projectCode === main && d.params.stationId)
    if (!one || !two) throw new Error('stations')
    await tell(one, [[now - 1000, { stationId: one.params.stationId, rssi: -40 }]])
    await tell(
      tag,
      every(now - 30 * minute, now - 1000, 10_000, (at) => ({
        tagId: 'T1',
        stationId: at < now - 15 * minute ? two.params.stationId : one.params.stationId,
        rssi: -60,
        batteryPercent: 80,
      })),
    )
    const stays = await pm.call(helmets.helmetTrack, { query: { deviceId: tag.id, category: '701' } })
    expect(stays.list.map((s) => 'stationId' in s && [s.areaName, s.leaveTime === null])).toEqual([
      [two.params.areaName, false],
      [one.params.areaName, true],
    ])
    const { areas, list } = await pm.call(helmets.helmetPositions, { query: { category: '701' } })
    expect(list.some((p) => p.deviceId === one.id)).toBe(false)
    expect(areas.find((a) => a.areaName === one.params.areaName)).toMatchObject({ count: 1, known: true })
    expect(areas.find((a) => a.areaName === one.params.areaName)?.longestSeconds).toBeGreaterThan(800)
    expect(areas.find((a) => a.areaName === two.params.areaName)).toMatchObject({ count: null, known: false })
  })
})

describe('grouped and wide answers', () => {
  test('hold nothing of a project that is not the caller’s, with and without the application’s own filter', async () => {
    const unfiltered = await openCity(inject('postgresUrl'), { clock: { now: () => now }, scopeChecks: false })
    const other = await settleCity(unfiltered)
    try {
      const ids = new Set([main, ...settled.city.devices.filter((d) => d.projectCode === main).map((d) => d.id)])
      const rls = await other.as('zhigu-pm')
      const requested: [Endpoint, Record<string, unknown>][] = [
        [liftLive.liftRecords, { groupBy: 'day' }],
        [liftLive.liftCycles, { groupBy: 'device' }],
        [liftLive.liftStatus, {}],
        [unloadingLive.unloadingRecords, { groupBy: 'day' }],
        [unloadingLive.unloadingRecords, { groupBy: 'team' }],
        [pitLive.pitRecords, { groupBy: 'pit,pointType' }],
        [pitLive.pitRecords, { groupBy: 'point' }],
        [formworkLive.formworkRecords, { kind: 'pour' }],
        [meters.electricRecords, { groupBy: 'meter,month' }],
        [weighing.listTickets, { groupBy: 'supplier,material' }],
        [passages.listPassages, { tab: 'inside' }],
        [helmets.listHelmets, { category: '701' }],
        [helmets.helmetPositions, { category: '701' }],
        [helmets.helmetPositions, {}],
        [helmets.listHelmetGroups, {}],
        [helmetStatistics.helmetAlarmLine, {}],
        [helmetMedia.helmetSnaps, {}],
        [cranes.towerOnline, { groupBy: 'device' }],
        [environment.sprayRecords, { groupBy: 'project,day' }],
        [environment.sprayRecords, {}],
        [cranes.towerRecords, { groupBy: 'day' }],
        [cranes.towerCycles, { groupBy: 'device' }],
        [cranes.towerCycles, {}],
        [environment.envRecords, { kind: 'hour' }],
        [environment.envRealtime, {}],
        [environment.envAnalysis, {}],
        [craneRanks, {}],
        [stationRanks, {}],
      ]
      for (const caller of [stranger, rls]) {
        for (const [call, query] of requested) {
          const text = JSON.stringify(await caller.call(call, { query } as never))
          expect([call.path, [...ids].filter((id) => text.includes(id))]).toEqual([call.path, []])
        }
      }
    } finally {
      await unfiltered.close()
    }
  })
})

describe('exports', () => {
  test('every family exports its readings and records, in words and units, without what is nobody’s business', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'zg-export-'))
    const deps = {
      database: world.database,
      clock: { now: () => now },
      secrets: createSecrets(world.config.secretKey),
      log: createLog('test', 'silent'),
      folder,
    }
    const lift = device('lifter')
    const week = { startTime: new Date(now - 24 * hour).toISOString(), endTime: new Date(now + 1000).toISOString() }
    for (const [feature, query, rows] of [
      ['readings.lifter', { deviceId: lift.id, ...week }, 114],
      ['records.lifter.workingCycle', week, 1],
      ['records.weighbridge.weighRecord', week, 2],
      ['weighTicket', week, 2],
      ['weighTicket', { ...week, status: '3' }, 1],
      ['weighGroup', { ...week, groupBy: 'supplier,material' }, 0],
      ['records.smartHelmet.snapshot', week, 1],
      ['unloadingLoad', week, 1],
      ['unloadingLoad', { ...week, overload: '0' }, 0],
      ['unloadingDay', { ...week, groupBy: 'day' }, 1],
      ['unloadingTeam', { ...week, groupBy: 'team' }, 1],
      ['meterReading', { ...week, deviceId: device('electricMeter').id, step: 'day' }, 1],
      ['meterSettlement', { ...week, groupBy: 'meter,month', deviceId: device('electricMeter').id }, 1],
      ['truckPassage', { ...week, plateNo: '没有' }, 0],
    ] as const) {
      const { id: taskId } = await pm.call(submitExport, { body: { feature, query } })
      await runExport(deps, taskId)
      const task = await world.database.kysely.selectFrom('exportTask').selectAll().where('id', '=', taskId).executeTakeFirstOrThrow()
      expect([feature, task.rowsDone, task.message]).toEqual([feature, rows, ''])
    }
    const daily = { projectCode: main, pitName: '基坑', day: formatDay(now) }
    const { id: sheet } = await pm.call(submitExport, { body: { feature: 'pitDaily', exportType: 'pdf', query: daily } })
    await runExport(deps, sheet)
    const printed = await world.database.kysely.selectFrom('exportTask').selectAll().where('id', '=', sheet).executeTakeFirstOrThrow()
    expect([printed.message, printed.fileName]).toEqual(['', expect.stringContaining('.pdf')])
    const [ticket] = (await pm.call(weighing.listTickets, { query: { ...week, status: '3' } })).list
    const slip = { feature: 'weighSlip', exportType: 'pdf' as const, query: { id: ticket && 'id' in ticket ? ticket.id : '' } }
    const { id: slipId } = await pm.call(submitExport, { body: slip })
    await runExport(deps, slipId)
    const { message, path } = await world.database.kysely
      .selectFrom('exportTask')
      .selectAll()
      .where('id', '=', slipId)
      .executeTakeFirstOrThrow()
    expect([message, path?.endsWith('.pdf')]).toEqual(['', true])
    const truck = device('truckMonitor')
    const evidenceOf = async (startTime: number, endTime: number) => {
      const query = { deviceId: truck.id, startTime: String(startTime), endTime: String(endTime) }
      const { id } = await pm.call(submitExport, { body: { feature: 'truckEvidence', exportType: 'pdf', query } })
      await runExport(deps, id)
      return world.database.kysely.selectFrom('exportTask').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    }
    const evidence = await evidenceOf(now - 2 * hour, now)
    expect([evidence.message, evidence.path?.endsWith('.pdf'), (await stat(evidence.path ?? '')).size > 10_000]).toEqual(['', true, true])
    expect((await evidenceOf(now - 40 * hour, now)).message).toContain('24 小时以内')
    expect((await evidenceOf(now - 20 * 24 * hour, now - 20 * 24 * hour + minute)).message).toContain('没有位置')
    await refused(pm.ask(submitExport, { body: { feature: 'readings.lifter', query: week } }))
    expect(exportNamed('readings.smartHelmet')?.columns.map((c) => c.key)).not.toContain('heartRate')
    expect(exportNamed('readings.smartHelmet')?.columns.map((c) => c.key)).not.toContain('longitude')
    expect(exportNamed('readings.lifter')?.columns.map((c) => c.title)).toContain('载重（t）')
  })
})

import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { submitExport } from '@zhugong/contract/exports/endpoints'
import type { Endpoint } from '@zhugong/contract/kit/endpoint'
import { craneRanks, towerAnalysis } from '@zhugong/contract/monitoring/crane/crane-analysis'
import { towerDevice } from '@zhugong/contract/monitoring/crane/crane-endpoints'
import * as cranes from '@zhugong/contract/monitoring/crane/crane-lists'
import { envAnalysis } from '@zhugong/contract/monitoring/environment/environment-endpoints'
import * as air from '@zhugong/contract/monitoring/environment/environment-lists'
import { stationRanks } from '@zhugong/contract/monitoring/environment/station-ranks'
import { liftDevice } from '@zhugong/contract/monitoring/lift/lift-live'
import { familyOf, storedOrder } from '@zhugong/contract/telemetry/families'
import { sendCommand } from '@zhugong/contract/telemetry/wire-endpoints'
import type { Device, Family } from '@zhugong/simulator/city-types'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { formatDay, startOfDay } from '#kit/clock'
import { createLog } from '#kit/log'
import { createSecrets } from '#kit/secret'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import type { Caller, World } from '../../../test/world.ts'
import { runExport } from '../exports/run-export.ts'
import { markGiven } from '../readings/public.ts'
import { makePartitions } from '../telemetry/rollup.ts'
import { copyReadings, type StoredReading } from '../telemetry/store.ts'
import { reasonOf } from './crane/crane-analysis.ts'
import { hasDay, noiseLimitAt } from './environment/noise-limit.ts'

const minute = 60_000
const hour = 60 * minute
/** 15:00, so that no day boundary falls between two readings. */
const now = startOfDay(formatDay(Date.now())) + 15 * hour

let world: World
let settled: CityWorld
let pm: Caller
let safety: Caller
let stranger: Caller
let main = ''

const devices = (family: Family): Device[] =>
  settled.city.devices.filter((d) => d.family === family && d.projectCode === main && d.behaviour === 'normal')
const device = (family: Family, at = 0): Device => {
  const found = devices(family)[at]
  if (!found) throw new Error(`no ${family}`)
  return found
}

async function lift(of: Device, end: number, data: Record<string, unknown>): Promise<void> {
  await world.database.pool.query(
    `insert into device_record (device_id, project_code, ts, id, record, data, received_at) values ($1, $2, $3, $4, 'workingCycle', $5, $6)`,
    [of.id, of.projectCode, new Date(end), `c${end}${of.id}`, JSON.stringify(data), new Date(end + 1000)],
  )
}
async function span(of: Device, at: number, v: Record<string, readonly [number, number, number]>): Promise<void> {
  const stored = Object.fromEntries(Object.entries(v).map(([key, [low, high, mean]]) => [key, [low, high, mean * 5, 5]]))
  await world.database.pool.query('insert into telemetry_5m (device_id, ts, n, v) values ($1, $2, 5, $3) on conflict do nothing', [
    of.id,
    new Date(at),
    JSON.stringify(stored),
  ])
}
async function read(of: Device, rows: readonly [number, Record<string, unknown>][]): Promise<void> {
  const [family, order] = [familyOf(of.family), storedOrder(of.family)]
  if (!family || !order) throw new Error(of.family)
  const fleet = { id: of.id, family, order } as StoredReading['device']
  const client = await world.database.pool.connect()
  try {
    await copyReadings(
      client,
      rows.map(([time, values]) => ({
        device: fleet,
        reading: { time, receivedAt: time + 200, mark: markGiven(0), values, unknown: null, quality: null, flag: 0 },
      })),
    )
  } finally {
    client.release()
  }
}

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'), { clock: { now: () => now } })
  settled = await settleCity(world)
  await makePartitions(world.database.pool)
  pm = await settled.as('hospital-pm')
  stranger = await settled.as('zhigu-pm')
  main = settled.city.personas.find((p) => p.account === 'hospital-pm')?.projectCode ?? ''
  const officer = settled.city.personas.find((one) => one.projectCode === main && one.title.includes('安全'))
  safety = await settled.as(officer?.account ?? '')
  const crane = device('towerCrane')
  await lift(crane, now - hour, {
    cycleNo: '17',
    durationSeconds: 240,
    maxLoad: 2.4,
    maxMomentPercent: 104,
    overMomentCount: 1,
    illegal: true,
    driverName: '周师傅',
    driverId: 'd1',
    liftRadius: 20,
    liftAngle: 90,
    liftHeight: 3,
  })
  await lift(crane, now - 2 * hour, { cycleNo: '16', durationSeconds: 120, maxLoad: 1.1, maxMomentPercent: 52, detectedBy: 'platform' })
  // A text where a number is expected does not break a list.
  await lift(device('towerCrane', 1), now - 3 * hour, {
    cycleNo: 3,
    durationSeconds: 'long',
    maxMomentPercent: '??',
    overMomentCount: 'no',
  })
  await lift(device('lifter'), now - hour, { durationSeconds: 40, maxPersonCount: 9 })
  for (let at = now - 4 * hour; at < now; at += 5 * minute) {
    await span(crane, at, { load: [0, 0.1, 0.05], windSpeed: [1, 2, 1.5], tilt: [0.3, 0.4, 0.35], momentPercent: [0, 40, 20] })
  }
})
afterAll(() => world.close())

describe('lifts', () => {
  test('are those of cranes alone; filters, order, groups and the strip count the same rows', async () => {
    const all = await pm.call(cranes.findCycles, { query: { projectCode: main } })
    expect([all.total, all.today.cycles, all.today.overMoment]).toEqual([3, 3, 1])
    const over = await pm.call(cranes.findCycles, { query: { maxMomentPercent: '90,', sort: '-maxLoad' } })
    expect(over.list.map((one) => one.data.cycleNo)).toEqual(['17'])
    expect((await pm.call(cranes.findCycles, { query: { source: 'platform' } })).list.map((one) => one.data.cycleNo)).toEqual(['16'])
    expect((await pm.call(cranes.findCycles, { query: { durationSeconds: ',200' } })).total).toBe(1)
    const drivers = await pm.call(cranes.findCycleGroups, { query: { groupBy: 'driver' } })
    expect(drivers.list.map((one) => [one.name, one.cycles, one.illegalPercent, one.unrecognised])).toEqual([
      ['周师傅', 1, 100, 0],
      ['未识别', 2, 0, 2],
    ])
    const heat = await pm.call(cranes.findCycleGroups, { query: { groupBy: 'weekday,hour' } })
    expect(heat.list.reduce((sum, one) => sum + one.cycles, 0)).toBe(3)
    expect((await pm.call(cranes.findCycleGroups, { query: { groupBy: 'class' } })).list.map((one) => [one.key, one.cycles])).toEqual([
      ['000', 1],
      ['050', 1],
      ['100', 1],
    ])
  })

  test('a season at most; nothing of other tenants', async () => {
    const long = { startTime: '2024-01-01 00:00:00', endTime: '2026-01-01 00:00:00' }
    expect((await pm.ask(cranes.findCycles, { query: long })).message).toContain('最多 100 天')
    expect((await stranger.call(cranes.findCycles, { query: {} })).total).toBe(0)
    expect((await stranger.call(cranes.findCycles, { query: { deviceId: device('towerCrane').id } })).total).toBe(0)
  })

  test('by day, with who never reported at the top', async () => {
    const today = formatDay(now)
    const days = await pm.call(cranes.findCraneDays, { query: { groupBy: 'day', day: `${today},${today}` } })
    expect(days.total).toBe(
      settled.city.devices.filter((d) => d.family === 'towerCrane' && d.projectCode === main && d.behaviour !== 'notActivated').length,
    )
    expect(days.list[0]?.reportPercent).toBe(0)
    const own = days.list.find((one) => one.deviceId === device('towerCrane').id)
    expect(own).toMatchObject({ cycles: 2, workHours: 0.1, noDriverMinutes: 2, alarmCount: 0 })
    expect((await pm.call(cranes.findCraneDays, { query: { groupBy: 'day', cycles: '2,' } })).total).toBe(1)
  })
})

describe('readings', () => {
  test('are filtered by their values, and their file is as well', async () => {
    const crane = device('towerCrane')
    await read(crane, [
      [now - 10 * minute, { momentPercent: 40, radius: 20 }],
      [now - 9 * minute, { momentPercent: 96, radius: 31 }],
    ])
    const query = { deviceId: crane.id, momentPercent: '90,' }
    const found = await pm.call(cranes.findTowerReadings, { query })
    expect(found.list.map((one) => one.values.radius)).toEqual([31])
    expect(await fileRows('readings.towerCrane', query)).toBe(1)
    expect(await fileRows('readings.towerCrane', { deviceId: crane.id })).toBe(2)
  })
})

const folder = mkdtempSync(join(tmpdir(), 'zg-lists-'))
async function fileRows(feature: string, query: Record<string, unknown>): Promise<number> {
  const { id } = await pm.call(submitExport, { body: { feature, query } })
  await runExport(
    {
      database: world.database,
      clock: { now: () => now },
      secrets: createSecrets(world.config.secretKey),
      log: createLog('test', 'silent'),
      folder,
    },
    id,
  )
  const task = await world.database.kysely.selectFrom('exportTask').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  expect([feature, task.message]).toEqual([feature, ''])
  return task.rowsDone
}

describe('silence', () => {
  test('has a cause where the data tell one', async () => {
    const crane = device('towerCrane')
    await world.database.pool.query(
      `insert into device_event (device_id, ts, id, kind, data) values ($1, $2, 'off1', 'offline', $4), ($1, $3, 'on1', 'online', '{}')`,
      [crane.id, new Date(now - 30 * hour), new Date(now - 28 * hour), JSON.stringify({ since: now - 30 * hour })],
    )
    const power = async () => (await pm.call(cranes.findOfflineSpans, { query: { deviceId: crane.id } })).list[0]
    expect(await power()).toMatchObject({ cause: '未知', durationSeconds: 7200, workedMeanwhile: false })
    await world.database.pool.query(
      `insert into device_record (device_id, project_code, ts, id, record, data, received_at) values ($1, $2, $3, 'power', 'powerEvent', '{"operation":"0"}', $3)`,
      [crane.id, main, new Date(now - 30 * hour - minute)],
    )
    expect(await power()).toMatchObject({ cause: '断电' })
    // Night shutdowns are hidden by default, day ones are not.
    const folded = async (night: '0' | '1') => (await pm.call(cranes.findOfflineSpans, { query: { deviceId: crane.id, night } })).total
    const isNight = (at: number) => [22, 23, 0, 1, 2, 3, 4, 5].includes(new Date(at + 8 * hour).getUTCHours())
    expect([await folded('0'), await folded('1')]).toEqual(isNight(now - 30 * hour) ? [0, 1] : [1, 0])
    // Two devices of a gateway offline within minutes: the gateway failed, whichever device is queried.
    const [one, two] = devices('towerCrane')
    for (const [i, gone] of [one, two].entries()) {
      await world.database.pool.query(
        `update device set gateway_id = (select min(id) from gateway where project_code = $2) where id = $1`,
        [gone?.id, main],
      )
      await world.database.pool.query(`insert into device_event (device_id, ts, id, kind, data) values ($1, $2, 'both', 'offline', '{}')`, [
        gone?.id,
        new Date(now - 50 * hour + i * minute),
      ])
    }
    const both = { startTime: new Date(now - 51 * hour).toISOString(), endTime: new Date(now - 49 * hour).toISOString() }
    expect((await pm.call(cranes.findOfflineSpans, { query: both })).list.map((row) => row.cause)).toEqual(['网关', '网关'])
    expect((await pm.call(cranes.findOfflineSpans, { query: { ...both, deviceId: two?.id } })).list.map((row) => row.cause)).toEqual([
      '网关',
    ])
    expect((await pm.call(cranes.findOfflineSpans, { query: { cause: '网络' } })).total).toBe(0)
    expect((await pm.call(cranes.findOfflineSpans, { query: { durationSeconds: '3600,' } })).total).toBeGreaterThan(0)
  })
})

describe('an analysis of cranes', () => {
  test('adds up lifts, wind, tilt and what was not measured', async () => {
    const crane = device('towerCrane')
    const day = { startTime: new Date(startOfDay(formatDay(now))).toISOString(), endTime: new Date(now).toISOString() }
    const result = await pm.call(towerAnalysis, { query: { deviceId: crane.id, ...day } })
    expect(result.coverage).toBeCloseTo((4 / 15) * 100, 0)
    expect(result.figures).toMatchObject({ cycles: 2, overMoment: 1, workHours: 0.1, utilisation: 2.5 })
    expect(result.hours.reduce((sum, one) => sum + one.working, 0)).toBe(6)
    expect(result.hours.reduce((sum, one) => sum + one.waiting + one.working, 0)).toBe(240)
    expect(result.tilt).toMatchObject([{ median: 0.35, samples: 48 }])
    expect(result.overBy).toEqual([{ name: '周师傅', cycles: 1 }])
    expect(result.spectrum).toEqual([
      { from: 50, cycles: 1 },
      { from: 100, cycles: 1 },
    ])
    expect((await stranger.ask(towerAnalysis, { query: { deviceId: crane.id } })).status).toBe(2)
    expect((await stranger.call(towerAnalysis, { query: {} })).figures.cycles).toBe(0)
  })

  test('maintenance is left out and counted', async () => {
    const crane = device('towerCrane', 1)
    await span(crane, now - 2 * hour, { windSpeed: [1, 13, 4] })
    await span(crane, now - hour, { windSpeed: [1, 13, 4] })
    const ask = () => pm.call(towerAnalysis, { query: { deviceId: crane.id } })
    expect((await ask()).hours.reduce((sum, one) => sum + one.windStop, 0)).toBe(10)
    await world.database.pool.query(
      `insert into device_suppress (id, project_code, device_id, alarm_keys, kind, reason, person_name, from_time, until_time)
       values ('jack1', $1, $2, '{windAlarm}', 'jacking', '顶升', '周大勇', $3, $4)`,
      [main, crane.id, new Date(now - 90 * minute), new Date(now - 30 * minute)],
    )
    const result = await ask()
    expect([result.hours.reduce((sum, one) => sum + one.windStop, 0), result.figures.maintenanceHours]).toEqual([5, 1])
  })

  test('hours in which a crane was switched off are not missing data', async () => {
    const crane = device('towerCrane', 2)
    for (let i = 1; i <= 12; i++) await span(crane, now - i * 5 * minute, { windSpeed: [1, 3, 2] })
    const query = { deviceId: crane.id, startTime: new Date(now - 10 * hour).toISOString(), endTime: new Date(now).toISOString() }
    const coverages = async () => [
      (await pm.call(towerAnalysis, { query })).coverage,
      (await pm.call(craneRanks, { query })).list.find((one) => one.deviceId === crane.id)?.coverage,
    ]
    expect(await coverages()).toEqual([10, 10])
    const power = (at: number, operation: string) =>
      world.database.pool.query(
        `insert into device_record (device_id, project_code, ts, id, record, data, received_at) values ($1, $2, $3, $4, 'powerEvent', $5, $3)`,
        [crane.id, main, new Date(at), `power ${at}`, JSON.stringify({ operation })],
      )
    await power(now - 20 * hour, '0')
    await power(now - hour, '1')
    expect(await coverages()).toEqual([100, 100])
  })

  test('a quiet crane does not rank as a good one', async () => {
    const ranks = await pm.call(craneRanks, { query: {} })
    expect(ranks.list.every((one) => one.doubtful && one.reason.includes('先查设备'))).toBe(true)
    expect([ranks.ranked, ranks.doubtful]).toEqual([0, ranks.total])
    expect((await stranger.call(craneRanks, { query: {} })).list.every((one) => one.projectCode !== main)).toBe(true)
  })

  test.each([
    [{ doubtful: true, coverage: 0 }, '本期没有数据，先查设备'],
    [{ doubtful: true, coverage: 40, offlineHours: 12 }, '有效数据 40 %，离线 12 小时，数据不足，先查设备'],
    [{ level1: 2, overMoment: 3, alarmPer100: 4.5 }, '一级告警 2 条，超力矩 3 吊，每百吊告警 4.5 次'],
    [{ utilisation: 71 }, '利用率 71 %，已接近满负荷'],
    [{ cycles: 4 }, '仅 4 吊，不排名'],
    [{}, '本期平稳'],
  ])('says why: %o', (given, said) => {
    const calm = { doubtful: false, coverage: 99, offlineHours: 0, level1: 0, overMoment: 0, cycles: 300, alarmPer100: 0, utilisation: 30 }
    expect(reasonOf({ ...calm, ...given })).toBe(said)
  })
})

describe('air and noise', () => {
  test('an hour needs 45 minutes; noise is averaged by its energy; limits follow hour and stage', async () => {
    const station = device('environment')
    await world.database.pool.query(`update device set params = params || '{"stage":"structure","pm10Background":60}' where id = $1`, [
      station.id,
    ])
    const start = startOfDay(formatDay(now)) - 2 * hour
    for (let i = 0; i < 12; i++)
      await span(station, start + i * 5 * minute, {
        pm10: [170, 190, 180],
        tsp: [710, 720, 715],
        noise: i < 6 ? [50, 50, 50] : [60, 60, 60],
        windDirection: i % 2 ? [350, 350, 350] : [10, 10, 10],
      })
    // Only half an hour of data, and constant.
    for (let i = 0; i < 6; i++) await span(station, start - hour + i * 5 * minute, { pm10: [300, 300, 300], noise: [80, 80, 80] })
    const query = { deviceId: station.id, startTime: new Date(start - hour).toISOString(), endTime: new Date(start + hour).toISOString() }
    const hours = await pm.call(air.findStationHours, { query: { kind: 'hour', ...query } })
    expect(hours.total).toBe(2)
    expect(hours.list[0]).toMatchObject({ minutes: 60, pm10: 180, pm10Max: 190, noise: 57.4, over: ['pm10', 'tsp', 'noise'] })
    expect(hours.list[1]).toMatchObject({ minutes: 30, pm10: 300, over: [] })
    expect([0, 360]).toContain(Math.round(hours.list[0]?.windDirection ?? -1))
    const result = await pm.call(envAnalysis, { query })
    expect(result.overHours.map((one) => one.hours)).toEqual([1, 0, 1, 1])
    expect(result.noise).toEqual({ day: 0, dayOver: 0, night: 1, nightOver: 1, nightPermit: 0 })
    expect(result.devices[0]).toMatchObject({ validPercent: 50, score: null, deltaToDistrict: 120, nightNoiseHours: 1 })
    expect(await fileRows('stationHour', { kind: 'hour', ...query })).toBe(2)
    expect((await stranger.ask(envAnalysis, { query })).status).toBe(2)
    expect((await stranger.call(air.findStationHours, { query: { kind: 'hour', ...query } })).total).toBe(0)
  })

  test.each([
    ['05:59', false, '夜间'],
    ['06:00', true, '昼间'],
    ['21:59', true, '昼间'],
    ['22:00', false, '夜间'],
    ['00:00', false, '夜间'],
  ])('at %s the limit of the day holds: %s', (clock, day, period) => {
    const at = Date.parse(`2026-07-01T${clock}:00+08:00`)
    expect([hasDay(at), noiseLimitAt(at).period]).toEqual([day, period])
    expect(noiseLimitAt(noiseLimitAt(at).until).period).not.toBe(period)
  })

  test('stations stand by their own limits, silent ones last; ranks hold the scope’s alone', async () => {
    const list = await pm.call(air.findStations, { query: {} })
    expect(list.list.map((one) => one.state)).toEqual([...list.list.map((one) => one.state)].sort((a, b) => order[a] - order[b]))
    expect(list.online + list.offline).toBe(list.total)
    expect((await pm.call(air.findStations, { query: { state: 'silent' } })).list.every((one) => !one.online)).toBe(true)
    expect((await stranger.call(stationRanks, { query: {} })).list.every((one) => one.projectCode !== main)).toBe(true)
  })
})
const order = { over: 0, fine: 1, doubtful: 2, silent: 3 }

describe('spray runs', () => {
  test('list, sums and file are the same runs; a site and day has its delay', async () => {
    const spray = device('sprayController')
    const run = (end: number, data: Record<string, unknown>) =>
      world.database.pool.query(
        `insert into device_record (device_id, project_code, ts, id, record, data, received_at) values ($1, $2, $3, $4, 'sprayRecord', $5, $3)`,
        [spray.id, main, new Date(end), `s${end}`, JSON.stringify(data)],
      )
    await run(now - hour, { durationSeconds: 600, trigger: 'linkage', waterVolume: 2, pm10Before: 200, pm10After: 150 })
    await run(now - 2 * hour, { durationSeconds: 300, trigger: 'manual', waterVolume: 1, pm10Before: 100, pm10After: 110 })
    await world.database.pool.query(
      `insert into alarm (id, project_code, device_id, device_name, family, alarm_key, label, level, max_level, active, start_time, fire_time, clear_time)
       values ('dust9', $1, $2, '站', 'environment', 'pm10Alarm', '扬尘', 3, 3, false, $3, $3, $4)`,
      [main, device('environment').id, new Date(now - hour - 15 * minute), new Date(now - hour + 20 * minute)],
    )
    const all = await pm.call(air.findSprayRuns, { query: { projectCode: main } })
    expect(all.sums).toEqual({ runs: 2, seconds: 900, water: 3, effect: 7.5 })
    const good = await pm.call(air.findSprayRuns, { query: { effect: '20,', trigger: 'linkage,timer' } })
    expect([good.total, good.sums.water]).toEqual([1, 2])
    expect(await fileRows('sprayRun', { projectCode: main, trigger: 'manual' })).toBe(1)
    const days = await pm.call(air.findSprayDays, { query: { groupBy: 'project,day', overMinutes: '1,' } })
    expect(days.list).toMatchObject([{ overMinutes: 35, sprayedMinutes: 10, medianDelay: 5, runs: 2, manualPercent: 50 }])
    expect((await stranger.call(air.findSprayRuns, { query: {} })).total).toBe(0)
  })
  test('a run that the platform started and the line tells of too is one run, with the line’s water', async () => {
    const spray = device('sprayController')
    const runs = () => pm.call(air.findSprayRuns, { query: { projectCode: main } })
    const before = await runs()
    const reported = (id: string, end: number, data: object) =>
      world.database.pool.query(
        `insert into device_record (device_id, project_code, ts, id, record, data, received_at) values ($1, $2, $3, $4, 'sprayRecord', $5, $3)`,
        [spray.id, main, new Date(end), id, JSON.stringify(data)],
      )
    await reported('linkage:r1', now - 30 * minute, { durationSeconds: 240, trigger: 'linkage', pm10Before: 150 })
    await reported('d77', now - 30 * minute + 2_000, { durationSeconds: 241, trigger: 'manual', waterVolume: 0.8 })
    const after = await runs()
    expect([after.total - before.total, after.sums.seconds - before.sums.seconds, after.sums.water - before.sums.water]).toEqual([
      1,
      240,
      expect.closeTo(0.8),
    ])
    expect(after.list.find((one) => one.id === 'linkage:r1')?.data).toMatchObject({ trigger: 'linkage', waterVolume: 0.8, pm10Before: 150 })
    const [day] = (await pm.call(air.findSprayDays, { query: { groupBy: 'project,day', sort: '-day' } })).list
    expect(day?.runs).toBe(after.total)
  })
})

describe('files', () => {
  test.each([
    ['craneCycle', {}, 3],
    ['craneCycleGroup', { groupBy: 'device' }, 2],
    ['craneOffline', {}, 1],
  ])('%s holds the rows of its list', async (feature, query, rows) => {
    expect(await fileRows(feature, { projectCode: main, ...query })).toBeGreaterThanOrEqual(rows)
  })
  test.each(['craneDay', 'craneRank', 'sprayDay', 'stationNow', 'stationRank'])('%s can be made', async (feature) => {
    const extra: Record<string, unknown> =
      feature === 'craneDay' ? { groupBy: 'day' } : feature === 'sprayDay' ? { groupBy: 'project,day' } : {}
    expect(await fileRows(feature, extra)).toBeGreaterThan(0)
  })
})

describe('saying something into a cabin', () => {
  test('is the safety officer’s as well; its words are checked; nobody else’s crane hears it', async () => {
    const crane = device('towerCrane')
    const say = (caller: Caller, text: unknown) =>
      caller.ask(sendCommand as Endpoint<{ params: { id: string }; body: unknown }, unknown, unknown>, {
        params: { id: crane.id },
        body: { cmd: 'crane.warn', params: { text } },
      })
    expect((await say(safety, '')).message).toContain('请填写喊话内容')
    expect((await say(safety, '太'.repeat(31))).message).toContain('最多 30 个字')
    expect((await say(stranger, '停')).status).toBe(2)
    expect((await pm.call(towerDevice, { params: { id: crane.id } })).warnRefused).toBeNull()
  })
  test('a lift hears as well, a helmet is called by its own code, and nothing else is spoken into', async () => {
    const ask = (caller: Caller, of: Device, cmd: string) =>
      caller.ask(sendCommand as Endpoint<{ params: { id: string }; body: unknown }, unknown, unknown>, {
        params: { id: of.id },
        body: { cmd, params: { text: '' } },
      })
    const [lift, helmet] = [device('lifter'), device('smartHelmet')]
    expect((await ask(safety, lift, 'crane.warn')).message).toContain('请填写喊话内容')
    expect((await pm.call(liftDevice, { params: { id: lift.id } })).warnRefused).toBeNull()
    // Rebooting needs the code for all commands; calling a helmet has its own code.
    expect((await ask(safety, helmet, 'device.reboot')).http).toBe(403)
    expect((await ask(safety, helmet, 'helmet.call')).http).not.toBe(403)
    expect((await ask(pm, helmet, 'crane.warn')).message).not.toContain('请填写喊话内容')
  })
})

import { findAlarms } from '@zhugong/contract/alarms/lists'
import { envAnalysis } from '@zhugong/contract/monitoring/environment/environment-endpoints'
import { findEnvWorks, findStationHours } from '@zhugong/contract/monitoring/environment/environment-lists'
import { addNightPermit, listNightPermits, voidNightPermit } from '@zhugong/contract/monitoring/environment/night-permits'
import { stationRanks } from '@zhugong/contract/monitoring/environment/station-ranks'
import { listCauses, stateCause } from '@zhugong/contract/monitoring/exceed-causes'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import type { Caller, World } from '../../../test/world.ts'

/** Causes of exceedances and night permits: evidence about alarms, without suppressing any. */
const now = Date.parse('2026-11-20T10:00:00+08:00')
let world: World
let city: CityWorld
let pm: Caller
let stranger: Caller
let officer: Caller
let site = ''
let station = ''

async function paper(): Promise<string> {
  const id = `paper${Math.random().toString(36).slice(2)}`
  await world.database.pool.query(
    `insert into stored_file (id, group_id, name, mime, bytes, sha256, create_by)
     select $1, m.group_id, '许可.jpg', 'image/jpeg', 3, $1, m.user_id from member m join app_user u on u.id = m.user_id where u.account = 'hospital-pm' limit 1`,
    [id],
  )
  return id
}
const alarm = (id: string, key: string, label: string, at: string) =>
  world.database.pool.query(
    `insert into alarm (id, project_code, device_id, device_name, family, alarm_key, label, level, max_level, active, start_time, fire_time)
     values ($1, $2, $3, '1# 扬尘站', 'environment', $4, $5, 3, 3, false, $6, $6)`,
    [id, site, station, key, label, `${at}+08:00`],
  )

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'), { clock: { now: () => now } })
  city = await settleCity(world)
  pm = await city.as('hospital-pm')
  stranger = await city.as('zhigu-pm')
  officer = await city.as('city-fang')
  site = city.city.personas.find((p) => p.account === 'hospital-pm')?.projectCode ?? ''
  station = city.city.devices.find((d) => d.projectCode === site && d.family === 'environment')?.id ?? ''
  await alarm('dust', 'pm10Alarm', 'PM10 超标', '2026-11-19T15:00:00')
  await alarm('frozen', 'constantValue', '恒值', '2026-11-19T15:00:00')
  await alarm('night1', 'noiseNight', '夜间噪声超标', '2026-11-18T23:30:00')
  await alarm('night2', 'noiseNight', '夜间噪声超标', '2026-11-19T23:30:00')
  // Two nights with 60 dB every five minutes from 22:00 to 24:00.
  for (const day of ['18', '19'])
    for (let minute = 0; minute < 120; minute += 5)
      await world.database.pool.query(
        `insert into telemetry_5m (device_id, ts, n, v) values ($1, $2::timestamptz + make_interval(mins => $3), 5, '{"noise": [60, 60, 300, 5], "pm10": [80, 90, 425, 5]}')
         on conflict (device_id, ts) do update set v = excluded.v`,
        [station, `2026-11-${day}T22:00:00+08:00`, minute],
      )
})
afterAll(() => world.close())

test('the site says where it came from, beside the alarm and as often as it learns more; whoever supervises reads it', async () => {
  const say = (who: Caller, given: object = {}) =>
    who.ask(stateCause, {
      query: { projectCode: site },
      body: { alarmId: 'dust', source: 'earthwork', text: '北侧土方外运，雾炮临时停水', ...given },
    })
  expect((await say(pm, { text: ' ' })).status).toBe(2)
  expect((await say(pm, { source: 'moon' })).message).toContain('请选择来源')
  expect((await say(pm, { alarmId: 'frozen' })).message).toContain('只有扬尘与噪声超标')
  expect((await say(stranger)).status).not.toBe(0)
  expect((await say(officer)).http).toBe(403)
  expect((await say(pm)).status).toBe(0)
  expect((await say(pm, { source: 'road', text: '复看录像，主要是出口道路' })).status).toBe(0)
  const { list } = await officer.call(listCauses, { query: { projectCode: site, alarmId: 'dust' } })
  expect(list.map((one) => one.source).sort()).toEqual(['earthwork', 'road'])
  expect(list[0]?.byName).not.toBe('')
  const rows = async (query: object) =>
    (await officer.call(findAlarms, { query: { projectCode: site, family: 'environment', ...query } })).list.map((one) => one.id).sort()
  expect(await rows({ cause: '-9999' })).not.toContain('dust')
  const [{ source }] = [
    (await officer.call(findAlarms, { query: { projectCode: site, alarmKey: 'pm10Alarm', cause: 'road,earthwork' } })).list[0]?.cause ?? {
      source: '',
    },
  ]
  expect(['road', 'earthwork']).toContain(source)
  const file = (await pm.call(findAlarms, { query: { projectCode: site, alarmKey: 'pm10Alarm' } })).list.find((one) => one.id === 'dust')
  expect(file).toMatchObject({ state: 'open', handlerName: null })
})

test('a permit for the night keeps nothing quiet: its noise is marked, and counted apart', async () => {
  const file = async (given: object = {}, who = pm) =>
    who.ask(addNightPermit, {
      query: { projectCode: site },
      body: {
        permitNo: '夜施2026-118',
        issuer: '区住建局',
        scope: '筏板连续浇筑',
        from: '2026-11-19 22:00:00',
        until: '2026-11-20 06:00:00',
        files: [await paper()],
        ...given,
      },
    })
  expect((await file({ files: [] })).message).toContain('请上传许可文件')
  expect((await file({ until: '2026-11-19 20:00:00' })).message).toContain('应晚于')
  expect((await file({ until: '2027-01-20 20:00:00' })).message).toContain('最长 31 天')
  expect((await file({ from: '2026-08-01 22:00:00', until: '2026-08-02 06:00:00' })).message).toContain('60 天内')
  expect((await file({}, stranger)).status).not.toBe(0)
  expect((await file({}, officer)).http).toBe(403)
  const filed = await file()
  expect(filed.status).toBe(0)
  expect((await file()).message).toContain('已登记')
  const [permit] = (await officer.call(listNightPermits, { query: { projectCode: site } })).list
  expect(permit).toMatchObject({ permitNo: '夜施2026-118', active: false, noisy: 1, voidAt: null })
  expect((await stranger.call(listNightPermits, { query: { projectCode: '*' } })).total).toBe(0)
  const nights = async (permitted?: '0' | '1') =>
    (await officer.call(findAlarms, { query: { projectCode: site, alarmKey: 'noiseNight', permitted } })).list.map((one) => [
      one.id,
      one.permitNo,
    ])
  expect((await nights()).sort()).toEqual([
    ['night1', null],
    ['night2', '夜施2026-118'],
  ])
  expect(await nights('1')).toEqual([['night2', '夜施2026-118']])
  expect(await nights('0')).toEqual([['night1', null]])

  const query = { deviceId: station, projectCode: site, startTime: '2026-11-18', endTime: '2026-11-20 10:00:00' }
  const result = await officer.call(envAnalysis, { query })
  expect(result.noise).toMatchObject({ night: 4, nightOver: 2, nightPermit: 2 })
  expect(result.devices[0]).toMatchObject({ nightNoiseHours: 2, nightPermitHours: 2 })
  const hours = await officer.call(findStationHours, { query: { ...query, kind: 'hour', sort: 'time' } })
  expect(hours.list.map((one) => [one.over.includes('noise'), one.permitNo])).toEqual([
    [true, null],
    [true, null],
    [true, '夜施2026-118'],
    [true, '夜施2026-118'],
  ])
  const { id } = filed.data as { id: string }
  const take = (who: Caller) => who.ask(voidNightPermit, { params: { id }, query: { projectCode: site }, body: { reason: '编号填错' } })
  expect((await take(stranger)).status).not.toBe(0)
  expect((await take(pm)).status).toBe(0)
  expect((await take(pm)).message).toContain('已作废')
  expect(await nights('1')).toEqual([])
  expect((await officer.call(envAnalysis, { query })).noise).toMatchObject({ nightOver: 4, nightPermit: 0 })
})

test('what was done on the site is laid over its air by the hour', async () => {
  const { pool } = world.database
  const of = (family: string) => city.city.devices.find((d) => d.projectCode === site && d.family === family)?.id ?? ''
  const record = (device: string, record: string, at: string, data: object) =>
    pool.query(
      `insert into device_record (device_id, project_code, ts, id, record, data, received_at) values ($1, $2, $3, $4, $5, $6, $3)`,
      [device, site, `${at}+08:00`, `works:${at}`, record, JSON.stringify(data)],
    )
  await pool.query(`delete from device_record where project_code = $1 and ts >= '2026-11-16' and ts < '2026-11-18'`, [site])
  await record(of('truckAccess'), 'accessRecord', '2026-11-17T14:10:00', { vehicleType: '1', direction: '1' })
  await record(of('truckAccess'), 'accessRecord', '2026-11-17T14:20:00', { vehicleType: '2', direction: '0' })
  await record(of('highFormwork'), 'pourRecord', '2026-11-17T16:30:00', { startTime: '2026-11-17T06:30:00.000Z' })
  await record(of('towerCrane'), 'workingCycle', '2026-11-17T14:30:00', { durationSeconds: 300 })
  await record(of('lifter'), 'workingCycle', '2026-11-17T14:40:00', { durationSeconds: 60 })
  const query = { deviceId: station, startTime: '2026-11-17', endTime: '2026-11-18' }
  const result = await officer.call(findEnvWorks, { query })
  expect(result.days).toBe(1)
  expect(result.hours.map((one) => `${one.weekday} ${one.hour} ${one.kind} ${one.count}`).sort()).toEqual(
    ['2 14 earth 1', '2 14 concrete 1', '2 14 lift 1', '2 14 pour 1', '2 15 pour 1', '2 16 pour 1'].sort(),
  )
  expect((await stranger.ask(findEnvWorks, { query })).status).not.toBe(0)
})

test('stations are compared within a district, an owner, a model', async () => {
  const { pool } = world.database
  const corp = (
    await pool.query<{ corp_code: string; corp_name: string }>('select corp_code, corp_name from corporation order by corp_code limit 1')
  ).rows[0]
  await pool.query(`update device set owner_corp = $2, model_name = 'HX-900' where id = $1`, [station, corp?.corp_code])
  const ids = async (query: object) => (await officer.call(stationRanks, { query: { projectCode: '*', size: 100, ...query } })).list
  const all = await ids({})
  const own = all.find((one) => one.key === station)
  expect(own).toMatchObject({ ownerCorpName: corp?.corp_name, modelName: 'HX-900' })
  expect((await ids({ modelName: 'HX-900' })).map((one) => one.key)).toEqual([station])
  expect((await ids({ ownerCorpName: corp?.corp_name })).every((one) => one.ownerCorpName === corp?.corp_name)).toBe(true)
  const there = await ids({ areaCode: own?.areaCode })
  expect(there.length).toBeGreaterThan(0)
  expect(there.every((one) => one.areaCode === own?.areaCode)).toBe(true)
  expect(await ids({ areaCode: '110000' })).toEqual([])
})

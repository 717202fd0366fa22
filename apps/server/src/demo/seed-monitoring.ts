import { randomBytes } from 'node:crypto'
import { dayMs, hourMs, minuteMs } from '@zhugong/contract/kit/time'
import { familyOf, storedOrder } from '@zhugong/contract/telemetry/families'
import type { City, Device } from '@zhugong/simulator/city-types'
import { recordHistory } from '@zhugong/simulator/history'
import type { Machine } from '@zhugong/simulator/machine'
import { machineFor } from '@zhugong/simulator/machines'
import { waterEpisodes } from '@zhugong/simulator/meter'
import { idOf, stream } from '@zhugong/simulator/random'
import { makingOf, pilePeriodMs, pileRecordOf } from '@zhugong/simulator/structures'
import { copyReadings, copyThrough, type StoredReading } from '#domains/telemetry/store'
import type { Config } from '#kit/config'
import type { Database } from '#kit/db'
import { createSecrets } from '#kit/secret'
import { linesOf, type MonitoringLines, writeLines } from './monitoring-lines.ts'
import { writeAlarms } from './past-alarms.ts'
import { pitDays, surveyed, writeStages } from './past-pits.ts'
import { poured, pourRecords, pourSpans, writePours } from './past-pours.ts'
import { apart, type Client } from './past-readings.ts'
import { pitAndPourAlarms } from './pit-alarms.ts'
import type { MachineSecrets } from './seed-machines.ts'
import { waterAlarms } from './yard-alarms.ts'

/** Length of history by kind: enough for the pages to show something, and quick to write. */
const past = {
  truck: 12 * hourMs,
  helmet: hourMs,
  tag: hourMs,
  spray: 30 * dayMs,
  /** Mixing and pressing rigs came to the site later. */
  piles: { bored: 20 * dayMs, mixing: 4 * dayMs, static: 5 * dayMs },
  // Three whole months from any day.
  meterDays: 125,
  mediaDays: 20,
  aiDays: 30,
}
const walkingHelmets = 4
/** Recordings per helmet with a camera; pictures are drawn later, see `seed-helmets.ts`. */
const pastFilms = 7
const heardTags = 4
/** Metrics needed for monthly curves and sheets; others are not kept longer than a day. */
const longKept = new Set(['totalEnergy', 'peakEnergy', 'valleyEnergy', 'totalVolume', 'flowRate', 'activePower'])

interface Row {
  device_id: string
  project_code: string
  ts: Date
  id: string
  record: string
  data: Record<string, unknown>
}

/** Lines to meters, keys of pushing gates, and history for the family pages: tracks, load profiles, pours, pictures, groups. */
export async function seedMonitoring(
  database: Database,
  city: City,
  machines: MachineSecrets,
  config: Config,
  now: number,
): Promise<MonitoringLines> {
  const lines = linesOf(city, machines, config)
  const readings: StoredReading[] = []
  const records: Row[] = []
  for (const device of city.devices) {
    if (device.behaviour !== 'normal') continue
    readings.push(...pastReadings(city, device, now))
    records.push(...pastRecords(city, device, now))
  }
  const client = await database.pool.connect()
  try {
    await client.query('begin')
    await client.query('set local synchronous_commit = off')
    await writeLines(client, city, lines)
    await copyReadings(client, readings)
    await copyThrough(client, 'telemetry_5m', 'device_id, ts, n, v', longPast(city, now))
    await client.query(
      `insert into device_record (device_id, project_code, ts, id, record, data, received_at)
       select device_id, project_code, ts, id, record, data, ts + interval '1 second'
       from jsonb_to_recordset($1::jsonb) as r(device_id text, project_code text, ts timestamptz, id text, record text, data jsonb) on conflict do nothing`,
      [JSON.stringify(records)],
    )
    await writeGroups(client, city)
    await writeStages(client, city, now)
    await writePours(client, city, now)
    await writeMedia(client, config, now)
    await writeCameraRules(client, now)
    await writeAlarms(client, city, [...pitAndPourAlarms(city, now), ...city.devices.flatMap((d) => waterAlarms(city, d, now))], now, false)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
  return lines
}

/** Positions of trucks and helmets, and stays underground. */
function pastReadings(city: City, device: Device, now: number): StoredReading[] {
  const no = Number(device.deviceSn.slice(-4))
  if (device.family === 'truckMonitor') return lived(city, device, now - past.truck, now, 30_000)
  if (device.family === 'smartHelmet' && no <= walkingHelmets) return lived(city, device, now - past.helmet, now, 30_000)
  if (device.family === 'baseStationHelmet' && !device.params.stationId && no <= heardTags + 5)
    return lived(city, device, now - past.tag, now, 10_000)
  if (device.family === 'foundationPit') return surveyed(city, device, now)
  if (device.family === 'highFormwork') return poured(city, device, now)
  // Evidence of an alarm is kept at full density.
  if (device.family === 'waterMeter')
    return waterEpisodes(city, device).flatMap((one) => lived(city, device, one.from - hourMs, one.to + hourMs, 2 * minuteMs))
  return []
}

function lived(city: City, device: Device, from: number, to: number, stepMs: number): StoredReading[] {
  const order = storedOrder(device.family)
  const known = familyOf(device.family)
  if (!order || !known) return []
  const machine: Machine = machineFor(city, device, { purpose: `past ${from}` })
  const out: StoredReading[] = []
  for (let time = from - (from % stepMs); time < to; time += stepMs) {
    if (device.family === 'smartHelmet') for (let second = 0; second < stepMs / 1000; second += 5) machine.step(5, time + second * 1000)
    const data = machine.telemetry(time)
    if (!data) continue
    const values = Object.fromEntries(Object.entries(data).filter(([key]) => known.metric(key)))
    out.push(apart(device, order, time, values))
  }
  return out
}

/** Types that cameras rarely recognise; fire and falls are in the demonstration's past only. */
const rareTypes = ['fire', 'phone', 'climbing', 'crowd', 'truckUncovered', 'smoke', 'fallDown', 'guardAbsent']
function pastRecords(city: City, device: Device, now: number): Row[] {
  const rows: Row[] = []
  const put = (record: string, time: number, data: Record<string, unknown>) =>
    rows.push({
      device_id: device.id,
      project_code: device.projectCode,
      ts: new Date(time),
      id: `${record}:${Math.floor(time / 1000)}`,
      record,
      data,
    })
  const random = stream(city.seed, 'monitoring', device.deviceSn)
  if (device.family === 'sprayController') {
    const machine = machineFor(city, device, { purpose: 'past' })
    for (let time = now - past.spray; time < now; time += 2 * minuteMs) {
      machine.step(120, time)
      for (const one of machine.takeRecords?.() ?? []) put(one.record, one.time, one.data)
    }
  }
  if (device.family === 'pileFoundation') {
    const periodMs = pilePeriodMs(device)
    for (let index = Math.ceil((now - past.piles[makingOf(device)]) / periodMs); (index + 1) * periodMs < now; index++) {
      const one = pileRecordOf(city, device, index)
      put(one.record, one.time, one.data)
    }
  }
  if (device.family === 'highFormwork') for (const one of pourRecords(city, device, now)) put('pourRecord', one.time, one.data)
  if (device.family === 'videoAi') {
    for (const [i, one] of [...recordHistory(city, device.deviceSn, now - past.aiDays * dayMs, now - dayMs)].entries()) {
      const type = i % 11 === 5 ? rareTypes[Math.floor(i / 11) % rareTypes.length] : one.data.type
      put(one.record, one.time, { ...one.data, type, count: 1 + (i % 4) })
    }
  }
  if (device.family === 'smartHelmet' && device.params.camera === '1') {
    for (let i = 0; i < pastFilms; i++) {
      const seconds = random.int(20, 120)
      const time = now - Math.floor(random.float(0.05, past.mediaDays) * dayMs)
      put('video', time, {
        startTime: new Date(time - seconds * 1000).toISOString(),
        endTime: new Date(time).toISOString(),
        size: seconds * 210_000,
        trigger: i % 6 === 5 ? 'alarm' : i % 6 === 3 ? 'remote' : 'manual',
      })
    }
  }
  if (device.family === 'truckMonitor') {
    const length = 15 * minuteMs
    for (let at = Math.floor((now - dayMs) / length) * length; at < now - length; at += length) {
      if (!random.chance(0.8)) continue
      put('videoClip', at, {
        channel: '1',
        startTime: new Date(at).toISOString(),
        endTime: new Date(at + length).toISOString(),
        size: random.int(40, 120) * 1_000_000,
        alarm: random.chance(0.04) ? '超速' : '',
        storage: 'device',
      })
    }
  }
  return rows
}

/** Meter registers every three hours and pit points twice a day, as five-minute values: the basis of monthly sheets and curves. */
function longPast(city: City, now: number): string {
  let out = ''
  const end = now - dayMs - 10 * minuteMs
  for (const device of city.devices) {
    if (device.behaviour !== 'normal') continue
    if (device.family === 'highFormwork') {
      out += pourSpans(city, device, now)
      continue
    }
    const isMeter = device.family === 'electricMeter' || device.family === 'waterMeter'
    if (!isMeter && device.family !== 'foundationPit') continue
    const stepMs = isMeter ? 3 * hourMs : 12 * hourMs
    const installed = Date.parse(`${device.installTime.slice(0, 10)}T00:00:00+08:00`)
    const from = Math.max(installed, now - (isMeter ? past.meterDays : pitDays) * dayMs)
    const machine = machineFor(city, device, { purpose: 'past' })
    for (let time = Math.ceil(from / stepMs) * stepMs; time < end; time += stepMs) {
      const data = machine.telemetry(time)
      if (!data) continue
      const v: Record<string, [number, number, number, number]> = {}
      for (const [key, value] of Object.entries(data))
        if (typeof value === 'number' && (!isMeter || longKept.has(key))) v[key] = [value, value, value, 1]
      out += `${device.id}\t${new Date(time).toISOString()}\t1\t${JSON.stringify(v)}\n`
    }
  }
  return out
}

/** AI settings of each site's first camera: thresholds, and a zone closed at night. */
async function writeCameraRules(client: Client, now: number): Promise<void> {
  const zone = {
    name: '基坑边',
    points: [
      [0.08, 0.42],
      [0.62, 0.38],
      [0.7, 0.94],
      [0.05, 0.94],
    ],
    fromMinute: 18 * 60,
    untilMinute: 7 * 60,
  }
  await client.query(
    `insert into camera_ai (device_id, project_code, thresholds, zones, update_by, update_time)
     select distinct on (project_code) id, project_code, $1, $2, '演示', $3 from device where family = 'videoAi' and status = '1' order by project_code, name
     on conflict do nothing`,
    [JSON.stringify([{ type: 'noVest', least: 0.7 }]), JSON.stringify([zone]), new Date(now)],
  )
}

/** The demonstration's media server, and a camera with a codec browsers do not play. */
async function writeMedia(client: Client, config: Config, now: number): Promise<void> {
  const secret = createSecrets(config.secretKey).seal(randomBytes(24).toString('base64url'))?.toString('base64') ?? ''
  const media = { provider: '演示流媒体', baseUrl: '/media', kind: 'mp4', secret, concurrent: 16, updateTime: now }
  await client.query(`insert into setting (key, value) values ('mediaServer', $1) on conflict do nothing`, [JSON.stringify(media)])
  await client.query(`update device set params = params || '{"codec":"H.265"}' where family = 'videoAi' and name = '钢筋加工棚'`)
}

const groupNames = ['巡检组', '塔楼作业面', '地下室作业面']

async function writeGroups(client: Client, city: City): Promise<void> {
  const byProject = Map.groupBy(
    city.devices.filter((d) => d.family === 'smartHelmet'),
    (d) => d.projectCode,
  )
  for (const [projectCode, helmets] of byProject) {
    for (const [i, name] of groupNames.entries()) {
      const members = helmets.filter((_, no) => no % (groupNames.length + 1) === i)
      if (members.length === 0) continue
      const id = idOf(city.seed, 'helmetGroup', projectCode, name)
      await client.query('insert into helmet_group (id, project_code, name, create_by) values ($1, $2, $3, $4)', [
        id,
        projectCode,
        name,
        '演示',
      ])
      await client.query('insert into helmet_group_member (device_id, group_id, project_code) select d, $2, $3 from unnest($1::text[]) d', [
        members.map((m) => m.id),
        id,
        projectCode,
      ])
    }
  }
}

import { dayMs, hourMs } from '@zhugong/contract/kit/time'
import { familyOf, storedOrder } from '@zhugong/contract/telemetry/families'
import type { City, Device } from '@zhugong/simulator/city-types'
import { recordHistory, telemetryHistory } from '@zhugong/simulator/history'
import { isShift, type Machine } from '@zhugong/simulator/machine'
import { machineFor } from '@zhugong/simulator/machines'
import { stream } from '@zhugong/simulator/random'
import { deliverDefaultRules } from '#domains/rules/public'
import { makePartitions } from '#domains/telemetry/rollup'
import { copyReadings, copyThrough, type StoredReading } from '#domains/telemetry/store'
import type { Database } from '#kit/db'
import { writeAlarms } from './past-alarms.ts'
import { type Client, type Reading, spans, toReading } from './past-readings.ts'
import { type PastAlarm, PastRules } from './past-rules.ts'
import { leakAlarm, yardAlarm } from './yard-alarms.ts'
import { photographed } from './yard-photos.ts'

const stepMs = {
  usual: 60_000,
  dense: 10_000,
  sparse: 600_000,
  pour: 150_000,
  beat: 300_000,
  watch: 10_000,
  /** Dense enough to show a pile metre by metre. */
  pile: 30_000,
}
const denseMs = 30 * 60_000
/** Families whose readings of the whole day are kept; of others the last hour is enough. */
const keepsDay = new Set<string>([
  'electricMeter',
  'waterMeter',
  'foundationPit',
  'highFormwork',
  'sprayController',
  'pileFoundation',
  'videoAi',
])
/** Simulation step of moving machines, s: twice as long as live, which minute values do not show. */
const moveSeconds = 2

interface Past {
  readings: StoredReading[]
  records: { deviceId: string; projectCode: string; time: number; record: string; data: Record<string, unknown> }[]
  alarms: PastAlarm[]
}

/** The last 24 hours of the demonstration's machines: readings, records, and the alarms of the delivered rules. */
export async function seedMachineHistory(database: Database, city: City, now: number): Promise<void> {
  const past: Past = { readings: [], records: [], alarms: [] }
  const ends = new Map<string, number>()
  for (const device of city.devices) {
    if (device.behaviour === 'notActivated') continue
    const end = device.behaviour === 'offline' ? now - 7 * hourMs : now
    ends.set(device.id, end)
    live(city, device, now, end, past)
  }
  const { pool } = database
  await makePartitions(pool)
  await deliverDefaultRules(database.kysely)
  const client = await pool.connect()
  try {
    await client.query('begin')
    // A failed seed is discarded, so durability is unnecessary.
    await client.query('set local synchronous_commit = off')
    await copyReadings(client, past.readings)
    await copyThrough(client, 'telemetry_5m', 'device_id, ts, n, v', spans(city, past.readings))
    await writeRecords(client, past)
    await writeLatest(client, past, ends, now)
    await writeAlarms(client, city, past.alarms, now)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
}

function live(city: City, device: Device, now: number, end: number, past: Past): void {
  const family = familyOf(device.family)
  const order = storedOrder(device.family)
  if (!family || !order) return
  const stored = { id: device.id, order } as StoredReading['device']
  const put = (time: number, data: Record<string, unknown>, extra?: Record<string, unknown>) => {
    past.readings.push({ device: stored, reading: toReading(family.metrics, time, data, extra) })
  }
  const from = now - dayMs
  const record = (r: { time: number; record: string; data: Record<string, unknown> }) => {
    if (r.time >= from && r.time < end)
      past.records.push({ deviceId: device.id, projectCode: device.projectCode, time: r.time, record: r.record, data: r.data })
  }
  if (
    device.family === 'towerCrane' ||
    device.family === 'lifter' ||
    device.family === 'environment' ||
    device.family === 'unloadingPlatform'
  ) {
    liveThrough(city, device, from, end, now, put, record, past.alarms)
    return
  }
  if (device.family === 'smartHelmet') {
    // Only the current position of a helmet is needed.
    const machine = machineFor(city, device, { purpose: `past ${from}` })
    for (let time = end - 600_000; time < end; time += 1000) machine.step(1, time)
    const data = machine.telemetry(end - 1000)
    if (data) put(end - 1000, data)
    return
  }
  const leak = leakAlarm(city, device, from, end)
  if (leak) past.alarms.push(leak)
  const since = keepsDay.has(device.family) ? from : end - hourMs
  const step =
    device.family === 'highFormwork'
      ? stepMs.pour
      : device.family === 'pileFoundation'
        ? stepMs.pile
        : device.family === 'videoAi'
          ? stepMs.beat
          : stepMs.sparse
  for (const sample of telemetryHistory(city, device.deviceSn, since, end, step / 1000)) put(sample.time, sample.data, sample.extra)
  for (const reported of recordHistory(city, device.deviceSn, from, end)) {
    const one = photographed(city, device, reported)
    record(one)
    const alarm = yardAlarm(device, one)
    if (alarm) past.alarms.push(alarm)
  }
}

/** Simulates a day: minute values, denser recently and around alarms, as evidence. */
function liveThrough(
  city: City,
  device: Device,
  from: number,
  end: number,
  now: number,
  put: (time: number, data: Record<string, unknown>) => void,
  record: (r: { time: number; record: string; data: Record<string, unknown> }) => void,
  alarms: PastAlarm[],
): void {
  const random = stream(city.seed, 'past', device.deviceSn, String(Math.floor(now / dayMs)))
  const moves = device.family === 'towerCrane' || device.family === 'lifter'
  const overloadsAt =
    device.behaviour === 'normal' && moves
      ? [from + random.int(1, 8) * hourMs, from + random.int(9, 18) * hourMs].filter(isShift).concat(now - random.int(20, 200) * 60_000)
      : []
  const machine: Machine = machineFor(city, device, {
    purpose: `past ${from}`,
    overloadsAt,
    dust:
      device.family === 'environment' && device.behaviour === 'normal'
        ? [{ from: now - 5 * hourMs, to: now - 4 * hourMs, pm10: 95 }]
        : undefined,
  })
  const rules = new PastRules(device)
  let recent: { time: number; data: Record<string, unknown> }[] = []
  let lastPut = Number.NEGATIVE_INFINITY
  // Aligned to the interval of rule evaluation: two-second steps from an odd second would never meet it. Earlier data belongs to the older history.
  const start = Math.ceil(from / stepMs.watch) * stepMs.watch
  const pace = (time: number) => (moves ? moveSeconds * 1000 : now - time < denseMs ? stepMs.dense : stepMs.usual)
  for (let time = start; time < end; time += pace(time)) {
    if (moves) {
      machine.step(moveSeconds, time)
      for (const one of machine.takeRecords?.() ?? []) record(one)
    }
    if (moves && time % stepMs.watch !== 0) continue
    const data = machine.telemetry(time)
    if (!data) continue
    const opened = rules.take(time, data, alarms)
    recent = recent.filter((r) => time - r.time <= 120_000)
    if (opened) for (const r of recent) if (r.time > lastPut - 120_000) put(r.time, r.data)
    const wanted = rules.isWatched(time) ? 0 : now - time < denseMs ? stepMs.dense : stepMs.usual
    if (opened || time - lastPut >= wanted) {
      put(time, data)
      lastPut = time
      recent = []
    } else recent.push({ time, data })
  }
}

async function writeRecords(client: Client, past: Past): Promise<void> {
  await client.query(
    `insert into device_record (device_id, project_code, ts, id, record, data, received_at)
     select device_id, project_code, ts, id, record, data, ts + interval '1 second'
     from jsonb_to_recordset($1::jsonb) as r(device_id text, project_code text, ts timestamptz, id text, record text, data jsonb) on conflict do nothing`,
    [
      JSON.stringify(
        past.records.map((r, i) => ({
          device_id: r.deviceId,
          project_code: r.projectCode,
          ts: new Date(r.time),
          id: `${r.record}:past${i}`,
          record: r.record,
          data: r.data,
        })),
      ),
    ],
  )
}

/** The newest reading of each device; silent devices are offline since then. */
async function writeLatest(client: Client, past: Past, ends: ReadonlyMap<string, number>, now: number): Promise<void> {
  const newest = new Map<string, Reading>()
  for (const { device, reading } of past.readings) {
    const before = newest.get(device.id)
    if (!before || reading.time > before.time) newest.set(device.id, reading)
  }
  const rows = [...newest].map(([id, r]) => {
    const end = ends.get(id) ?? now
    const online = end === now
    return {
      id,
      ts: new Date(r.time),
      received: new Date(online ? Math.max(r.receivedAt, now - 10_000) : r.receivedAt),
      v: { ...r.values, ...(r.unknown ?? {}) },
      quality: r.quality,
      online,
      since: new Date(online ? now - dayMs : end + 600_000),
    }
  })
  await client.query(
    `insert into device_latest (device_id, ts, received_at, v, quality, online, online_since)
     select id, ts, received, v, nullif(quality, 'null'), online, since
     from jsonb_to_recordset($1::jsonb) as r(id text, ts timestamptz, received timestamptz, v jsonb, quality jsonb, online boolean, since timestamptz)
     on conflict do nothing`,
    [JSON.stringify(rows)],
  )
  await client.query(
    `insert into device_event (device_id, ts, id, kind, data)
     select id, ts, 'offline', 'offline', data from jsonb_to_recordset($1::jsonb) as r(id text, ts timestamptz, data jsonb) on conflict do nothing`,
    [JSON.stringify(rows.filter((r) => !r.online).map((r) => ({ id: r.id, ts: r.since, data: { since: r.received.getTime() } })))],
  )
}

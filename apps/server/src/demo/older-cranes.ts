import { dayMs, hourMs, startOfShanghaiDay } from '@zhugong/contract/kit/time'
import { familyOf, offlineSecondsOf, storedOrder } from '@zhugong/contract/telemetry/families'
import type { City, Device } from '@zhugong/simulator/city-types'
import { machineFor } from '@zhugong/simulator/machines'
import { stream } from '@zhugong/simulator/random'
import type { copyLines, StoredReading } from '#domains/telemetry/store'
import { toReading } from './past-readings.ts'
import { type PastAlarm, PastRules } from './past-rules.ts'

const stepSeconds = 2
/** Interval of values evaluated by rules, and of those in the five-minute values. */
const watchMs = 10_000
const keptMs = 60_000
/** Drift of the idle tilt of each site's first crane over a month, to be found by the analysis. */
const drift = { degrees: 0.15, days: 30 }
/** Share of lifts without a recognised driver. */
const unrecognisedShare = 0.04

interface Row {
  device_id: string
  project_code: string
  ts: Date
  id: string
  record: string
  data: Record<string, unknown>
  received_at: Date
}
interface Event {
  device_id: string
  ts: Date
  id: string
  kind: 'offline' | 'online'
  data: Record<string, unknown>
}

export interface CraneDay {
  /** Only for the five-minute values. */
  readings: StoredReading[]
  /** Readings around alarms, kept as evidence. */
  evidence: StoredReading[]
  records: Row[]
  events: Event[]
  alarms: PastAlarm[]
}

/** Families whose monthly analysis needs history. */
const lifting: ReadonlySet<string> = new Set(['towerCrane', 'lifter'])

/** A past day of all cranes and lifts: lifts, offline periods with causes, alarms, and values by the minute. */
export function cranesOn(city: City, from: number, end: number, now: number): CraneDay {
  const day: CraneDay = { readings: [], evidence: [], records: [], events: [], alarms: [] }
  const sites = new Map<string, number>()
  for (const device of city.devices) {
    if (!lifting.has(device.family) || device.behaviour === 'notActivated') continue
    const place = `${device.projectCode}/${device.family}`
    const no = sites.get(place) ?? 0
    sites.set(place, no + 1)
    if (Date.parse(device.installTime) <= from) livePast(city, device, no, { from, end, now }, day)
  }
  return day
}

/** Offline periods of a crane on a day: switched off at night, or connection lost while working. */
function silences(city: City, device: Device, no: number, from: number): { from: number; to: number; power: boolean }[] {
  const random = stream(city.seed, 'older silence', device.deviceSn, String(Math.floor(from / dayMs)))
  const midnight = startOfShanghaiDay(from)
  const night = no % 3 === 0 ? [{ from: midnight + 22.5 * hourMs, to: midnight + 29.5 * hourMs, power: true }] : []
  const lost = midnight + random.int(8, 15) * hourMs
  return [...night, ...(random.chance(0.08) ? [{ from: lost, to: lost + random.int(20, 300) * 60_000, power: false }] : [])].filter(
    (one) => one.from >= from,
  )
}

function livePast(city: City, device: Device, no: number, span: { from: number; end: number; now: number }, day: CraneDay): void {
  const family = familyOf(device.family)
  const order = storedOrder(device.family)
  if (!family || !order) return
  const stored = { id: device.id, order } as StoredReading['device']
  const random = stream(city.seed, 'older crane', device.deviceSn, String(Math.floor(span.from / dayMs)))
  const overloadsAt = random.chance(0.4) ? [span.from + random.int(8, 17) * hourMs] : []
  const machine = machineFor(city, device, { purpose: `older ${span.from}`, overloadsAt })
  const quiet = silences(city, device, no, span.from)
  const isQuiet = (at: number) => quiet.find((one) => at >= one.from && at < one.to)
  const rules = new PastRules(device)
  const shift = no === 0 && device.family === 'towerCrane' ? -drift.degrees * Math.min(1, (span.now - span.from) / (drift.days * dayMs)) : 0
  for (let time = Math.ceil(span.from / watchMs) * watchMs; time < span.end; time += stepSeconds * 1000) {
    machine.step(stepSeconds, time)
    for (const one of machine.takeRecords?.() ?? []) record(one)
    if (time % watchMs !== 0) continue
    const reported = isQuiet(time) ? undefined : machine.telemetry(time)
    if (!reported) continue
    const data =
      shift !== 0 && typeof reported.tiltX === 'number'
        ? { ...reported, tiltX: Math.round((reported.tiltX + shift) * 100) / 100 }
        : reported
    const opened = rules.take(time, data, day.alarms)
    const reading = () => ({ device: stored, reading: toReading(family.metrics, time, data) })
    if (time % keptMs === 0) day.readings.push(reading())
    if (opened || rules.isWatched(time)) day.evidence.push(reading())
  }
  for (const one of quiet) tell(one)

  function record({ record: name, time, data }: { record: string; time: number; data: Record<string, unknown> }): void {
    const silent = isQuiet(time)
    // There are no lifts without power; records of a lost connection arrive when it is back.
    if (silent?.power || time >= span.end) return
    const { driverName: _name, driverId: _id, ...anonymous } = data
    const unknown = name === 'workingCycle' && random.chance(unrecognisedShare)
    put(name, time, unknown ? anonymous : data, silent ? silent.to + 60_000 : time + 1_000)
  }
  function put(name: string, time: number, data: Record<string, unknown>, receivedAt: number): void {
    day.records.push({
      device_id: device.id,
      project_code: device.projectCode,
      ts: new Date(time),
      id: `${name}:older${time}`,
      record: name,
      data,
      received_at: new Date(receivedAt),
    })
  }
  function tell(one: { from: number; to: number; power: boolean }): void {
    const noticed = one.from + offlineSecondsOf(family as NonNullable<typeof family>) * 1000
    if (one.power) {
      put('powerEvent', one.from, { time: new Date(one.from).toISOString(), operation: '0' }, one.from + 1_000)
      put('powerEvent', one.to, { time: new Date(one.to).toISOString(), operation: '1' }, one.to + 1_000)
    }
    // Ended before the offline limit.
    if (noticed >= one.to) return
    day.events.push(
      { device_id: device.id, ts: new Date(noticed), id: `older-off${one.from}`, kind: 'offline', data: { since: one.from } },
      { device_id: device.id, ts: new Date(one.to), id: `older-on${one.to}`, kind: 'online', data: {} },
    )
  }
}

type Client = Parameters<typeof copyLines>[0]

export async function writeCraneDay(client: Client, { records, events }: CraneDay): Promise<void> {
  await client.query(
    `insert into device_record (device_id, project_code, ts, id, record, data, received_at)
     select device_id, project_code, ts, id, record, data, received_at
     from jsonb_to_recordset($1::jsonb) as r(device_id text, project_code text, ts timestamptz, id text, record text, data jsonb, received_at timestamptz)
     on conflict do nothing`,
    [JSON.stringify(records)],
  )
  await client.query(
    `insert into device_event (device_id, ts, id, kind, data)
     select device_id, ts, id, kind, data from jsonb_to_recordset($1::jsonb) as e(device_id text, ts timestamptz, id text, kind text, data jsonb)
     on conflict do nothing`,
    [JSON.stringify(events)],
  )
}

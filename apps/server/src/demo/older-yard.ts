import { dayMs, hourMs } from '@zhugong/contract/kit/time'
import { familyOf, storedOrder } from '@zhugong/contract/telemetry/families'
import type { City, Device } from '@zhugong/simulator/city-types'
import { recordHistory } from '@zhugong/simulator/history'
import { machineFor } from '@zhugong/simulator/machines'
import { stream } from '@zhugong/simulator/random'
import { type Load, unloadingLoads } from '#domains/monitoring/cycles/unloading'
import type { copyLines, StoredReading } from '#domains/telemetry/store'
import { toReading } from './past-readings.ts'
import { type PastAlarm, PastRules } from './past-rules.ts'
import { leakAlarm, yardAlarm } from './yard-alarms.ts'
import { photographed } from './yard-photos.ts'

const stepMs = 60_000

interface Row {
  device_id: string
  project_code: string
  ts: Date
  id: string
  record: string
  data: Record<string, unknown>
}
interface Mended {
  device_id: string
  project_code: string
  ts: Date
  id: string
  action: string
  changes: { field: string; from: unknown; to: unknown }[]
  reason: string
  by_name: string
}

export interface YardDay {
  readings: StoredReading[]
  /** Single positions, for tracks. */
  positions: StoredReading[]
  records: Row[]
  /** Tickets corrected or voided. */
  mended: Mended[]
  alarms: PastAlarm[]
}

/** A past day of weighbridges, gate lanes and unloading platforms; with `tracked` also positions of trucks. */
export function yardOn(city: City, from: number, end: number, tracked = false): YardDay {
  const day: YardDay = { readings: [], positions: [], records: [], mended: [], alarms: [] }
  for (const device of city.devices) {
    if (device.behaviour !== 'normal' || Date.parse(device.installTime) > from) continue
    if (device.family === 'weighbridge' || device.family === 'truckAccess') pass(city, device, from, end, day)
    if (device.family === 'unloadingPlatform') load(city, device, from, end, day)
    const leak = leakAlarm(city, device, from, end)
    if (leak) day.alarms.push(leak)
    if (device.family === 'truckMonitor' && tracked) drive(city, device, from, end, day)
  }
  return day
}

const rowOf = (device: Device, record: string, time: number, data: Record<string, unknown>, no: number): Row => ({
  device_id: device.id,
  project_code: device.projectCode,
  ts: new Date(time),
  id: `${record}:older${time}-${no}`,
  record,
  data,
})

function pass(city: City, device: Device, from: number, end: number, day: YardDay): void {
  let no = 0
  for (const reported of recordHistory(city, device.deviceSn, from, end)) {
    const one = photographed(city, device, reported)
    const row = rowOf(device, one.record, one.time, one.data, no++)
    day.records.push(row)
    const alarm = yardAlarm(device, one)
    if (alarm) day.alarms.push(alarm)
    const mended = one.record === 'weighRecord' ? mend(row, no, Math.floor(from / dayMs)) : undefined
    if (mended) day.mended.push(mended)
  }
}

/** Deductions are entered every fourth day, and a ticket is voided every ninth. */
function mend(row: Row, no: number, dayNo: number): Mended | undefined {
  const base = { device_id: row.device_id, project_code: row.project_code, ts: row.ts, id: row.id, by_name: '司磅员' }
  if (no === 3 && dayNo % 4 === 0)
    return {
      ...base,
      action: 'save',
      changes: [{ field: 'deduction', from: row.data.deduction ?? 0, to: 0.3 }],
      reason: '含水率复测，补扣',
    }
  if (no === 5 && dayNo % 9 === 0)
    return { ...base, action: 'void', changes: [{ field: 'status', from: '2', to: '3' }], reason: '重复打印，以另一张为准' }
  return undefined
}

/** Minute values of a platform, the loads that the product's detector finds in them, and the alarms of its rules. */
function load(city: City, device: Device, from: number, end: number, day: YardDay): void {
  const family = familyOf(device.family)
  const order = storedOrder(device.family)
  if (!family || !order) return
  const random = stream(city.seed, 'older platform', device.deviceSn, String(Math.floor(from / dayMs)))
  const overloadsAt = random.chance(0.3) ? [from + random.int(8, 17) * hourMs] : []
  const machine = machineFor(city, device, { purpose: `older ${from}`, overloadsAt })
  const rules = new PastRules(device)
  let state: Load | null = null
  let no = 0
  for (let time = Math.ceil(from / stepMs) * stepMs; time < end; time += stepMs) {
    const values = machine.telemetry(time)
    if (!values) continue
    rules.take(time, values, day.alarms)
    day.readings.push({ device: { id: device.id, order } as StoredReading['device'], reading: toReading(family.metrics, time, values) })
    const step = unloadingLoads.step(state, { time, values }, device.params)
    state = step.state
    for (const one of step.found)
      day.records.push(rowOf(device, 'unloadingRecord', one.time, { ...one.data, teamName: teams[no % teams.length] }, no++))
  }
}
/** Positions of a truck by the minute. */
function drive(city: City, device: Device, from: number, end: number, day: YardDay): void {
  const family = familyOf(device.family)
  const order = storedOrder(device.family)
  if (!family || !order) return
  const machine = machineFor(city, device, { purpose: `older ${from}` })
  for (let time = Math.ceil(from / stepMs) * stepMs; time < end; time += stepMs) {
    const values = machine.telemetry(time)
    if (values)
      day.positions.push({ device: { id: device.id, order } as StoredReading['device'], reading: toReading(family.metrics, time, values) })
  }
}

const teams = ['木工一班', '架子二班', '钢筋一班', '木工二班']

type Client = Parameters<typeof copyLines>[0]

export async function writeYardDay(client: Client, { records, mended }: YardDay): Promise<void> {
  await client.query(
    `insert into device_record (device_id, project_code, ts, id, record, data, received_at)
     select device_id, project_code, ts, id, record, data, ts + interval '1 second'
     from jsonb_to_recordset($1::jsonb) as r(device_id text, project_code text, ts timestamptz, id text, record text, data jsonb) on conflict do nothing`,
    [JSON.stringify(records)],
  )
  const rows = mended.map((one) => ({
    ...one,
    fields: one.action === 'save' ? Object.fromEntries(one.changes.map(({ field, to }) => [field, to])) : {},
    void_reason: one.action === 'void' ? one.reason : null,
    change_id: `older-${one.device_id}-${one.ts.getTime()}`.slice(0, 40),
    at: new Date(one.ts.getTime() + hourMs),
  }))
  await client.query(
    `insert into weigh_ticket (device_id, ts, record_id, project_code, fields, void_reason)
     select device_id, ts, id, project_code, fields, void_reason
     from jsonb_to_recordset($1::jsonb) as t(device_id text, ts timestamptz, id text, project_code text, fields jsonb, void_reason text) on conflict do nothing`,
    [JSON.stringify(rows)],
  )
  await client.query(
    `insert into weigh_change (id, project_code, device_id, ts, record_id, at, action, changes, reason, by_name)
     select change_id, project_code, device_id, ts, id, at, action, changes, reason, by_name
     from jsonb_to_recordset($1::jsonb) as c(change_id text, project_code text, device_id text, ts timestamptz, id text, at timestamptz, action text,
       changes jsonb, reason text, by_name text) on conflict do nothing`,
    [JSON.stringify(rows)],
  )
}

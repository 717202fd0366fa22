import { dayMs } from '@zhugong/contract/kit/time'
import { familyOf } from '@zhugong/contract/telemetry/families'
import { sql } from 'kysely'
import type { Tx } from '#kit/db'
import { pick } from '#kit/pick'
import { type ReadingRow, toReading } from '../../readings/public.ts'
import type { DeviceRow } from './devices.ts'
import { numberOr, rounded, textOr } from './family.ts'
import { faultless } from './point-changes.ts'

/** A reading of a monitoring point. A device may measure one point (named in its parameters) or several (named in each reading). */
export interface PointReading {
  device: DeviceRow
  pointCode: string
  time: number
  receivedAt: number
  values: Record<string, unknown>
  quality: Record<string, string> | null
}

/** How far before a device's newest reading its other points are searched. */
const lookBack = sql`greatest(interval '1 hour', make_interval(secs => 2 * d.interval_seconds))`

/** The newest reading of each point of the given devices. */
export async function newestOfPoints(db: Tx, family: string, devices: readonly DeviceRow[]): Promise<PointReading[]> {
  const byId = new Map(devices.map((d) => [d.id, d]))
  const { rows } = await sql<ReadingRow>`
    select x.* from device_latest l join device d on d.id = l.device_id, lateral (
      select distinct on (t.extra ->> 'pointCode') t.device_id, t.ts, t.seq, t.received_at, t.schema_ver, t.v, t.w, t.extra, t.quality, t.flag
      from telemetry t where t.device_id = l.device_id and t.ts <= l.ts and t.ts > l.ts - ${lookBack} order by t.extra ->> 'pointCode', t.ts desc, t.received_at desc, t.seq desc) x
    where l.device_id = any (${devices.map((d) => d.id)})`.execute(db)
  return rows.flatMap((row) => {
    const device = byId.get(row.deviceId)
    return device ? [toPointReading(family, row, device)] : []
  })
}

export function toPointReading(family: string, row: ReadingRow, device: DeviceRow): PointReading {
  const reading = toReading(family, row)
  return {
    device,
    pointCode: textOr(reading.values.pointCode) ?? textOr(device.params.pointCode) ?? device.name,
    ...pick(reading, 'time', 'receivedAt', 'values', 'quality'),
  }
}

/** The metric of each point type. */
const pitMetrics: Readonly<Record<string, string>> = {
  topHorizontal: 'topHorizontalDisplacement',
  topVertical: 'topVerticalDisplacement',
  deepHorizontal: 'deepHorizontalDisplacement',
  column: 'columnSettlement',
  surface: 'surfaceSettlement',
  building: 'buildingSettlement',
  pipeline: 'pipelineSettlement',
  strutForce: 'strutForce',
  anchorForce: 'anchorForce',
  waterLevel: 'waterLevelChange',
  earthPressure: 'earthPressure',
  porePressure: 'porePressure',
  crack: 'crackWidth',
  tilt: 'tilt',
}
const pitFamily = familyOf('foundationPit')
/** The metric of a point's value; for the tilt of a building the first of its two directions. */
export const pitMetricOf = (type: string): string => (type === 'tilt' ? 'tiltX' : (pitMetrics[type] ?? 'surfaceSettlement'))
const pointTypes = pitFamily?.params.find((p) => p.key === 'pointType')?.values ?? {}
export const pitTypeName = (type: string): string => pointTypes[type] ?? type
export const pitUnit = (type: string): string => (type === 'tilt' ? '°' : (pitFamily?.metric(pitMetrics[type] ?? '')?.unit ?? ''))

export const pitTypeOf = (reading: Pick<PointReading, 'values' | 'device'>): string =>
  textOr(reading.values.pointType) ??
  textOr(reading.device.params.pointType) ??
  Object.keys(pitMetrics).find((type) => typeof reading.values[pitMetrics[type] ?? ''] === 'number') ??
  'surface'

export interface ProfilePoint {
  depth: number
  value: number
}

/** The inclinometer profile, if it was sent. */
export function profileOf(values: Readonly<Record<string, unknown>>): ProfilePoint[] {
  if (!Array.isArray(values.points)) return []
  return values.points.flatMap((point: unknown) => {
    if (typeof point !== 'object' || point === null) return []
    const { depth, deepHorizontalDisplacement } = point as Record<string, unknown>
    return typeof depth === 'number' && typeof deepHorizontalDisplacement === 'number' ? [{ depth, value: deepHorizontalDisplacement }] : []
  })
}

/** The value used to assess a point: for a profile its largest displacement, with sign. */
export function pitValue(type: string, values: Readonly<Record<string, unknown>>): number | null {
  if (type === 'tilt') {
    const [x, y] = [numberOr(values.tiltX), numberOr(values.tiltY)]
    return x === null && y === null ? null : rounded(Math.hypot(x ?? 0, y ?? 0), 3)
  }
  const own = numberOr(values[pitMetrics[type] ?? ''])
  const profile = type === 'deepHorizontal' ? profileOf(values) : []
  if (profile.length === 0) return own
  return profile.reduce((worst, p) => (Math.abs(p.value) > Math.abs(worst) ? p.value : worst), 0)
}

/** Minimum age in days of the reading that a rate is measured from. Shorter spans show the instrument's noise rather than movement. */
export const leastRateDays = 0.75

/** Movement per day, or null if the older reading is not old enough. */
export function ratePerDay(
  now: { time: number; value: number | null },
  before: { time: number; value: number | null } | undefined,
): number | null {
  if (!before || now.value === null || before.value === null) return null
  const days = (now.time - before.time) / dayMs
  return days >= leastRateDays ? rounded((now.value - before.value) / days, 3) : null
}

/** For each reading, the newest reading of the same point that is 0.75 to 3 days older. */
export async function olderReadings(db: Tx, family: string, of: readonly PointReading[]): Promise<(PointReading | undefined)[]> {
  if (of.length === 0) return []
  const { rows } = await sql<ReadingRow & { i: number }>`
    select u.i::int as i, t.* from unnest(${of.map((_, i) => i)}::int[], ${of.map((r) => r.device.id)}::text[], ${of.map((r) => new Date(r.time))}::timestamptz[],
      ${of.map((r) => textOr(r.values.pointCode))}::text[]) u(i, device_id, ts, point),
    lateral (
      select device_id, ts, seq, received_at, schema_ver, v, w, extra, quality, flag from telemetry o
      where o.device_id = u.device_id and o.ts <= u.ts - make_interval(secs => ${leastRateDays * 86_400}) and o.ts > u.ts - interval '3 days' and o.flag <> 2
        and ${faultless('o')} and (u.point is null or o.extra ->> 'pointCode' = u.point) order by o.ts desc limit 1) t`.execute(db)
  const found = new Map(rows.map((r) => [r.i, r]))
  return of.map((reading, i) => {
    const row = found.get(i)
    return row ? toPointReading(family, row, reading.device) : undefined
  })
}

import type { Sort } from '@zhugong/contract/kit/list'
import { dayMs } from '@zhugong/contract/kit/time'
import { storedOrder } from '@zhugong/contract/telemetry/families'
import { deviceFile } from '@zhugong/contract/telemetry/model'
import { sql } from 'kysely'
import type { Context } from '#kit/context'
import { allOf, type Condition, pageSlice } from '#kit/list'
import { rowOf } from '#kit/row-of'
import { toReading } from '../../readings/public.ts'
import { lastRecord, openAlarmsOf } from './device-records.ts'
import { type DeviceRow, familyRequired, getDeviceRow, limitsOf, toDeviceNow } from './devices.ts'
import { findFilteredLine, findFilteredReadings } from './filtered-readings.ts'
import { longest, type PeriodQuery, periodOf } from './period.ts'
import { type Range, within } from './record-fields.ts'
import { countReadings, findLine, findReadings } from './series.ts'

export async function infoOf(ctx: Context, row: DeviceRow) {
  const [alarms, limits, record] = await Promise.all([openAlarmsOf(ctx.db, row.id), limitsOf(ctx.db, row), lastRecord(ctx.db, row)])
  return { ...toDeviceNow(row), alarms, limits, lastRecord: record, now: ctx.clock.now() }
}

export async function fileOf(ctx: Context, row: DeviceRow) {
  return rowOf(deviceFile, row, {
    deviceId: row.id,
    deviceName: row.name,
    limits: await limitsOf(ctx.db, row),
  })
}

export interface LineQuery extends PeriodQuery {
  deviceId: string
  metrics?: string[] | undefined
  points: number
}

/**
 * A curve of one device; the last `usualMs` if the query has no period. `only` selects the readings of one cage or point, which the
 * five-minute values do not distinguish.
 */
export async function lineOf(
  ctx: Context,
  family: string,
  query: LineQuery,
  usual: readonly string[],
  only?: Condition,
  usualMs = 3_600_000,
) {
  const row = await getDeviceRow(ctx, query.deviceId, family)
  const kind = familyRequired(family)
  const metrics = (query.metrics?.length ? query.metrics : usual).filter((m) => kind.metric(m)).slice(0, 12)
  const period = periodOf(query, ctx.clock.now(), usualMs, only ? longest.readings : longest.line)
  const { list, bucketSeconds } = only
    ? await findFilteredLine(ctx.db, row.id, family, metrics, period, query.points, only)
    : await findLine(ctx.db, kind, row.id, metrics, period, query.points)
  return { row, list, total: list.length, bucketSeconds, period }
}

/** SQL condition for the metric ranges in a query; undefined if there are none. */
export function rangesWhere(family: string, query: Readonly<Record<string, unknown>>): Condition | undefined {
  const order = storedOrder(family)
  const requested = (order?.narrow ?? []).flatMap((metric, place) => within(sql`t.v[${sql.lit(place + 1)}]`, rangeIn(query[metric])))
  return requested.length > 0 ? allOf(...requested) : undefined
}
const rangeIn = (value: unknown): Range | undefined =>
  typeof value === 'object' && value !== null && ('low' in value || 'high' in value) ? (value as Range) : undefined

interface ReadingsQuery extends PeriodQuery {
  deviceId?: string | undefined
  sort?: Sort<'time'> | undefined
  page: number
  size: number
}

/** Readings of one device, newest first. Without a device the list is empty. */
export async function readingsOf(ctx: Context, family: string, query: ReadingsQuery, only?: Condition) {
  if (!query.deviceId) return { list: [], total: 0 }
  const row = await getDeviceRow(ctx, query.deviceId, family)
  const period = periodOf(query, ctx.clock.now(), dayMs, longest.readings)
  const slice = { ...pageSlice(query), falling: query.sort !== 'time' }
  const { rows, total } = only
    ? await findFilteredReadings(ctx.db, row.id, period, slice, only)
    : { rows: await findReadings(ctx.db, row.id, period, slice), total: await countReadings(ctx.db, row.id, period) }
  return { list: rows.map((r) => ({ ...toReading(family, r), deviceId: row.id, deviceName: row.name })), total }
}

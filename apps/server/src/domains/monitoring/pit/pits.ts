import type { Sort } from '@zhugong/contract/kit/list'
import { dayMs } from '@zhugong/contract/kit/time'
import * as calls from '@zhugong/contract/monitoring/pit/pit-live'
import { sql } from 'kysely'
import { projectsFor } from '#kit/context'
import { type Condition, condition, pageSlice } from '#kit/list'
import { rowOf } from '#kit/row-of'
import type { HandlerOf, Serve } from '#kit/serve'
import type { ListContext } from '../../exports/registry.ts'
import type { ReadingRow } from '../../readings/public.ts'
import { type DeviceRow, findDeviceRows, getDeviceRow } from '../shared/devices.ts'
import { devicesWhere, numberOr, rounded, textOr } from '../shared/family.ts'
import { infoOf } from '../shared/family-reads.ts'
import { periodOf } from '../shared/period.ts'
import {
  newestOfPoints,
  olderReadings,
  type PointReading,
  pitTypeName,
  pitTypeOf,
  pitUnit,
  pitValue,
  profileOf,
  ratePerDay,
  toPointReading,
} from '../shared/points.ts'
import { pitDays } from './pit-days.ts'
import { isManual, pitFamily, pitNameOf, pitState, placeOf, shareOf, worstOf } from './pit-of.ts'
import { pitStageRoutes } from './pit-stages.ts'

const family = pitFamily
/** A point silent for this many of its intervals counts as failed. */
const silentIntervals = 3

/** Why a point is excluded now, and since when. */
function damageOf(device: DeviceRow, pointCode: string): { since: number; reason: string } | null {
  const mark = device.points[pointCode]
  return mark?.damaged === undefined ? null : { since: mark.since, reason: mark.damaged }
}

export async function pointsNow(ctx: ListContext, devices: readonly DeviceRow[]) {
  const newest = await newestOfPoints(ctx.db, family, devices)
  const older = await olderReadings(ctx.db, family, newest)
  const spoken = new Set(newest.map((r) => r.device.id))
  const now = ctx.clock.now()
  const points = newest.map((reading, i) => {
    const { device } = reading
    const type = pitTypeOf(reading)
    const value = pitValue(type, reading.values)
    const before = older[i]
    const rate = ratePerDay({ time: reading.time, value }, before && { time: before.time, value: pitValue(type, before.values) })
    const control = numberOr(device.params.controlValue)
    const controlRate = numberOr(device.params.controlRate)
    const damaged = damageOf(device, reading.pointCode)
    const share = damaged ? null : shareOf(value, control)
    const rateShare = damaged ? null : shareOf(rate, controlRate)
    const isSilent = now - reading.time > Math.max(3_600_000, silentIntervals * Number(device.intervalSeconds) * 1000)
    return {
      ...placeOf(device),
      pointCode: reading.pointCode,
      pointType: type,
      pointTypeName: pitTypeName(type),
      unit: pitUnit(type),
      time: reading.time,
      cumulative: damaged ? null : value,
      ratePerDay: damaged ? null : rate,
      control,
      controlRate,
      share,
      rateShare,
      damaged,
      state: damaged ? ('damaged' as const) : pitState(share === null ? null : Math.max(share, rateShare ?? 0), isSilent),
      manual: isManual(reading),
      profile: profileOf(reading.values),
    }
  })
  const silent = devices
    .filter((d) => !spoken.has(d.id))
    .map((device) => {
      const type = textOr(device.params.pointType) ?? 'surface'
      const pointCode = textOr(device.params.pointCode) ?? device.name
      const damaged = damageOf(device, pointCode)
      return {
        ...placeOf(device),
        pointCode,
        pointType: type,
        pointTypeName: pitTypeName(type),
        unit: pitUnit(type),
        time: null,
        cumulative: null,
        ratePerDay: null,
        control: numberOr(device.params.controlValue),
        controlRate: numberOr(device.params.controlRate),
        share: null,
        rateShare: null,
        damaged,
        state: damaged ? ('damaged' as const) : ('silent' as const),
        manual: false,
        profile: [],
      }
    })
  return [...points, ...silent].sort((a, b) => worstOf(b) - worstOf(a) || (a.pointCode < b.pointCode ? -1 : 1))
}

function matrixOf(points: Awaited<ReturnType<typeof pointsNow>>) {
  return [...Map.groupBy(points, (p) => `${p.projectCode}/${p.pitName}/${p.pointType}`).values()]
    .flatMap(([first, ...rest]) => {
      if (!first) return []
      const all = [first, ...rest]
      const measured = all.filter((p) => worstOf(p) >= 0)
      const top = measured[0]
      return [
        rowOf(calls.pitShare, first, {
          points: all.length,
          worstShare: top ? worstOf(top) : null,
          worstPoint: top?.pointCode ?? null,
          lastTime: all.reduce<number | null>((t, p) => (p.time === null ? t : Math.max(t ?? 0, p.time)), null),
        }),
      ]
    })
    .sort((a, b) => (b.worstShare ?? -1) - (a.worstShare ?? -1))
}

interface PitQuery {
  deviceId?: string | undefined
  projectCode?: string | undefined
  pointCode?: string | undefined
  pointType?: string | undefined
  pitName?: string | undefined
  sort?: Sort<'time'> | undefined
  page: number
  size: number
  startTime?: string | undefined
  endTime?: string | undefined
}

/** Readings of points, newest first, each with its change since the previous one. */
export async function pitReadings(ctx: ListContext, query: PitQuery) {
  const period = periodOf(query, ctx.clock.now(), 7 * dayMs, 100 * dayMs)
  const { limit, offset } = pageSlice(query)
  const conditions: Condition[] = [
    devicesWhere(family, projectsFor(ctx, query.projectCode), query.deviceId),
    ...(query.pointCode ? [condition(sql`coalesce(t.extra ->> 'pointCode', d.params ->> 'pointCode') = ${query.pointCode}`)] : []),
    ...(query.pointType ? [condition(sql`coalesce(t.extra ->> 'pointType', d.params ->> 'pointType') = ${query.pointType}`)] : []),
  ]
  const where = sql`${sql.join(conditions, sql` and `)} and t.ts >= ${new Date(period.from)} and t.ts < ${new Date(period.to)}`
  const direction = query.sort === 'time' ? sql`asc` : sql`desc`
  const { rows } = await sql<ReadingRow>`
    select t.device_id, t.ts, t.seq, t.received_at, t.schema_ver, t.v, t.w, t.extra, t.quality, t.flag from device d join telemetry t on t.device_id = d.id
    where ${where} order by t.ts ${direction}, t.device_id, t.seq limit ${limit} offset ${offset}`.execute(ctx.db)
  const count = await sql<{
    n: number
  }>`select count(*)::int as n from device d join telemetry t on t.device_id = d.id where ${where}`.execute(ctx.db)
  const ids = new Set(rows.map((r) => r.deviceId))
  const devices = new Map(
    (await findDeviceRows(ctx.db, family, projectsFor(ctx, query.projectCode), query.deviceId ? { deviceId: query.deviceId } : {})).rows
      .filter((d) => ids.has(d.id))
      .map((d) => [d.id, d]),
  )
  const page = rows.flatMap((row): { row: ReadingRow; reading: PointReading }[] => {
    const device = devices.get(row.deviceId)
    return device ? [{ row, reading: toPointReading(family, row, device) }] : []
  })
  const all = page.map((p) => p.reading)
  const [older, previous] = [await olderReadings(ctx.db, family, all), await previousReadings(ctx, all)]
  return {
    list: page.map(({ row, reading }, i) => {
      const type = pitTypeOf(reading)
      const value = pitValue(type, reading.values)
      const before = older[i]
      const last = previous[i]
      const lastValue = last ? pitValue(type, last.values) : null
      const control = numberOr(reading.device.params.controlValue)
      return rowOf(calls.pitReading, reading, {
        id: `${reading.device.id}.${reading.time}.${row.seq}`,
        deviceId: reading.device.id,
        deviceName: reading.device.name,
        projectName: reading.device.projectName,
        pitName: pitNameOf(reading.device),
        pointType: type,
        value,
        change: value === null || lastValue === null ? null : rounded(value - lastValue, 3),
        cumulative: value,
        ratePerDay: ratePerDay({ time: reading.time, value }, before && { time: before.time, value: pitValue(type, before.values) }),
        control,
        share: shareOf(value, control),
        unit: pitUnit(type),
        source: isManual(reading) ? ('manual' as const) : row.flag === 1 ? ('late' as const) : ('device' as const),
        profile: profileOf(reading.values),
      })
    }),
    total: count.rows[0]?.n ?? 0,
  }
}

/** The previous reading of the same point for each reading. */
async function previousReadings(ctx: ListContext, of: readonly PointReading[]): Promise<(PointReading | undefined)[]> {
  if (of.length === 0) return []
  const { rows } = await sql<ReadingRow & { i: number }>`
    select u.i::int as i, t.* from unnest(${of.map((_, i) => i)}::int[], ${of.map((r) => r.device.id)}::text[], ${of.map((r) => new Date(r.time))}::timestamptz[],
      ${of.map((r) => textOr(r.values.pointCode))}::text[]) u(i, device_id, ts, point),
    lateral (
      select device_id, ts, seq, received_at, schema_ver, v, w, extra, quality, flag from telemetry o
      where o.device_id = u.device_id and o.ts < u.ts and o.ts > u.ts - interval '3 days' and (u.point is null or o.extra ->> 'pointCode' = u.point)
      order by o.ts desc limit 1) t`.execute(ctx.db)
  const found = new Map(rows.map((r) => [r.i, r]))
  return of.map((reading, i) => {
    const row = found.get(i)
    return row ? toPointReading(family, row, reading.device) : undefined
  })
}

export function pitRoutes(serve: Serve): void {
  serve(calls.pitInfo, pitInfo)
  serve(calls.pitRecords, pitRecords)
  pitStageRoutes(serve)
}

const pitInfo: HandlerOf<typeof calls.pitInfo> = async ({ params }, ctx) => {
  const row = await getDeviceRow(ctx, params.id, family)
  const { rows } = await findDeviceRows(ctx.db, family, [row.projectCode])
  const pit = rows.filter((r) => r.status === '1' && pitNameOf(r) === pitNameOf(row))
  return { ...(await infoOf(ctx, row)), pitName: pitNameOf(row), points: await pointsNow(ctx, pit), params: row.params }
}

const pitRecords: HandlerOf<typeof calls.pitRecords> = async ({ query }, ctx) => {
  if (!query.groupBy) return pitReadings(ctx, query)
  if (query.groupBy === 'day') return pitDayPage(ctx, query)
  const points = await pitPoints(ctx, query)
  const { limit, offset } = pageSlice(query)
  const list = query.groupBy === 'point' ? points : matrixOf(points)
  return { list: list.slice(offset, offset + limit), total: list.length }
}

interface PointsQuery {
  deviceId?: string | undefined
  projectCode?: string | undefined
  pointCode?: string | undefined
  pointType?: string | undefined
  pitName?: string | undefined
  state?: string[] | undefined
}

/** Points in use that the query selects, worst first. */
export async function pitPoints(ctx: ListContext, query: PointsQuery) {
  const points = await pointsNow(ctx, await pitDevices(ctx, query))
  return points.filter(
    (p) =>
      (!query.pointCode || p.pointCode === query.pointCode) &&
      (!query.pointType || p.pointType === query.pointType) &&
      (!query.state?.length || query.state.includes(p.state)),
  )
}

async function pitDevices(ctx: ListContext, query: PointsQuery): Promise<DeviceRow[]> {
  const { rows } = await findDeviceRows(
    ctx.db,
    family,
    projectsFor(ctx, query.projectCode),
    query.deviceId ? { deviceId: query.deviceId } : {},
  )
  return rows.filter((r) => r.status === '1' && (!query.pitName || pitNameOf(r) === query.pitName))
}

/** Longest period of a curve: each point and day is a row. */
const mostDays = 92
export async function pitDayPage(ctx: ListContext, query: PitQuery & { missing?: boolean | undefined }) {
  const period = periodOf(query, ctx.clock.now(), 30 * dayMs, mostDays * dayMs)
  const rows = (await pitDays(ctx, await pitDevices(ctx, query), period)).filter(
    (r) =>
      (!query.pointCode || r.pointCode === query.pointCode) &&
      (!query.pointType || r.pointType === query.pointType) &&
      (!query.missing || r.value === null),
  )
  if (query.sort !== 'time') rows.reverse()
  const { limit, offset } = pageSlice(query)
  return { list: rows.slice(offset, offset + limit), total: rows.length }
}

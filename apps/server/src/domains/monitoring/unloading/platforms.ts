import type { ParsedFor } from '@zhugong/contract/kit/endpoint'
import type { Sort } from '@zhugong/contract/kit/list'
import { dayMs } from '@zhugong/contract/kit/time'
import * as calls from '@zhugong/contract/monitoring/unloading/unloading-live'
import { familyOf, storedOrder } from '@zhugong/contract/telemetry/families'
import { sql } from 'kysely'
import { type Context, projectsFor } from '#kit/context'
import { contains, orderBy, pageSlice } from '#kit/list'
import type { HandlerOf, Serve } from '#kit/serve'
import type { ListContext } from '../../exports/registry.ts'
import { emptyBelow, loadedFrom } from '../cycles/unloading.ts'
import { toRecord } from '../shared/device-records.ts'
import { type DeviceRow, getDeviceRow } from '../shared/devices.ts'
import { numberOr, percentOf, todayStart } from '../shared/family.ts'
import { infoOf, lineOf, readingsOf } from '../shared/family-reads.ts'
import { cut, inRange, sorted } from '../shared/in-memory.ts'
import { periodOf } from '../shared/period.ts'
import { field, fieldTrue, isTrue, numericField, within } from '../shared/record-fields.ts'
import { findKeyedRecords, type RecordFilter, recordsWhere } from '../shared/records.ts'
import { lastMove, usualRatedLoad } from './platform-moves.ts'

const family = 'unloadingPlatform'
const usualMetrics = ['weight', 'weightPercent', 'tilt', 'batteryPercent']
const weightPlace = (storedOrder(family)?.narrow.indexOf('weight') ?? 0) + 1
const stayLimitSeconds = Number(familyOf(family)?.alarm('stayTooLong')?.forSeconds ?? 0) || 7_200

/** Start of the current load: back to the last empty reading. */
async function loadedSince(ctx: Context, row: DeviceRow): Promise<number | null> {
  const rated = numberOr(row.params.ratedLoad) ?? usualRatedLoad
  if (!row.ts || (numberOr(row.v?.weight) ?? 0) < loadedFrom(rated)) return null
  const { rows } = await sql<{ ts: Date | null }>`
    select min(t.ts) as ts from telemetry t where t.device_id = ${row.id} and t.ts > coalesce(
      (select max(e.ts) from telemetry e where e.device_id = ${row.id} and e.ts > ${new Date(row.ts.getTime() - dayMs)} and e.v[${sql.lit(weightPlace)}] < ${emptyBelow(rated)}),
      ${new Date(row.ts.getTime() - dayMs)})`.execute(ctx.db)
  return rows[0]?.ts?.getTime() ?? null
}

const overloaded = isTrue('overload')

async function sumsOf(ctx: Pick<Context, 'db'>, filter: RecordFilter) {
  const { rows } = await sql<{ loads: number; overloads: number; maxWeight: number | null; longestSeconds: number | null }>`
    select count(*)::int as loads, count(*) filter (where ${overloaded})::int as overloads, max(${numericField('maxWeight')}) as max_weight,
      max(${numericField('durationSeconds')}) as longest_seconds
    from device_record r join device d on d.id = r.device_id where ${recordsWhere(filter)}`.execute(ctx.db)
  const n = rows[0]
  return { loads: n?.loads ?? 0, overloads: n?.overloads ?? 0, maxWeight: n?.maxWeight ?? null, longestSeconds: n?.longestSeconds ?? 0 }
}

const today = (ctx: Context, row: DeviceRow) =>
  sumsOf(ctx, {
    record: 'unloadingRecord',
    projects: undefined,
    deviceId: row.id,
    period: { from: todayStart(ctx.clock.now()), to: ctx.clock.now() + 1 },
  })

async function loadGroups(ctx: ListContext, filter: RecordFilter, by: 'day' | 'team') {
  const day = sql`to_char(r.ts at time zone 'Asia/Shanghai', 'YYYY-MM-DD')`
  const key = by === 'day' ? sql`r.device_id` : sql`coalesce(${field('teamName')}, '')`
  const name = by === 'day' ? sql`max(d.name)` : sql`coalesce(max(${field('teamName')}), '未登记班组')`
  const { rows } = await sql<{
    key: string
    name: string
    projectName: string
    day: string
    loads: number
    overloads: number
    maxWeightPercent: number | null
    stayOver2h: number
    longestSeconds: number | null
    readings: number | null
    expected: number | null
    moves: number
  }>`
    select g.*, case when ${by === 'day'} then (select count(*)::int from platform_move m where m.device_id = g.key
        and m.moved_at >= (g.day || 'T00:00:00+08:00')::timestamptz and m.moved_at < (g.day || 'T00:00:00+08:00')::timestamptz + interval '1 day') else 0 end as moves,
      case when ${by === 'day'} then (select sum(n)::int from telemetry_5m t where t.device_id = g.key
      and t.ts >= (g.day || 'T00:00:00+08:00')::timestamptz and t.ts < (g.day || 'T00:00:00+08:00')::timestamptz + interval '1 day') end as readings
    from (
      select ${key} as key, ${name} as name, max(p.name) as project_name, ${by === 'day' ? day : sql`''`} as day, count(*)::int as loads,
        count(*) filter (where ${overloaded})::int as overloads, max(${numericField('maxWeightPercent')}) as max_weight_percent,
        count(*) filter (where ${numericField('durationSeconds')} > ${stayLimitSeconds})::int as "stayOver2h", max(${numericField('durationSeconds')}) as longest_seconds,
        max(86400 / d.interval_seconds)::float8 as expected
      from device_record r join device d on d.id = r.device_id join project p on p.project_code = r.project_code
      where ${recordsWhere(filter)} group by ${by === 'day' ? sql`1, 4` : sql`1`}) g
    order by g.overloads desc, g.day desc, g.key limit 5000`.execute(ctx.db)
  return rows.map(({ readings, expected, longestSeconds, ...r }) => ({
    ...r,
    longestSeconds: longestSeconds ?? 0,
    reportPercent: readings === null || !expected ? null : Math.min(100, percentOf(readings, expected)),
  }))
}

export function platformRoutes(serve: Serve): void {
  serve(calls.unloadingInfo, unloadingInfo)
  serve(calls.unloadingLine, async ({ query }, ctx) => {
    const { list, total, bucketSeconds } = await lineOf(ctx, family, query, usualMetrics)
    return { list, total, bucketSeconds }
  })
  serve(calls.unloadingRecords, unloadingRecords)
}

const unloadingInfo: HandlerOf<typeof calls.unloadingInfo> = async ({ params }, ctx) => {
  const row = await getDeviceRow(ctx, params.id, family)
  return {
    ...(await infoOf(ctx, row)),
    ratedLoad: numberOr(row.params.ratedLoad),
    installPlace: row.installPlace,
    loadedSince: await loadedSince(ctx, row),
    stayLimitSeconds,
    move: await lastMove(ctx.db, row.id),
    today: await today(ctx, row),
  }
}

type LoadQuery = ParsedFor<typeof calls.unloadingRecords>['query']
type LoadFilter = Omit<LoadQuery, 'kind' | 'groupBy' | 'sort'> & { sort?: string | undefined }

const filterOf = (ctx: ListContext, query: LoadFilter): RecordFilter => ({
  record: 'unloadingRecord',
  projects: projectsFor(ctx, query.projectCode),
  deviceId: query.deviceId,
  period: periodOf(query, ctx.clock.now(), 7 * dayMs, 100 * dayMs),
  where: [
    ...fieldTrue('overload', query.overload),
    ...contains('d.name', query.deviceName),
    ...within(numericField('maxWeight'), query.maxWeight),
    ...within(numericField('maxWeightPercent'), query.maxWeightPercent),
    ...within(numericField('durationSeconds'), query.durationSeconds),
  ],
})

const loadOrders = {
  time: 'r.ts!',
  maxWeightPercent: numericField('maxWeightPercent'),
  durationSeconds: numericField('durationSeconds'),
} as const
const isLoadOrder = (sort: string | undefined): sort is Sort<keyof typeof loadOrders> =>
  sort !== undefined && Object.hasOwn(loadOrders, sort.replace(/^-/, ''))

/** Loads, shared by list and export. */
export async function loadPage(ctx: ListContext, query: LoadFilter) {
  const filter = filterOf(ctx, query)
  const { rows, total } = await findKeyedRecords(
    ctx.db,
    filter,
    pageSlice(query),
    orderBy(isLoadOrder(query.sort) ? query.sort : undefined, loadOrders, '-time', 'r.device_id'),
  )
  return { list: rows.map(toRecord), total, sums: await sumsOf(ctx, filter) }
}

/** Loads by platform and day or by team, shared by lists and exports. */
export async function loadGroupPage(ctx: ListContext, query: LoadFilter, by: 'day' | 'team') {
  const groups = await loadGroups(ctx, filterOf(ctx, query), by)
  const wanted = groups.filter((one) => inRange(one.overloads, query.overloads) && inRange(one.stayOver2h, query.stayOver2h))
  return cut(isGroupOrder(query.sort) ? sorted(wanted, query.sort, groupOrders) : wanted, query)
}
type Group = Awaited<ReturnType<typeof loadGroups>>[number]
const groupOrders = {
  overloads: (r: Group) => r.overloads,
  maxWeightPercent: (r: Group) => r.maxWeightPercent,
  loads: (r: Group) => r.loads,
}
const isGroupOrder = (sort: string | undefined): sort is Sort<keyof typeof groupOrders> =>
  sort !== undefined && Object.hasOwn(groupOrders, sort.replace(/^-/, ''))

const unloadingRecords: HandlerOf<typeof calls.unloadingRecords> = async ({ query }, ctx) => {
  if (query.kind === 'reading') return readingsOf(ctx, family, { ...query, sort: query.sort === 'time' ? 'time' : '-time' })
  return query.groupBy ? loadGroupPage(ctx, query, query.groupBy) : loadPage(ctx, query)
}

import { AppError } from '@zhugong/contract/kit/errors'
import type { Sort } from '@zhugong/contract/kit/list'
import { dayMs } from '@zhugong/contract/kit/time'
import { ticketStatus, weighType } from '@zhugong/contract/monitoring/weigh/weigh-codes'
import { sql } from 'kysely'
import { found, projectsFor } from '#kit/context'
import { allOf, anywhere, type Condition, condition, equals, inProjects, orderBy, pageSlice } from '#kit/list'
import type { ListContext } from '../../exports/registry.ts'
import { recordKeySql } from '../shared/device-records.ts'
import { periodOf } from '../shared/period.ts'
import { within } from '../shared/record-fields.ts'
import { type RecordFilter, readRecordKey, recordColumns, recordsWhere, recordTables } from '../shared/records.ts'
import { type TicketRow, tonnes, toTicket } from './ticket.ts'
import '../tables.ts'

export const family = 'weighbridge'

export const record = 'weighRecord'

export const ticketColumns = sql`${recordColumns}, k.fields, k.pending, k.void_reason, k.version`

export const ticketTables = sql`${recordTables} left join weigh_ticket k on k.device_id = r.device_id and k.ts = r.ts and k.record_id = r.id`

/** A field's current value: the correction, else the device's value. */
export const now = (name: string) => sql<string>`coalesce(k.fields ->> ${sql.lit(name)}, r.data ->> ${sql.lit(name)})`

/** Only numeric values are used. */
export const nowNumber = (name: string) =>
  sql<number>`(case when jsonb_typeof(coalesce(k.fields -> ${sql.lit(name)}, r.data -> ${sql.lit(name)})) = 'number' then ${now(name)}::float8 end)`

export const actual = sql<number>`(${nowNumber('grossWeight')} - ${nowNumber('tareWeight')} - coalesce(${nowNumber('deduction')}, 0))`

export const isWhole = sql`${nowNumber('grossWeight')} > 0 and ${nowNumber('tareWeight')} > 0`

export const deviationShare = sql<number>`case when ${isWhole} and ${nowNumber('plannedWeight')} > 0 then (${actual} - ${nowNumber('plannedWeight')}) / ${nowNumber('plannedWeight')} * 100 end`

export const statusNow = sql<string>`case when k.void_reason is not null then '3' else coalesce(r.data ->> 'status', case when ${isWhole} then '2' else '1' end) end`

/** Waiting for the second weighing, not for approval. */
export const isWaiting = sql`(${statusNow} = '1' and k.pending is null)`

export const isManual = sql`coalesce(r.data ->> 'source', 'device') = 'manual'`

export const isShort = sql`coalesce(${deviationShare} <= -1, false)`

export const isVoid = sql`${statusNow} = '3'`

/** A complete delivery that no batch of materials names. */
const isUnlinked = sql`${statusNow} = ${ticketStatus.done} and ${now('direction')} = ${weighType.inward}
  and not exists (select from material_weigh l where l.weigh_id = ${recordKeySql})`

interface NumericRange {
  low?: number | undefined
  high?: number | undefined
}
export interface TicketQuery {
  projectCode?: string | undefined
  deviceId?: string | undefined
  billNo?: string | undefined
  plateNo?: string | undefined
  supplier?: string | undefined
  material?: string[] | undefined
  weighType?: string[] | undefined
  status?: string[] | undefined
  deviationState?: string[] | undefined
  isManual?: boolean | undefined
  unlinked?: boolean | undefined
  spec?: string | undefined
  actualWeight?: NumericRange | undefined
  deviationPercent?: NumericRange | undefined
  startTime?: string | undefined
  endTime?: string | undefined
}

export const nowContains = (name: string, value: string | undefined): Condition[] =>
  value ? [condition(sql`${now(name)} ilike ${anywhere(value)}`)] : []

export const nowAnyOf = (name: string, values: readonly string[] | undefined): Condition[] =>
  values?.length ? [condition(sql`${now(name)} = any (${[...values]})`)] : []

export function ticketsWhere(ctx: ListContext, query: TicketQuery): Condition {
  const filter: RecordFilter = {
    record,
    projects: projectsFor(ctx, query.projectCode),
    deviceId: query.deviceId,
    period: periodOf(query, ctx.clock.now(), 7 * dayMs, 400 * dayMs),
  }
  const states: Record<string, Condition> = {
    short: condition(isShort),
    over: condition(sql`coalesce(${deviationShare} >= 1, false)`),
    normal: condition(sql`coalesce(abs(${deviationShare}) < 1, false)`),
    none: condition(sql`${deviationShare} is null`),
  }
  const wanted = (query.deviationState ?? []).flatMap((s) => (Object.hasOwn(states, s) && states[s] ? [states[s]] : []))
  return allOf(
    recordsWhere(filter),
    ...nowContains('recordNo', query.billNo),
    ...nowContains('plateNo', query.plateNo),
    ...nowContains('supplier', query.supplier),
    ...nowContains('goodsSpec', query.spec),
    ...within(sql`case when ${isWhole} then ${actual} end`, query.actualWeight),
    ...within(deviationShare, query.deviationPercent),
    ...nowAnyOf('goodsName', query.material),
    ...nowAnyOf('direction', query.weighType),
    ...(query.status?.length ? [condition(sql`${statusNow} = any (${query.status})`)] : []),
    ...(wanted.length ? [condition(sql`(${sql.join(wanted, sql` or `)})`)] : []),
    ...(query.unlinked === undefined ? [] : [condition(sql`(${isUnlinked}) = ${query.unlinked}`)]),
    ...(query.isManual === undefined ? [] : [condition(sql`(${isManual}) = ${query.isManual}`)]),
  )
}

export async function sumsOf(ctx: ListContext, where: Condition) {
  const { rows } = await sql<{
    trucks: number
    actualWeight: number | null
    billWeight: number | null
    shortWeight: number | null
    shortTrucks: number
    waiting: number
    manual: number
  }>`
    select count(*) filter (where not ${isVoid})::int as trucks, sum(${actual}) filter (where ${isWhole} and not ${isVoid}) as actual_weight,
      sum(${nowNumber('plannedWeight')}) filter (where not ${isVoid}) as bill_weight,
      sum(${nowNumber('plannedWeight')} - ${actual}) filter (where ${isShort} and not ${isVoid}) as short_weight,
      count(*) filter (where ${isShort} and not ${isVoid})::int as short_trucks, count(*) filter (where ${isWaiting})::int as waiting,
      count(*) filter (where ${isManual} and not ${isVoid})::int as manual
    from ${ticketTables} where ${where}`.execute(ctx.db)
  const n = rows[0]
  return {
    trucks: n?.trucks ?? 0,
    // Rounded after summing: sums of rounded rows drift.
    actualWeight: tonnes(n?.actualWeight ?? 0),
    billWeight: tonnes(n?.billWeight ?? 0),
    shortWeight: tonnes(n?.shortWeight ?? 0),
    shortTrucks: n?.shortTrucks ?? 0,
    waiting: n?.waiting ?? 0,
    manual: n?.manual ?? 0,
  }
}

export async function ticketGroups(ctx: ListContext, where: Condition) {
  const { rows } = await sql<{
    supplier: string | null
    material: string | null
    trucks: number
    actualWeight: number | null
    billWeight: number | null
    billed: number | null
    mean: number | null
    worstId: string | null
    worstPercent: number | null
    manual: number
  }>`
    select supplier, material, count(*)::int as trucks, count(*) filter (where manual)::int as manual, sum(actual) as actual_weight, sum(planned) as bill_weight, sum(actual) filter (where planned is not null) as billed,
      avg(share) as mean, (array_agg(key order by share nulls last))[1] as worst_id, min(share) as worst_percent
    from (select ${now('supplier')} as supplier, ${now('goodsName')} as material, ${actual} as actual, ${nowNumber('plannedWeight')} as planned, ${deviationShare} as share, ${isManual} as manual,
        r.device_id || '.' || (extract(epoch from r.ts) * 1000)::bigint || '.' || left(md5(r.id), 8) as key
      from ${ticketTables} where ${where} and ${isWhole} and not ${isVoid}) t
    group by 1, 2 order by 4 desc nulls last limit 1000`.execute(ctx.db)
  return rows.map((r) => ({
    key: `${r.supplier ?? ''}/${r.material ?? ''}`,
    supplier: r.supplier ?? '',
    material: r.material ?? '',
    trucks: r.trucks,
    actualWeight: tonnes(r.actualWeight ?? 0),
    billWeight: tonnes(r.billWeight ?? 0),
    deviation: tonnes((r.billed ?? 0) - (r.billWeight ?? 0)),
    meanDeviationPercent: r.mean === null ? null : Math.round(r.mean * 100) / 100,
    worstId: r.worstPercent === null ? null : r.worstId,
    worstPercent: r.worstPercent === null ? null : Math.round(r.worstPercent * 100) / 100,
    manual: r.manual,
  }))
}

const sortable = {
  grossTime: now('grossTime'),
  time: 'r.ts!',
  actualWeight: actual,
  deviation: deviationShare,
  deviationPercent: deviationShare,
  plateNo: now('plateNo'),
  supplier: now('supplier'),
} as const

export async function findTickets(
  ctx: ListContext,
  where: Condition,
  query: { page: number; size: number; sort?: Sort<keyof typeof sortable> | undefined },
) {
  const { limit, offset } = pageSlice(query)
  const order = orderBy(query.sort, sortable, '-time', 'r.deviceId')
  const { rows } = await sql<TicketRow>`
    select ${ticketColumns} from ${ticketTables} where ${where} order by ${order}, r.ts desc, r.id limit ${limit} offset ${offset}`.execute(
    ctx.db,
  )
  const count = await sql<{ n: number }>`select count(*)::int as n from ${ticketTables} where ${where}`.execute(ctx.db)
  return { rows, total: count.rows[0]?.n ?? 0 }
}

export const scopeOf = (ctx: ListContext) => (ctx.scopeChecks && !ctx.scope.all ? ctx.scope.projects : undefined)

export async function ticketBy(ctx: ListContext, key: string): Promise<TicketRow> {
  const known = readRecordKey(key)
  if (!known) throw new AppError('notFound', '过磅记录不存在或已删除')
  const { rows } = await sql<TicketRow>`
    select ${ticketColumns} from ${ticketTables} where r.device_id = ${known.deviceId} and r.ts = ${known.at} and left(md5(r.id), 8) = ${known.mark}
      and ${allOf(...equals('r.record', record), ...inProjects('r.project_code', scopeOf(ctx)))}`.execute(ctx.db)
  return found(rows[0], '过磅记录')
}

type PageQuery = TicketQuery & { page: number; size: number; sort?: Sort<keyof typeof sortable> | undefined }

/** Tickets, shared by list and export. */
export async function ticketPage(ctx: ListContext, query: PageQuery) {
  const { rows, total } = await findTickets(ctx, ticketsWhere(ctx, query), query)
  return { list: rows.map((row) => toTicket(row, ctx.clock.now())), total }
}

export async function ticketGroupPage(ctx: ListContext, query: TicketQuery & { page: number; size: number }) {
  const groups = await ticketGroups(ctx, ticketsWhere(ctx, query))
  const { limit, offset } = pageSlice(query)
  return { list: groups.slice(offset, offset + limit), total: groups.length }
}

import { AppError } from '@zhugong/contract/kit/errors'
import * as calls from '@zhugong/contract/monitoring/weighing'
import { sql } from 'kysely'
import { mayAct } from '#kit/acts'
import { type Context, found, projectsFor, requireCode } from '#kit/context'
import { allOf, type Condition, equals, inProjects, pageSlice } from '#kit/list'
import type { Serve } from '#kit/serve'
import { getDeviceRow } from '../telemetry/views/public.ts'
import { dayMs, infoOf, numberOr, periodOf, textOr, todayStart } from './family.ts'
import { type RecordFilter, readRecordKey, recordColumns, recordsWhere, recordTables } from './records.ts'
import type { TicketFields } from './tables.ts'
import {
  auditedFields,
  currentFields,
  type TicketField,
  type TicketRow,
  ticketFields,
  ticketStatus,
  tonnes,
  toTicket,
  weights,
} from './ticket.ts'
import './tables.ts'

const family = 'weighbridge'
const record = 'weighRecord'

const ticketColumns = sql`${recordColumns}, k.fields, k.pending, k.void_reason, k.version`
const ticketTables = sql`${recordTables} left join weigh_ticket k on k.device_id = r.device_id and k.ts = r.ts and k.record_id = r.id`
/** A field as it holds now: the correction before the device's own. */
const now = (name: string) => sql<string>`coalesce(k.fields ->> ${sql.lit(name)}, r.data ->> ${sql.lit(name)})`
/** Only what is a number is weighed with. */
const nowNumber = (name: string) =>
  sql<number>`(case when jsonb_typeof(coalesce(k.fields -> ${sql.lit(name)}, r.data -> ${sql.lit(name)})) = 'number' then ${now(name)}::float8 end)`
const actual = sql<number>`(${nowNumber('grossWeight')} - ${nowNumber('tareWeight')} - coalesce(${nowNumber('deduction')}, 0))`
const isWhole = sql`${nowNumber('grossWeight')} > 0 and ${nowNumber('tareWeight')} > 0`
const deviationShare = sql<number>`case when ${isWhole} and ${nowNumber('plannedWeight')} > 0 then (${actual} - ${nowNumber('plannedWeight')}) / ${nowNumber('plannedWeight')} * 100 end`
const statusNow = sql<string>`case when k.void_reason is not null then '3' else coalesce(r.data ->> 'status', case when ${isWhole} then '2' else '1' end) end`
const isShort = sql`coalesce(${deviationShare} <= -1, false)`
const isVoid = sql`${statusNow} = '3'`

interface TicketQuery {
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
  startTime?: string | undefined
  endTime?: string | undefined
}

const nowContains = (name: string, value: string | undefined): Condition[] =>
  value ? [sql`${now(name)} ilike ${`%${value.replace(/[\\%_]/g, '\\$&')}%`}` as Condition] : []
const nowAnyOf = (name: string, values: readonly string[] | undefined): Condition[] =>
  values?.length ? [sql`${now(name)} = any (${[...values]})` as Condition] : []

function ticketsWhere(ctx: Context, query: TicketQuery): Condition {
  const filter: RecordFilter = {
    record,
    projects: projectsFor(ctx, query.projectCode),
    deviceId: query.deviceId,
    period: periodOf(query, ctx.clock.now(), 7 * dayMs, 400 * dayMs),
  }
  const states: Record<string, Condition> = {
    short: isShort as Condition,
    over: sql`coalesce(${deviationShare} >= 1, false)` as Condition,
    normal: sql`coalesce(abs(${deviationShare}) < 1, false)` as Condition,
    none: sql`${deviationShare} is null` as Condition,
  }
  const wanted = (query.deviationState ?? []).flatMap((s) => (Object.hasOwn(states, s) && states[s] ? [states[s]] : []))
  return allOf(
    recordsWhere(filter),
    ...nowContains('recordNo', query.billNo),
    ...nowContains('plateNo', query.plateNo),
    ...nowContains('supplier', query.supplier),
    ...nowAnyOf('goodsName', query.material),
    ...nowAnyOf('direction', query.weighType),
    ...(query.status?.length ? [sql`${statusNow} = any (${query.status})` as Condition] : []),
    ...(wanted.length ? [sql`(${sql.join(wanted, sql` or `)})` as Condition] : []),
    ...(query.isManual === undefined ? [] : [sql`(coalesce(r.data ->> 'source', 'device') = 'manual') = ${query.isManual}` as Condition]),
  )
}

async function sumsOf(ctx: Context, where: Condition) {
  const { rows } = await sql<{
    trucks: number
    actualWeight: number | null
    billWeight: number | null
    shortWeight: number | null
    shortTrucks: number
    waiting: number
  }>`
    select count(*) filter (where not ${isVoid})::int as trucks, sum(${actual}) filter (where ${isWhole} and not ${isVoid}) as actual_weight,
      sum(${nowNumber('plannedWeight')}) filter (where not ${isVoid}) as bill_weight,
      sum(${nowNumber('plannedWeight')} - ${actual}) filter (where ${isShort} and not ${isVoid}) as short_weight,
      count(*) filter (where ${isShort} and not ${isVoid})::int as short_trucks, count(*) filter (where ${statusNow} = '1')::int as waiting
    from ${ticketTables} where ${where}`.execute(ctx.db)
  const n = rows[0]
  return {
    trucks: n?.trucks ?? 0,
    // Summed first and rounded once: sums of rounded rows drift.
    actualWeight: tonnes(n?.actualWeight ?? 0),
    billWeight: tonnes(n?.billWeight ?? 0),
    shortWeight: tonnes(n?.shortWeight ?? 0),
    shortTrucks: n?.shortTrucks ?? 0,
    waiting: n?.waiting ?? 0,
  }
}

async function ticketGroups(ctx: Context, where: Condition) {
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
  }>`
    select supplier, material, count(*)::int as trucks, sum(actual) as actual_weight, sum(planned) as bill_weight, sum(actual) filter (where planned is not null) as billed,
      avg(share) as mean, (array_agg(key order by share nulls last))[1] as worst_id, min(share) as worst_percent
    from (select ${now('supplier')} as supplier, ${now('goodsName')} as material, ${actual} as actual, ${nowNumber('plannedWeight')} as planned, ${deviationShare} as share,
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
  }))
}

const sortable: Record<string, ReturnType<typeof sql>> = {
  grossTime: sql`${now('grossTime')}`,
  time: sql`r.ts`,
  actualWeight: actual,
  deviation: deviationShare,
  deviationPercent: deviationShare,
  plateNo: now('plateNo'),
  supplier: now('supplier'),
}

async function findTickets(ctx: Context, where: Condition, query: { page: number; size: number; sort?: string | undefined }) {
  const { limit, offset } = pageSlice(query)
  const name = query.sort?.replace(/^-/, '') ?? 'time'
  const column = Object.hasOwn(sortable, name) ? sortable[name] : undefined
  if (!column) throw new AppError('invalidInput', '不能按此列排序', { field: 'sort' })
  const direction = query.sort && !query.sort.startsWith('-') ? sql`asc nulls last` : sql`desc nulls last`
  const { rows } = await sql<TicketRow>`
    select ${ticketColumns} from ${ticketTables} where ${where} order by ${column} ${direction}, r.device_id, r.ts desc, r.id limit ${limit} offset ${offset}`.execute(
    ctx.db,
  )
  const count = await sql<{ n: number }>`select count(*)::int as n from ${ticketTables} where ${where}`.execute(ctx.db)
  return { rows, total: count.rows[0]?.n ?? 0 }
}

const scopeOf = (ctx: Context) => (ctx.scopeChecks && !ctx.scope.all ? ctx.scope.projects : undefined)

async function getTicket(ctx: Context, key: string): Promise<TicketRow> {
  const known = readRecordKey(key)
  if (!known) throw new AppError('notFound', '过磅记录不存在或已删除')
  const { rows } = await sql<TicketRow>`
    select ${ticketColumns} from ${ticketTables} where r.device_id = ${known.deviceId} and r.ts = ${known.at} and left(md5(r.id), 8) = ${known.mark}
      and ${allOf(...equals('r.record', record), ...inProjects('r.project_code', scopeOf(ctx)))}`.execute(ctx.db)
  return found(rows[0], '过磅记录')
}

/** Tickets of a plate around a passage: the bridge's and the camera's clocks may differ, and the difference is shown. */
export async function ticketsOfPlate(ctx: Context, projectCode: string, plateNo: string, time: number) {
  const aroundMs = 2 * 3_600_000
  const { rows } = await sql<TicketRow>`
    select ${ticketColumns} from ${ticketTables} where ${allOf(...equals('r.record', record), ...inProjects('r.project_code', [projectCode]))}
      and r.ts >= ${new Date(time - aroundMs)} and r.ts <= ${new Date(time + aroundMs)} and ${now('plateNo')} = ${plateNo} order by r.ts limit 20`.execute(
    ctx.db,
  )
  return rows.map((r) => {
    const ticket = toTicket(r, ctx.clock.now())
    return {
      id: ticket.id,
      billNo: ticket.billNo,
      time: ticket.time,
      actualWeight: ticket.actualWeight,
      differenceSeconds: Math.round((ticket.time - time) / 1000),
    }
  })
}

async function taresOf(ctx: Context, projectCode: string, plateNo: string, most: number) {
  const { rows } = await sql<{ key: string; ts: Date; tare: number }>`
    select r.device_id || '.' || (extract(epoch from r.ts) * 1000)::bigint || '.' || left(md5(r.id), 8) as key, r.ts, ${nowNumber('tareWeight')} as tare from ${ticketTables}
    where ${allOf(...equals('r.record', record), ...inProjects('r.project_code', [projectCode]))} and r.ts > ${new Date(ctx.clock.now() - 100 * dayMs)}
      and ${now('plateNo')} = ${plateNo} and ${nowNumber('tareWeight')} > 0 order by r.ts desc limit ${most}`.execute(ctx.db)
  return rows.map((r) => ({ id: r.key, time: r.ts.getTime(), tareWeight: r.tare }))
}

interface ChangeRow {
  id: string
  at: Date
  action: string
  changes: { field: string; from: unknown; to: unknown }[]
  reason: string
  byName: string
}

const labelOf = (field: string): string => Object.values(ticketFields).find((f) => f.device === field)?.label ?? field
const worded = (value: unknown): string => (value === null || value === undefined || value === '' ? '--' : String(value))
const toChanges = (changes: ChangeRow['changes']) =>
  changes.map((c) => ({ field: c.field, label: labelOf(c.field), from: worded(c.from), to: worded(c.to) }))

async function logOf(ctx: Context, row: TicketRow) {
  const { rows } = await sql<ChangeRow>`
    select id, at, action, changes, reason, by_name from weigh_change where device_id = ${row.deviceId} and ts = ${row.ts} and record_id = ${row.id}
    order by at, id limit 200`.execute(ctx.db)
  return rows.map((r) => ({
    id: r.id,
    time: r.at.getTime(),
    action: r.action,
    byName: r.byName,
    reason: r.reason,
    changes: toChanges(r.changes),
  }))
}

/** The neighbours on the same bridge. */
async function neighbours(ctx: Context, row: TicketRow) {
  const next = async (later: boolean) => {
    const { rows } = await sql<{ key: string }>`
      select r.device_id || '.' || (extract(epoch from r.ts) * 1000)::bigint || '.' || left(md5(r.id), 8) as key from device_record r
      where r.device_id = ${row.deviceId} and r.record = ${record} and r.ts ${later ? sql`>` : sql`<`} ${row.ts} order by r.ts ${later ? sql`asc` : sql`desc`} limit 1`.execute(
      ctx.db,
    )
    return rows[0]?.key ?? null
  }
  return { previousId: await next(false), nextId: await next(true) }
}

type Action = 'save' | 'approve' | 'reject' | 'void'
const codeOf: Record<Action, string> = {
  save: 'weighbridge.edit',
  approve: 'weighbridge.audit',
  reject: 'weighbridge.audit',
  void: 'weighbridge.void',
}

function actionsFor(ctx: Context, row: TicketRow): Action[] {
  if (row.voidReason !== null || row.data.settled === true) return []
  if (!mayAct(ctx, calls.correctTicket.acts, { projectCode: row.projectCode })) return []
  return (Object.keys(codeOf) as Action[]).filter((action) => {
    if (!ctx.codes.has(codeOf[action])) return false
    return action === 'approve' || action === 'reject' ? row.pending !== null : true
  })
}

/** What a ticket would come to must still be a weighing. Throws AppError otherwise. */
function requireSense(data: Readonly<Record<string, unknown>>): void {
  const w = weights(data)
  if (w.gross !== null && w.tare !== null && w.gross > 0 && w.tare > 0 && w.gross <= w.tare)
    throw new AppError('invalidInput', '毛重应大于皮重', { field: 'grossWeight' })
  if (w.net !== null && w.deduction > w.net) throw new AppError('invalidInput', '扣重不能超过净重', { field: 'deductWeight' })
}

interface Correction {
  action: Action
  version?: number | undefined
  reason: string
  [field: string]: unknown
}

/**
 * Corrects a ticket without hiding anything: who, when, what from what to what, and why. Weights and plate wait for approval, the rest
 * holds at once.
 */
async function correct(ctx: Context, row: TicketRow, body: Correction): Promise<void> {
  if (row.data.settled === true) throw new AppError('refused', '已结算，不可修改')
  if (row.voidReason !== null) throw new AppError('refused', '磅单已作废')
  if (body.version !== undefined && body.version !== (row.version ?? 0)) {
    const last = (await logOf(ctx, row)).at(-1)
    throw new AppError('conflict', `${last?.byName ?? '其他人'}刚刚修改过这张磅单，请刷新后再试`, { version: row.version ?? 0 })
  }
  const before = currentFields(row)
  const fields: TicketFields = { ...(row.fields ?? {}) }
  let pending = row.pending
  let voidReason: string | null = null
  let changes: ChangeRow['changes'] = []
  if (body.action === 'save') {
    const asked = (Object.keys(ticketFields) as TicketField[]).filter((name) => body[name] !== undefined)
    const changed = asked.filter((name) => worded(before[ticketFields[name].device]) !== worded(body[name]))
    if (changed.length === 0) throw new AppError('invalidInput', '没有要修改的内容')
    const after = { ...before, ...Object.fromEntries(changed.map((name) => [ticketFields[name].device, body[name]])) }
    requireSense(after)
    changes = changed.map((name) => ({ field: ticketFields[name].device, from: before[ticketFields[name].device] ?? null, to: body[name] }))
    const waits = changed.filter((name) => auditedFields.includes(name))
    for (const name of changed) if (!waits.includes(name)) fields[ticketFields[name].device] = body[name] as string | number
    if (waits.length) {
      if (pending) throw new AppError('refused', '上一次修改还在等待审批')
      pending = {
        fields: Object.fromEntries(waits.map((name) => [ticketFields[name].device, body[name] as string | number])),
        reason: body.reason,
        byName: ctx.user.name,
        at: ctx.clock.now(),
      }
    }
  } else if (body.action === 'void') {
    voidReason = body.reason
    changes = [{ field: 'status', from: ticketStatus.done, to: ticketStatus.void }]
  } else {
    if (!pending) throw new AppError('refused', '没有等待审批的修改')
    changes = Object.entries(pending.fields).map(([field, to]) => ({ field, from: before[field] ?? null, to }))
    if (body.action === 'approve') {
      if (pending.byName === ctx.user.name) throw new AppError('refused', '不能审批自己的修改')
      requireSense({ ...before, ...pending.fields })
      Object.assign(fields, pending.fields)
    }
    pending = null
  }
  await sql`
    insert into weigh_ticket as k (device_id, ts, record_id, project_code, fields, pending, void_reason)
    values (${row.deviceId}, ${row.ts}, ${row.id}, ${row.projectCode}, ${JSON.stringify(fields)}::jsonb, ${pending ? JSON.stringify(pending) : null}::jsonb, ${voidReason})
    on conflict (device_id, ts, record_id) do update set fields = excluded.fields, pending = excluded.pending, void_reason = excluded.void_reason, version = k.version + 1`.execute(
    ctx.db,
  )
  await sql`
    insert into weigh_change (id, project_code, device_id, ts, record_id, at, action, changes, reason, by_name)
    values (${ctx.newId()}, ${row.projectCode}, ${row.deviceId}, ${row.ts}, ${row.id}, ${new Date(ctx.clock.now())}, ${body.action}, ${JSON.stringify(changes)}::jsonb,
      ${body.reason}, ${ctx.user.name})`.execute(ctx.db)
}

const actionNames: Record<Action, string> = { save: '修改磅单', approve: '同意磅单修改', reject: '退回磅单修改', void: '作废磅单' }

export function weighingRoutes(serve: Serve): void {
  serve(calls.listTickets, async ({ query }, ctx) => {
    const where = ticketsWhere(ctx, query)
    const sums = await sumsOf(ctx, where)
    if (query.groupBy) {
      const groups = await ticketGroups(ctx, where)
      const { limit, offset } = pageSlice(query)
      return { list: groups.slice(offset, offset + limit), total: groups.length, sums }
    }
    const { rows, total } = await findTickets(ctx, where, query)
    return { list: rows.map((r) => toTicket(r, ctx.clock.now())), total, sums }
  })
  serve(calls.getTicket, async ({ params }, ctx) => {
    const row = await getTicket(ctx, params.id)
    const before = currentFields(row)
    const plate = textOr(before.plateNo)
    const { driverIdCard: _idCard, ...device } = row.data
    return {
      ...toTicket(row, ctx.clock.now()),
      device,
      pending: row.pending
        ? {
            changes: toChanges(Object.entries(row.pending.fields).map(([field, to]) => ({ field, from: before[field] ?? null, to }))),
            reason: row.pending.reason,
            byName: row.pending.byName,
            time: row.pending.at,
          }
        : null,
      voidReason: row.voidReason,
      log: await logOf(ctx, row),
      lastTares: plate ? await taresOf(ctx, row.projectCode, plate, 10) : [],
      ...(await neighbours(ctx, row)),
      actions: actionsFor(ctx, row),
    }
  })
  serve(calls.correctTicket, async ({ params, body }, ctx) => {
    requireCode(ctx, codeOf[body.action])
    const row = await getTicket(ctx, params.id)
    await correct(ctx, row, body)
    ctx.note(`${actionNames[body.action]}：${toTicket(row, ctx.clock.now()).billNo}（${body.reason}）`, row.key)
    return toTicket(await getTicket(ctx, params.id), ctx.clock.now())
  })
  serve(calls.ticketDay, async ({ params, query }, ctx) => {
    const device = await getDeviceRow(ctx, params.id, family)
    const period = periodOf(
      { ...query, startTime: query.startTime ?? new Date(todayStart(ctx.clock.now())).toISOString() },
      ctx.clock.now(),
      dayMs,
      100 * dayMs,
    )
    const where = recordsWhere({ record, projects: undefined, deviceId: device.id, period })
    const days = await sql<{ day: string; trucks: number; actualWeight: number | null; shortTrucks: number; waiting: number }>`
      select to_char(r.ts at time zone 'Asia/Shanghai', 'YYYY-MM-DD') as day, count(*) filter (where not ${isVoid})::int as trucks,
        sum(${actual}) filter (where ${isWhole} and not ${isVoid}) as actual_weight, count(*) filter (where ${isShort} and not ${isVoid})::int as short_trucks,
        count(*) filter (where ${statusNow} = '1')::int as waiting
      from ${ticketTables} where ${where} group by 1 order by 1`.execute(ctx.db)
    const hours = await sql<{ hour: number; trucks: number }>`
      select extract(hour from r.ts at time zone 'Asia/Shanghai')::int as hour, count(*)::int as trucks from ${ticketTables} where ${where} and not ${isVoid} group by 1 order by 1`.execute(
      ctx.db,
    )
    const groups = await ticketGroups(ctx, where)
    return {
      deviceId: device.id,
      days: days.rows.map((d) => ({ ...d, actualWeight: tonnes(d.actualWeight ?? 0) })),
      hours: hours.rows,
      materials: groups.map((g) => ({
        supplier: g.supplier,
        material: g.material,
        trucks: g.trucks,
        billWeight: g.billWeight,
        actualWeight: g.actualWeight,
        deviation: g.deviation,
      })),
    }
  })
  serve(calls.scaleInfo, async ({ params }, ctx) => {
    const row = await getDeviceRow(ctx, params.id, family)
    const time = ctx.clock.now()
    const own = (period: { from: number; to: number }) => recordsWhere({ record, projects: undefined, deviceId: row.id, period })
    const last = await findTickets(ctx, own({ from: time - 7 * dayMs, to: time + 1 }), { page: 1, size: 1 })
    const sums = await sumsOf(ctx, own({ from: todayStart(time), to: time + 1 }))
    const plate = textOr(row.v?.plateNo)
    const tares = plate ? await taresOf(ctx, row.projectCode, plate, 5) : []
    const waiting = plate
      ? await findTickets(
          ctx,
          allOf(own({ from: time - dayMs, to: time + 1 }), sql`${now('plateNo')} = ${plate} and ${statusNow} = '1'` as Condition),
          { page: 1, size: 1 },
        )
      : undefined
    return {
      ...(await infoOf(ctx, row)),
      maxCapacity: numberOr(row.params.maxCapacity),
      truck: plate
        ? {
            plateNo: plate,
            tares: tares.map((t) => t.tareWeight),
            meanTare: tares.length ? tonnes(tares.reduce((sum, t) => sum + t.tareWeight, 0) / tares.length) : null,
            waitingId: waiting?.rows[0]?.key ?? null,
          }
        : null,
      lastTicket: last.rows[0] ? toTicket(last.rows[0], time) : null,
      today: { trucks: sums.trucks, actualWeight: sums.actualWeight, waiting: sums.waiting, shortTrucks: sums.shortTrucks },
    }
  })
}

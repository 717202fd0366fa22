import { dayMs } from '@zhugong/contract/kit/time'
import * as calls from '@zhugong/contract/monitoring/weigh/weighing'
import { sql } from 'kysely'
import { type Context, requireCode } from '#kit/context'
import { allOf, condition, equals, inProjects } from '#kit/list'
import { pick } from '#kit/pick'
import type { HandlerOf, Serve } from '#kit/serve'
import { fileIdsOf, shownLinks } from '../../files/public.ts'
import { getDeviceRow } from '../shared/devices.ts'
import { numberOr, textOr, todayStart } from '../shared/family.ts'
import { infoOf } from '../shared/family-reads.ts'
import { periodOf } from '../shared/period.ts'
import { recordsWhere } from '../shared/records.ts'
import { manualWeighing } from './manual-weighing.ts'
import { currentFields, type TicketRow, tonnes, toTicket } from './ticket.ts'
import { actionNames, actionsFor, codeOf, correct } from './ticket-correction.ts'
import { logOf, ticketFiles, toChanges } from './ticket-log.ts'
import {
  actual,
  family,
  findTickets,
  isShort,
  isVoid,
  isWaiting,
  isWhole,
  now,
  nowNumber,
  record,
  sumsOf,
  ticketBy,
  ticketColumns,
  ticketGroupPage,
  ticketGroups,
  ticketPage,
  ticketsWhere,
  ticketTables,
} from './ticket-store.ts'

export function weighingRoutes(serve: Serve): void {
  serve(calls.listTickets, listTickets)
  serve(calls.getTicket, getTicket)
  serve(calls.correctTicket, correctTicket)
  serve(calls.manualWeighing, manualWeighing)
  serve(calls.ticketDay, ticketDay)
  serve(calls.scaleInfo, scaleInfo)
}

/** Tickets of a plate around a passage: clocks of bridge and camera may differ, and the difference is shown. */
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
      ...pick(ticket, 'id', 'billNo', 'time', 'actualWeight'),
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

/** Previous and next ticket on the same bridge. */
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

const listTickets: HandlerOf<typeof calls.listTickets> = async ({ query }, ctx) => ({
  ...(query.groupBy ? await ticketGroupPage(ctx, query) : await ticketPage(ctx, query)),
  sums: await sumsOf(ctx, ticketsWhere(ctx, query)),
})

const getTicket: HandlerOf<typeof calls.getTicket> = async ({ params }, ctx) => {
  const row = await ticketBy(ctx, params.id)
  const before = currentFields(row)
  const plate = textOr(before.plateNo)
  const { driverIdCard: _idCard, ...device } = row.data
  const ticket = toTicket(row, ctx.clock.now())
  const log = await logOf(ctx, row)
  const own = new Set(await ticketFiles(ctx, ticket, log))
  return {
    ...ticket,
    device,
    pending: row.pending
      ? {
          changes: toChanges(Object.entries(row.pending.fields).map(([field, to]) => ({ field, from: before[field] ?? null, to }))),
          reason: row.pending.reason,
          byName: row.pending.byName,
          time: row.pending.at,
        }
      : null,
    photos: shownLinks(
      ctx,
      ticket.photos.filter((one) => /^https?:\/\//.test(one) || fileIdsOf([one]).some((id) => own.has(id))),
    ),
    voidReason: row.voidReason,
    log,
    lastTares: plate ? await taresOf(ctx, row.projectCode, plate, 10) : [],
    ...(await neighbours(ctx, row)),
    actions: actionsFor(ctx, row),
  }
}

const correctTicket: HandlerOf<typeof calls.correctTicket> = async ({ params, body }, ctx) => {
  requireCode(ctx, codeOf[body.action])
  const row = await ticketBy(ctx, params.id)
  await correct(ctx, row, body)
  ctx.note(`${actionNames[body.action]}：${toTicket(row, ctx.clock.now()).billNo}（${body.reason}）`, row.key)
  return toTicket(await ticketBy(ctx, params.id), ctx.clock.now())
}

const ticketDay: HandlerOf<typeof calls.ticketDay> = async ({ params, query }, ctx) => {
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
      count(*) filter (where ${isWaiting})::int as waiting
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
      ...pick(g, 'supplier', 'material', 'trucks', 'billWeight', 'actualWeight', 'deviation'),
    })),
  }
}

const scaleInfo: HandlerOf<typeof calls.scaleInfo> = async ({ params }, ctx) => {
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
        allOf(own({ from: time - dayMs, to: time + 1 }), condition(sql`${now('plateNo')} = ${plate} and ${isWaiting}`)),
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
}

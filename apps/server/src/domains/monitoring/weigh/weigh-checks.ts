import { AppError } from '@zhugong/contract/kit/errors'
import * as calls from '@zhugong/contract/monitoring/weigh/weigh-checks'
import { ticketStatus } from '@zhugong/contract/monitoring/weigh/weigh-codes'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import { type Context, projectsFor } from '#kit/context'
import { pageSlice } from '#kit/list'
import type { HandlerOf, Serve } from '#kit/serve'
import { rounded } from '../shared/family.ts'
import { toTicket } from './ticket.ts'
import { ticketBy } from './ticket-store.ts'

/** Checks of doubtful weighings: result and deduction. */
export function weighCheckRoutes(serve: Serve): void {
  serve(calls.listWeighChecks, listWeighChecks)
  serve(calls.checkTicket, checkTicket)
}

interface Row extends Omit<calls.WeighCheck, 'time'> {
  createTime: Date
}
const columns = sql`c.id, c.outcome, c.short_weight, c.unit_price::float8 as unit_price, c.amount::float8 as amount, c.again_key as again_id, c.again_weight, c.reason,
  c.by_name, c.create_time`
const toCheck = ({ createTime, ...row }: Row): calls.WeighCheck => ({ ...row, time: createTime.getTime() })

async function ticketIn(ctx: Context, projectCode: string, id: string, field: string) {
  const row = await ticketBy(ctx, id)
  if (!(projectsFor(ctx, projectCode) ?? [row.projectCode]).includes(row.projectCode))
    throw new AppError('invalidInput', '磅单不属于所选项目', { field })
  return { row, ticket: toTicket(row, ctx.clock.now()) }
}

const listWeighChecks: HandlerOf<typeof calls.listWeighChecks> = async ({ query }, ctx) => {
  const { row } = await ticketIn(ctx, query.projectCode, query.ticketId, 'ticketId')
  const { limit, offset } = pageSlice(query)
  const { rows } = await sql<Row & { total: number }>`select ${columns}, count(*) over ()::int as total from weigh_check c
    where c.device_id = ${row.deviceId} and c.ts = ${row.ts} and c.record_id = ${row.id} order by c.create_time desc, c.id desc limit ${limit} offset ${offset}`.execute(
    ctx.db,
  )
  return { list: rows.map(({ total: _total, ...one }) => toCheck(one)), total: rows[0]?.total ?? 0 }
}

const checkTicket: HandlerOf<typeof calls.checkTicket> = async ({ query, body }, ctx) => {
  const { row, ticket } = await ticketIn(ctx, query.projectCode, body.ticketId, 'ticketId')
  if (row.data.settled === true) throw new AppError('refused', '已结算，不可核实')
  if (ticket.status === ticketStatus.void) throw new AppError('refused', '磅单已作废')
  if (ticket.actualWeight === null) throw new AppError('refused', '还没有完成两次过磅，不能核实')
  const short = shortOf(body, ticket)
  const again = await againOf(ctx, query.projectCode, body, ticket)
  const id = ctx.newId()
  const { rows } =
    await sql<Row>`insert into weigh_check as c (id, project_code, device_id, ts, record_id, outcome, short_weight, unit_price, amount, again_key, again_weight,
      reason, by_name, create_time)
    values (${id}, ${row.projectCode}, ${row.deviceId}, ${row.ts}, ${row.id}, ${body.outcome}, ${short?.weight ?? null}, ${short?.price ?? null}, ${short?.amount ?? null},
      ${again?.id ?? null}, ${again?.actualWeight ?? null}, ${body.reason}, ${ctx.user.name}, ${new Date(ctx.clock.now())}) returning ${columns}`.execute(
      ctx.db,
    )
  const worth = short ? ` ${short.weight} t，${short.amount.toFixed(2)} 元` : again ? ` ${again.billNo} ${again.actualWeight} t` : ''
  ctx.note(`核实磅单 ${ticket.billNo}：${calls.weighOutcomes[body.outcome]}${worth}（${body.reason}）`, row.key)
  const [kept] = rows
  if (!kept) throw new Error('nothing was kept')
  return toCheck(kept)
}

type Body = NonNullable<(typeof calls.checkTicket)['types']>['parsed']['body']
type Ticket = ReturnType<typeof toTicket>

/** Shortage of a delivery and its value. */
function shortOf({ outcome, unitPrice }: Body, { billWeight, actualWeight }: Ticket) {
  if (outcome !== 'short' || unitPrice === null) return undefined
  const weight = billWeight === null || actualWeight === null ? 0 : rounded(billWeight - actualWeight, 3)
  if (weight <= 0) throw new AppError('refused', '实重不少于面单，没有可扣的短斤', { field: 'outcome' })
  return { weight, price: unitPrice, amount: rounded(weight * unitPrice, 2) }
}

/** The repeated weighing: same truck, later, within the time limit. */
async function againOf(
  ctx: Context,
  projectCode: string,
  { outcome, againId, ticketId }: Body,
  first: Ticket,
): Promise<Ticket | undefined> {
  if (outcome !== 'reweighed' || againId === null) return undefined
  const { ticket } = await ticketIn(ctx, projectCode, againId, 'againId')
  const hours = (ticket.time - first.time) / 3_600_000
  const wrong =
    againId === ticketId
      ? '复磅应选另一张磅单'
      : ticket.plateNo !== first.plateNo
        ? `复磅的车牌是 ${ticket.plateNo}，与本单不同`
        : ticket.status === ticketStatus.void || ticket.actualWeight === null
          ? '复磅的磅单已作废或没有完成'
          : hours <= 0 || hours > calls.reweighWithinHours
            ? `复磅应在本单（${formatInstant(first.time)}）之后 ${calls.reweighWithinHours} 小时内`
            : undefined
  if (wrong) throw new AppError('refused', wrong, { field: 'againId' })
  return ticket
}

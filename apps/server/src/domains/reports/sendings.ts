import { AppError } from '@zhugong/contract/kit/errors'
import * as contract from '@zhugong/contract/reports/endpoints'
import { delivery } from '@zhugong/contract/reports/endpoints'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import { type Context, FileAnswer, found } from '#kit/context'
import type { Row } from '#kit/db'
import { allOf, anyOf, type Condition, contains, equals, orderBy, pageSlice } from '#kit/list'
import { rowOf, rowSchemaOf } from '#kit/row-of'
import type { HandlerOf } from '#kit/serve'
import { reportPdf, reportWorkbook } from './paper.ts'

type Looker = Pick<Context, 'db' | 'group'>
type Sending = Row<'reportSending'>

const conditions = (query: contract.DeliveriesQuery): Condition =>
  allOf(
    ...equals('s.pushId', query.pushId),
    ...contains('s.pushName', query.pushName),
    ...contains('s.receiver', query.receiver),
    ...anyOf('s.channel', query.channel),
    ...anyOf('s.state', query.state),
  )

export async function findDeliveries(ctx: Looker, query: contract.DeliveriesQuery): Promise<contract.Delivery[]> {
  const { limit, offset } = pageSlice(query)
  const by = orderBy(query.sort, { createTime: 's.createTime!', sentTime: 's.sentTime', receiver: 's.receiver' }, '-createTime', 's.id')
  const { rows } = await sql<Sending>`
    select s.* from report_sending s where ${conditions(query)} order by ${by} limit ${limit} offset ${offset}`.execute(ctx.db)
  return rows.map((row) =>
    rowOf(delivery, row, {
      from: row.fromDay,
      to: row.toDay,
      createTime: formatInstant(row.createTime),
      sentTime: row.sentTime && formatInstant(row.sentTime),
    }),
  )
}
export async function countDeliveries(ctx: Looker, query: contract.DeliveriesQuery): Promise<number> {
  return (await figures(ctx, query)).total
}
async function figures(ctx: Looker, query: contract.DeliveriesQuery) {
  const { rows } = await sql<{ total: number; sent: number; failed: number; waiting: number }>`
    select count(*)::int as total, count(*) filter (where s.state = '1')::int as sent, count(*) filter (where s.state = '2')::int as failed,
      count(*) filter (where s.state = '0')::int as waiting from report_sending s where ${conditions(query)}`.execute(ctx.db)
  return rows[0] ?? { total: 0, sent: 0, failed: 0, waiting: 0 }
}

export const listDeliveries: HandlerOf<typeof contract.listDeliveries> = async ({ query }, ctx) => {
  // The figures count by state, so they ignore that filter.
  const { sent, failed, waiting } = await figures(ctx, { ...query, state: undefined })
  return { list: await findDeliveries(ctx, query), total: await countDeliveries(ctx, query), counts: { sent, failed, waiting } }
}

export const resendDelivery: HandlerOf<typeof contract.resendDelivery> = async ({ params }, ctx) => {
  const row = found(
    await ctx.db.selectFrom('reportSending').selectAll().where('id', '=', params.id).forUpdate().executeTakeFirst(),
    '发送记录',
  )
  if (row.state !== '2') throw new AppError('refused', '只有发送失败的记录可以重发')
  await ctx.db
    .updateTable('reportSending')
    .set({ state: '0', reason: '', attempts: 0, dueAt: new Date(ctx.clock.now()) })
    .where('id', '=', row.id)
    .execute()
  ctx.note(`重发报表 ${row.pushName} 给 ${row.receiver}`, row.id)
  return {}
}

/** Reports delivered to the caller in the active group, each run once, whatever the channels. */
const mine = (ctx: Pick<Context, 'user' | 'group'>) => sql`
  select distinct on (s.turn) s.* from report_sending s
  where s.user_id = ${ctx.user.id} and s.group_id = ${ctx.group.id} and s.state = '1' and s.channel <> 'webhook' order by s.turn, s.channel`

export const myReports: HandlerOf<typeof contract.myReports> = async ({ query }, ctx) => {
  const { limit, offset } = pageSlice(query)
  const by = orderBy(query.sort, { createTime: 's.createTime!' }, '-createTime', 's.id')
  const { rows } = await sql<Sending & { follows: boolean | null }>`
    select s.*, not (${ctx.user.id} = any (p.left_by)) as follows from (${mine(ctx)}) s left join report_push p on p.id = s.push_id
    order by ${by} limit ${limit} offset ${offset}`.execute(ctx.db)
  const { rows: counted } = await sql<{ n: number }>`select count(*)::int as n from (${mine(ctx)}) s`.execute(ctx.db)
  return {
    list: rows.map((row) =>
      rowOf(rowSchemaOf(contract.myReports), row, {
        title: row.pushName,
        from: row.fromDay,
        to: row.toDay,
        createTime: formatInstant(row.createTime),
      }),
    ),
    total: counted[0]?.n ?? 0,
  }
}

async function ownReport(ctx: Context, id: string): Promise<contract.Report> {
  const row = await ctx.db
    .selectFrom('reportSending')
    .select('report')
    .where('id', '=', id)
    .where('userId', '=', ctx.user.id)
    .where('groupId', '=', ctx.group.id)
    .where('state', '=', '1')
    .where('channel', '<>', 'webhook')
    .executeTakeFirst()
  return found(row?.report ?? undefined, '报表')
}

export const myReport: HandlerOf<typeof contract.myReport> = ({ params }, ctx) => ownReport(ctx, params.id)

const xlsx = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

export const myReportFile: HandlerOf<typeof contract.myReportFile> = async ({ params, query }, ctx) => {
  const report = await ownReport(ctx, params.id)
  const name = `${report.title}_${report.from}_${report.to}`
  return query.kind === 'pdf'
    ? new FileAnswer(`${name}.pdf`, 'application/pdf', await reportPdf(report))
    : new FileAnswer(`${name}.xlsx`, xlsx, await reportWorkbook(report))
}

/** Only for pushes the caller has received at least once. */
export const leavePush: HandlerOf<typeof contract.leavePush> = async ({ params, body }, ctx) => {
  const { rows } = await sql<{ id: string; name: string }>`
    select p.id, p.name from report_push p where p.id = ${params.id} and exists (
      select 1 from report_sending s where s.push_id = p.id and s.user_id = ${ctx.user.id} and s.group_id = ${ctx.group.id})`.execute(
    ctx.db,
  )
  const push = found(rows[0], '报表推送')
  await sql`update report_push set left_by = case when ${body.follow} then array_remove(left_by, ${ctx.user.id})
    else array_append(array_remove(left_by, ${ctx.user.id}), ${ctx.user.id}) end where id = ${push.id}`.execute(ctx.db)
  ctx.note(`${body.follow ? '恢复接收' : '退订'}报表 ${push.name}`, push.id)
  return {}
}

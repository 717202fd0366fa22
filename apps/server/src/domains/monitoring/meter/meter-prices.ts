import { AppError } from '@zhugong/contract/kit/errors'
import * as calls from '@zhugong/contract/monitoring/meter/meter-settle'
import { sql } from 'kysely'
import type { z } from 'zod'
import { type Context, found, projectsFor } from '#kit/context'
import { allOf, equals, inProjects, pageSlice } from '#kit/list'
import type { HandlerOf } from '#kit/serve'
import { oneProject } from './meter-months.ts'

type Price = z.output<typeof calls.meterPrice>

// A price applies until the next one starts; a settled month in between locks it.
const columns = sql`m.id, m.project_code, m.kind, m.from_month, m.price::float8 as price, m.peak_price::float8 as peak_price,
  m.valley_price::float8 as valley_price, m.create_by, exists (select 1 from meter_month s where s.project_code = m.project_code and s.kind = m.kind
    and s.month >= m.from_month) as locked`

export const listMeterPrices: HandlerOf<typeof calls.listMeterPrices> = async ({ query }, ctx) => {
  const { limit, offset } = pageSlice(query)
  const { rows } = await sql<Price & { total: number }>`select ${columns}, count(*) over ()::int as total from meter_price m
    where ${allOf(...inProjects('m.project_code', projectsFor(ctx, query.projectCode)), ...equals('m.kind', query.kind))}
    order by m.project_code, m.kind, m.from_month desc limit ${limit} offset ${offset}`.execute(ctx.db)
  return { list: rows.map(({ total: _total, ...row }) => row), total: rows[0]?.total ?? 0 }
}

export const createMeterPrice: HandlerOf<typeof calls.createMeterPrice> = async ({ query, body }, ctx) => {
  const projectCode = oneProject(ctx, query.projectCode)
  const { kind, fromMonth, price, peakPrice, valleyPrice } = body
  const { rows } = await sql<{ last: string | null; same: boolean }>`select
    (select max(month) from meter_month where project_code = ${projectCode} and kind = ${kind}) as last,
    exists (select 1 from meter_price where project_code = ${projectCode} and kind = ${kind} and from_month = ${fromMonth}) as same`.execute(
    ctx.db,
  )
  const [now] = rows
  if (now?.last && fromMonth <= now.last)
    throw new AppError('refused', `${now.last} 已月结，单价只能从之后的月份起`, { field: 'fromMonth' })
  if (now?.same) throw new AppError('refused', '这个月已有单价，请先删除', { field: 'fromMonth' })
  const id = ctx.newId()
  await sql`insert into meter_price (id, project_code, kind, from_month, price, peak_price, valley_price, create_by, create_time)
    values (${id}, ${projectCode}, ${kind}, ${fromMonth}, ${price}, ${peakPrice}, ${valleyPrice}, ${ctx.user.name}, ${new Date(ctx.clock.now())})`.execute(
    ctx.db,
  )
  ctx.note(`${calls.meterKindNames[kind]}单价 ${price} 元，自 ${fromMonth}`, id)
  return getPrice(ctx, id, projectCode)
}

export const removeMeterPrice: HandlerOf<typeof calls.removeMeterPrice> = async ({ params, query }, ctx) => {
  const price = await getPrice(ctx, params.id, query.projectCode)
  if (price.locked) throw new AppError('refused', '已有月份按此单价月结，不能删除；可新增之后月份的单价')
  await sql`delete from meter_price where id = ${price.id}`.execute(ctx.db)
  ctx.note(`删除${calls.meterKindNames[price.kind]}单价 ${price.price} 元，自 ${price.fromMonth}`, price.id)
}

async function getPrice(ctx: Context, id: string, projectCode: string): Promise<Price> {
  const { rows } = await sql<Price>`select ${columns} from meter_price m
    where ${allOf(...equals('m.id', id), ...inProjects('m.project_code', projectsFor(ctx, projectCode)))}`.execute(ctx.db)
  return found(rows[0], '单价')
}

/** The price of a month: the newest that started by then. */
export async function priceOf(
  ctx: Pick<Context, 'db'>,
  projectCode: string,
  kind: calls.MeterKind,
  month: string,
): Promise<calls.MeterPrices | null> {
  const { rows } =
    await sql<calls.MeterPrices>`select price::float8 as price, peak_price::float8 as peak_price, valley_price::float8 as valley_price
    from meter_price where project_code = ${projectCode} and kind = ${kind} and from_month <= ${month} order by from_month desc limit 1`.execute(
      ctx.db,
    )
  return rows[0] ?? null
}

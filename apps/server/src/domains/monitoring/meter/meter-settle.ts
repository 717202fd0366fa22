import { AppError } from '@zhugong/contract/kit/errors'
import * as calls from '@zhugong/contract/monitoring/meter/meter-settle'
import { sql } from 'kysely'
import type { z } from 'zod'
import { changeRow } from '#kit/change-row'
import { formatDay } from '#kit/clock'
import { type Context, found, projectsFor } from '#kit/context'
import { declared } from '#kit/declared-keys'
import { allOf, equals, inProjects, pageSlice } from '#kit/list'
import type { HandlerOf, Serve } from '#kit/serve'
import type { ListContext } from '../../exports/registry.ts'
import { keepMonth, lastSettled, oneProject } from './meter-months.ts'
import { createMeterPrice, listMeterPrices, priceOf, removeMeterPrice } from './meter-prices.ts'
import { monthAfter, sheetRows, sumsOfSheet } from './meter-sheets.ts'

/** Prices and monthly settlements. */
export function meterSettleRoutes(serve: Serve): void {
  serve(calls.listMeterPrices, listMeterPrices)
  serve(calls.createMeterPrice, createMeterPrice)
  serve(calls.removeMeterPrice, removeMeterPrice)
  serve(calls.draftSheet, draftSheet)
  serve(calls.listSettledMonths, listSettledMonths)
  serve(calls.getSettledSheet, ({ params, query }, ctx) => settledSheet(ctx, params.id, query.projectCode))
  serve(calls.settleMonth, settleMonth)
  serve(calls.signSheet, signSheet)
}

/** Smaller differences between viewing and settling are rounding of the counter's last digit. */
const sameUsage = 0.05

interface Wanted {
  kind: calls.MeterKind
  month: string
}

async function draftOf(ctx: Context, projectCode: string, { kind, month }: Wanted): Promise<z.output<typeof calls.meterSheet>> {
  const { rows: names } = await sql<{
    projectName: string
  }>`select name as project_name from project where project_code = ${projectCode}`.execute(ctx.db)
  const last = await lastSettled(ctx, projectCode, kind)
  const price = await priceOf(ctx, projectCode, kind, month)
  const isNext = last !== undefined && monthAfter(last.month) === month
  const rows = await sheetRows(ctx, { projectCode, kind, month, prices: price, ends: isNext ? last.ends : new Map() })
  return {
    projectCode,
    projectName: found(names[0], '项目').projectName,
    kind,
    month,
    ...sumsOfSheet(rows),
    price,
    rows,
    hindrance: hindranceOf(month, last?.month, formatDay(ctx.clock.now()).slice(0, 7), rows.length),
  }
}

/** Why a month cannot be settled: months are settled in order and without gaps. Pure. */
export function hindranceOf(month: string, last: string | undefined, current: string, meters: number): string | null {
  if (month >= current) return '这个月还没有结束，次月起可以月结'
  if (last !== undefined && month <= last) return month === last ? `${month} 已月结` : `${last} 已月结，更早的月份不能再结`
  if (last !== undefined && month !== monthAfter(last)) return `请先月结 ${monthAfter(last)}`
  return meters === 0 ? '这个月没有读数' : null
}

const draftSheet: HandlerOf<typeof calls.draftSheet> = ({ query }, ctx) => draftOf(ctx, oneProject(ctx, query.projectCode), query)

const figures = sql`m.id, m.project_code, p.name as project_name, m.kind, m.month, m.total_usage, m.loss_percent, m.amount::float8 as amount, m.close_by,
  (extract(epoch from m.close_time) * 1000)::float8 as close_time, m.version, (select count(distinct r ->> 'corpName')::int from jsonb_array_elements(m.rows) r) as corps,
  jsonb_array_length(m.signed) as signed_corps`
const settledFrom = sql`meter_month m join project p on p.project_code = m.project_code`

const listSettledMonths: HandlerOf<typeof calls.listSettledMonths> = async ({ query }, ctx) => {
  const { limit, offset } = pageSlice(query)
  const { rows } = await sql<
    z.output<typeof calls.settledMonth> & { total: number }
  >`select ${figures}, count(*) over ()::int as total from ${settledFrom}
    where ${allOf(...inProjects('m.project_code', projectsFor(ctx, query.projectCode)), ...equals('m.kind', query.kind))}
    order by m.month desc, m.project_code, m.kind limit ${limit} offset ${offset}`.execute(ctx.db)
  return { list: rows.map(({ total: _total, ...row }) => row), total: rows[0]?.total ?? 0 }
}

type Sheet = z.output<typeof calls.settledSheet>

export async function settledSheet(ctx: ListContext, id: string, projectCode?: string): Promise<Sheet> {
  const { rows } = await sql<
    Omit<Sheet, 'price'> & { plain: number | null; peak: number | null; valley: number | null }
  >`select ${figures}, m.rows, m.signed, m.price::float8 as plain, m.peak_price::float8 as peak, m.valley_price::float8 as valley from ${settledFrom}
    where ${allOf(...equals('m.id', id), ...inProjects('m.project_code', projectsFor(ctx, projectCode)))}`.execute(ctx.db)
  const { plain, peak, valley, ...sheet } = found(rows[0], '结算单')
  return { ...sheet, price: plain === null ? null : { price: plain, peakPrice: peak, valleyPrice: valley } }
}

const settleMonth: HandlerOf<typeof calls.settleMonth> = async ({ query, body }, ctx) => {
  const projectCode = oneProject(ctx, query.projectCode)
  // Serializes settlements: concurrent calls settle a month once.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`meters ${projectCode} ${body.kind}`}, 0))`.execute(ctx.db)
  const draft = await draftOf(ctx, projectCode, body)
  if (draft.hindrance) throw new AppError('refused', draft.hindrance, { field: 'month' })
  if (Math.abs(draft.totalUsage - body.totalUsage) > sameUsage)
    throw new AppError('conflict', '查看之后又有读数到达，请核对新的结算单后再月结')
  const id = ctx.newId()
  await keepMonth(ctx.db, { id, ...draft, closeBy: ctx.user.name, closeTime: ctx.clock.now() })
  ctx.note(`月结${calls.meterKindNames[body.kind]} ${body.month}，共 ${draft.totalUsage} ${calls.meterUnits[body.kind]}`, id)
  return declared(calls.settleMonth, await settledSheet(ctx, id, projectCode))
}

const signSheet: HandlerOf<typeof calls.signSheet> = async ({ params, query, body }, ctx) => {
  const sheet = await settledSheet(ctx, params.id, query.projectCode)
  if (!sheet.rows.some((one) => one.corpName === body.corpName))
    throw new AppError('invalidInput', '结算单中没有这个使用单位', { field: 'corpName' })
  const { corpName, signer, result, remark } = body
  // A unit has one statement: a later one replaces it, and the audit log keeps both.
  const signed = [
    ...sheet.signed.filter((one) => one.corpName !== corpName),
    { corpName, signer, result, remark, by: ctx.user.name, time: ctx.clock.now() },
  ]
  await changeRow(ctx, 'meterMonth', {
    key: { id: sheet.id },
    version: body.version,
    noun: '结算单',
    values: { signed: JSON.stringify(signed) },
  })
  ctx.note(
    `${calls.meterKindNames[sheet.kind]}结算单 ${sheet.month}：${corpName} ${signer} ${calls.signResults[result]}${remark ? `（${remark}）` : ''}`,
    sheet.id,
  )
  return settledSheet(ctx, sheet.id, sheet.projectCode)
}

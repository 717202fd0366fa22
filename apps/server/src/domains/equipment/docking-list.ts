import type * as calls from '@zhugong/contract/equipment/docking-endpoints'
import { sql } from 'kysely'
import { addDays, formatDay, formatInstant } from '#kit/clock'
import { allOf, anyOf, condition, contains, daysBetween, filtersOf, instantsBetween, orderBy, pageSlice } from '#kit/list'
import { pick } from '#kit/pick'
import type { HandlerOf } from '#kit/serve'
import { findChanges } from './change-log.ts'
import { columns, expiringDays, getDockingRow, type Row, tables, toDocking } from './docking-store.ts'

/** Days of runs shown on a docking's page, including days without runs. */
export const shownDays = 14

export const listDockings: HandlerOf<typeof calls.listDockings> = async ({ query }, ctx) => {
  const today = formatDay(ctx.clock.now())
  const where = filtersOf(query, {
    name: [contains, 'g.name'],
    vendor: [contains, 'g.vendor'],
    connType: [anyOf, 'g.conn_type'],
    enable: [anyOf, 'g.enable'],
    lastResult: [anyOf, 'g.last_result'],
    lastRun: [instantsBetween, 'g.last_run'],
    tokenExpire: [daysBetween, 'g.token_expire'],
  })
  const order = query.sort
    ? orderBy(
        query.sort,
        {
          name: 'g.name',
          vendor: 'g.vendor',
          lastRun: 'g.last_run',
          failed24h: 's.failed',
          unmatched: 'x.unmatched',
          tokenExpire: 'g.token_expire',
          enable: 'g.enable',
        },
        'name',
        'g.id',
      )
    : sql`case g.last_result when 'failed' then 0 when 'partial' then 1 else 2 end, g.name, g.id`
  const { limit, offset } = pageSlice(query)
  const { rows } =
    await sql<Row>`select ${columns} from ${tables} where ${where} order by ${order} limit ${limit} offset ${offset}`.execute(ctx.db)
  const total = await sql<{ n: number }>`select count(*)::int as n from gateway3rd g where ${where}`.execute(ctx.db)
  const counts = await sql<{ ok: number; failed: number; expiring: number; unmatched: number }>`
    select count(*) filter (where g.enable = '1' and coalesce(g.last_result, 'ok') <> 'failed')::int as ok, count(*) filter (where g.last_result = 'failed')::int as failed,
      count(*) filter (where g.token_expire <= ${addDays(today, expiringDays)}::date)::int as expiring,
      (select count(*)::int from external_device where match_state in ('2', '3')) as unmatched from gateway3rd g`.execute(ctx.db)
  return {
    list: rows.map(toDocking),
    total: total.rows[0]?.n ?? 0,
    counts: counts.rows[0] ?? { ok: 0, failed: 0, expiring: 0, unmatched: 0 },
  }
}

export const getDocking: HandlerOf<typeof calls.getDocking> = async ({ params }, ctx) => {
  const row = await getDockingRow(ctx, params.id)
  const today = formatDay(ctx.clock.now())
  const days = await sql<{ day: string; ok: number; failed: number; rows: number }>`
    select to_char(d.day, 'YYYY-MM-DD') as day, count(r.id) filter (where r.result <> 'failed')::int as ok,
      count(r.id) filter (where r.result = 'failed')::int as failed, coalesce(sum(r.rows), 0)::int as rows
    from generate_series(${addDays(today, 1 - shownDays)}::date, ${today}::date, interval '1 day') as d(day)
    left join gateway3rd_run r on r.gateway_id = ${row.id} and r.at >= d.day::timestamp at time zone 'Asia/Shanghai'
      and r.at < (d.day + interval '1 day')::timestamp at time zone 'Asia/Shanghai'
    group by 1 order by 1`.execute(ctx.db)
  const open = await sql<{ model: string | null; project: string | null }>`
    select distinct external_model as model, external_project as project from external_device where gateway_id = ${row.id} limit 1000`.execute(
    ctx.db,
  )
  const missing = (pick: 'model' | 'project', known: Record<string, string>) =>
    [...new Set(open.rows.flatMap((o) => o[pick] ?? []))].filter((name) => !known[name]).sort()
  return {
    ...toDocking(row),
    ...pick(row, 'httpMethod', 'authKind', 'authName', 'mapping', 'modelMatch', 'projectMatch', 'sample', 'remark'),
    hasSecret: row.authSecret !== null,
    pushPath: `/api/v1/open/dock/${row.id}`,
    openModels: missing('model', row.modelMatch),
    openProjects: missing('project', row.projectMatch),
    days: days.rows,
    changes: await findChanges(ctx.db, 'docking', row.id),
  }
}

export const listDockingRuns: HandlerOf<typeof calls.listDockingRuns> = async ({ params, query }, ctx) => {
  await getDockingRow(ctx, params.id)
  const where = allOf(condition(sql`r.gateway_id = ${params.id}`), ...anyOf('r.result', query.result), ...instantsBetween('r.at', query.at))
  const { limit, offset } = pageSlice(query)
  const order = orderBy(query.sort, { at: 'r.at', rows: 'r.rows', rejected: 'r.rejected', ms: 'r.ms' }, '-at', 'r.id')
  const { rows } = await sql<{
    id: string
    cause: string
    at: Date
    ms: number | null
    rows: number
    accepted: number
    duplicated: number
    rejected: number
    result: string
    message: string | null
    refused: { externalId: string; reason: string; item: string }[]
  }>`select r.id, r.cause, r.at, r.ms, r.rows, r.accepted, r.duplicated, r.rejected, case when r.result = 'waiting' then 'running' else r.result end as result, r.message,
      case when r.result in ('waiting', 'running') then '[]'::jsonb else r.refused end as refused
    from gateway3rd_run r where ${where} order by ${order} limit ${limit} offset ${offset}`.execute(ctx.db)
  const total = await sql<{ n: number }>`select count(*)::int as n from gateway3rd_run r where ${where}`.execute(ctx.db)
  return { list: rows.map((r) => ({ ...r, at: formatInstant(r.at) })), total: total.rows[0]?.n ?? 0 }
}

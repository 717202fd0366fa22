import type { OutputFor, ParsedFor } from '@zhugong/contract/kit/endpoint'
import { dayMs } from '@zhugong/contract/kit/time'
import * as calls from '@zhugong/contract/monitoring/gateway/passages'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import { projectsFor } from '#kit/context'
import { allOf, between, type Condition, contains, orderBy, pageSlice } from '#kit/list'
import type { Serve } from '#kit/serve'
import { byPages, exportOf, type ListContext } from '../../exports/registry.ts'
import { periodOf } from '../shared/period.ts'
import { recordsWhere } from '../shared/records.ts'
import { isMuckOut, onePassage } from './passages.ts'

const usualMs = 7 * dayMs
const longestMs = 100 * dayMs
type Query = ParsedFor<typeof calls.listGateShares>['query']
type Share = OutputFor<typeof calls.listGateShares>['list'][number]

export function gateShareRoutes(serve: Serve): void {
  serve(calls.listGateShares, ({ query }, ctx) => gatePage(ctx, query))
}

/** Outgoing muck trucks: those not recognised are excluded from the shares and counted separately. */
async function gatePage(ctx: ListContext, query: Query) {
  const { limit, offset } = pageSlice(query)
  const passages = recordsWhere({
    record: 'accessRecord',
    projects: projectsFor(ctx, query.projectCode),
    deviceId: query.deviceId,
    period: periodOf(query, ctx.clock.now(), usualMs, longestMs),
    where: [onePassage],
  })
  const where: Condition = allOf(
    ...contains('gate_name', query.gateName),
    ...contains('project_name', query.projectName),
    ...between('wash_percent', query.washPercent),
  )
  const order = orderBy(
    query.sort,
    { washPercent: 'wash_percent', coverPercent: 'cover_percent', muckOut: 'muck_out', unwashed: 'unwashed', uncovered: 'uncovered' },
    'washPercent',
    'device_id',
  )
  const share = (part: string, whole: string) => sql`round(100.0 * ${sql.ref(part)} / nullif(${sql.ref(whole)}, 0), 1)::float8`
  const { rows } = await sql<Omit<Share, 'lastTime'> & { lastTime: Date | null; total: number }>`
    with counted as (
      select r.device_id, count(*) filter (where r.data ->> 'direction' = '0')::int as entries, count(*) filter (where r.data ->> 'direction' = '1')::int as exits,
        count(*) filter (where ${isMuckOut})::int as muck_out,
        count(*) filter (where ${isMuckOut} and r.data ->> 'washed' = '1')::int as washed, count(*) filter (where ${isMuckOut} and r.data ->> 'washed' in ('0', '2'))::int as unwashed,
        count(*) filter (where ${isMuckOut} and r.data ->> 'covered' = '1')::int as covered, count(*) filter (where ${isMuckOut} and r.data ->> 'covered' = '0')::int as uncovered,
        count(*) filter (where ${isMuckOut} and coalesce(r.data ->> 'washed', '') not in ('0', '1', '2'))::int as unknown, max(r.ts) as last_time
      from record_now r where ${passages} group by r.device_id),
    gates as (
      select c.*, c.washed + c.unwashed as wash_known, c.covered + c.uncovered as cover_known, coalesce(nullif(d.params ->> 'gateName', ''), d.name) as gate_name,
        d.project_code, p.name as project_name
      from counted c join device d on d.id = c.device_id join project p on p.project_code = d.project_code),
    shares as (
      select *, ${share('washed', 'wash_known')} as wash_percent, ${share('covered', 'cover_known')} as cover_percent, ${share('unknown', 'muck_out')} as unknown_percent
      from gates)
    select device_id, gate_name, project_code, project_name, entries, exits, muck_out, unwashed, uncovered, wash_percent, cover_percent, unknown_percent, last_time,
      count(*) over ()::int as total
    from shares where ${where} order by ${order} limit ${limit} offset ${offset}`.execute(ctx.db)
  return {
    list: rows.map(({ total: _total, lastTime, ...row }): Share => ({ ...row, lastTime: lastTime?.getTime() ?? null })),
    total: rows[0]?.total ?? 0,
  }
}

export function registerGateShareExport(): void {
  exportOf(
    calls.gateShareList,
    {
      title: '大门冲洗与密闭率',
      widths: { projectName: 28, lastTime: 20 },
      ...byPages(gatePage),
    },
    {
      lastTime: (r) => (r.lastTime === null ? null : formatInstant(r.lastTime)),
    },
  )
}

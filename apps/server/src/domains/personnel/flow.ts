import * as contract from '@zhugong/contract/personnel/flow'
import { type FlowRow, flowRow } from '@zhugong/contract/personnel/flow-model'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { type RawBuilder, sql } from 'kysely'
import { addDays, formatDay, formatInstant, startOfDay } from '#kit/clock'
import { projectsFor } from '#kit/context'
import { allOf, anyOf, type Condition, condition, contains, equals, inProjects, instantsBetween, orderBy } from '#kit/list'
import { rowOf } from '#kit/row-of'
import type { HandlerOf, Serve } from '#kit/serve'
import { workName } from './cert-dues.ts'
import { cursor, type ListScope } from './people-filters.ts'

export function flowRoutes(serve: Serve) {
  serve(contract.flowFigures, flowFigures)
  serve(contract.crossSite, crossSite)
}

type Parsed = NonNullable<(typeof contract.listFlow)['types']>['parsed']['query']
export type FlowQuery = Partial<Omit<Parsed, 'view'>>

interface RawFlow {
  id: string
  workerId: string
  projectWorkerId: string
  name: string
  type: '1' | '0'
  date: Date
  projectCode: string
  projectName: string | null
  corpCode: string
  corpName: string | null
  teamId: string | null
  teamName: string | null
  workType: string | null
  post: string | null
  reason: string | null
  source: string
  entryTime: Date
  exitTime: Date | null
  otherName: string | null
  here: boolean | null
}

const stayLength = sql`(h.date::date - w.entry_time::date + 1)`
function flowConditions(ctx: ListScope, query: FlowQuery): Condition {
  return allOf(
    ...inProjects('h.projectCode', projectsFor(ctx, query.projectCode)),
    ...instantsBetween('h.date', query.flowDate),
    ...anyOf('h.type', query.flowType),
    ...anyOf('h.reason', query.exitReason),
    ...anyOf('h.source', query.source),
    ...contains('w.workerName', query.name ?? query.q),
    ...equals('w.corpCode', query.corpCode),
    ...equals('w.teamId', query.teamId),
    ...anyOf('w.workType', query.workType),
    ...(query.stayDays?.low === undefined ? [] : [condition(sql`h.type = '0' and ${stayLength} >= ${query.stayDays.low}`)]),
    ...(query.stayDays?.high === undefined ? [] : [condition(sql`h.type = '0' and ${stayLength} <= ${query.stayDays.high}`)]),
  )
}
const flowOrder = (sort: FlowQuery['sort']) => orderBy(sort, { flowDate: 'h.date!', name: 'w.workerName' }, '-flowDate', 'h.id')
const base = sql`entry_exit_history h join project_worker w on w.id = h.project_worker_id`
const columns = sql`h.id, h.worker_id, h.project_worker_id, w.worker_name as name, h.type, h.date, h.project_code, w.corp_code, w.team_id, w.work_type,
  w.post, h.reason, h.source, w.entry_time, w.exit_time`
/** For an entry the previous stay, for an exit the next one, if visible to the caller. */
const around = sql`
  left join corporation c on c.corp_code = h.corp_code left join team t on t.id = h.team_id left join project pr on pr.project_code = h.project_code
  left join lateral (select o.project_code from project_worker o where o.worker_id = h.worker_id and o.id <> h.project_worker_id
      and case h.type when '1' then o.entry_time < h.date else o.entry_time >= h.date - interval '1 day' end
    order by case h.type when '1' then h.date - o.entry_time else o.entry_time - h.date end limit 1) next on true
  left join project np on np.project_code = next.project_code`
const shown = sql`h.*, c.corp_name, t.team_name, pr.name as project_name, np.name as other_name, next.project_code = h.project_code as here`

export async function flowRows(ctx: ListScope, query: FlowQuery, page: { limit: number; offset: number }): Promise<FlowRow[]> {
  const { rows } = await sql<RawFlow>`
    select ${shown} from (select ${columns}, row_number() over (order by ${flowOrder(query.sort)}) as place from ${base}
      where ${flowConditions(ctx, query)} order by ${flowOrder(query.sort)} limit ${page.limit} offset ${page.offset}) h ${around}
    order by h.place`.execute(ctx.db)
  return rows.map(toFlow)
}
export async function countFlow(ctx: ListScope, query: FlowQuery): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from ${base} where ${flowConditions(ctx, query)}`.execute(ctx.db)
  return rows[0]?.n ?? 0
}
export async function* streamFlow(ctx: ListScope, query: FlowQuery): AsyncIterable<FlowRow> {
  const raw = sql<RawFlow>`
    select ${shown} from (select ${columns}, row_number() over (order by ${flowOrder(query.sort)}) as place from ${base}
      where ${flowConditions(ctx, query)}) h ${around} order by h.place`
  for await (const row of cursor<RawFlow>(ctx, raw)) yield toFlow(row)
}

function toFlow(h: RawFlow): FlowRow {
  const came = h.type === '1'
  return rowOf(flowRow, h, {
    flowType: h.type,
    date: formatInstant(h.date),
    workTypeName: workName(h),
    other: h.otherName ? (h.here ? '再次进场' : h.otherName) : came ? '首次登记' : null,
    exitReasonName: came ? null : dictName('exitReason', h.reason),
    sourceName: dictName('attendanceSource', h.source),
    stayDays: came ? null : Math.round((startOfDay(formatDay(h.date)) - startOfDay(formatDay(h.entryTime))) / 86_400_000) + 1,
    onSite: h.exitTime === null,
  })
}

const daysShown = 30
const flowFigures: HandlerOf<typeof contract.flowFigures> = async ({ query }, ctx) => {
  const today = formatDay(ctx.clock.now())
  const projects = projectsFor(ctx, query.projectCode)
  const from = addDays(today, 1 - daysShown)
  const { rows } = await sql<{ day: string; type: string; n: number }>`
    select (h.date at time zone 'Asia/Shanghai')::date as day, h.type, count(*)::int as n from entry_exit_history h
    where ${allOf(...inProjects('h.projectCode', projects))} and h.date >= ${new Date(startOfDay(from))} group by 1, 2`.execute(ctx.db)
  const at = (day: string, type: string) => rows.find((r) => r.day === day && r.type === type)?.n ?? 0
  const month = { flowDate: { from: `${today.slice(0, 7)}-01`, to: today }, projectCode: query.projectCode }
  const onSite = await sql<{ n: number }>`select count(*)::int as n from project_worker w
    where w.exit_time is null and ${allOf(...inProjects('w.projectCode', projects))}`.execute(ctx.db)
  return {
    cameThisMonth: await countFlow(ctx, { ...month, flowType: ['1'] }),
    leftThisMonth: await countFlow(ctx, { ...month, flowType: ['0'] }),
    onSite: onSite.rows[0]?.n ?? 0,
    crossing: (await crossings(ctx, projects, today)).length,
    days: Array.from({ length: daysShown }, (_, i) => addDays(from, i)).map((day) => ({ day, came: at(day, '1'), left: at(day, '0') })),
  }
}

interface Crossing {
  workerId: string
  name: string
  day: string
  places: { projectCode: string; projectName: string; firstIn: string | null; lastOut: string | null }[]
}
const crossingsAtMost = 500
/** People who passed the gates of several projects. Only people with stays at several projects in the period are considered. */
async function crossings(ctx: ListScope, projects: readonly string[] | undefined, today: string): Promise<Crossing[]> {
  if (projects?.length === 1) return []
  const from = addDays(today, 1 - daysShown)
  const clock = (column: RawBuilder<unknown>) => sql`to_char(${column} at time zone 'Asia/Shanghai', 'HH24:MI')`
  const { rows } = await sql<Crossing>`
    with many as (
      select w.worker_id, min(w.worker_name) as name from project_worker w
      where ${allOf(...inProjects('w.projectCode', projects))} and (w.exit_time is null or w.exit_time >= ${new Date(startOfDay(from))})
      group by 1 having count(distinct w.project_code) > 1)
    select d.worker_id, m.name, d.work_day as day,
      jsonb_agg(jsonb_build_object('projectCode', d.project_code, 'projectName', p.name, 'firstIn', ${clock(sql`d.first_in`)},
        'lastOut', ${clock(sql`d.last_out`)}) order by d.first_in nulls last) as places
    from many m join attendance_day d on d.worker_id = m.worker_id join project p on p.project_code = d.project_code
    where d.work_day >= ${from}::date and d.record_count > 0 and ${allOf(...inProjects('d.projectCode', projects))}
    group by 1, 2, 3 having count(distinct d.project_code) > 1 order by d.work_day desc, m.name limit ${crossingsAtMost}`.execute(ctx.db)
  return rows
}
const crossSite: HandlerOf<typeof contract.crossSite> = async ({ query }, ctx) => {
  const list = await crossings(ctx, projectsFor(ctx, query.projectCode), formatDay(ctx.clock.now()))
  return { list, total: list.length }
}

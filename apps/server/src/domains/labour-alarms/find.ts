import { dayMs } from '@zhugong/contract/kit/time'
import { type LabourAlarmAction, labourAlarmActions, labourAlarmTypeCodes, mayTurn } from '@zhugong/contract/labour-alarms/codes'
import type * as contract from '@zhugong/contract/labour-alarms/endpoints'
import { type LabourAlarmRow, labourAlarmRow } from '@zhugong/contract/labour-alarms/endpoints'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import { type Context, projectsFor } from '#kit/context'
import type { Db, Row } from '#kit/db'
import {
  allOf,
  anyOf,
  between,
  type Condition,
  condition,
  contains,
  equals,
  inProjects,
  instantsBetween,
  orderBy,
  pageSlice,
} from '#kit/list'
import { rowOf } from '#kit/row-of'
import type { ListContext } from '../exports/registry.ts'
import './tables.ts'

type Query = NonNullable<(typeof contract.listLabourAlarms)['types']>['parsed']['query']

type Raw = Row<'laborAlarm'> & {
  name: string
  projectName: string | null
  corpName: string | null
  teamName: string | null
  waitedDays: number
}

const waited = (now: number) =>
  sql`floor(extract(epoch from coalesce(case when a.state <> '1' then a.handle_time end, ${new Date(now)}) - a.time) / 86400)::int`

const withNames = (now: number) => sql`
  select a.*, w.worker_name as name, p.name as project_name, c.corp_name, t.team_name, ${waited(now)} as waited_days
  from labor_alarm a join project_worker w on w.id = a.stay_id join project p on p.project_code = a.project_code
    left join corporation c on c.corp_code = a.corp_code left join team t on t.id = a.team_id`

/** 待处理: the shared condition of list, figures and home page. */
export const isOpen = (alias: string): Condition => condition(sql`${sql.ref(`${alias}.state`)} = '1'`)

const conditions = (query: Partial<Query>, projects: readonly string[] | undefined): Condition =>
  allOf(
    ...inProjects('a.projectCode', projects),
    ...anyOf('a.type', query.type),
    ...anyOf('a.state', query.state),
    ...contains('a.name', query.name),
    ...contains('a.content', query.content),
    ...contains('a.handlerName', query.handlerName),
    ...instantsBetween('a.time', query.time),
    ...between('a.waitedDays', query.waitedDays),
    ...equals('a.workerId', query.workerId),
    ...equals('a.active', query.active),
  )

const order = (query: Query) =>
  query.sort
    ? orderBy(
        query.sort,
        { state: 'a.state!', time: 'a.time!', lastTime: 'a.lastTime!', type: 'a.type', name: 'a.name', waitedDays: 'a.waitedDays' },
        'state',
        'a.id',
      )
    : sql`(a.state = '1') desc, a.time desc, a.id`

export async function findLabourAlarms(ctx: ListContext, query: Query): Promise<Raw[]> {
  const { limit, offset } = pageSlice(query)
  const { rows } = await sql<Raw>`
    select * from (${withNames(ctx.clock.now())}) a where ${conditions(query, projectsFor(ctx, query.projectCode))}
    order by ${order(query)} limit ${limit} offset ${offset}`.execute(ctx.db)
  return rows
}
export async function countLabourAlarms(ctx: ListContext, query: Partial<Query>): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from (${withNames(ctx.clock.now())}) a where ${conditions(query, projectsFor(ctx, query.projectCode))}`.execute(
    ctx.db,
  )
  return rows[0]?.n ?? 0
}

export const toLabourAlarm = (a: Raw): LabourAlarmRow =>
  rowOf(labourAlarmRow, a, {
    typeName: dictName('laborAlarmType', a.type),
    amount: Number(a.amount),
    time: formatInstant(a.time),
    lastTime: formatInstant(a.lastTime),
    stateName: dictName('laborAlarmState', a.state),
    handleTime: a.handleTime ? formatInstant(a.handleTime) : null,
    actions: (Object.keys(labourAlarmActions) as LabourAlarmAction[]).filter((action) => mayTurn(a.state, a.active, action)),
  })

/** Days after which an open one is overdue. */
const lateDays = 7

export async function countsOf(ctx: Pick<Context, 'db' | 'clock'>, projects: readonly string[] | undefined) {
  const now = ctx.clock.now()
  const within = allOf(...inProjects('a.projectCode', projects))
  const month = new Date(now - 30 * dayMs)
  const { rows } = await sql<Record<'open' | 'people' | 'overdue' | 'ignored' | 'handledIn30Days', number>>`
    select count(*) filter (where ${isOpen('a')})::int as open, (count(distinct a.worker_id) filter (where ${isOpen('a')}))::int as people,
      count(*) filter (where ${isOpen('a')} and a.time < ${new Date(now - lateDays * dayMs)})::int as overdue,
      count(*) filter (where a.state = '3')::int as ignored,
      count(*) filter (where a.state = '2' and a.handle_time >= ${month})::int as "handledIn30Days"
    from labor_alarm a where ${within}`.execute(ctx.db)
  const types = await sql<{ type: string; open: number; raised: number }>`
    select a.type, count(*) filter (where ${isOpen('a')})::int as open, count(*) filter (where a.time >= ${month})::int as raised
    from labor_alarm a where ${within} group by 1`.execute(ctx.db)
  const byType = new Map(types.rows.map((t) => [t.type, t]))
  return {
    ...rows[0]!,
    byType: labourAlarmTypeCodes.map((type) => ({
      type,
      typeName: dictName('laborAlarmType', type),
      open: byType.get(type)?.open ?? 0,
      raisedIn30Days: byType.get(type)?.raised ?? 0,
    })),
  }
}

export interface OpenByType {
  projectCode: string
  projectName: string
  type: string
  n: number
  /** Number reported before the given day. */
  late: number
  oldest: Date
}
/** Open alarms by project and kind, for the home page's to-do list. */
export async function openByType(
  db: Db,
  projects: readonly string[] | undefined,
  { toldBefore, limit }: { toldBefore: string; limit: number },
): Promise<OpenByType[]> {
  const { rows } = await sql<OpenByType>`
    select a.project_code, p.name as project_name, a.type, count(*)::int as n, min(a.time) as oldest,
      count(*) filter (where (a.time at time zone 'Asia/Shanghai')::date < ${toldBefore}::date)::int as late
    from labor_alarm a join project p using (project_code) where ${isOpen('a')} and ${allOf(...inProjects('a.projectCode', projects))}
    group by 1, 2, 3 order by n desc, 1, 3 limit ${limit}`.execute(db)
  return rows
}

import type { listConstructionLogs } from '@zhugong/contract/daylogs/construction'
import { impacts } from '@zhugong/contract/daylogs/fields'
import { draftLog, logStates } from '@zhugong/contract/daylogs/moves'
import type { listOwnLogs } from '@zhugong/contract/daylogs/own-log'
import type { LogRow } from '@zhugong/contract/daylogs/shapes'
import { logRow } from '@zhugong/contract/daylogs/shapes'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { type RawBuilder, sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import { type Context, projectsFor } from '#kit/context'
import type { Row } from '#kit/db'
import { allOf, anyOf, type Condition, condition, contains, daysBetween, equals, filtersOf, inProjects, orderBy } from '#kit/list'
import { rowOf } from '#kit/row-of'
import type { LogType } from './tables.ts'

export type Viewer = Pick<Context, 'scope' | 'scopeChecks' | 'codes' | 'group' | 'clock' | 'user'>
type Built = NonNullable<(typeof listConstructionLogs)['types']>['parsed']['query']
type Owned = NonNullable<(typeof listOwnLogs)['types']>['parsed']['query']
export type LogQuery = Partial<Built & Omit<Owned, 'sort'>>

export const unanswered = sql`exists (select from day_log_comment c where c.log_id = x.id and c.answer is null)`
const ofMonth = (value: string) => condition(sql`x.day >= ${`${value}-01`}::date and x.day < ${`${value}-01`}::date + interval '1 month'`)

export function conditions(ctx: Viewer, kind: LogType, { page: _page, size: _size, sort: _sort, ...query }: LogQuery): Condition {
  const tabs: Record<NonNullable<LogQuery['tab']>, RawBuilder<unknown>> = {
    draft: sql`x.state = ${draftLog}`,
    written: sql`x.state <> ${draftLog}`,
    unanswered,
    mine: sql`x.create_by = ${ctx.user.id}`,
  }
  const mine =
    kind === 'log'
      ? // The log of an institution is read within it.
        equals('x.authorGroup', ctx.scopeChecks ? ctx.group.id : undefined)
      : inProjects('x.projectCode', projectsFor(ctx, query.projectCode))
  return allOf(
    condition(sql`x.kind = ${kind}`),
    ...mine,
    filtersOf(query, {
      projectCode: 'elsewhere',
      tab: (value) => condition(tabs[value]),
      month: ofMonth,
      day: [daysBetween, 'x.day'],
      weather: [anyOf, 'x.weather'],
      parts: [contains, 'x.parts'],
      recorder: [contains, 'x.recorder'],
      late: [equals, 'x.late'],
      state: [anyOf, 'x.state'],
      unit: [anyOf, 'x.unitId'],
      impact: [anyOf, 'x.impact'],
      project: (values) => condition(sql`x.visited && ${values}::text[]`),
    }),
  )
}

const order = (sort: LogQuery['sort']) =>
  orderBy(sort, { day: 'x.day!', workerCount: 'x.workerCount', recorder: 'x.recorder!' }, '-day', 'x.id')

type Raw = Row<'dayLog'> & {
  projectName: string | null
  unitName: string | null
  ran: string | null
  progress: string | null
  delayDays: number | null
  problemCount: number
  commentCount: number
  openComments: number
  sites: { projectCode: string; name: string }[] | null
}

export async function readLogs(
  ctx: Pick<Context, 'db'>,
  where: Condition,
  { sort, limit, offset }: { sort?: LogQuery['sort']; limit?: number; offset?: number },
): Promise<LogRow[]> {
  const page = limit === undefined ? sql`` : sql`limit ${limit} offset ${offset ?? 0}`
  const { rows } = await sql<Raw>`select x.*, j.name as project_name, u.name as unit_name,
      (select string_agg(f.words || ' ' || f.amount || f.unit, '、' order by f.seq) from day_log_fact f where f.log_id = x.id and f.kind = 'machine') as ran,
      (select string_agg(t.name || ' ' || t.percent || '%', '、' order by t.seq) from day_log_task t where t.log_id = x.id) as progress,
      (select max(s.delay_days)::int from day_log_task t join schedule_task s on s.id = t.task_id where t.log_id = x.id) as delay_days,
      (select count(*)::int from day_log_problem q where q.log_id = x.id) as problem_count,
      (select count(*)::int from day_log_comment c where c.log_id = x.id) as comment_count,
      (select count(*)::int from day_log_comment c where c.log_id = x.id and c.answer is null) as open_comments,
      (select jsonb_agg(jsonb_build_object('projectCode', v.code, 'name', coalesce(p.name, v.code)) order by v.at)
        from unnest(x.visited) with ordinality as v(code, at) left join project p on p.project_code = v.code) as sites
    from (select x.* from day_log x where ${where} order by ${order(sort)} ${page}) x
    left join project j on j.project_code = x.project_code left join unit_project u on u.id = x.unit_id
    order by ${order(sort)}`.execute(ctx.db)
  return rows.map(toRow)
}

export async function countLogs(ctx: Pick<Context, 'db'>, where: Condition): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from day_log x where ${where}`.execute(ctx.db)
  return rows[0]?.n ?? 0
}

const toRow = (x: Raw): LogRow =>
  rowOf(logRow, x, {
    visited: x.sites ?? [],
    weatherName: dictName('weather', x.weather),
    ran: x.ran ?? '',
    progress: x.progress ?? '',
    impactName: impacts[x.impact],
    submittedAt: x.submittedAt && formatInstant(x.submittedAt),
    stateName: logStates[x.state],
  })

export async function logFor(ctx: Viewer & Pick<Context, 'db'>, kind: LogType, id: string): Promise<LogRow | undefined> {
  const [row] = await readLogs(ctx, allOf(...equals('x.id', id), conditions(ctx, kind, { projectCode: '*' })), {})
  return row
}

import { marksDue, silentDays } from '@zhugong/contract/daylogs/rules'
import type { MatrixTab, safetyLogMatrix } from '@zhugong/contract/daylogs/safety-log'
import type { MatrixRow } from '@zhugong/contract/daylogs/shapes'
import { areaName } from '@zhugong/contract/settings/dictionaries'
import { type RawBuilder, sql } from 'kysely'
import { addDays, formatDay, formatInstant } from '#kit/clock'
import { type Context, projectsFor } from '#kit/context'
import { allOf, type Condition, condition, contains, equals, filtersOf, inAreas, inProjects, orderBy } from '#kit/list'
import { marksOf, worked } from './marks.ts'
import { type LogQuery, unanswered, type Viewer } from './rows.ts'

type MatrixQuery = Partial<NonNullable<(typeof safetyLogMatrix)['types']>['parsed']['query']>
type Reader = Viewer & Pick<Context, 'db'>

/** First and last day of a month. */
export function daysOf(month: string): [first: string, last: string] {
  const first = `${month}-01`
  return [first, addDays(`${addDays(first, 31).slice(0, 7)}-01`, -1)]
}

const mine = (ctx: Viewer, query: Pick<MatrixQuery, 'projectCode'>) => inProjects('p.projectCode', projectsFor(ctx, query.projectCode))

/** Sites whose log of today is due, written or missing, or that were silent for the last days before it. */
function standingIs(inside: Condition, today: string, standing: MatrixTab): RawBuilder<unknown> {
  const marks = (codes: readonly string[]) =>
    sql`(select t.project_code from (${marksOf(inside, today, today, today)}) t where t.mark = any (${[...codes]}))`
  switch (standing) {
    case 'due':
      return marks(marksDue)
    case 'written':
      return marks(['w', 'l'])
    case 'missing':
      return marks(['t', 'm'])
    case 'silent':
      return sql`(select t.project_code from (${marksOf(inside, addDays(today, -silentDays), addDays(today, -1), today)}) t
        where t.mark = 'm' group by 1 having count(*) = ${silentDays})`
  }
}

function matrixConditions(ctx: Viewer, { page: _p, size: _s, sort: _o, view: _v, ...query }: MatrixQuery): Condition {
  const inside = allOf(...mine(ctx, query))
  return allOf(
    inside,
    // Sites that never began to build have nothing to write.
    condition(sql`p.prj_status <> all ('{001,002}')`),
    filtersOf(query, {
      projectCode: 'elsewhere',
      month: 'elsewhere',
      standing: (value) => condition(sql`p.project_code in ${standingIs(inside, formatDay(ctx.clock.now()), value)}`),
      projectName: [contains, 'p.name'],
      areaCode: [inAreas, 'p.areaCode'],
    }),
  )
}

/** One row for each site: a month in codes. */
export async function readMatrix(
  ctx: Reader,
  query: MatrixQuery,
  slice: { limit?: number; offset?: number } = {},
): Promise<{ list: MatrixRow[]; month: string; today: string }> {
  const today = formatDay(ctx.clock.now())
  const month = query.month ?? today.slice(0, 7)
  const [first, last] = daysOf(month)
  const page = slice.limit === undefined ? sql`` : sql`limit ${slice.limit} offset ${slice.offset ?? 0}`
  type Raw = Omit<MatrixRow, 'areaName' | 'urgedAt'> & { areaCode: string; urgedAt: Date | null }
  const n = (of: RawBuilder<unknown>) => sql`count(*) filter (where ${of})::int`
  const { rows } =
    await sql<Raw>`select t.project_code, j.name as project_name, j.area_code, string_agg(t.mark, '' order by t.day) as marks,
      ${n(sql`t.mark = any (${[...marksDue]})`)} as due, ${n(sql`t.mark in ('w', 'l')`)} as written, ${n(sql`t.mark = 'l'`)} as late,
      ${n(sql`t.mark = 'm'`)} as missing, ${n(sql`t.mark = 's'`)} as stopped,
      (select max(g.at) from day_log_urge g where g.project_code = t.project_code and g.at >= ${today}::date at time zone 'Asia/Shanghai') as urged_at
    from (${marksOf(matrixConditions(ctx, query), first, last, today)}) t join project j using (project_code)
    group by t.project_code, j.name, j.area_code
    order by ${orderBy(query.sort, { missing: sql`missing`, projectName: 'j.name!' }, '-missing', 't.projectCode')} ${page}`.execute(ctx.db)
  const list = rows.map(({ areaCode, urgedAt, ...row }) => ({
    ...row,
    areaName: areaName(areaCode) ?? areaCode,
    urgedAt: urgedAt && formatInstant(urgedAt),
  }))
  return { list, month, today }
}

export async function countMatrix(ctx: Reader, query: MatrixQuery): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from project p where ${matrixConditions(ctx, query)}`.execute(ctx.db)
  return rows[0]?.n ?? 0
}

/** Figures of the strip: sites, each with the condition of the table that it opens. */
export async function matrixCounts(ctx: Reader, query: Pick<MatrixQuery, 'projectCode'>) {
  const of = (standing: MatrixTab) => countMatrix(ctx, { projectCode: query.projectCode, standing })
  return { due: await of('due'), written: await of('written'), missing: await of('missing'), silent: await of('silent') }
}

/** The days of one site around a day, the latest first. */
export async function neighboursOf(ctx: Reader, projectCode: string, day: string, span: number) {
  const today = formatDay(ctx.clock.now())
  const until = addDays(day, span) < today ? addDays(day, span) : today
  type Raw = { day: string; mark: string; id: string | null }
  const where = allOf(...equals('p.projectCode', projectCode))
  const { rows } = await sql<Raw>`select t.day, t.mark, t.id from (${marksOf(where, addDays(day, -span), until, today)}) t
    order by t.day desc`.execute(ctx.db)
  return rows
}

/** Figures of a month of safety logs. */
export async function safetyCounts(ctx: Reader, query: Pick<LogQuery, 'projectCode' | 'month'>) {
  const today = formatDay(ctx.clock.now())
  const [first, last] = daysOf(query.month ?? today.slice(0, 7))
  const inside = allOf(...mine(ctx, query))
  type Counts = { due: number; written: number; late: number }
  const { rows } = await sql<Counts>`select count(*) filter (where t.mark = any (${[...marksDue]}))::int as due,
      count(*) filter (where t.mark in ('w', 'l'))::int as written, count(*) filter (where t.mark = 'l')::int as late
    from (${marksOf(inside, first, last, today)}) t`.execute(ctx.db)
  const own = allOf(...inProjects('x.projectCode', projectsFor(ctx, query.projectCode)))
  const open = await sql<{
    n: number
  }>`select count(*)::int as n from day_log x where x.kind = 'safetyPLog' and ${own} and ${unanswered}`.execute(ctx.db)
  return { ...(rows[0] ?? { due: 0, written: 0, late: 0 }), unanswered: open.rows[0]?.n ?? 0 }
}

/** Figures of a month of construction logs: working days, logs, logs of days that were kept from work, and people who waited. */
export async function constructionCounts(ctx: Reader, query: Pick<LogQuery, 'projectCode' | 'month'>) {
  const today = formatDay(ctx.clock.now())
  const [first, last] = daysOf(query.month ?? today.slice(0, 7))
  const until = last < today ? last : today
  const days = await sql<{ n: number }>`select count(*)::int as n from project p
      cross join (select generate_series(${first}::date, ${until}::date, interval '1 day')::date as day) d
    where ${allOf(...mine(ctx, query))} and ${worked}`.execute(ctx.db)
  type Counts = { written: number; affected: number; idle: number }
  const { rows } = await sql<Counts>`select count(*)::int as written, count(*) filter (where x.impact <> 'none')::int as affected,
      coalesce(sum(x.idle_count), 0)::int as idle
    from day_log x where x.kind = 'construction' and x.state <> '0' and x.day between ${first}::date and ${last}::date
      and ${allOf(...inProjects('x.projectCode', projectsFor(ctx, query.projectCode)))}`.execute(ctx.db)
  return { due: days.rows[0]?.n ?? 0, ...(rows[0] ?? { written: 0, affected: 0, idle: 0 }) }
}

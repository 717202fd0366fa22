import { type ActivityRow, activityRow, type listActivities } from '@zhugong/contract/experts/activities'
import { activityResults } from '@zhugong/contract/experts/moves'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { type RawBuilder, sql } from 'kysely'
import { addDays, formatDay } from '#kit/clock'
import type { Context } from '#kit/context'
import type { Row } from '#kit/db'
import { allOf, anyOf, type Condition, condition, contains, daysBetween, equals, filtersOf, orderBy } from '#kit/list'
import { rowOf } from '#kit/row-of'
import { stateName } from './activity-kind.ts'
import { seen } from './draw-rows.ts'

type Query = Partial<NonNullable<(typeof listActivities)['types']>['parsed']['query']>
type Viewer = Pick<Context, 'group' | 'clock' | 'db' | 'scope' | 'scopeChecks'>
export interface RawActivity extends Row<'expertActivity'> {
  drawCode: string | null
  experts: number
  signed: number
  scored: number
}

function conditions(ctx: Viewer, query: Query): Condition {
  const one = query.projectCode && query.projectCode !== '*' ? query.projectCode : undefined
  return allOf(
    seen(ctx, 'a'),
    ...equals('a.aboutProject', one),
    filtersOf(query, {
      projectCode: 'elsewhere',
      date: [daysBetween, 'a.date'],
      activityType: [anyOf, 'a.activityType'],
      title: [contains, 'a.title'],
      projectName: [contains, 'a.aboutName'],
      hasReport: (value) => condition(value ? sql`a.report is not null` : sql`a.report is null`),
      state: [anyOf, 'a.state'],
    }),
  )
}

/** Coming ones first, the nearest at the top; then the past from today backwards. */
const order = (ctx: Viewer, sort: Query['sort']) => {
  if (sort) return orderBy(sort, { date: 'a.date!', code: 'a.code!' }, 'date', 'a.id')
  const today = formatDay(ctx.clock.now())
  return sql`a.date < ${today}::date, abs(a.date - ${today}::date), a.half, a.id`
}

const select = sql`select a.*, (select d.code from expert_draw d where d.id = a.draw_id) as draw_code,
    (select count(*)::int from expert_activity_seat s where s.activity_id = a.id) as experts,
    (select count(*)::int from expert_activity_seat s where s.activity_id = a.id and s.sign_at is not null) as signed,
    (select count(*)::int from expert_score c where c.activity_id = a.id) as scored
  from expert_activity a`

export async function readRows(
  ctx: Viewer,
  query: Query,
  { limit, offset }: { limit?: number; offset?: number } = {},
): Promise<ActivityRow[]> {
  const page = limit === undefined ? sql`` : sql`limit ${limit} offset ${offset ?? 0}`
  const { rows } = await sql<RawActivity>`${select} where ${conditions(ctx, query)} order by ${order(ctx, query.sort)} ${page}`.execute(
    ctx.db,
  )
  return rows.map(toRow)
}

export async function countRows(ctx: Viewer, query: Query): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from expert_activity a where ${conditions(ctx, query)}`.execute(
    ctx.db,
  )
  return rows[0]?.n ?? 0
}

export const toRow = (r: RawActivity): ActivityRow =>
  rowOf(activityRow, r, {
    typeName: dictName('expertActivityType', r.activityType) ?? r.activityType,
    projectCode: r.aboutProject,
    projectName: r.aboutName,
    resultName: r.result && activityResults[r.result],
    hasReport: r.report !== null,
    stateName: stateName(r.state),
  })

/** The seven days from today on. */
export const thisWeek = (ctx: Pick<Viewer, 'clock'>) => {
  const today = formatDay(ctx.clock.now())
  return { from: today, to: addDays(today, 6) }
}

/** Figures of the strip: each counts with the condition of the list it opens. */
export async function countsOf(ctx: Viewer) {
  const n = (of: RawBuilder<unknown>) => sql`count(*) filter (where ${of})::int`
  type Counts = Record<'coming' | 'week' | 'unfiled' | 'done', number>
  const { rows } =
    await sql<Counts>`select ${n(sql`a.state in ('1', '2')`)} as coming, ${n(allOf(...daysBetween('a.date', thisWeek(ctx))))} as week,
      ${n(sql`a.state = '3'`)} as unfiled, ${n(sql`a.state = '4'`)} as done from expert_activity a where ${seen(ctx, 'a')}`.execute(ctx.db)
  return rows[0] ?? { coming: 0, week: 0, unfiled: 0, done: 0 }
}

/** One activity, if the caller may see it. */
export async function activityFor(ctx: Viewer, id: string): Promise<RawActivity | undefined> {
  const { rows } = await sql<RawActivity>`${select} where a.id = ${id} and ${seen(ctx, 'a')}`.execute(ctx.db)
  return rows[0]
}

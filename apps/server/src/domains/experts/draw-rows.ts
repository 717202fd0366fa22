import { type DrawRow, drawRow, type listDraws } from '@zhugong/contract/experts/draws'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { formatDay } from '#kit/clock'
import type { Context } from '#kit/context'
import type { Row } from '#kit/db'
import { allOf, anyOf, type Condition, condition, contains, daysBetween, equals, filtersOf, orderBy } from '#kit/list'
import { rowOf } from '#kit/row-of'
import { stateName } from './draw-kind.ts'

type Query = Partial<NonNullable<(typeof listDraws)['types']>['parsed']['query']>
type Viewer = Pick<Context, 'group' | 'clock' | 'db' | 'scope' | 'scopeChecks'>
export interface RawDraw extends Row<'expertDraw'> {
  wanted: number
}

/** Of the caller's group as organiser or library, and of the projects that he sees whole. */
export const seen = (ctx: Pick<Viewer, 'group' | 'scope'>, at: 'd' | 'a'): Condition => {
  const { all, projects, limited } = ctx.scope
  const column = (name: string) => sql.ref(`${at}.${name}`)
  if (all) return condition(sql`true`)
  return condition(sql`(${ctx.group.id} in (${column('organiserGroup')}, ${column('libraryGroup')})
    or ${column('aboutProject')} = any (${projects.filter((code) => !limited.includes(code))}::text[]))`)
}

const yearStart = (ctx: Pick<Viewer, 'clock'>) => `${formatDay(ctx.clock.now()).slice(0, 4)}-01-01`
const ofThisYear = (ctx: Pick<Viewer, 'clock'>) => sql`(d.frozen_at >= ${`${yearStart(ctx)}T00:00:00+08:00`}::timestamptz)`

function conditions(ctx: Viewer, query: Query): Condition {
  const one = query.projectCode && query.projectCode !== '*' ? query.projectCode : undefined
  return allOf(
    seen(ctx, 'd'),
    ...equals('d.aboutProject', one),
    filtersOf(query, {
      projectCode: 'elsewhere',
      code: [contains, 'd.code'],
      purpose: [anyOf, 'd.purpose'],
      projectName: [contains, 'd.aboutName'],
      meetingDate: [daysBetween, 'd.meetingDate'],
      thisYear: (value) => condition(value ? ofThisYear(ctx) : sql`not ${ofThisYear(ctx)}`),
      state: [anyOf, 'd.state'],
    }),
  )
}

const select = sql`select d.*, (select coalesce(sum(q.seats), 0)::int from expert_draw_quota q where q.draw_id = d.id) as wanted
  from expert_draw d`

export async function readRows(ctx: Viewer, query: Query, { limit, offset }: { limit?: number; offset?: number } = {}): Promise<DrawRow[]> {
  const page = limit === undefined ? sql`` : sql`limit ${limit} offset ${offset ?? 0}`
  const order = orderBy(query.sort, { meetingDate: 'd.meetingDate!', code: 'd.code!' }, '-meetingDate', 'd.id')
  const { rows } = await sql<RawDraw>`${select} where ${conditions(ctx, query)} order by ${order} ${page}`.execute(ctx.db)
  return rows.map(toRow)
}

export async function countRows(ctx: Viewer, query: Query): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from expert_draw d where ${conditions(ctx, query)}`.execute(ctx.db)
  return rows[0]?.n ?? 0
}

export const toRow = (r: RawDraw): DrawRow =>
  rowOf(drawRow, r, {
    purposeName: dictName('expertActivityType', r.purpose) ?? r.purpose,
    projectCode: r.aboutProject,
    projectName: r.aboutName,
    stateName: stateName(r.state),
  })

/** One draw, if the caller may see it. */
export async function drawFor(ctx: Viewer, id: string): Promise<RawDraw | undefined> {
  const { rows } = await sql<RawDraw>`${select} where d.id = ${id} and ${seen(ctx, 'd')}`.execute(ctx.db)
  return rows[0]
}

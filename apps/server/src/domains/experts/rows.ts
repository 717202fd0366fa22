import { type ExpertRow, expertRow, type listExperts } from '@zhugong/contract/experts/library'
import { expertStates } from '@zhugong/contract/experts/moves'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { type RawBuilder, sql } from 'kysely'
import { addDays, formatDay, formatInstant } from '#kit/clock'
import type { Context } from '#kit/context'
import type { Row } from '#kit/db'
import { allOf, anyOf, between, type Condition, condition, contains, daysBetween, filtersOf, orderBy } from '#kit/list'
import { rowOf } from '#kit/row-of'
import { linkOf } from '../files/public.ts'
import { stateName } from './kind.ts'

export type Query = Partial<NonNullable<(typeof listExperts)['types']>['parsed']['query']>
export type Viewer = Pick<Context, 'group' | 'clock' | 'secrets' | 'db'>
export interface Raw extends Row<'expert'> {
  libraryName: string
  yearCount: number
  answered: number
}

export const endingDays = 90
const { listed, waiting, removed, draft, rejected, paused, ended } = expertStates
export const specialtyNames = (codes: readonly string[]): string[] => codes.map((code) => dictName('expertSpecialty', code) ?? code)

export const isOwn = (ctx: Pick<Context, 'group'>) => sql`(e.library_group = ${ctx.group.id})`
const tabs = {
  listed: sql`(e.state in (${listed}, ${paused}, ${ended}))`,
  waiting: sql`(e.state = ${waiting} or e.state = ${listed} and e.wish is not null)`,
  drafts: sql`(e.state in (${draft}, ${rejected}))`,
  removed: sql`(e.state = ${removed})`,
} as const satisfies Record<NonNullable<Query['tab']>, RawBuilder<unknown>>

/** What the caller may see: his own library whole but for withdrawn applications, of others who is listed in those that serve him. */
export const visible = (ctx: Pick<Context, 'group'>): Condition =>
  condition(sql`((${isOwn(ctx)} and not (e.applied and e.state = ${draft})) or e.state = ${listed})`)

/** Invitations answered this year by acceptance, and all answered ones, as the caller sees them. */
const ofYear = (ctx: Pick<Context, 'clock'>, replies: readonly string[]) => sql`(select count(*)::int from expert_draw_seat s
  where s.expert_id = e.id and s.reply = any (${[...replies]}) and s.meeting_date >= ${`${formatDay(ctx.clock.now()).slice(0, 4)}-01-01`}::date)`
const accepted = (ctx: Pick<Context, 'clock'>) => ofYear(ctx, ['accepted'])

export function conditions(ctx: Viewer, query: Query): Condition {
  return allOf(
    visible(ctx),
    filtersOf(query, {
      projectCode: 'elsewhere',
      tab: (tab) => condition(tabs[tab]),
      name: [contains, 'e.name'],
      workUnit: [contains, 'e.workUnit'],
      gender: [anyOf, 'e.gender'],
      title: [anyOf, 'e.title'],
      specialties: (codes) => condition(sql`e.specialties && ${[...codes]}::text[]`),
      validEnd: [daysBetween, 'e.validEnd'],
      score: [between, 'e.score'],
      grade: [anyOf, 'e.grade'],
      state: [anyOf, 'e.state'],
    }),
  )
}

const order = (ctx: Viewer, query: Pick<Query, 'sort' | 'tab'>) =>
  orderBy(
    query.sort,
    { name: 'e.name!', validEnd: 'e.validEnd', yearCount: accepted(ctx), score: 'e.score', submitTime: 'e.submitTime' },
    query.tab === 'waiting' ? 'submitTime' : 'name',
    'e.id',
  )

export const select = (ctx: Pick<Context, 'clock'>) => sql`select e.*, l.name as library_name, ${accepted(ctx)} as year_count,
    ${ofYear(ctx, ['accepted', 'refused', 'silent'])} as answered
  from expert e join expert_library l on l.group_id = e.library_group`

export async function readRows(
  ctx: Viewer,
  query: Query,
  { limit, offset }: { limit?: number; offset?: number } = {},
): Promise<ExpertRow[]> {
  const page = limit === undefined ? sql`` : sql`limit ${limit} offset ${offset ?? 0}`
  const { rows } = await sql<Raw>`${select(ctx)} where ${conditions(ctx, query)} order by ${order(ctx, query)} ${page}`.execute(ctx.db)
  return rows.map((row) => toRow(ctx, row))
}

export async function countRows(ctx: Viewer, query: Query): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from expert e where ${conditions(ctx, query)}`.execute(ctx.db)
  return rows[0]?.n ?? 0
}

export function toRow(ctx: Pick<Viewer, 'group' | 'clock' | 'secrets'>, r: Raw): ExpertRow {
  const own = r.libraryGroup === ctx.group.id
  return rowOf(expertRow, r, {
    photo: linkOf(ctx, r.photo),
    genderName: dictName('gender', r.gender) ?? '',
    titleName: dictName('titleLevel', r.title) ?? r.title,
    specialtyNames: specialtyNames(r.specialties),
    wishNames: own && r.wish ? specialtyNames(r.wish) : null,
    phone: r.phoneMask,
    yearCount: own ? r.yearCount : null,
    acceptRate: own && r.answered > 0 ? Math.round((r.yearCount / r.answered) * 100) : null,
    score: own ? r.score : null,
    grade: own ? r.grade : null,
    gradeName: own ? dictName('expertEvaluateGrade', r.grade) : null,
    submitTime: r.submitTime && formatInstant(r.submitTime),
    stateName: stateName(r.state),
  })
}

/** Figures of the strip and the tabs: each counts with the condition of the list it opens. */
export async function countsOf(ctx: Viewer) {
  const today = formatDay(ctx.clock.now())
  const n = (of: RawBuilder<unknown>) => sql`count(*) filter (where ${of})::int`
  const ending = allOf(condition(tabs.listed), ...daysBetween('e.validEnd', { from: today, to: addDays(today, endingDays) }))
  type Counts = Record<'listed' | 'waiting' | 'drafts' | 'removed' | 'ending', number>
  const { rows } = await sql<Counts>`select ${n(tabs.listed)} as listed, ${n(tabs.waiting)} as waiting, ${n(tabs.drafts)} as drafts,
      ${n(tabs.removed)} as removed, ${n(ending)} as ending from expert e where ${visible(ctx)}`.execute(ctx.db)
  return rows[0] ?? { listed: 0, waiting: 0, drafts: 0, removed: 0, ending: 0 }
}

/** One file, if the caller may see it. */
export async function expertFor(ctx: Viewer, id: string): Promise<Raw | undefined> {
  const { rows } = await sql<Raw>`${select(ctx)} where e.id = ${id} and ${visible(ctx)}`.execute(ctx.db)
  return rows[0]
}

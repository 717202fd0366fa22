import type { FireRow, listFire } from '@zhugong/contract/fire/calls'
import { fireRow } from '@zhugong/contract/fire/calls'
import { nearDays, type Pause, pausedDays, workDayAfter, workDaysBetween } from '@zhugong/contract/fire/deadline'
import { applyTypes, fireKinds, runningStates } from '@zhugong/contract/fire/moves'
import type { RestDays } from '@zhugong/contract/kit/rest-days'
import { areaName, dictName } from '@zhugong/contract/settings/dictionaries'
import { type RawBuilder, sql } from 'kysely'
import { formatDay, formatInstant } from '#kit/clock'
import { type Context, projectsFor } from '#kit/context'
import type { Row } from '#kit/db'
import {
  allOf,
  anyOf,
  type Condition,
  condition,
  contains,
  daysBetween,
  filtersOf,
  inAreas,
  inProjects,
  instantsBetween,
  orderBy,
} from '#kit/list'
import { rowOf } from '#kit/row-of'
import { commonCalendar } from '../access/public.ts'

type Viewer = Pick<Context, 'db' | 'scope' | 'scopeChecks' | 'clock' | 'group' | 'user'>
type FireQuery = Partial<NonNullable<(typeof listFire)['types']>['parsed']['query']>

/** Conditions that lists, figures and the wall share, on `fire_case c`. */
export function deadlineConditions(rest: RestDays, today: string) {
  const runs = sql`c.state in ('3', '4') and c.due_date is not null and c.paused_at is null`
  return {
    // Up to the day before the one with more working days left, so that days of rest between count as their eve.
    near: sql`(${runs} and c.due_date >= ${today}::date and c.due_date < ${workDayAfter(rest, today, nearDays + 1)}::date)`,
    late: sql`(${runs} and c.due_date < ${today}::date)`,
  }
}
export const unassigned = sql`(c.state = '3' and c.kind <> ${fireKinds.filing} and cardinality(c.assessors) = 0)`
export const undrawn = sql`(c.state = '3' and c.kind = ${fireKinds.filing} and c.in_random is null)`
const firstRound = (more: RawBuilder<unknown>) =>
  sql`exists (select from fire_round f where f.case_id = c.id and f.round = 1 and f.issued_at is not null and ${more})`
export const firstPassed = firstRound(sql`f.verdict <> 'fail'`)
const tabs: Record<Exclude<NonNullable<FireQuery['tab']>, 'mine'>, RawBuilder<unknown>> = {
  accept: sql`c.state = '1'`,
  running: sql`c.state in ('3', '4')`,
  recheck: sql`c.state = '5'`,
  done: sql`c.state in ('6', '7', '8', '9')`,
}
const yes = (value: boolean, of: RawBuilder<unknown>) => condition(value ? of : sql`not ${of}`)

export async function fireConditions(ctx: Viewer, query: FireQuery): Promise<Condition> {
  const rest = await commonCalendar(ctx.db)
  const deadline = deadlineConditions(rest, formatDay(ctx.clock.now()))
  const mine = sql`(c.applicant_group = ${ctx.group.id} or ${ctx.user.id} = any (c.assessor_ids))`
  return allOf(
    ...inProjects('c.projectCode', projectsFor(ctx, query.projectCode)),
    // A draft is its author's.
    condition(sql`(c.state <> '0' or c.applicant_group = ${ctx.group.id})`),
    filtersOf(query, {
      projectCode: 'elsewhere',
      tab: (value) => condition(value === 'mine' ? mine : tabs[value]),
      code: [contains, 'c.code'],
      projectName: (value) =>
        condition(sql`exists (select from project j where j.project_code = c.project_code and ${allOf(...contains('j.name', value))})`),
      areaCode: (value) =>
        condition(sql`exists (select from project j where j.project_code = c.project_code and ${allOf(...inAreas('j.areaCode', value))})`),
      kind: [anyOf, 'c.kind'],
      applyType: [anyOf, 'c.applyType'],
      applyCorp: [contains, 'c.applyCorp'],
      firePlaces: (values) => condition(sql`c.fire_places && ${values}::text[]`),
      acceptTime: [instantsBetween, 'c.acceptTime'],
      finishDate: [daysBetween, 'c.finishDate'],
      deadline: (value) => condition(deadline[value]),
      unassigned: (value) => yes(value, unassigned),
      undrawn: (value) => yes(value, undrawn),
      firstPassed: (value) => yes(value, firstPassed),
      firstTime: (range) => condition(firstRound(allOf(...instantsBetween('f.issuedAt', range)))),
      assessor: (value) => condition(sql`array_to_string(c.assessors, ' ') like ${`%${value.replace(/[\\%_]/g, '\\$&')}%`}`),
      state: [anyOf, 'c.state'],
    }),
  )
}

type Raw = Row<'fireCase'> & {
  projectName: string
  areaCode: string
  builds: number
  subsDone: number | null
  subsTotal: number | null
  pauses: Pause[]
}
/** Open cases first, unless an order is chosen. */
const order = (sort: FireQuery['sort']): RawBuilder<unknown> => {
  const chosen = orderBy(
    sort,
    { dueDate: 'c.dueDate', code: 'c.code', acceptTime: 'c.acceptTime', submitTime: 'c.submitTime', finishDate: 'c.finishDate' },
    'dueDate',
    'c.id',
  )
  return sort ? chosen : sql`not c.state = any (${[...runningStates]}), ${chosen}`
}

export async function readCases(
  ctx: Viewer,
  where: Condition,
  { sort, limit, offset }: { sort?: FireQuery['sort']; limit?: number; offset?: number },
): Promise<FireRow[]> {
  const page = limit === undefined ? sql`` : sql`limit ${limit} offset ${offset ?? 0}`
  const { rows } = await sql<Raw>`select c.*, j.name as project_name, j.area_code, r.subs_done, r.subs_total,
      (select count(*)::int from fire_build b where b.case_id = c.id) as builds,
      (select coalesce(json_agg(json_build_object('from', p.from_day, 'to', p.to_day)), '[]') from fire_pause p
        where p.case_id = c.id and p.from_day >= c.due_from) as pauses
    from (select c.* from fire_case c where ${where} order by ${order(sort)} ${page}) c
      join project j on j.project_code = c.project_code left join fire_round r on r.case_id = c.id and r.round = c.round
    order by ${order(sort)}`.execute(ctx.db)
  const rest = await commonCalendar(ctx.db)
  const today = formatDay(ctx.clock.now())
  return rows.map((row) => toRow(row, rest, today))
}

export async function countCases(ctx: Pick<Context, 'db'>, where: Condition): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from fire_case c where ${where}`.execute(ctx.db)
  return rows[0]?.n ?? 0
}

/** Working days left: as of the pause while the applicant repairs papers. */
export function leftOf(row: Pick<Row<'fireCase'>, 'state' | 'dueDate' | 'pausedAt'>, rest: RestDays, today: string): number | null {
  if (row.dueDate === null || !runningStates.includes(row.state)) return null
  const at = row.pausedAt ?? today
  const left = workDaysBetween(rest, at, row.dueDate)
  return row.dueDate < at ? Math.min(-1, left) : left
}

function toRow(c: Raw, rest: RestDays, today: string): FireRow {
  return rowOf(fireRow, c, {
    areaName: areaName(c.areaCode),
    kindName: dictName('fireProjectKind', c.kind) ?? c.kind,
    applyTypeName: applyTypes[c.applyType] ?? c.applyType,
    firePlaceNames: c.firePlaces.map((one) => dictName('firePlace', one) ?? one),
    submitTime: c.submitTime && formatInstant(c.submitTime),
    acceptTime: c.acceptTime && formatInstant(c.acceptTime),
    daysLeft: leftOf(c, rest, today),
    paused: c.pausedAt !== null,
    pausedDays: pausedDays(rest, c.pauses, today),
    stateName: dictName('fireAssessState', c.state) ?? c.state,
  })
}

/** Figures of the strip, each with the condition of the list that it opens. */
export async function fireCounts(ctx: Viewer, query: Pick<FireQuery, 'projectCode'>) {
  const n = (of: RawBuilder<unknown>) => sql`count(*) filter (where ${of})::int`
  const { late } = deadlineConditions(await commonCalendar(ctx.db), formatDay(ctx.clock.now()))
  const { rows } = await sql<{ waiting: number; unassigned: number; running: number; late: number }>`
    select ${n(sql`c.state = '1'`)} as waiting, ${n(unassigned)} as unassigned, ${n(sql`c.state = '4'`)} as running, ${n(late)} as late
    from fire_case c where ${await fireConditions(ctx, { projectCode: query.projectCode })}`.execute(ctx.db)
  return rows[0] ?? { waiting: 0, unassigned: 0, running: 0, late: 0 }
}

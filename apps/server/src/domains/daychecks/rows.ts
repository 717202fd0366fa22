import type * as contract from '@zhugong/contract/daychecks/calls'
import { type DayCheckRow, dayCheckRow } from '@zhugong/contract/daychecks/calls'
import { longRunningHours } from '@zhugong/contract/daychecks/moves'
import { hourMs } from '@zhugong/contract/kit/time'
import { gradeNames } from '@zhugong/contract/scoring/score'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { type RawBuilder, sql } from 'kysely'
import { formatDay, formatInstant, startOfDay } from '#kit/clock'
import { type Context, projectsFor } from '#kit/context'
import type { Row } from '#kit/db'
import {
  allOf,
  anyOf,
  between,
  type Condition,
  condition,
  contains,
  equals,
  filtersOf,
  inProjects,
  instantsBetween,
  orderBy,
} from '#kit/list'
import { rowOf } from '#kit/row-of'
import { stateName, typeName } from './kind.ts'

type RawRow = Row<'dayCheck'> &
  Pick<Row<'siteCheck'>, 'checkers' | 'inspectType' | 'checkTime' | 'checkerGroupName'> &
  Pick<Row<'checkScore'>, 'score' | 'grade'> & {
    projectName: string
    lng: number | null
    lat: number | null
    unitCount: number
    doneCount: number
    openRectify: number
    allRectify: number
    siteRectify: number
  }
export type Query = Partial<NonNullable<(typeof contract.listDayChecks)['types']>['parsed']['query']>
export type Viewer = Pick<Context, 'scope' | 'scopeChecks' | 'clock' | 'db' | 'user'>

/** Daily checks as `d`, with what every check has as `c` and their score as `s`. */
export const dayChecks = sql`day_check d join site_check c on c.id = d.id join check_score s on s.check_id = d.id`

/** The same for statements that need no column of the others: the database leaves out a join whose columns nothing reads. */
const foundChecks = sql`day_check d left join site_check c on c.id = d.id left join check_score s on s.check_id = d.id`

const isMine = (ctx: Pick<Context, 'user'>) => sql`${ctx.user.id} = any (d.checker_ids)`
const today = (ctx: Pick<Context, 'clock'>) => sql`${formatDay(ctx.clock.now())}::date`
/** To be done today: planned for today or before and not submitted. */
const isToday = (ctx: Pick<Context, 'clock'>) => sql`(d.state in ('0', '1') and d.planned_date <= ${today(ctx)})`
const isRunning = sql`d.state = '1'`
const isOpen = sql`d.state in ('3', '4')`

export function conditions(ctx: Viewer, query: Query): Condition {
  const tabs: Record<NonNullable<Query['tab']>, RawBuilder<unknown>> = {
    mine: sql`(d.state in ('0', '1') and ${isMine(ctx)})`,
    today: isToday(ctx),
    running: isRunning,
    open: isOpen,
  }
  return allOf(
    ...inProjects('d.projectCode', projectsFor(ctx, query.projectCode)),
    filtersOf(query, {
      projectCode: 'elsewhere',
      tab: (value) => condition(tabs[value]),
      code: [contains, 'd.code'],
      inspectType: [anyOf, 'c.inspectType'],
      discipline: (value) => condition(sql`d.discipline && ${[...value]}::text[]`),
      checkDate: [instantsBetween, 'c.checkTime'],
      checkers: (value) => condition(sql`exists (select from unnest(c.checkers) as who where ${allOf(...contains('who', value))})`),
      progress: [anyOf, 'd.progress'],
      score: [between, 's.score'],
      grade: [anyOf, 's.grade'],
      conclusion: [anyOf, 'd.conclusion'],
      locationAbnormal: [equals, 'd.locationAbnormal'],
      state: [anyOf, 'd.state'],
      planId: [equals, 'd.planId'],
      campaignId: [equals, 'd.campaignId'],
    }),
  )
}

const openNotices = sql`(select count(*)::int from rectify r where r.source_kind = 'daycheck' and r.source_id = d.id
  and r.state = any ('{1,2,3,4,5,6}'))`

const byUrgency = (sort: Query['sort']) => sort === undefined || sort.endsWith('urgency')
const toBeHeld = sql`d.state in ('0', '1')`

/** Own tasks first, the earliest planned; then the others, the latest first. */
const order = (ctx: Viewer, sort: Query['sort']) =>
  byUrgency(sort)
    ? sql`case when d.state in ('0', '1') and ${isMine(ctx)} then 0 when d.state in ('0', '1') then 1 else 2 end,
        case when d.state in ('0', '1') then d.planned_date end, d.planned_date desc, d.id`
    : orderBy(
        sort,
        { urgency: 'd.plannedDate!', checkDate: 'c.checkTime!', score: 's.score', openRectify: openNotices },
        '-checkDate',
        'd.id',
      )

/**
 * Ids of a page by urgency. What is to be held is little; of the rest, which may be a million, the index on the planned day gives the first
 * ones, so that nothing is sorted but what can be on the page.
 */
const urgentPage = (ctx: Viewer, where: Condition, limit: number, offset: number) => sql`
  select u.id from (
    (select d.id, case when ${isMine(ctx)} then 0 else 1 end as rank, d.planned_date
      from ${foundChecks} where ${allOf(where, condition(toBeHeld))})
    union all (select d.id, 2, d.planned_date from ${foundChecks} where ${allOf(where, condition(sql`not ${toBeHeld}`))}
      order by d.planned_date desc, d.id limit ${limit + offset})) u
  order by u.rank, case when u.rank < 2 then u.planned_date end, u.planned_date desc, u.id limit ${limit} offset ${offset}`

export async function readRows(
  ctx: Viewer,
  where: Condition,
  { sort, limit, offset }: { sort?: Query['sort']; limit?: number; offset?: number },
): Promise<DayCheckRow[]> {
  const urgent = limit !== undefined && byUrgency(sort)
  const page = limit === undefined || urgent ? sql`` : sql`limit ${limit} offset ${offset ?? 0}`
  const chosen = urgent ? condition(sql`d.id in (${urgentPage(ctx, where, limit, offset ?? 0)})`) : where
  const { rows } =
    await sql<RawRow>`select d.*, c.checkers, c.inspect_type, c.check_time, c.checker_group_name, s.score, s.grade, p.name as project_name, p.lng, p.lat,
      (select count(*)::int from day_check_unit u where u.check_id = d.id) as unit_count,
      (select count(*)::int from day_check_unit u where u.check_id = d.id and u.done_at is not null) as done_count,
      ${openNotices} as open_rectify,
      (select count(*)::int from rectify r where r.source_kind = 'daycheck' and r.source_id = d.id and r.state <> '8') as all_rectify,
      (select count(*)::int from rectify r where r.project_code = d.project_code and r.shown_at is not null and r.state between '1' and '6') as site_rectify
    from ${dayChecks} join project p on p.project_code = d.project_code where ${chosen} order by ${order(ctx, sort)} ${page}`.execute(
      ctx.db,
    )
  const now = ctx.clock.now()
  return rows.map((r) =>
    rowOf(dayCheckRow, r, {
      inspectTypeName: typeName(r.inspectType),
      disciplineNames: r.discipline.map((one) => dictName('checkDiscipline', one) ?? one),
      checkTime: formatInstant(r.checkTime),
      progressName: dictName('projectPhase', r.progress),
      gradeName: r.grade && gradeNames[r.grade],
      conclusionName: dictName('checkResult', r.conclusion),
      overdue: r.state === '0' && r.plannedDate < formatDay(now),
      stale: r.state === '1' && r.checkInAt !== null && now - r.checkInAt.getTime() > longRunningHours * hourMs,
      mine: r.checkerIds.includes(ctx.user.id),
      stateName: stateName(r.state),
    }),
  )
}

export async function countRows(ctx: Pick<Context, 'db'>, where: Condition): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from ${foundChecks} where ${where}`.execute(ctx.db)
  return rows[0]?.n ?? 0
}

/** Figures of the strip; each has the condition of the list it opens. */
export async function countsOf(ctx: Viewer, projectCode: string | undefined) {
  const where = conditions(ctx, { projectCode })
  const month = new Date(startOfDay(`${formatDay(ctx.clock.now()).slice(0, 7)}-01`))
  type Raw = { today: number; running: number; open: number; monthScore: number | null }
  const counted = allOf(where, condition(sql`d.state in ('0', '1', '3', '4')`))
  const ofMonth = allOf(where, condition(sql`c.kind = 'daycheck' and c.check_time >= ${month}`))
  const { rows } = await sql<Raw>`select (count(*) filter (where ${isToday(ctx)}))::int as today,
      (count(*) filter (where ${isRunning}))::int as running, (count(*) filter (where ${isOpen}))::int as open,
      (select round(avg(s.score), 2) from ${dayChecks} where ${ofMonth}) as month_score from day_check d where ${counted}`.execute(ctx.db)
  const [row] = rows
  return row
    ? { ...row, monthScore: row.monthScore === null ? null : Number(row.monthScore) }
    : { today: 0, running: 0, open: 0, monthScore: null }
}

export async function rowFor(ctx: Viewer, id: string): Promise<DayCheckRow | undefined> {
  const [row] = await readRows(ctx, allOf(...equals('d.id', id), ...inProjects('d.projectCode', projectsFor(ctx))), {})
  return row
}

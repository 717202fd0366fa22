import { type PatrolRow, patrolRow } from '@zhugong/contract/checks/patrol'
import type * as contract from '@zhugong/contract/checks/security-check'
import { dayMs } from '@zhugong/contract/kit/time'
import { runningStates } from '@zhugong/contract/rectify/moves'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { type RawBuilder, sql } from 'kysely'
import { addDays, formatDay, formatInstant, startOfDay } from '#kit/clock'
import { type Context, projectsFor } from '#kit/context'
import type { Row } from '#kit/db'
import {
  allOf,
  anyOf,
  type Condition,
  condition,
  contains,
  daysBetween,
  equals,
  filtersOf,
  inProjects,
  instantsBetween,
  orderBy,
} from '#kit/list'
import { rowOf } from '#kit/row-of'
import { linkOf } from '../files/public.ts'
import { withinPlace } from '../places/public.ts'
import { waitsFor } from '../process/public.ts'

type RawCheck = Row<'siteCheck'> & {
  projectName: string
  placeNames: string[]
  problem: string | null
  firstPhoto: string | null
  problemPhotos: number
  passedCount: number
  corpNames: string[]
  persons: string[]
  late: number
}
/** The filters that all patrols have. */
export type PatrolQuery = Partial<NonNullable<(typeof contract.listSecurityChecks)['types']>['parsed']['query']>
export type Viewer = Pick<Context, 'scope' | 'scopeChecks' | 'codes' | 'group' | 'clock' | 'user'>

const codes = (states: readonly string[]) => sql`${[...states]}::text[]`
const today = (ctx: Pick<Context, 'clock'>) => sql`${formatDay(ctx.clock.now())}::date`
/** Submitted and not finished: the partial index of the running ones applies. */
const isRunning = sql`c.state = any (${codes(runningStates)})`

/** Days past the deadline; 0 when on time or finished. */
const lateness = (ctx: Pick<Context, 'clock'>) => sql`case when ${isRunning} then greatest(${today(ctx)} - c.deadline, 0) else 0 end`
/** A notice of the check runs and is past its deadline: the one definition of 逾期. */
const isOverdue = (ctx: Pick<Context, 'clock'>) => sql`(${isRunning} and c.deadline < ${today(ctx)})`
/** Submitted checks held on the current day. */
const isToday = (ctx: Pick<Context, 'clock'>) => {
  const day = formatDay(ctx.clock.now())
  return sql`(c.state <> '0' and c.check_time >= ${new Date(startOfDay(day))} and c.check_time < ${new Date(startOfDay(addDays(day, 1)))})`
}
/**
 * A notice of the check waits for the caller, or the check is his own draft. As an array of ids, the few checks are found by key instead of
 * reading every check of the scope.
 */
const waiting = (ctx: Viewer, kind: string, projects: readonly string[] | undefined) =>
  sql`c.id = any (array(select d.id from site_check d where d.state = '0' and d.kind = ${kind} and d.create_by = ${ctx.user.id}
    union all select r.source_id from process_todo t join rectify r on r.id = t.object_id
    where t.kind = 'rectify' and r.source_kind = ${kind} and ${waitsFor(ctx, projects)}))`

const select = (ctx: Pick<Context, 'clock'>) => sql`select c.*, j.name as project_name,
  (select p.description from site_check_problem p where p.check_id = c.id order by p.seq limit 1) as problem,
  array(select q.full_name from (select c.place_id as id union select p.place_id from site_check_problem p where p.check_id = c.id) w
    join site_place q on q.id = w.id order by 1) as place_names,
  coalesce((select p.photos[1] from site_check_problem p where p.check_id = c.id and p.photos <> '{}' order by p.seq limit 1), c.photos[1]) as first_photo,
  (select coalesce(sum(cardinality(p.photos)), 0)::int from site_check_problem p where p.check_id = c.id) as problem_photos,
  (select count(*)::int from site_check_problem p join rectify_line l on l.id = p.line_id where p.check_id = c.id and l.state = 'passed') as passed_count,
  array(select distinct k.corp_name from site_check_problem p join corporation k on k.corp_code = p.corp_code where p.check_id = c.id order by 1) as corp_names,
  array(select distinct p.person from site_check_problem p where p.check_id = c.id and p.person is not null order by 1) as persons,
  ${lateness(ctx)} as late`

/** Condition on `site_check c`: a problem of the check matches. */
export const someProblem = (matches: Condition) =>
  condition(sql`exists (select from site_check_problem p where p.check_id = c.id and ${matches})`)

/** Conditions of the list of one kind of patrol and of its export. */
export function conditions(ctx: Viewer, kind: string, query: PatrolQuery): Condition {
  const projects = projectsFor(ctx, query.projectCode)
  const tabs: Record<NonNullable<PatrolQuery['tab']>, RawBuilder<unknown>> = {
    todo: waiting(ctx, kind, projects),
    own: sql`c.checker_id = ${ctx.user.id}`,
    open: isRunning,
  }
  return allOf(
    ...equals('c.kind', kind),
    ...inProjects('c.projectCode', projects),
    filtersOf(query, {
      projectCode: 'elsewhere',
      tab: (value) => condition(tabs[value]),
      code: [contains, 'c.code'],
      inspectType: [anyOf, 'c.inspectType'],
      checkTime: [instantsBetween, 'c.checkTime'],
      part: [contains, 'c.part'],
      place: (value) => condition(sql`(${withinPlace('c.place_id', value)} or ${someProblem(withinPlace('p.place_id', value))})`),
      problem: (value) => someProblem(allOf(...contains('p.description', value))),
      dangerLevel: [anyOf, 'c.dangerLevel'],
      corpName: (value) =>
        condition(sql`exists (select from site_check_problem p join corporation k on k.corp_code = p.corp_code
          where p.check_id = c.id and ${allOf(...contains('k.corpName', value))})`),
      person: (value) => someProblem(allOf(...contains('p.person', value))),
      deadline: [daysBetween, 'c.deadline'],
      overdue: (value) => condition(value ? isOverdue(ctx) : sql`not ${isOverdue(ctx)}`),
      today: (value) => condition(value ? isToday(ctx) : sql`not ${isToday(ctx)}`),
      state: [anyOf, 'c.state'],
    }),
  )
}

const order = (ctx: Viewer, sort: PatrolQuery['sort']) =>
  orderBy(
    sort,
    {
      // Among equally late ones the newest comes first. One number: comparing rows takes twice as long.
      overdueDays: sql`(${lateness(ctx)}) * 1e11::float8 + extract(epoch from c.check_time)::float8`,
      checkTime: 'c.checkTime!',
      deadline: 'c.deadline',
      problemCount: 'c.problemCount!',
    },
    '-overdueDays',
    'c.id',
  )

export type Reader = Viewer & Pick<Context, 'db' | 'secrets'>

export async function readChecks(
  ctx: Reader,
  where: Condition,
  { sort, limit, offset }: { sort?: PatrolQuery['sort']; limit?: number; offset?: number },
): Promise<PatrolRow[]> {
  const page = limit === undefined ? sql`` : sql`limit ${limit} offset ${offset ?? 0}`
  const isByLateness = (sort === undefined || sort === '-overdueDays') && limit !== undefined
  const found = isByLateness ? lateFirst(ctx, where, limit + (offset ?? 0)) : sql`select c.* from site_check c where ${where}`
  const { rows } = await sql<RawCheck>`${select(ctx)} from (select c.* from (${found}) c order by ${order(ctx, sort)} ${page}) c
    join project j on j.project_code = c.project_code order by ${order(ctx, sort)}`.execute(ctx.db)
  return rows.map((row) => toRow(ctx, row))
}

/**
 * The first `most` rows in the usual order: the few late ones and the newest of the others, each by its own index. Sorting all of them by
 * lateness reads every check of the scope.
 */
const lateFirst = (ctx: Viewer, where: Condition, most: number) => sql`
  (select c.* from site_check c where ${where} and ${isOverdue(ctx)} order by ${order(ctx, undefined)} limit ${most})
  union all (select c.* from site_check c where ${where} and ${isOverdue(ctx)} is not true order by c.check_time desc, c.id desc limit ${most})`

export async function countChecks(ctx: Pick<Context, 'db'>, where: Condition): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from site_check c where ${where}`.execute(ctx.db)
  return rows[0]?.n ?? 0
}

function toRow(ctx: Pick<Context, 'secrets' | 'clock'>, c: RawCheck): PatrolRow {
  return rowOf(patrolRow, c, {
    inspectTypeName: dictName('inspectType', c.inspectType) ?? c.inspectType,
    checkTime: formatInstant(c.checkTime),
    photo: linkOf(ctx, c.firstPhoto),
    photoCount: c.problemPhotos + c.photos.length,
    dangerLevelName: dictName('hiddenDangerLevel', c.dangerLevel),
    overdueDays: c.late,
    stateName: dictName('rectifyState', c.state) ?? c.state,
  })
}

/** Days over which closing times are averaged. */
const meanDays = 30

/** Figures of the strip and the tabs: each counts with the condition of the list it opens. */
export async function countsOf(ctx: Reader, kind: string, query: Pick<PatrolQuery, 'projectCode'>) {
  const projects = projectsFor(ctx, query.projectCode)
  const all = conditions(ctx, kind, { projectCode: query.projectCode })
  // Each by its own index: one pass with filters would read every check of the scope.
  const n = (of: RawBuilder<unknown>) => sql`(select count(*)::int from site_check c where ${all} and ${of})`
  const since = new Date(ctx.clock.now() - meanDays * dayMs)
  type Counts = Record<'todo' | 'open' | 'overdue' | 'today', number>
  const { rows } =
    await sql<Counts>`select ${n(waiting(ctx, kind, projects))} as todo, ${n(isRunning)} as open, ${n(isOverdue(ctx))} as overdue, ${n(isToday(ctx))} as today`.execute(
      ctx.db,
    )
  const { rows: means } = await sql<{ hours: number | null }>`
    select round((extract(epoch from avg(r.close_time - r.issue_time)) / 3600)::numeric, 1)::float8 as hours from rectify r
    where r.source_kind = ${kind} and r.state = '7' and r.close_time >= ${since} and ${allOf(...inProjects('r.projectCode', projects))}`.execute(
    ctx.db,
  )
  return { ...(rows[0] ?? { todo: 0, open: 0, overdue: 0, today: 0 }), meanCloseHours: means[0]?.hours ?? null }
}

/** One check as a row of the list. */
export async function checkFor(ctx: Reader, kind: string, id: string): Promise<PatrolRow | undefined> {
  const [row] = await readChecks(
    ctx,
    allOf(...equals('c.kind', kind), ...equals('c.id', id), ...inProjects('c.projectCode', projectsFor(ctx))),
    {},
  )
  return row
}

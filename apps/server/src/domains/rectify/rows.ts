import { dayMs } from '@zhugong/contract/kit/time'
import type * as contract from '@zhugong/contract/rectify/calls'
import { type RectifyRow, rectifyRow } from '@zhugong/contract/rectify/calls'
import { closedStates, runningStates, stopNotices } from '@zhugong/contract/rectify/moves'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { type RawBuilder, sql } from 'kysely'
import { formatDay, formatInstant } from '#kit/clock'
import { type Context, projectsFor } from '#kit/context'
import type { Row } from '#kit/db'
import { allOf, anyOf, between, type Condition, condition, contains, daysBetween, equals, filtersOf, inProjects, orderBy } from '#kit/list'
import { rowOf } from '#kit/row-of'
import { withinPlace } from '../places/public.ts'
import { waitsFor } from '../process/public.ts'

type RawNotice = Row<'rectify'> & {
  projectName: string
  corpName: string
  summary: string | null
  placeNames: string[]
  problemCount: number
  passedCount: number
  proxied: boolean
}
type Query = Partial<NonNullable<(typeof contract.listRectify)['types']>['parsed']['query']>
type Viewer = Pick<Context, 'scope' | 'scopeChecks' | 'codes' | 'group' | 'clock'>

const codes = (states: readonly string[]) => sql`${[...states]}::text[]`
const today = (ctx: Pick<Context, 'clock'>) => sql`${formatDay(ctx.clock.now())}::date`

/** Issued, not finished, and past its deadline: the one definition of 逾期. */
const isOverdue = (ctx: Pick<Context, 'clock'>) => sql`(r.state = any (${codes(runningStates)}) and r.deadline < ${today(ctx)})`
/** Order by lateness: running ones before finished ones. */
const lateness = (ctx: Pick<Context, 'clock'>) =>
  sql`case when ${isOverdue(ctx)} then ${today(ctx)} - r.deadline when r.state = any (${codes(runningStates)}) then 0 else -1 end`
/** Days overdue after which a notice stands out in the figures. */
const longOverdue = 7
const isLate = (ctx: Pick<Context, 'clock'>) =>
  sql`(r.state = any (${codes(runningStates)}) and r.deadline < ${today(ctx)} - ${longOverdue}::int)`
const isDueToday = (ctx: Pick<Context, 'clock'>) => sql`(r.state = any (${codes(runningStates)}) and r.deadline = ${today(ctx)})`

/** What waits for the caller; not correlated, so that the to-dos are read once. */
const waiting = (ctx: Viewer, projects: readonly string[] | undefined) =>
  sql`r.id in (select t.object_id from process_todo t where t.kind = 'rectify' and ${waitsFor(ctx, projects)})`

const select = sql`select r.*, p.name as project_name, c.corp_name,
  (select l.description from rectify_line l where l.rectify_id = r.id order by l.seq limit 1) as summary,
  array(select distinct q.full_name from rectify_line l join site_place q on q.id = l.place_id where l.rectify_id = r.id order by 1) as place_names,
  (select count(*)::int from rectify_line l where l.rectify_id = r.id) as problem_count,
  (select count(*)::int from rectify_line l where l.rectify_id = r.id and l.state = 'passed') as passed_count,
  exists (select from rectify_reply y where y.rectify_id = r.id and y.on_behalf) as proxied`

/** Conditions of the list and of its export. `projectCode` is read by `projectsFor`. */
export function conditions(ctx: Viewer, query: Query): Condition {
  const projects = projectsFor(ctx, query.projectCode)
  const tabs: Record<NonNullable<Query['tab']>, RawBuilder<unknown>> = {
    mine: waiting(ctx, projects),
    running: sql`r.state = any (${codes(runningStates)})`,
    closed: sql`r.state = any (${codes(closedStates)})`,
    issued: sql`r.issuer_group = ${ctx.group.id}`,
  }
  return allOf(
    ...inProjects('r.projectCode', projects),
    filtersOf(query, {
      projectCode: 'elsewhere',
      origin: [equals, 'r.origin'],
      tab: (value) => condition(tabs[value]),
      code: [contains, 'r.code'],
      summary: (value) =>
        condition(sql`exists (select from rectify_line l where l.rectify_id = r.id and ${allOf(...contains('l.description', value))})`),
      place: (value) =>
        condition(sql`exists (select from rectify_line l where l.rectify_id = r.id and ${withinPlace('l.place_id', value)})`),
      noticeType: [anyOf, 'r.noticeType'],
      category: [anyOf, 'r.category'],
      level: [anyOf, 'r.level'],
      sourceType: [anyOf, 'r.sourceType'],
      sourceKind: [equals, 'r.sourceKind'],
      sourceId: [equals, 'r.sourceId'],
      state: [anyOf, 'r.state'],
      corpName: (value) =>
        condition(sql`exists (select from corporation c where c.corp_code = r.corp_code and ${allOf(...contains('c.corpName', value))})`),
      responsiblePerson: [contains, 'r.responsiblePerson'],
      issuerName: [contains, 'r.issuerName'],
      issuerGroupName: [contains, 'r.issuerGroupName'],
      checkDate: [daysBetween, 'r.checkDate'],
      deadline: [daysBetween, 'r.deadline'],
      overdue: (value) => condition(value ? isOverdue(ctx) : sql`not ${isOverdue(ctx)}`),
      late: (value) => condition(value ? isLate(ctx) : sql`not ${isLate(ctx)}`),
      dueToday: (value) => condition(value ? isDueToday(ctx) : sql`not ${isDueToday(ctx)}`),
      returns: [between, 'r.returns'],
      receiveTime: (value) => condition(value ? sql`r.receive_time is not null` : sql`r.receive_time is null`),
    }),
  )
}

const order = (ctx: Viewer, sort: Query['sort']) =>
  orderBy(
    sort,
    {
      deadline: 'r.deadline!',
      overdueDays: lateness(ctx),
      checkDate: 'r.checkDate!',
      returns: 'r.returns!',
      issueTime: 'r.issueTime',
    },
    '-overdueDays',
    'r.id',
  )

export async function readRows(
  ctx: Viewer & Pick<Context, 'db'>,
  where: Condition,
  { sort, limit, offset }: { sort?: Query['sort']; limit?: number; offset?: number },
): Promise<RectifyRow[]> {
  const page = limit === undefined ? sql`` : sql`limit ${limit} offset ${offset ?? 0}`
  const { rows } = await sql<RawNotice>`${select} from (select r.* from rectify r where ${where} order by ${order(ctx, sort)} ${page}) r
    join project p on p.project_code = r.project_code join corporation c on c.corp_code = r.corp_code
    order by ${order(ctx, sort)}`.execute(ctx.db)
  return rows.map((row) => toRow(ctx, row))
}

export async function countRows(ctx: Pick<Context, 'db'>, where: Condition): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from rectify r where ${where}`.execute(ctx.db)
  return rows[0]?.n ?? 0
}

export function toRow(ctx: Pick<Context, 'clock'>, r: RawNotice): RectifyRow {
  const late = Math.round((Date.parse(formatDay(ctx.clock.now())) - Date.parse(r.deadline)) / dayMs)
  return rowOf(rectifyRow, r, {
    noticeTypeName: dictName('rectifyNoticeType', r.noticeType) ?? r.noticeType,
    categoryName: dictName('rectifyCategory', r.category) ?? r.category,
    levelName: dictName('hiddenDangerLevel', r.level) ?? r.level,
    sourceTypeName: dictName('inspectType', r.sourceType) ?? r.sourceType,
    stateName: dictName('rectifyState', r.state) ?? r.state,
    summary: r.summary ?? '',
    overdueDays: runningStates.some((state) => state === r.state) ? Math.max(0, late) : 0,
    receiveTime: r.receiveTime && formatInstant(r.receiveTime),
    issueTime: r.issueTime && formatInstant(r.issueTime),
    closeTime: r.closeTime && formatInstant(r.closeTime),
  })
}

/** Figures of the strip and the tabs: each counts with the condition of the list it opens. */
export async function countsOf(ctx: Viewer & Pick<Context, 'db'>, query: Pick<Query, 'projectCode' | 'origin'>) {
  const projects = projectsFor(ctx, query.projectCode)
  const n = (of: RawBuilder<unknown>) => sql`count(*) filter (where ${of})::int`
  type Counts = Record<'mine' | 'running' | 'overdue' | 'late' | 'dueToday' | 'unsigned' | 'toReply' | 'toReview' | 'stops', number>
  const { rows } =
    await sql<Counts>`select ${n(waiting(ctx, projects))} as mine, ${n(sql`r.state = any (${codes(runningStates)})`)} as running,
      ${n(isOverdue(ctx))} as overdue, ${n(isLate(ctx))} as late, ${n(isDueToday(ctx))} as due_today, ${n(sql`r.state = '1'`)} as unsigned,
      ${n(sql`r.state in ('2', '3', '6')`)} as to_reply, ${n(sql`r.state = '4'`)} as to_review,
      ${n(sql`r.notice_type = any (${codes(stopNotices)}) and r.state = any (${codes(runningStates)})`)} as stops
    from rectify r where ${conditions(ctx, { projectCode: query.projectCode, origin: query.origin })}`.execute(ctx.db)
  return rows[0] ?? { mine: 0, running: 0, overdue: 0, late: 0, dueToday: 0, unsigned: 0, toReply: 0, toReview: 0, stops: 0 }
}

/** One notice as a row of the list. */
export async function rowFor(ctx: Viewer & Pick<Context, 'db'>, id: string): Promise<RectifyRow | undefined> {
  const [row] = await readRows(ctx, allOf(...equals('r.id', id), ...inProjects('r.projectCode', projectsFor(ctx))), {})
  return row
}

/** Issued and unfinished notices from a record, whoever they are addressed to; drafts are nobody else's business. */
export async function openFrom(ctx: Pick<Context, 'system'>, kind: string, id: string): Promise<{ id: string; code: string }[]> {
  const { rows } = await sql<{ id: string; code: string }>`select r.id, r.code from rectify r where r.source_kind = ${kind}
    and r.source_id = ${id} and r.shown_at is not null and r.state = any (${codes(runningStates)}) order by r.deadline, r.id`.execute(
    ctx.system,
  )
  return rows
}

/** Issued notices from a record that the caller sees, the newest first. */
export async function noticesFrom(ctx: Pick<Context, 'db'>, kind: string, id: string) {
  type Raw = Pick<Row<'rectify'>, 'id' | 'origin' | 'deadline' | 'state'> & { code: string; open: boolean }
  const { rows } = await sql<Raw>`select r.id, r.code, r.origin, r.deadline, r.state, r.state = any (${codes(runningStates)}) as open
    from rectify r where r.source_kind = ${kind} and r.source_id = ${id} and r.shown_at is not null order by r.issue_time desc, r.id`.execute(
    ctx.db,
  )
  return rows
}

/** Running notices of a project that the caller sees, the most urgent first. */
export async function openNotices(ctx: Pick<Context, 'db'>, projectCode: string): Promise<Pick<Row<'rectify'>, 'id' | 'code'>[]> {
  const { rows } = await sql<Pick<Row<'rectify'>, 'id' | 'code'>>`select r.id, r.code from rectify r where r.project_code = ${projectCode}
    and r.state = any (${codes(runningStates)}) order by r.deadline, r.id`.execute(ctx.db)
  return rows
}

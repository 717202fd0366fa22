import { dayMs } from '@zhugong/contract/kit/time'
import { majorLevel, runningStates, stopNotices } from '@zhugong/contract/rectify/moves'
import type { listReplies } from '@zhugong/contract/rectify/replies'
import { type JlResult, type ReplyRow, type ReplyState, replyRow } from '@zhugong/contract/rectify/reply-model'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { type RawBuilder, sql } from 'kysely'
import { formatDay, formatInstant, startOfDay } from '#kit/clock'
import { type Context, projectsFor } from '#kit/context'
import type { Row } from '#kit/db'
import { allOf, anyOf, type Condition, condition, contains, daysBetween, filtersOf, inProjects, instantsBetween, orderBy } from '#kit/list'
import { rowOf } from '#kit/row-of'
import { linksOf } from '../files/public.ts'
import { waitsFor } from '../process/public.ts'

type RawReply = Pick<Row<'rectify'>, 'code' | 'noticeType' | 'level' | 'deadline'> &
  Omit<Row<'rectifyReply'>, 'opinion'> & {
    noticeState: string
    projectName: string
    corpName: string
    before: string[] | null
    after: string[] | null
  }
type Query = Partial<NonNullable<(typeof listReplies)['types']>['parsed']['query']>
type Viewer = Pick<Context, 'scope' | 'scopeChecks' | 'codes' | 'group' | 'clock'>

/** A condition on the notice of the reply `a`; only asked when a filter needs it, so that the plain list reads one table. */
const ofNotice = (where: Condition | RawBuilder<unknown>) =>
  condition(sql`exists (select from rectify r where r.id = a.rectify_id and ${where})`)
const isWaiting = sql`a.state in ('recheck', 'review')`
/** Whole days since it came to whoever has it now. */
const waited = ({ clock }: Pick<Context, 'clock'>) =>
  sql`case when ${isWaiting} then floor(extract(epoch from ${new Date(clock.now())}::timestamptz - a.since) / 86400)::int end`
/** Waits for the caller's group to recheck; not correlated, so that the to-dos are read once. */
const forCaller = (ctx: Viewer, projects: readonly string[] | undefined) =>
  sql`(a.state = 'recheck' and a.rectify_id in (select t.object_id from process_todo t where t.kind = 'rectify' and ${waitsFor(ctx, projects)}))`
const toVisit = ofNotice(sql`(r.level = ${majorLevel} or r.notice_type = any (${[...stopNotices]}::text[]))`)
const doneToday = (ctx: Viewer) =>
  sql`(a.recheck_group = ${ctx.group.id} and a.recheck_at >= ${new Date(startOfDay(formatDay(ctx.clock.now())))})`

/** 监理 signed the paper itself. */
const paper = sql`cardinality(a.review_sheet) > 0`
const jlConditions: Readonly<Record<JlResult, RawBuilder<unknown>>> = {
  passed: sql`(a.review_passed and not ${paper})`,
  returned: sql`(not a.review_passed)`,
  paper: sql`(a.review_passed and ${paper})`,
  none: sql`(a.review_passed is null)`,
}

/** Conditions of the list of replies and of its export. Only notices of authorities. */
export function replyConditions(ctx: Viewer, query: Query): Condition {
  const projects = projectsFor(ctx, query.projectCode)
  return allOf(
    condition(sql`a.origin = 'gov'`),
    ...inProjects('a.projectCode', projects),
    filtersOf(query, {
      view: 'elsewhere',
      projectCode: 'elsewhere',
      tab: (state) => condition(sql`a.state = ${state}`),
      code: (value) => ofNotice(allOf(...contains('r.code', value))),
      noticeType: (values) => ofNotice(allOf(...anyOf('r.noticeType', values))),
      level: (values) => ofNotice(allOf(...anyOf('r.level', values))),
      corpName: (value) =>
        condition(sql`exists (select from corporation c where c.corp_code = a.corp_code and ${allOf(...contains('c.corpName', value))})`),
      deadline: (range) => ofNotice(allOf(...daysBetween('r.deadline', range))),
      replier: [contains, 'a.byName'],
      replyTime: [instantsBetween, 'a.at'],
      jlResult: (values) => anyOfThese(values.flatMap((one) => (Object.hasOwn(jlConditions, one) ? [jlConditions[one as JlResult]] : []))),
      waitDays: ({ low, high }) =>
        allOf(
          ...(low === undefined ? [] : [condition(sql`${waited(ctx)} >= ${low}::numeric`)]),
          ...(high === undefined ? [] : [condition(sql`${waited(ctx)} <= ${high}::numeric`)]),
        ),
      mustVisit: (value) => condition(value ? toVisit : sql`not ${toVisit}`),
      onBehalf: (value) => condition(sql`a.on_behalf = ${value}`),
      forMe: (value) => condition(value ? forCaller(ctx, projects) : sql`not ${forCaller(ctx, projects)}`),
      doneToday: (value) => condition(value ? doneToday(ctx) : sql`not coalesce(${doneToday(ctx)}, false)`),
    }),
  )
}
const anyOfThese = (some: readonly RawBuilder<unknown>[]): Condition =>
  some.length ? condition(sql`(${sql.join(some, sql` or `)})`) : condition(sql`false`)

/** What waits stands by its waiting time, what is decided by the time it was sent. */
const order = ({ sort, tab }: Pick<Query, 'sort' | 'tab'>) =>
  orderBy(
    sort,
    {
      replyTime: 'a.at!',
      // Grows with the waiting time, and is finer than days.
      waitDays: sql`case when ${isWaiting} then -extract(epoch from a.since) end`,
      deadline: sql`(select r.deadline from rectify r where r.id = a.rectify_id)`,
      round: 'a.round!',
    },
    tab === 'passed' || tab === 'returned' ? '-replyTime' : '-waitDays',
    'a.rectifyId',
  )

const firstPhotos = 3
/** Photographs of the problems answered in the round, or of its answers. */
const photosOf = (column: RawBuilder<unknown>) => sql`(select array_agg(photo) from (
    select unnest(${column}) as photo from rectify_answer x join rectify_line l on l.id = x.line_id
    where x.rectify_id = a.rectify_id and x.round = a.round and not x.draft order by l.seq limit ${firstPhotos}) p)`

export async function readReplies(
  ctx: Viewer & Pick<Context, 'db' | 'secrets'>,
  where: Condition,
  { limit, offset, ...sorted }: Pick<Query, 'sort' | 'tab'> & { limit?: number; offset?: number },
): Promise<ReplyRow[]> {
  const page = limit === undefined ? sql`` : sql`limit ${limit} offset ${offset ?? 0}`
  const { rows } =
    await sql<RawReply>`select a.*, r.code, r.notice_type, r.level, r.deadline, r.state as notice_state, p.name as project_name,
      c.corp_name, ${photosOf(sql`l.photos`)} as before, ${photosOf(sql`x.photos`)} as after
    from (select a.* from rectify_reply a where ${where} order by ${order(sorted)} ${page}) a
    join rectify r on r.id = a.rectify_id join project p on p.project_code = a.project_code
    join corporation c on c.corp_code = a.corp_code
    order by ${order(sorted)}`.execute(ctx.db)
  return rows.map((row) => toReply(ctx, row))
}

function toReply(ctx: Pick<Context, 'clock' | 'secrets'>, r: RawReply): ReplyRow {
  const isOpen = r.state === 'recheck' || r.state === 'review'
  const late = Math.round((Date.parse(formatDay(ctx.clock.now())) - Date.parse(r.deadline)) / dayMs)
  return rowOf(replyRow, r, {
    id: r.rectifyId,
    noticeTypeName: dictName('rectifyNoticeType', r.noticeType) ?? r.noticeType,
    levelName: dictName('hiddenDangerLevel', r.level) ?? r.level,
    replyTime: formatInstant(r.at),
    replier: r.byName,
    jlResult: r.reviewPassed === null ? 'none' : !r.reviewPassed ? 'returned' : r.reviewSheet.length > 0 ? 'paper' : 'passed',
    jlBy: r.reviewBy,
    overdueDays: runningStates.some((state) => state === r.noticeState) ? Math.max(0, late) : 0,
    waitDays: isOpen ? Math.floor((ctx.clock.now() - r.since.getTime()) / dayMs) : null,
    mustVisit: r.level === majorLevel || stopNotices.includes(r.noticeType),
    recheckTime: r.recheckAt && formatInstant(r.recheckAt),
    before: linksOf(ctx, r.before),
    after: linksOf(ctx, r.after),
  })
}

export async function countReplies(ctx: Pick<Context, 'db'>, where: Condition): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from rectify_reply a where ${where}`.execute(ctx.db)
  return rows[0]?.n ?? 0
}

/** Figures of the strip and the tabs: each counts with the condition of the list it opens. */
export async function replyCountsOf(ctx: Viewer & Pick<Context, 'db'>, { projectCode }: Pick<Query, 'projectCode'>) {
  const projects = projectsFor(ctx, projectCode)
  const n = (of: RawBuilder<unknown>) => sql`count(*) filter (where ${of})::int`
  const state = (of: ReplyState) => n(sql`a.state = ${of}`)
  type Counts = Record<ReplyState | 'forMe' | 'toVisit' | 'doneToday', number> & { longestDays: number | null }
  const { rows } = await sql<Counts>`select ${state('recheck')} as recheck, ${state('review')} as review, ${state('passed')} as passed,
      ${state('returned')} as returned, ${n(forCaller(ctx, projects))} as for_me,
      max(${waited(ctx)}) filter (where ${forCaller(ctx, projects)}) as longest_days,
      ${n(sql`a.state = 'recheck' and ${toVisit}`)} as to_visit, ${n(doneToday(ctx))} as done_today
    from rectify_reply a where ${replyConditions(ctx, { projectCode })}`.execute(ctx.db)
  const none = { recheck: 0, review: 0, passed: 0, returned: 0, forMe: 0, longestDays: 0, toVisit: 0, doneToday: 0 }
  const counts = rows[0]
  return counts ? { ...counts, longestDays: counts.longestDays ?? 0 } : none
}

import { type AdviceRow, adviceRow, type listAdvice } from '@zhugong/contract/advice/calls'
import { answerDays, answered, complaint, unanswered } from '@zhugong/contract/advice/moves'
import { hourMs } from '@zhugong/contract/kit/time'
import { type RawBuilder, sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import { type Context, projectsFor } from '#kit/context'
import type { Row } from '#kit/db'
import { allOf, anyOf, between, type Condition, condition, contains, filtersOf, instantsBetween, orderBy } from '#kit/list'
import { rowOf } from '#kit/row-of'
import { adviceKind, maskOf, typeName } from './kind.ts'

type Query = Partial<NonNullable<(typeof listAdvice)['types']>['parsed']['query']>
type Viewer = Pick<Context, 'scope' | 'scopeChecks' | 'codes' | 'group' | 'user' | 'clock'>

/** Whoever answers in a group also sees the complaints put to it; its other members see the rest. */
const mayHandle = (ctx: Pick<Context, 'codes'>) => ctx.codes.has('supervision.adviceReply')
const isMine = (ctx: Pick<Context, 'user'>) => sql`(a.submitter_id = ${ctx.user.id})`
/** The group of the caller has or had to answer. */
const isHandled = (ctx: Pick<Context, 'group'>) => sql`(a.handlers @> array[${ctx.group.id}]::text[])`

/** Whether the caller's part in an item is to answer it. */
export const handles = (ctx: Pick<Context, 'codes' | 'group' | 'user'>, row: Pick<Row<'advice'>, 'handlers' | 'submitterId'>): boolean =>
  mayHandle(ctx) && row.handlers.includes(ctx.group.id) && row.submitterId !== ctx.user.id

/** What the caller may see. */
export const visible = (ctx: Pick<Context, 'codes' | 'group' | 'user'>): Condition =>
  condition(sql`(${isMine(ctx)} or (${isHandled(ctx)} and (not a.secret or ${mayHandle(ctx)}))
    or (not a.secret and a.submitter_group = ${ctx.group.id}))`)

const isLate = ({ clock }: Pick<Context, 'clock'>) =>
  sql`(a.state = ${unanswered} and a.asked_at < ${new Date(clock.now())}::timestamptz - make_interval(days => ${answerDays}))`
/** Whole hours from the question to its answer, or until now. */
const waited = ({ clock }: Pick<Context, 'clock'>) =>
  sql`floor(extract(epoch from case when a.state = ${unanswered} then ${new Date(clock.now())}::timestamptz
    else coalesce(a.replied_at, a.closed_at, a.asked_at) end - a.asked_at) / 3600)::int`

const tabs = (ctx: Viewer): Record<NonNullable<Query['tab']>, RawBuilder<unknown>> => ({
  waiting: sql`a.state = ${unanswered}`,
  replied: sql`a.state = ${answered}`,
  closed: sql`a.state not in (${unanswered}, ${answered})`,
  mine: isMine(ctx),
})

/** Conditions of the list and of its export. */
export function conditions(ctx: Viewer, query: Query): Condition {
  const one = query.projectCode && query.projectCode !== '*' ? projectsFor(ctx, query.projectCode)?.[0] : undefined
  return allOf(
    visible(ctx),
    ...(one ? [condition(sql`a.about_project = ${one}`)] : []),
    filtersOf(query, {
      projectCode: 'elsewhere',
      tab: (tab) => condition(tabs(ctx)[tab]),
      title: [contains, 'a.title'],
      type: [anyOf, 'a.type'],
      projectName: [contains, 'a.aboutName'],
      createTime: [instantsBetween, 'a.createTime'],
      replier: [contains, 'a.replier'],
      replyTime: (value) => condition(value ? sql`a.replied_at is not null` : sql`a.replied_at is null`),
      waitHours: (range) => {
        const hours = 'waited'
        return condition(sql`(select ${allOf(...between(hours, range))} from (select ${waited(ctx)} as ${sql.ref(hours)}) w)`)
      },
      late: (value) => condition(value ? isLate(ctx) : sql`not ${isLate(ctx)}`),
      state: [anyOf, 'a.state'],
    }),
  )
}

/** Unanswered ones first, the oldest at the top. */
const order = (ctx: Viewer, sort: Query['sort']) =>
  sort
    ? orderBy(sort, { createTime: 'a.createTime!', replyTime: 'a.repliedAt', waitHours: waited(ctx) }, 'createTime', 'a.id')
    : sql`a.state, case when a.state = ${unanswered} then a.asked_at end, a.create_time desc, a.id`

export async function readRows(
  ctx: Viewer & Pick<Context, 'db'>,
  where: Condition,
  { sort, limit, offset }: { sort?: Query['sort']; limit?: number; offset?: number },
): Promise<AdviceRow[]> {
  const page = limit === undefined ? sql`` : sql`limit ${limit} offset ${offset ?? 0}`
  const { rows } = await sql<Row<'advice'>>`select a.* from advice a where ${where} order by ${order(ctx, sort)} ${page}`.execute(ctx.db)
  return rows.map((row) => toRow(ctx, row))
}

export async function countRows(ctx: Pick<Context, 'db'>, where: Condition): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from advice a where ${where}`.execute(ctx.db)
  return rows[0]?.n ?? 0
}

export function toRow(ctx: Pick<Context, 'clock' | 'user'>, r: Row<'advice'>): AdviceRow {
  const mine = r.submitterId === ctx.user.id
  const isOpen = r.state === unanswered
  const until = isOpen ? ctx.clock.now() : (r.repliedAt ?? r.closedAt ?? r.askedAt).getTime()
  const waitHours = Math.max(0, Math.floor((until - r.askedAt.getTime()) / hourMs))
  return rowOf(adviceRow, r, {
    typeName: typeName(r.type),
    submitterName: r.secret && !mine ? maskOf(r) : r.submitterName,
    projectCode: r.aboutProject,
    projectName: r.aboutName,
    createTime: formatInstant(r.createTime),
    replyTime: r.repliedAt && formatInstant(r.repliedAt),
    waitHours,
    late: isOpen && ctx.clock.now() - r.askedAt.getTime() > answerDays * 24 * hourMs,
    mine,
    stateName: adviceKind.stateName(r.state),
  })
}

/** Figures of the strip and the tabs: each counts with the condition of the list it opens. */
export async function countsOf(ctx: Viewer & Pick<Context, 'db'>, { projectCode }: Pick<Query, 'projectCode'>) {
  const n = (of: RawBuilder<unknown>) => sql`count(*) filter (where ${of})::int`
  const { waiting, replied, closed, mine } = tabs(ctx)
  type Counts = Record<'waiting' | 'replied' | 'closed' | 'mine' | 'late' | 'complaints', number> & { answerHours: number | null }
  const { rows } = await sql<Counts>`select ${n(waiting)} as waiting, ${n(replied)} as replied, ${n(closed)} as closed, ${n(mine)} as mine,
      ${n(isLate(ctx))} as late, ${n(sql`a.type = ${complaint}`)} as complaints,
      round((avg(extract(epoch from a.first_reply_at - a.create_time)) / 3600)::numeric, 1)::float8 as answer_hours
    from advice a where ${conditions(ctx, { projectCode })}`.execute(ctx.db)
  return rows[0] ?? { waiting: 0, replied: 0, closed: 0, mine: 0, late: 0, complaints: 0, answerHours: null }
}

/** One item, if the caller may see it. */
export async function itemFor(ctx: Viewer & Pick<Context, 'db'>, id: string): Promise<Row<'advice'> | undefined> {
  const { rows } = await sql<Row<'advice'>>`select a.* from advice a where a.id = ${id} and ${visible(ctx)}`.execute(ctx.db)
  return rows[0]
}

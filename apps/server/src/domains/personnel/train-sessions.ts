import { AppError } from '@zhugong/contract/kit/errors'
import { type SessionDetail, type SessionRow, type SessionState, sessionDetail, sessionRow } from '@zhugong/contract/personnel/train-model'
import type { listSessions as listSessionsCall } from '@zhugong/contract/personnel/training'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { type RawBuilder, sql } from 'kysely'
import { formatDay, formatInstant } from '#kit/clock'
import { type Context, found, projectsFor } from '#kit/context'
import type { Row } from '#kit/db'
import { allOf, anyOf, type Condition, condition, contains, inProjects, instantsBetween, orderBy, pageSlice } from '#kit/list'
import { rowOf } from '#kit/row-of'
import type { HandlerOf } from '#kit/serve'
import { linksOf } from '../files/public.ts'
import { workName } from './cert-dues.ts'

/** Sessions and their participants as they are read. */

type Reading = Pick<Context, 'db' | 'clock' | 'secrets'>
type Session = Row<'training'>
type RawSession = Session & {
  projectName: string | null
  corpName: string | null
  people: number
  passedCount: number
  attended: number
  retest: number
  teams: string[]
}

/** Failed in a session that is over, and not passed since. */
export const failed = sql`x.passed = false and t.closed_at is not null`

const sessionColumns = sql`t.*, p.name as project_name, c.corp_name,
  (select count(*)::int from worker_training x where x.training_id = t.id) as people,
  (select count(*)::int from worker_training x where x.training_id = t.id and x.passed) as passed_count,
  (select count(*)::int from worker_training x where x.training_id = t.id and x.signed_at is not null) as attended,
  (select count(*)::int from worker_training x where x.training_id = t.id and ${failed}) as retest,
  array(select distinct g.team_name from worker_training x join project_worker w on w.id = x.project_worker_id join team g on g.id = w.team_id
    where x.training_id = t.id order by 1) as teams`
const sessionJoins = sql`left join project p on p.project_code = t.project_code left join corporation c on c.corp_code = t.corp_code`

/** The state of `training t` in SQL. */
const stateOf = (now: Date): RawBuilder<SessionState> =>
  sql<SessionState>`case when t.cancelled_at is not null then 'cancelled' when t.closed_at is not null then 'closed'
    when t.start_time > ${now} then 'planned' else 'due' end`

function stateNow(t: Session, now: number): SessionState {
  if (t.cancelledAt) return 'cancelled'
  if (t.closedAt) return 'closed'
  return t.startTime.getTime() > now ? 'planned' : 'due'
}

function toSession(ctx: Pick<Context, 'clock'>, t: RawSession): SessionRow {
  return rowOf(sessionRow, t, {
    state: stateNow(t, ctx.clock.now()),
    typeName: dictName('trainingType', t.trainingType),
    startTime: formatInstant(t.startTime),
    passed: t.passedCount,
    closed: t.closedAt !== null,
  })
}

/** The requested project must be in the caller's scope and be the project of the row. */
export function requireRequested(ctx: Context, requested: string, row: { projectCode: string }): void {
  const projects = projectsFor(ctx, requested)
  if (requested !== '*' && !projects?.includes(row.projectCode)) throw new AppError('notFound', '培训场次不存在或已删除')
}

type Query = Partial<NonNullable<(typeof listSessionsCall)['types']>['parsed']['query']>

export function sessionConditions(ctx: Pick<Context, 'scope' | 'scopeChecks' | 'clock'>, query: Query): Condition {
  const now = new Date(ctx.clock.now())
  const today = formatDay(now)
  const tabs: Record<NonNullable<Query['tab']>, RawBuilder<unknown>> = {
    todo: sql`t.cancelled_at is null and t.closed_at is null and t.start_time <= ${now}`,
    retest: sql`exists (select from worker_training x where x.training_id = t.id and ${failed})`,
    month: inMonth(today.slice(0, 7)),
  }
  return allOf(
    ...inProjects('t.projectCode', projectsFor(ctx, query.projectCode)),
    ...contains('t.name', query.name),
    ...anyOf('t.trainingType', query.trainingType),
    ...instantsBetween('t.startTime', query.startTime),
    ...(query.closed
      ? [condition(query.closed === '1' ? sql`t.closed_at is not null` : sql`t.closed_at is null and t.cancelled_at is null`)]
      : []),
    ...(query.workerId
      ? [condition(sql`exists (select 1 from worker_training x where x.training_id = t.id and x.worker_id = ${query.workerId})`)]
      : []),
    ...contains('t.trainer', query.trainer),
    ...(query.team
      ? [
          condition(sql`exists (select from worker_training x join project_worker w on w.id = x.project_worker_id join team g on g.id = w.team_id
            where x.training_id = t.id and ${allOf(...contains('g.teamName', query.team))})`),
        ]
      : []),
    ...(query.state?.length ? [condition(sql`${stateOf(now)} = any (${query.state})`)] : []),
    ...(query.tab ? [condition(tabs[query.tab])] : []),
  )
}

/** Sessions of a month that were not called off. */
export const inMonth = (month: string) =>
  sql`t.cancelled_at is null and t.start_time >= ${`${month}-01`}::date::timestamp at time zone 'Asia/Shanghai'
    and t.start_time < (${`${month}-01`}::date + interval '1 month') at time zone 'Asia/Shanghai'`

/** Without a wish: what is still to come, the next first, then the newest. */
const orderOf = (sort: Query['sort']) =>
  sort === undefined
    ? sql`t.cancelled_at is null and t.closed_at is null desc, case when t.cancelled_at is null and t.closed_at is null then t.start_time end,
        t.start_time desc, t.id`
    : orderBy(sort, { startTime: 't.startTime!', name: 't.name' }, '-startTime', 't.id')

export async function readSessions(
  ctx: Pick<Context, 'db' | 'clock'>,
  where: Condition,
  { sort, limit, offset }: { sort?: Query['sort']; limit?: number; offset?: number },
): Promise<SessionRow[]> {
  const page = limit === undefined ? sql`` : sql`limit ${limit} offset ${offset ?? 0}`
  const { rows } = await sql<RawSession>`select ${sessionColumns} from training t ${sessionJoins} where ${where}
    order by ${orderOf(sort)} ${page}`.execute(ctx.db)
  return rows.map((one) => toSession(ctx, one))
}

export async function countSessions(ctx: Pick<Context, 'db'>, where: Condition): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from training t where ${where}`.execute(ctx.db)
  return rows[0]?.n ?? 0
}

export const listSessions: HandlerOf<typeof listSessionsCall> = async ({ query }, ctx) => {
  const where = sessionConditions(ctx, query)
  return { list: await readSessions(ctx, where, { sort: query.sort, ...pageSlice(query) }), total: await countSessions(ctx, where) }
}

interface RawParticipant {
  id: string
  projectWorkerId: string
  workerId: string
  name: string
  corpName: string | null
  teamName: string | null
  workType: string | null
  post: string | null
  score: number | null
  passed: boolean | null
  signedAt: Date | null
  signWay: SessionDetail['workers'][number]['signWay']
  retestAt: string | null
  retestScore: number | null
  entryTrained: boolean
  left: boolean
  changes: SessionDetail['workers'][number]['changes']
}
/** A session with all visible participants, grouped by team. */
export async function sessionOf(ctx: Reading, id: string): Promise<SessionDetail> {
  const { rows } = await sql<RawSession>`select ${sessionColumns} from training t ${sessionJoins} where t.id = ${id}`.execute(ctx.db)
  const session = found(rows[0], '培训场次')
  const { rows: people } = await sql<RawParticipant>`
    select x.id, x.project_worker_id, x.worker_id, w.worker_name as name, c.corp_name, t.team_name, w.work_type, w.post, x.score, x.passed,
      x.changes, x.signed_at, x.sign_way, x.retest_at, x.retest_score, w.entry_trained, w.exit_time is not null as left
    from worker_training x join project_worker w on w.id = x.project_worker_id left join corporation c on c.corp_code = w.corp_code
      left join team t on t.id = w.team_id
    where x.training_id = ${id} order by t.team_name nulls first, w.worker_name, x.id`.execute(ctx.db)
  return rowOf(sessionDetail, session, {
    ...toSession(ctx, session),
    files: linksOf(ctx, session.files),
    workers: people.map(({ workType, post, signedAt, ...one }) => ({
      ...one,
      signedAt: signedAt && formatInstant(signedAt),
      workTypeName: workName({ workType, post }),
    })),
  })
}

import { AppError } from '@zhugong/contract/kit/errors'
import { isEntryTrained } from '@zhugong/contract/personnel/rules'
import { longestSitting, type SessionChange, signInAheadMinutes } from '@zhugong/contract/personnel/train-model'
import { type RawBuilder, sql } from 'kysely'
import { formatDay, formatInstant } from '#kit/clock'
import type { Context } from '#kit/context'
import type { Row, RowUpdate } from '#kit/db'
import type { Stay } from '../labour/public.ts'
import { presentOf, refreshTrained } from './train-rights.ts'

/** What happens to a session beside its marks: sign-in, correction, repetition, calling off. */

type Session = Row<'training'>
type Of<A extends SessionChange['action']> = Extract<SessionChange, { action: A }>
const minuteMs = 60_000

/** The time that `training t` takes of one day. */
const ends = sql`t.start_time + least(t.duration, ${longestSitting}) * interval '1 hour'`
const during = ({ startTime, duration }: Pick<Session, 'startTime' | 'duration'>): RawBuilder<unknown> => {
  const end = new Date(startTime.getTime() + Math.min(duration, longestSitting) * 60 * minuteMs)
  return sql`t.start_time < ${end} and ${ends} > ${startTime}`
}

/** Nobody is planned into two sessions at once. @throws AppError at `workers` naming them */
export async function requireFree(ctx: Context, session: Session, stays: readonly Pick<Stay, 'id' | 'workerId'>[]): Promise<void> {
  if (session.closedAt || stays.length === 0) return
  const { rows } = await sql<{ name: string; session: string }>`select w.worker_name as name, t.name as session
    from worker_training x join training t on t.id = x.training_id join project_worker w on w.id = x.project_worker_id
    where x.worker_id = any (${stays.map((one) => one.workerId)}) and t.id <> ${session.id} and t.cancelled_at is null and t.closed_at is null
      and ${during(session)} order by w.worker_name limit 5`.execute(ctx.db)
  if (rows.length > 0) throw new AppError('refused', `${namesOf(rows)}同一时间已安排“${rows[0]?.session ?? ''}”`, { field: 'workers' })
}

const namesOf = (rows: readonly { name: string }[]) => [...new Set(rows.map((one) => one.name))].join('、')

/** Writes who came. @throws AppError naming whoever sits elsewhere, or did not come to the site that day */
export async function signIn(ctx: Context, session: Session, { way, workers, card }: Of<'signIn'>): Promise<number> {
  if (session.closedAt) throw new AppError('refused', '成绩已登记，不能再签到')
  const now = ctx.clock.now()
  if (now < session.startTime.getTime() - signInAheadMinutes * minuteMs)
    throw new AppError('refused', `开始前 ${signInAheadMinutes} 分钟才能签到`)
  const rows = await participants(ctx, session)
  const open = rows.filter((one) => one.signedAt === null)
  const chosen = way === 'gate' ? open.filter((one) => one.came) : way === 'card' ? [byCard(rows, card)] : byList(rows, workers)
  const fresh = chosen.filter((one) => one.signedAt === null)
  if (way === 'gate' && fresh.length === 0) throw new AppError('refused', '名单内没有新的过闸人员')
  if (fresh.length === 0) throw new AppError('refused', `${namesOf(chosen)}已签到`, { field: 'workers' })
  // Where no gate recorded anybody that day, nothing can be said.
  const away = rows.some((one) => one.gated) ? fresh.filter((one) => !one.came) : []
  if (away.length > 0) throw new AppError('refused', `${namesOf(away)}当天没有进场记录，不能签到`, { field: 'workers' })
  await requireNotElsewhere(ctx, session, fresh)
  await sql`update worker_training set signed_at = ${new Date(now)}, sign_way = ${way}
    where training_id = ${session.id} and id = any (${fresh.map((one) => one.id)})`.execute(ctx.db)
  return fresh.length
}

interface Participant {
  id: string
  projectWorkerId: string
  workerId: string
  name: string
  cardNumber: string | null
  signedAt: Date | null
  /** Recorded by a gate on the day of the session. */
  came: boolean
  /** A gate recorded anybody that day. */
  gated: boolean
}
async function participants(ctx: Context, session: Session): Promise<Participant[]> {
  const day = formatDay(session.startTime)
  const { rows } = await sql<Participant>`select x.id, x.project_worker_id, x.worker_id, w.worker_name as name, w.card_number, x.signed_at,
      exists (select from attendance_day d where d.project_code = x.project_code and d.worker_id = x.worker_id and d.work_day = ${day}::date
        and d.record_count > 0) as came,
      exists (select from attendance_day d where d.project_code = x.project_code and d.work_day = ${day}::date and d.record_count > 0) as gated
    from worker_training x join project_worker w on w.id = x.project_worker_id where x.training_id = ${session.id} order by w.worker_name, x.id`.execute(
    ctx.db,
  )
  return rows
}

function byCard(rows: readonly Participant[], card: string | null): Participant {
  if (!card) throw new AppError('invalidInput', '请刷卡或输入卡号', { field: 'card' })
  const found = rows.find((one) => one.cardNumber === card)
  if (!found) throw new AppError('invalidInput', '此卡的持卡人不在本场名单内', { field: 'card' })
  return found
}

function byList(rows: readonly Participant[], workers: readonly string[]): Participant[] {
  if (workers.length === 0) throw new AppError('invalidInput', '请选择签到的人', { field: 'workers' })
  const chosen = rows.filter((one) => workers.includes(one.projectWorkerId))
  if (chosen.length < new Set(workers).size) throw new AppError('notFound', '该人员不在本场培训名单内', { field: 'workers' })
  return chosen
}

async function requireNotElsewhere(ctx: Context, session: Session, people: readonly Participant[]): Promise<void> {
  const { rows } = await sql<{ name: string; session: string }>`select w.worker_name as name, t.name as session
    from worker_training x join training t on t.id = x.training_id join project_worker w on w.id = x.project_worker_id
    where x.worker_id = any (${people.map((one) => one.workerId)}) and x.signed_at is not null and t.id <> ${session.id}
      and t.cancelled_at is null and ${during(session)} order by w.worker_name limit 5`.execute(ctx.db)
  if (rows.length > 0) throw new AppError('refused', `${namesOf(rows)}同一时间已在“${rows[0]?.session ?? ''}”签到`, { field: 'workers' })
}

/** Changes marks of a closed session. Whoever loses the right of entry must have been named. */
export async function correctMarks(ctx: Context, session: Session, { workers, reason, losing }: Of<'correct'>): Promise<number> {
  if (!session.closedAt) throw new AppError('refused', '成绩尚未登记，直接登记即可')
  const rows = await ctx.db.selectFrom('workerTraining').selectAll().where('trainingId', '=', session.id).forUpdate().execute()
  const byStay = new Map(rows.map((one) => [one.projectWorkerId, one]))
  const changed: string[] = []
  for (const { projectWorkerId, score, passed } of workers) {
    const row = byStay.get(projectWorkerId)
    if (!row) throw new AppError('notFound', '该人员不在本场培训名单内', { field: 'workers' })
    if (row.score === score && row.passed === passed) continue
    if (passed === null) throw new AppError('invalidInput', '请填写考核结果', { field: 'workers' })
    await writeMark(ctx, row, { score, passed }, reason, { score, passed })
    changed.push(projectWorkerId)
  }
  if (changed.length === 0) throw new AppError('refused', '成绩没有改动')
  const stays = await presentOf(ctx, changed)
  const lost = await whoLoses(ctx, stays)
  const named = [...losing].sort().join()
  if (
    lost
      .map((one) => one.id)
      .sort()
      .join() !== named
  )
    throw new AppError(
      'conflict',
      lost.length > 0 ? `更正后 ${lost.map((one) => one.name).join('、')} 将失去进场资格，请确认` : '没有人因此失去进场资格，请刷新',
      {
        losing: lost,
      },
    )
  await refreshTrained(ctx, stays)
  return changed.length
}

/** Those who may enter now, and may not after the change that was just written. */
async function whoLoses(ctx: Context, stays: readonly Stay[]): Promise<{ id: string; name: string }[]> {
  const { rows } = await sql<{ stay: string; types: string[] }>`select project_worker_id as stay, array_agg(distinct training_type) as types
    from worker_training where project_worker_id = any (${stays.map((one) => one.id)}) and passed group by 1`.execute(ctx.db)
  const passed = new Map(rows.map((one) => [one.stay, one.types]))
  return stays
    .filter((one) => one.entryTrained && !isEntryTrained(passed.get(one.id) ?? []))
    .map((one) => ({ id: one.id, name: one.workerName }))
}

type Mark = Pick<Row<'workerTraining'>, 'score' | 'passed'>
async function writeMark(
  ctx: Context,
  row: Row<'workerTraining'>,
  to: Mark,
  reason: string,
  values: RowUpdate<'workerTraining'>,
): Promise<void> {
  const change = { time: formatInstant(ctx.clock.now()), by: ctx.user.name, from: { score: row.score, passed: row.passed }, to, reason }
  await ctx.db
    .updateTable('workerTraining')
    .set({ ...values, changes: JSON.stringify([...row.changes, change]) })
    .where('id', '=', row.id)
    .execute()
}

/** The result of a repetition: the first mark stays, and the right of entry follows. */
export async function retest(ctx: Context, session: Session, { projectWorkerId, date, score, passed }: Of<'retest'>): Promise<void> {
  if (!session.closedAt) throw new AppError('refused', '本场成绩尚未登记，不能登记补考')
  if (date > formatDay(ctx.clock.now())) throw new AppError('invalidInput', '补考日期不能晚于今天', { field: 'date' })
  if (date < formatDay(session.startTime)) throw new AppError('invalidInput', '补考日期不能早于培训日期', { field: 'date' })
  const row = await ctx.db
    .selectFrom('workerTraining')
    .selectAll()
    .where('trainingId', '=', session.id)
    .where('projectWorkerId', '=', projectWorkerId)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw new AppError('notFound', '该人员不在本场培训名单内', { field: 'projectWorkerId' })
  if (row.passed !== false) throw new AppError('refused', '只有不合格的人需要补考', { field: 'projectWorkerId' })
  const stays = await presentOf(ctx, [projectWorkerId])
  if (stays.length === 0) throw new AppError('refused', '该人员已经退场，不能补考', { field: 'projectWorkerId' })
  await writeMark(ctx, row, { score, passed }, '补考', { passed, retestAt: date, retestScore: score, retestBy: ctx.user.name })
  await refreshTrained(ctx, stays)
}

/** Calls a session off; its list stays as it was. */
export function cancelSession(ctx: Context, session: Session, reason: string): RowUpdate<'training'> {
  if (session.closedAt) throw new AppError('refused', '已登记成绩，不能取消')
  return { cancelledAt: new Date(ctx.clock.now()), cancelledBy: ctx.user.name, cancelReason: reason }
}

import { AppError } from '@zhugong/contract/kit/errors'
import { parseInstant } from '@zhugong/contract/kit/fields'
import type { SessionBody, SessionChange } from '@zhugong/contract/personnel/train-model'
import * as contract from '@zhugong/contract/personnel/training'
import { changeRow, conflictOf } from '#kit/change-row'
import { formatDay, formatInstant } from '#kit/clock'
import { type Context, found, oneProject } from '#kit/context'
import type { Row, RowUpdate } from '#kit/db'
import { pick } from '#kit/pick'
import type { HandlerOf, Serve } from '#kit/serve'
import { keptFiles } from '../files/public.ts'
import { requirePresentUnit, type Stay } from '../labour/public.ts'
import { cancelSession, correctMarks, requireFree, retest, signIn } from './train-acts.ts'
import { readBoard, readPeople } from './train-board.ts'
import { presentOf, refreshTrained } from './train-rights.ts'
import { listSessions, requireRequested, sessionOf } from './train-sessions.ts'

/** Training sessions and their participants. Results are stored in rows of each stay; the session only groups them. */
export function trainingRoutes(serve: Serve) {
  serve(contract.listSessions, listSessions)
  serve(contract.trainBoard, readBoard)
  serve(contract.trainPeople, readPeople)
  serve(contract.getSession, async ({ params, query }, ctx) => {
    const session = await sessionOf(ctx, params.id)
    requireRequested(ctx, query.projectCode, session)
    return session
  })
  serve(contract.createSession, createSession)
  serve(contract.changeSession, changeSession)
  serve(contract.removeSession, removeSession)
  serve(contract.removeAttendance, removeAttendance)
}

type Marks = SessionBody['workers']
type Session = Row<'training'>

const createSession: HandlerOf<typeof contract.createSession> = async ({ query, body }, ctx) => {
  const projectCode = oneProject(ctx, query.projectCode)
  await requirePresentUnit(ctx, projectCode, body.corpCode)
  const startTime = startOf(ctx, body.startTime, body.close)
  const { workers, close, ...fields } = body
  const session: Session = await ctx.db
    .insertInto('training')
    .values({
      ...fields,
      id: ctx.newId(),
      projectCode,
      startTime,
      files: JSON.stringify(await keptFiles(ctx, body.files)),
      closedAt: close ? new Date(ctx.clock.now()) : null,
      closedBy: close ? ctx.user.id : null,
      createBy: ctx.user.id,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  const stays = await staysOf(ctx, projectCode, workers)
  await requireFree(ctx, session, [...stays.values()])
  await addPeople(ctx, session, workers, stays)
  const trained = close ? await refreshTrained(ctx, [...stays.values()]) : 0
  ctx.note(`登记培训“${body.name}”${workers.length} 人`, session.id)
  return { id: session.id, trained }
}

/** A session with marks must be in the past; a planned one may be in the future. */
function startOf(ctx: Pick<Context, 'clock'>, given: string, close: boolean): Date {
  const at = parseInstant(given) ?? Number.NaN
  if (close && at > ctx.clock.now()) throw new AppError('invalidInput', '已登记成绩的培训不能晚于现在', { field: 'startTime' })
  return new Date(at)
}

/** The stays with these ids, by id. Throws unless each belongs to this project, is current and visible. */
async function staysOf(ctx: Context, projectCode: string, workers: Marks): Promise<Map<string, Stay>> {
  const ids = [...new Set(workers.map((w) => w.projectWorkerId))]
  if (ids.length === 0) return new Map()
  if (ids.length < workers.length) throw new AppError('invalidInput', '参训人员有重复', { field: 'workers' })
  const stays = await ctx.db.selectFrom('projectWorker').selectAll().where('id', 'in', ids).where('projectCode', '=', projectCode).execute()
  if (stays.length < ids.length) throw new AppError('notFound', '参训人员不存在或不在本项目', { field: 'workers' })
  const left = stays.find((s) => s.exitTime)
  if (left) throw new AppError('refused', `${left.workerName} 已经退场，不能登记培训`, { field: 'workers' })
  return new Map(stays.map((s) => [s.id, s]))
}

async function addPeople(ctx: Context, session: Session, workers: Marks, stays: ReadonlyMap<string, Stay>): Promise<void> {
  if (workers.length === 0) return
  await ctx.db
    .insertInto('workerTraining')
    .values(
      workers.map((w) => ({
        id: ctx.newId(),
        ...pick(session, 'projectCode', 'trainingType', 'trainer', 'name'),
        corpCode: stays.get(w.projectWorkerId)?.corpCode ?? session.corpCode,
        workerId: stays.get(w.projectWorkerId)?.workerId ?? '',
        ...pick(w, 'projectWorkerId', 'score', 'passed'),
        trainDate: formatDay(session.startTime),
        hours: session.duration,
        trainingId: session.id,
        createBy: ctx.user.id,
      })),
    )
    .execute()
}

const changeSession: HandlerOf<typeof contract.changeSession> = async ({ params, query, body }, ctx) => {
  const session = await lockSession(ctx, params.id, body.version)
  requireRequested(ctx, query.projectCode, session)
  if (session.cancelledAt) throw new AppError('refused', '培训已取消，不能再办理')
  const { done, values = {} } = await act(ctx, session, body)
  const version = await changeRow(ctx, 'training', {
    key: { id: session.id },
    version: session.version,
    noun: '培训',
    by: ctx.user.id,
    values,
  })
  ctx.note(`${deeds[body.action]}“${session.name}”`, session.id)
  return { version, done }
}

const deeds: Readonly<Record<SessionChange['action'], string>> = {
  edit: '修改培训',
  add: '增加参训人员',
  mark: '登记培训成绩',
  correct: '更正培训成绩',
  signIn: '培训签到',
  retest: '登记补考',
  cancel: '取消培训',
}

async function act(ctx: Context, session: Session, body: SessionChange): Promise<{ done: number; values?: RowUpdate<'training'> }> {
  switch (body.action) {
    case 'edit':
      await editSession(ctx, session, body)
      return { done: 0 }
    case 'add':
      return { done: await joinSession(ctx, session, body.workers) }
    case 'mark':
      if (session.closedAt) throw new AppError('refused', '成绩已登记，改动请填写原因更正')
      await markSession(ctx, session, body.workers, body.close)
      return { done: body.workers.length }
    case 'correct':
      return { done: await correctMarks(ctx, session, body) }
    case 'signIn':
      return { done: await signIn(ctx, session, body) }
    case 'retest':
      await retest(ctx, session, body)
      return { done: 1 }
    case 'cancel':
      return { done: 0, values: cancelSession(ctx, session, body.reason) }
  }
}

async function joinSession(ctx: Context, session: Session, workers: Marks): Promise<number> {
  requireOpen(session)
  const stays = await staysOf(ctx, session.projectCode, workers)
  const there = await ctx.db
    .selectFrom('workerTraining')
    .select('projectWorkerId')
    .where('trainingId', '=', session.id)
    .where('projectWorkerId', 'in', [...stays.keys()])
    .execute()
  const fresh = workers.filter((w) => !there.some((t) => t.projectWorkerId === w.projectWorkerId))
  if (fresh.length === 0) throw new AppError('refused', '所选人员已在名单内', { field: 'workers' })
  await requireFree(
    ctx,
    session,
    fresh.flatMap((w) => stays.get(w.projectWorkerId) ?? []),
  )
  await addPeople(ctx, session, fresh, stays)
  return fresh.length
}

async function editSession(ctx: Context, session: Session, body: Extract<SessionChange, { action: 'edit' }>): Promise<void> {
  const startTime = startOf(ctx, body.startTime, session.closedAt !== null)
  // Type and hours of a training cannot change once marks are recorded.
  if (session.closedAt && (body.trainingType !== session.trainingType || body.duration !== session.duration))
    throw new AppError('refused', '已登记成绩，培训类型和学时不能再改', { field: 'trainingType' })
  const { action: _action, version: _version, ...fields } = body
  await ctx.db
    .updateTable('training')
    .set({ ...fields, startTime, files: JSON.stringify(await keptFiles(ctx, body.files, session.files)) })
    .where('id', '=', session.id)
    .execute()
  const copies = {
    ...pick(body, 'trainingType', 'trainer', 'name'),
    trainDate: formatDay(startTime),
    hours: body.duration,
  }
  await ctx.db.updateTable('workerTraining').set(copies).where('trainingId', '=', session.id).execute()
}

/** Stores marks of a session; with `close` they are complete, and count. */
async function markSession(ctx: Context, session: Session, workers: Marks, close: boolean): Promise<void> {
  const rows = await ctx.db.selectFrom('workerTraining').selectAll().where('trainingId', '=', session.id).forUpdate().execute()
  const byStay = new Map(rows.map((r) => [r.projectWorkerId, r]))
  for (const { projectWorkerId, score, passed } of workers) {
    const row = byStay.get(projectWorkerId)
    if (!row) throw new AppError('notFound', '该人员不在本场培训名单内', { field: 'workers' })
    if (row.score === score && row.passed === passed) continue
    await ctx.db.updateTable('workerTraining').set({ score, passed }).where('id', '=', row.id).execute()
  }
  if (!close) return
  const open = await ctx.db
    .selectFrom('workerTraining')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('trainingId', '=', session.id)
    .where('passed', 'is', null)
    .executeTakeFirstOrThrow()
  if (rows.length === 0) throw new AppError('refused', '名单内没有人，不能登记成绩', { field: 'workers' })
  if (Number(open.n) > 0) throw new AppError('refused', `还有 ${open.n} 人没有考核结果`, { field: 'workers' })
  startOf(ctx, formatInstant(session.startTime), true)
  await ctx.db
    .updateTable('training')
    .set({ closedAt: new Date(ctx.clock.now()), closedBy: ctx.user.id })
    .where('id', '=', session.id)
    .execute()
  await refreshTrained(
    ctx,
    await presentOf(
      ctx,
      rows.map((r) => r.projectWorkerId),
    ),
  )
}

async function lockSession(ctx: Context, id: string, version?: number): Promise<Session> {
  const session = found(await ctx.db.selectFrom('training').selectAll().where('id', '=', id).forUpdate().executeTakeFirst(), '培训场次')
  if (version !== undefined && session.version !== version) throw await conflictOf(ctx, 'training', { id: session.id }, '培训')
  return session
}
function requireOpen(session: Session): void {
  if (session.closedAt) throw new AppError('refused', '已登记成绩，不能再加人或删除')
}

const removeSession: HandlerOf<typeof contract.removeSession> = async ({ params, query }, ctx) => {
  const session = await lockSession(ctx, params.id)
  requireRequested(ctx, query.projectCode, session)
  requireOpen(session)
  await ctx.db.deleteFrom('training').where('id', '=', session.id).execute()
  ctx.note(`删除培训“${session.name}”`, session.id)
  return undefined
}

const removeAttendance: HandlerOf<typeof contract.removeAttendance> = async ({ params, query }, ctx) => {
  const row = found(await ctx.db.selectFrom('workerTraining').selectAll().where('id', '=', params.taskId).executeTakeFirst(), '参训记录')
  requireRequested(ctx, query.projectCode, row)
  await ctx.db.deleteFrom('workerTraining').where('id', '=', row.id).execute()
  await refreshTrained(ctx, await presentOf(ctx, [row.projectWorkerId]))
  ctx.note(`移除参训记录（${query.reason}）`, row.projectWorkerId)
  return undefined
}

import { draftLog, logWriter } from '@zhugong/contract/daylogs/moves'
import { AppError } from '@zhugong/contract/kit/errors'
import { sql } from 'kysely'
import { type Context, found, groupTypes, oneProject } from '#kit/context'
import { isUniqueViolation } from '#kit/db'
import { dropPhotoUses } from '../files/public.ts'
import { tellKeepers } from '../notify/public.ts'
import { forgetRecord, offersFor, take, writeLog } from '../process/public.ts'
import { type Log, logNouns, pageOf } from './kind.ts'
import { logKinds } from './kinds.ts'
import type { LogType } from './tables.ts'
import { type Change, type Content, columnsOf, contentOf, insertBlock, keepChange, write } from './writes.ts'

export const answerOf = ({ id, version, state }: Pick<Log, 'id' | 'version' | 'state'>) => ({ id, version, state })

const taken: Readonly<Record<LogType, string>> = {
  safetyPLog: '当日已有安全日志，请打开后修改',
  construction: '该单体当日已有施工日志，请打开后补充分项',
  log: '您当日已有日志，请打开后修改',
}
/** @throws AppError `refused` for a second log of the day */
const onceADay = (kind: LogType) => (error: unknown) => {
  throw isUniqueViolation(error) ? new AppError('refused', taken[kind], { field: 'day' }) : error
}

interface New {
  id: string
  action: 'save' | 'submit'
}

/** Creates a draft or submits at once; a request that is repeated after a lost answer changes what the first one made. */
export async function createLog(
  ctx: Context,
  kind: LogType,
  requested: string,
  { id, action, ...given }: New & Partial<Content> & Pick<Content, 'day'>,
) {
  const own = kind === 'log'
  const projectCode = own ? null : oneProject(ctx, requested)
  // A log of the site is written by the site: an institution that may write its own has no part in it.
  if (!own && ctx.scopeChecks && ctx.group.type !== groupTypes.project && ctx.group.type !== groupTypes.corporation)
    throw new AppError('forbidden', '项目日志由项目填写')
  const content = contentOf(given)
  const repeated = await sql<Pick<Log, 'id' | 'version' | 'state'>>`select id, version, state from day_log
    where id = ${id} and kind = ${kind} and create_by = ${ctx.user.id}`.execute(ctx.db)
  const known = repeated.rows[0]
  if (known && (known.state !== draftLog || known.version > 0)) return answerOf(known)
  const row = known ? await logKinds[kind].lock(ctx, id) : await insertDraft(ctx, kind, projectCode, id, content)
  if (action === 'save' && !known) await writeLog(ctx, kind, row, { action: 'create', from: null, to: draftLog })
  const after = await take(ctx, logKinds[kind], { id, action, version: row.version }, (log) => write(ctx, log, action, content)).catch(
    onceADay(kind),
  )
  return answerOf(after)
}

async function insertDraft(ctx: Context, kind: LogType, projectCode: string | null, id: string, content: Content): Promise<Log> {
  const columns = await columnsOf(ctx, kind, projectCode, content)
  const insertion = ctx.db
    .insertInto('dayLog')
    .values({
      id,
      kind,
      projectCode,
      corpCode: null,
      shownAt: null,
      ...columns,
      groups: [ctx.group.id],
      authorGroup: ctx.group.id,
      authorGroupName: ctx.group.name,
      recorder: ctx.user.name,
      createBy: ctx.user.id,
      createTime: new Date(ctx.clock.now()),
    })
    .execute()
  await insertion.catch(onceADay(kind))
  return logKinds[kind].lock(ctx, id)
}

export async function changeLog(ctx: Context, kind: LogType, id: string, body: Change) {
  if (body.action === 'block') return answerOf(await addBlock(ctx, kind, id, body))
  const { action, version } = body
  const after = await take(ctx, logKinds[kind], { id, action, version }, async (log) => {
    switch (body.action) {
      case 'save':
      case 'submit': {
        const { action: _action, version: _version, ...given } = body
        return write(ctx, log, body.action, contentOf(given as Partial<Content> & Pick<Content, 'day'>))
      }
      case 'edit': {
        const { action: _action, version: _version, reason, ...given } = body
        return write(ctx, log, 'edit', contentOf(given as Partial<Content> & Pick<Content, 'day'>), reason)
      }
      case 'comment':
        await insertComment(ctx, log, body.content)
        return { opinion: body.content }
      case 'answer':
        await answerComment(ctx, log, body)
        return { opinion: body.content }
      case 'return':
        return { opinion: body.opinion }
      case 'archive':
        return {}
    }
  }).catch(onceADay(kind))
  await tell(ctx, action, after)
  return answerOf(after)
}

/** Several write in one log at once, so a part of the day does not ask for the version of the log. */
async function addBlock(ctx: Context, kind: LogType, id: string, body: Extract<Change, { action: 'block' }>): Promise<Log> {
  const row = await logKinds[kind].lock(ctx, id)
  if (!offersFor(ctx, logKinds[kind], row).some((one) => one.action === 'block'))
    throw new AppError('refused', `${logNouns[kind]}${logKinds[kind].stateName(row.state)}，不能补充分项`)
  const { projectCode, corpCode, shownAt, groups } = row
  const said = (one: { part: string; gang: string | null; content: string }) => [one.part, one.gang, one.content].filter(Boolean).join('　')
  if (body.blockId === null) {
    await insertBlock(ctx, row, body)
    if (row.state !== draftLog)
      await keepChange(
        ctx,
        { logId: id, projectCode, corpCode, shownAt, groups },
        { field: '分项', before: '', after: said(body), reason: null },
      )
  } else {
    type Old = { part: string; gang: string | null; content: string; byId: string }
    const { rows } =
      await sql<Old>`select part, gang, content, by_id from day_log_block where id = ${body.blockId} and log_id = ${id}`.execute(ctx.db)
    const old = found(rows[0], '分项')
    if (old.byId !== ctx.user.id) throw new AppError('forbidden', '分项由填写人自己修改')
    await sql`update day_log_block set part = ${body.part}, gang = ${body.gang}, content = ${body.content} where id = ${body.blockId}`.execute(
      ctx.db,
    )
    if (row.state !== draftLog)
      await keepChange(
        ctx,
        { logId: id, projectCode, corpCode, shownAt, groups },
        { field: '分项', before: said(old), after: said(body), reason: null },
      )
  }
  ctx.note(`补充分项：${body.part}`, id)
  return row
}

async function insertComment(ctx: Context, { id: logId, projectCode, corpCode, shownAt, groups }: Log, content: string): Promise<void> {
  const by = { byId: ctx.user.id, byName: ctx.user.name, groupName: ctx.group.name, at: new Date(ctx.clock.now()) }
  await ctx.db
    .insertInto('dayLogComment')
    .values({ id: ctx.newId(), logId, projectCode, corpCode, shownAt, groups, content, ...by })
    .execute()
}

async function answerComment(ctx: Context, row: Log, { commentId, content }: { commentId: string; content: string }): Promise<void> {
  const { rows } =
    await sql`update day_log_comment set answer = ${content}, answer_by = ${ctx.user.name}, answer_at = ${new Date(ctx.clock.now())}
    where id = ${commentId} and log_id = ${row.id} and answer is null returning id`.execute(ctx.db)
  if (rows.length === 0) throw new AppError('refused', '这条批阅不存在或已回复', { field: 'commentId' })
}

/** What the site is told beside its to-dos. */
const messages: Readonly<Record<string, string>> = { comment: '日志收到批阅', return: '日志被退回' }

async function tell(ctx: Context, action: string, row: Log): Promise<void> {
  const title = messages[action]
  if (!title || row.projectCode === null) return
  const text = `${row.day} ${logNouns[row.kind]}，记录人 ${row.recorder}`
  const { projectCode, corpCode } = row
  await tellKeepers(ctx, { projectCode, corpCode, code: logWriter, title, text, link: pageOf(row), kind: row.kind })
}

export async function removeLog(ctx: Context, kind: LogType, id: string): Promise<undefined> {
  const row = await logKinds[kind].lock(ctx, id)
  if (!offersFor(ctx, logKinds[kind], row).some((one) => one.action === 'save'))
    throw new AppError('refused', '只有填写方可以删除，且只能删除草稿')
  await forgetRecord(ctx, kind, id)
  await dropPhotoUses(ctx, id, 'before', [])
  await sql`delete from day_log where id = ${id}`.execute(ctx.db)
  ctx.note(`删除${logNouns[kind]}草稿`, id)
  return undefined
}

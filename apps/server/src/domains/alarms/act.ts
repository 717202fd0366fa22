import { type AlarmAction, type AlarmState, alarmMoves, alarmStates, isRescue, rescueOutcomeNames } from '@zhugong/contract/alarms/codes'
import type { actOnAlarm } from '@zhugong/contract/alarms/endpoints'
import { AppError } from '@zhugong/contract/kit/errors'
import { sql } from 'kysely'
import { changedMeanwhile, changeRow } from '#kit/change-row'
import { found, requireCode } from '#kit/context'
import type { HandlerOf } from '#kit/serve'
import { requireOwnMachines } from '../equipment/public.ts'
import { fileIdsOf, keptFiles } from '../files/public.ts'
import { veilFor } from '../readings/public.ts'
import { graveLevel } from './awaiting.ts'
import { logAlarms } from './by-others.ts'
import { alarmFor, getAlarm, movesOf } from './file.ts'
import { alarmHappened } from './outbox.ts'
import { type AlarmDetailRecord, findAlarm, wornOf } from './store.ts'

/** Performs an action on an alarm, logs it and notifies subscribers and receivers. */
export const act: HandlerOf<typeof actOnAlarm> = async ({ params, query, body }, ctx) => {
  const move = alarmMoves[body.action]
  requireCode(ctx, move.needs)
  const row = await getAlarm(ctx, params.id, query.projectCode, true)
  await requireOwnMachines(ctx, [row.deviceId])
  if (ctx.scopeChecks && !movesOf(ctx, row).includes(body.action)) throw new AppError('forbidden', `${move.label}由项目或总承包单位办理`)
  const now = ctx.clock.now()
  if (body.version !== undefined && body.version !== row.version) {
    throw changedMeanwhile('告警', { by: row.handlerName ?? undefined, version: row.version })
  }
  if (!move.from.includes(row.state as AlarmState)) {
    throw new AppError('refused', `告警${alarmStates[row.state as AlarmState] ?? ''}，不能${move.label}`, { state: row.state })
  }
  if (body.action === 'handle' && isRescue(row) && !rescueOutcomeNames.includes(body.outcome ?? ''))
    throw new AppError('invalidInput', `请选择人员情况：${rescueOutcomeNames.join('、')}`, { field: 'outcome' })
  check(row, body)
  const note = body.measure ?? body.reason ?? ''
  const photos = await keptFiles(ctx, fileIdsOf(body.photos), row.photos, 'photos')
  await changeRow(ctx, 'alarm', {
    key: { id: row.id },
    version: row.version,
    noun: '告警',
    values: {
      state: move.to,
      handlerName: body.action !== 'reopen' ? ctx.user.name : row.handlerName,
      handleTime: body.action !== 'reopen' ? new Date(now) : row.handleTime,
      measure: sql`coalesce(${body.measure ?? null}, measure)`,
      outcome: sql`coalesce(${body.outcome ?? body.reason ?? null}, outcome)`,
      photos: sql`case when ${photos.length > 0} then ${JSON.stringify(photos)}::jsonb else photos end`,
    },
  })
  const text = note ? `${move.label}：${note}` : move.label
  await logAlarms(ctx.db, [row.id], { at: now, event: body.action, text, byName: ctx.user.name })
  // Closing a drill also ends it.
  if (row.simulated && row.active && body.action === 'close') {
    await sql`update alarm set active = false, clear_time = ${new Date(now)}, clear_reason = 'simulatedEnd' where id = ${row.id}`.execute(
      ctx.db,
    )
  }
  await alarmHappened(ctx.db, {
    alarmId: row.id,
    projectCode: row.projectCode,
    event: body.action,
    level: row.level,
    at: now,
    detail: { by: ctx.user.name, userId: ctx.user.id, note: note || undefined, simulated: row.simulated ? true : undefined },
  })
  // The ingest pushes the change to subscribers; it is notified on commit.
  await sql`select pg_notify('zg_fleet', ${`alarm:${row.id}`})`.execute(ctx.db)
  ctx.note(`${move.label}告警：${row.label}（${row.deviceName}）`, row.id)
  return alarmFor(ctx, found(await findAlarm(ctx.db, row.id, undefined), '告警'), await veilFor(ctx, [wornOf(row)]))
}

const shortestMeasure = 5

/** Alarms of levels 1 and 2 need photos when handled, and a reason when closed. */
function check(
  row: AlarmDetailRecord,
  body: { action: AlarmAction; measure?: string | undefined; photos: string[]; reason?: string | undefined },
): void {
  const serious = row.maxLevel <= graveLevel
  if (body.action === 'handle') {
    if ((body.measure?.length ?? 0) < shortestMeasure)
      throw new AppError('invalidInput', `处置措施至少 ${shortestMeasure} 个字`, { field: 'measure' })
    if (serious && body.photos.length === 0 && row.photos.length === 0)
      throw new AppError('invalidInput', '一、二级告警处置须附照片', { field: 'photos' })
  }
  if ((body.action === 'false' || body.action === 'ignore' || body.action === 'reopen') && !body.reason) {
    throw new AppError('invalidInput', '请填写原因', { field: 'reason' })
  }
  if (body.action === 'close') {
    if (row.active && !row.simulated) throw new AppError('refused', '告警仍在持续，恢复后才能关闭')
    if (serious && !row.simulated && row.state !== 'handled') throw new AppError('refused', '一、二级告警须先处置再关闭')
  }
}

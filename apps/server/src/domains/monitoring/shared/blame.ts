import { AppError } from '@zhugong/contract/kit/errors'
import { type Context, found, projectsFor, requireCode } from '#kit/context'
import { getDeviceRow } from './devices.ts'
import { fixRecord } from './record-fix.ts'
import { findRecordByKey } from './records.ts'

interface JudgeInput {
  params: { id: string }
  query: { projectCode: string }
  body: { illegal: boolean; reason: string; version: number }
}

/** The family's terms for its cycles. */
interface Words {
  family: string
  needs: string
  thing: string
  one: string
  called: string
}

/**
 * Marks a cycle as a violation, or removes the mark. The mark counts in all statistics from now on; the machine's own data stays.
 * @throws AppError when the mark is already set or removed.
 */
export async function blameCycle(ctx: Context, { params, query, body }: JudgeInput, words: Words): Promise<void> {
  requireCode(ctx, words.needs)
  const row = found(await findRecordByKey(ctx.db, 'workingCycle', params.id, projectsFor(ctx, query.projectCode)), words.thing)
  // Cranes and lifts use the same record kind, so the family is checked.
  await getDeviceRow(ctx, row.deviceId, words.family)
  if ((row.data.illegal === true) === body.illegal)
    throw new AppError('refused', body.illegal ? `${words.one}已经标记为违章` : `${words.one}没有标记为违章`)
  const fields = { illegal: body.illegal, illegalReason: body.reason, illegalBy: ctx.user.name }
  await fixRecord(ctx, row, body.version, fields, ['illegal'], body.reason)
  ctx.note(`${body.illegal ? '标记' : '取消'}${words.called}：${row.deviceName}（${body.reason}）`, params.id)
}

import { type CorrectionKind, correctionKinds } from '@zhugong/contract/attendance/facts'
import { type actOnFix, fixStates } from '@zhugong/contract/attendance/fix-endpoints'
import type { ParsedFor } from '@zhugong/contract/kit/endpoint'
import { AppError } from '@zhugong/contract/kit/errors'
import type { Context } from '#kit/context'
import { actOn, itemOf } from '../workflow/public.ts'
import { fixKind } from './fix-flow.ts'
import { fixAfter, getRaw } from './fix-rows.ts'

/** Decides a correction from its own page, through the same flow as the approval list. */
export async function decideFix(ctx: Context, { params, query, body }: ParsedFor<typeof actOnFix>) {
  await getRaw(ctx, params.id, query.projectCode)
  const locked = await ctx.db.selectFrom('attendanceCorrection').selectAll().where('id', '=', params.id).forUpdate().executeTakeFirst()
  if (!locked || locked.version !== body.version) throw new AppError('refused', '此更正已有变化，请刷新后再办理')
  if (locked.state !== fixStates.waiting) throw new AppError('refused', '此更正已办结')
  if (body.action === 'reject' && (body.opinion ?? '').trim().length < 2)
    throw new AppError('invalidInput', '请填写驳回原因', { field: 'opinion' })
  const item = await itemOf(ctx, fixKind, locked.id)
  await actOn(ctx, item.id, { result: body.action, opinion: body.opinion, code: 'attendance.approve' })
  const verb = { pass: '同意', reject: '驳回', withdraw: '撤回' }[body.action]
  ctx.note(`${verb}${correctionKinds[locked.kind as CorrectionKind]}`, locked.id)
  return fixAfter(ctx, params.id)
}

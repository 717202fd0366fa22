import { type CorrectionKind, correctionKinds } from '@zhugong/contract/attendance/facts'
import { type actOnFix, type FixRole, fixRoles, fixStates } from '@zhugong/contract/attendance/fix-endpoints'
import type { ParsedFor } from '@zhugong/contract/kit/endpoint'
import { AppError } from '@zhugong/contract/kit/errors'
import type { Context } from '#kit/context'
import type { Row } from '#kit/db'
import { markDays, markEverybody } from './dirty.ts'
import { affectedByEvent } from './engine/affected.ts'
import { dateOf, datesFrom } from './engine/time.ts'
import { revokedRange } from './fix-asking.ts'
import { chainFixes } from './fix-chain.ts'
import { fixAfter, getRaw, missingOf, type Raw, rolesOf } from './fix-rows.ts'
import { recomputeDirty } from './recompute.ts'
import type { Approval, CorrectionValue } from './tables.ts'

export async function decideFix(ctx: Context, { params, query, body }: ParsedFor<typeof actOnFix>) {
  const before = await getRaw(ctx, params.id, query.projectCode)
  const locked = await ctx.db.selectFrom('attendanceCorrection').selectAll().where('id', '=', params.id).forUpdate().executeTakeFirst()
  if (!locked || locked.version !== body.version) throw new AppError('refused', '此更正已有变化，请刷新后再办理')
  if (locked.state !== fixStates.waiting) throw new AppError('refused', '此更正已办结')
  const { projectCode } = locked
  const role = (await rolesOf(ctx, [projectCode])).get(projectCode)
  const now = new Date(ctx.clock.now())
  const kindName = correctionKinds[locked.kind as CorrectionKind]
  if (body.action === 'withdraw') {
    if (locked.requestedBy !== ctx.user.id) throw new AppError('refused', '只有申请人可以撤回')
    await set(ctx, locked, { state: fixStates.withdrawn })
    ctx.note(`撤回${kindName}`, locked.id)
    return fixAfter(ctx, params.id)
  }
  if (!ctx.codes.has('attendance.approve'))
    throw new AppError('forbidden', '您没有此项权限（attendance.approve）', { code: 'attendance.approve' })
  if (locked.requestedBy === ctx.user.id) throw new AppError('refused', '审批人不能是申请人')
  const missing = missingOf(locked)
  if (!role || !missing.includes(role))
    throw new AppError('refused', `此更正等待${missing.map((m) => fixRoles[m as FixRole]).join('、')}审批`)
  if ((locked.approvals ?? []).some((a) => a.by === ctx.user.id)) throw new AppError('refused', '同一人不能审批两次')
  if (body.action === 'reject' && (body.opinion ?? '').trim().length < 2)
    throw new AppError('invalidInput', '请填写驳回原因', { field: 'opinion' })
  const word: Approval = {
    role,
    by: ctx.user.id,
    name: ctx.user.name,
    at: now.getTime(),
    opinion: body.opinion ?? '',
    result: body.action,
  }
  const approvals = [...(locked.approvals ?? []), word]
  const left = missing.filter((m) => m !== role)
  const state = body.action === 'reject' ? fixStates.rejected : left.length === 0 ? fixStates.passed : fixStates.waiting
  await set(ctx, locked, {
    state,
    approvals: JSON.stringify(approvals),
    ...(state === fixStates.passed
      ? { approvedBy: ctx.user.id, approvedName: ctx.user.name, approvedAt: now, byCompany: approvals.some((a) => a.role === 'company') }
      : {}),
  })
  ctx.note(`${body.action === 'pass' ? '同意' : '驳回'}${kindName}`, locked.id)
  if (state === fixStates.passed) {
    await markFix(ctx, before)
    // The ledger is nobody's to write but the product's own: the entry follows at once, and the days with it.
    ctx.afterCommit(async () => {
      await chainFixes(ctx.system, ctx.clock)
      await recomputeDirty(ctx.system, ctx.clock)
    })
  }
  return fixAfter(ctx, params.id)
}

async function set(ctx: Context, row: Row<'attendanceCorrection'>, part: Partial<Record<string, unknown>>) {
  await ctx.db
    .updateTable('attendanceCorrection')
    .set({ ...part, version: row.version + 1 })
    .where('id', '=', row.id)
    .execute()
}

/** A48: the days it may change are counted anew, in the same transaction. */
async function markFix(ctx: Context, fix: Raw): Promise<void> {
  const value = fix.value as CorrectionValue
  const first = value.fromDay ?? fix.workDay ?? dateOf(fix.requestedAt.getTime())
  const last = value.toDay ?? (value.time === null ? first : dateOf(value.time))
  const range = affectedByEvent(first, last)
  // What is taken back had a period of its own.
  const reach = fix.kind === 'revoke' ? await revokedRange(ctx, value.target ?? '', range) : range
  if (fix.workerId === null) await markEverybody(ctx.db, fix.projectCode, reach)
  else
    await markDays(
      ctx.db,
      fix.projectCode,
      [...datesFrom(reach.from, reach.to)].map((day) => [fix.workerId!, day] as const),
    )
}

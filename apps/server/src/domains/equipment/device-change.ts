import type * as calls from '@zhugong/contract/equipment/endpoints'
import { AppError } from '@zhugong/contract/kit/errors'
import { sql } from 'kysely'
import { conflictOf } from '#kit/change-row'
import { requireCode } from '#kit/context'
import type { HandlerOf } from '#kit/serve'
import { holdItem } from '../workflow/public.ts'
import { noteChange } from './change-log.ts'
import { accessKind, askReview } from './device-flow.ts'
import { changesOf, keyPartOf } from './device-pending.ts'
import { decideReview } from './device-review.ts'
import { writeDevice } from './device-update.ts'
import { getDeviceRow } from './device-write.ts'
import { isLimitedAt, requireOwnMachines } from './own-machines.ts'

export const updateDevice: HandlerOf<typeof calls.updateDevice> = async ({ params, body }, ctx) => {
  // Locks the review item before the device, in the same order as the review itself, to avoid deadlocks.
  await holdItem(ctx, accessKind, params.id)
  const row = await getDeviceRow(ctx, params.id)
  await requireOwnMachines(ctx, [row.id])
  const limited = isLimitedAt(ctx, row.projectCode)
  if (limited && body.ownerCorp !== undefined && body.ownerCorp !== row.ownerCorp)
    throw new AppError('forbidden', '产权单位由项目或总承包单位变更', { field: 'ownerCorp' })
  const decidedBefore = body.auditState !== undefined && row.status !== '0' && !row.pending
  if (body.version !== undefined && body.version !== row.version && !decidedBefore)
    throw await conflictOf(ctx, 'device', { id: row.id }, '设备')
  // A device leaves the review states only by a review.
  if (body.status !== undefined && body.status !== row.status && ['0', '2'].includes(row.status))
    throw new AppError('refused', '设备尚未通过审核，不能启用或停用', { field: 'status' })
  const { auditState, auditRemark: _remark, ...rest } = body
  if (Object.entries(rest).some(([key, value]) => key !== 'version' && value !== undefined)) requireCode(ctx, 'device-admin.edit')
  if (auditState) return decideReview(ctx, row, body)
  const keyPart = keyPartOf(rest)
  // Without the review permission, changes that rules depend on need a review; the old values stay in force until then.
  if ((limited || !ctx.codes.has('device-admin.audit')) && row.status === '1' && keyPart) {
    const difference = changesOf(row, keyPart.body)
    if (difference.length) {
      const pending = { by: ctx.user.name, at: ctx.clock.now(), body: keyPart.body, difference }
      await writeDevice(ctx, row, keyPart.rest)
      await sql`update device set pending = ${JSON.stringify(pending)}::jsonb, apply_time = ${new Date(ctx.clock.now())} where id = ${row.id}`.execute(
        ctx.db,
      )
      await noteChange(ctx, { subject: 'device', id: row.id, projectCode: row.projectCode, act: '提交变更审核', detail: difference })
      await askReview(ctx, row.id)
      ctx.note(`提交设备变更 ${row.name}`, row.id)
      return { id: row.id, pending: true }
    }
  }
  const password = await writeDevice(ctx, row, rest)
  await askReview(ctx, row.id)
  ctx.note(`修改设备 ${row.name}`, row.id)
  return { id: row.id, password: password || undefined }
}

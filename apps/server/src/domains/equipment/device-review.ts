import { deviceStatus } from '@zhugong/contract/equipment/codes'
import type { updateDevice } from '@zhugong/contract/equipment/endpoints'
import type { ParsedFor } from '@zhugong/contract/kit/endpoint'
import { AppError } from '@zhugong/contract/kit/errors'
import { approvalStates } from '@zhugong/contract/workflow/flow'
import { type Context, requireCode } from '#kit/context'
import { actOn, type Decision, type Item, itemOf, newestItem, registerKind } from '../workflow/public.ts'
import { familiesWithRecord } from './device-checks.ts'
import { findChecks } from './device-facts.ts'
import { accessDocument, accessFacts, accessKind, askReview, waitingDevices } from './device-flow.ts'
import { keepPending, type Row, writeDevice } from './device-update.ts'
import { getDeviceRow } from './device-write.ts'
import { isLimitedAt } from './own-machines.ts'

const auditCode = 'device-admin.audit'

export function registerAccessKind(): void {
  registerKind({
    kind: accessKind,
    name: '设备接入',
    noun: '此设备',
    prefix: 'SBJR',
    facts: accessFacts,
    flow: [
      {
        key: 'review',
        name: '设备审核',
        places: ['leader', 'owner', 'authority', 'above', 'platform'],
        by: { kind: 'code', code: auditCode },
        hours: 72,
      },
    ],
    corp: true,
    batch: true,
    reads: ['device-admin.view'],
    link: ({ objectId }) => `/administrationDetails?id=${objectId}`,
    document: accessDocument,
    findings: async (ctx, item) =>
      ((await findChecks(ctx, [item.objectId])).get(item.objectId) ?? []).map(({ label, ok, text }) => ({
        level: ok ? ('good' as const) : ('warn' as const),
        text: `${label}：${text || '正常'}`,
      })),
    waiting: waitingDevices,
    decided: writeReview,
  })
}

/**
 * Applies a review decision in the same transaction: an approved device goes into service. A rejected or withdrawn one can be edited and
 * submitted again.
 */
async function writeReview(ctx: Context, item: Item, { act, opinion, state }: Decision): Promise<void> {
  if (state === approvalStates.running) return
  const row = await getDeviceRow(ctx, item.objectId)
  const passed = state === approvalStates.passed
  const remark = opinion || (act === 'withdraw' ? '申请人撤回' : undefined)
  if (row.pending) return keepPending(ctx, row, passed, remark)
  if (passed) requireRecord(row, row.specialRecordNo)
  await writeDevice(ctx, row, {}, passed ? deviceStatus.inUse : deviceStatus.refused, remark)
}

/** Throws AppError `refused` without the machine's registration number, which such a monitor requires. */
export function requireRecord(row: Pick<Row, 'family' | 'status'>, recordNo: string | null): void {
  if (row.status === deviceStatus.waiting && familiesWithRecord.includes(row.family) && !recordNo)
    throw new AppError('refused', '塔机、升降机须先填写产权备案编号', { field: 'specialRecordNo' })
}

type Body = ParsedFor<typeof updateDevice>['body']

/** A review decision made on the device page. Changes made with it are part of what is decided. */
export async function decideReview(ctx: Context, row: Row, { auditState, auditRemark, ...rest }: Body): Promise<{ id: string }> {
  requireCode(ctx, auditCode)
  if (isLimitedAt(ctx, row.projectCode)) throw new AppError('forbidden', '本单位的设备由项目或总承包单位审核')
  const passed = auditState === deviceStatus.inUse
  if (!passed && !auditRemark) throw new AppError('invalidInput', '驳回请填写原因', { field: 'auditRemark' })
  const waits = row.status === deviceStatus.waiting || row.pending !== null
  if (!waits) {
    const last = await newestItem(ctx, accessKind, row.id)
    // Throws with the name of the user who decided first.
    if (last) await actOn(ctx, last.id, { result: passed ? 'pass' : 'reject', opinion: auditRemark, code: auditCode })
    // Already in service: the caller may review, so creating it needed no decision.
    if (passed && row.status === deviceStatus.inUse) return { id: row.id }
    throw new AppError('refused', '设备不在待审核状态')
  }
  const { id: itemId } = await itemOf(ctx, accessKind, row.id)
  if (passed && !row.pending) requireRecord(row, rest.specialRecordNo ?? row.specialRecordNo)
  const mends = Object.entries(rest).some(([key, value]) => key !== 'version' && value !== undefined)
  if (mends) await writeDevice(ctx, row, rest)
  // The request has the device's version, so the reviewer has seen its current state.
  if (mends || rest.version !== undefined) await askReview(ctx, row.id)
  await actOn(ctx, itemId, { result: passed ? 'pass' : 'reject', opinion: auditRemark, code: auditCode })
  ctx.note(`${passed ? '审核通过' : '驳回'}设备${row.pending ? '变更' : ''} ${row.name}`, row.id)
  return { id: row.id }
}

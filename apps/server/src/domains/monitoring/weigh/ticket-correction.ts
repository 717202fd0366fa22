import { AppError } from '@zhugong/contract/kit/errors'
import { ticketStatus } from '@zhugong/contract/monitoring/weigh/weigh-codes'
import * as calls from '@zhugong/contract/monitoring/weigh/weighing'
import { sql } from 'kysely'
import { mayAct } from '#kit/acts'
import { changedMeanwhile } from '#kit/change-row'
import type { Context } from '#kit/context'
import type { TicketFields } from './tables.ts'
import { auditedFields, currentFields, type TicketField, type TicketRow, ticketFields, weights } from './ticket.ts'
import { type ChangeRow, logOf, worded } from './ticket-log.ts'

export type Action = 'save' | 'approve' | 'reject' | 'void'

export const codeOf: Record<Action, string> = {
  save: 'weighbridge.edit',
  approve: 'weighbridge.audit',
  reject: 'weighbridge.audit',
  void: 'weighbridge.void',
}

export function actionsFor(ctx: Context, row: TicketRow): Action[] {
  if (row.voidReason !== null || row.data.settled === true) return []
  if (!mayAct(ctx, calls.correctTicket.acts, { projectCode: row.projectCode })) return []
  return (Object.keys(codeOf) as Action[]).filter((action) => {
    if (!ctx.codes.has(codeOf[action])) return false
    return action === 'approve' || action === 'reject' ? row.pending !== null : true
  })
}

/** Checks that the corrected ticket is plausible. @throws AppError otherwise. */
export function requireSense(data: Readonly<Record<string, unknown>>): void {
  const w = weights(data)
  if (w.gross !== null && w.tare !== null && w.gross > 0 && w.tare > 0 && w.gross <= w.tare)
    throw new AppError('invalidInput', '毛重应大于皮重', { field: 'grossWeight' })
  if (w.net !== null && w.deduction > w.net) throw new AppError('invalidInput', '扣重不能超过净重', { field: 'deductWeight' })
}

export interface Correction {
  action: Action
  version?: number | undefined
  reason: string
  [field: string]: unknown
}

/** Corrects a ticket and logs who, when, old and new value, and why. Weights and plate need approval, other fields apply at once. */
export async function correct(ctx: Context, row: TicketRow, body: Correction): Promise<void> {
  if (row.data.settled === true) throw new AppError('refused', '已结算，不可修改')
  if (row.voidReason !== null) throw new AppError('refused', '磅单已作废')
  if (body.version !== undefined && body.version !== (row.version ?? 0)) {
    const last = (await logOf(ctx, row)).at(-1)
    throw changedMeanwhile('磅单', { by: last?.byName, version: row.version ?? 0 })
  }
  const before = currentFields(row)
  const fields: TicketFields = { ...(row.fields ?? {}) }
  let pending = row.pending
  let voidReason: string | null = null
  let changes: ChangeRow['changes'] = []
  if (body.action === 'save') {
    const wanted = (Object.keys(ticketFields) as TicketField[]).filter((name) => body[name] !== undefined)
    const changed = wanted.filter((name) => worded(before[ticketFields[name].device]) !== worded(body[name]))
    if (changed.length === 0) throw new AppError('invalidInput', '没有要修改的内容')
    const after = { ...before, ...Object.fromEntries(changed.map((name) => [ticketFields[name].device, body[name]])) }
    requireSense(after)
    changes = changed.map((name) => ({ field: ticketFields[name].device, from: before[ticketFields[name].device] ?? null, to: body[name] }))
    const waits = changed.filter((name) => auditedFields.includes(name))
    for (const name of changed) if (!waits.includes(name)) fields[ticketFields[name].device] = body[name] as string | number
    if (waits.length) {
      if (pending) throw new AppError('refused', '上一次修改还在等待审批')
      pending = {
        fields: Object.fromEntries(waits.map((name) => [ticketFields[name].device, body[name] as string | number])),
        reason: body.reason,
        byName: ctx.user.name,
        at: ctx.clock.now(),
      }
    }
  } else if (body.action === 'void') {
    voidReason = body.reason
    changes = [{ field: 'status', from: ticketStatus.done, to: ticketStatus.void }]
  } else {
    if (!pending) throw new AppError('refused', '没有等待审批的修改')
    changes = Object.entries(pending.fields).map(([field, to]) => ({ field, from: before[field] ?? null, to }))
    if (body.action === 'approve') {
      if (pending.byName === ctx.user.name) throw new AppError('refused', '不能审批自己的修改')
      requireSense({ ...before, ...pending.fields })
      Object.assign(fields, pending.fields)
    } else if (row.data.source === 'manual' && before.grossWeight === undefined && before.tareWeight === undefined) {
      // A manual weighing that is rejected becomes void.
      voidReason = body.reason
      changes.push({ field: 'status', from: ticketStatus.waiting, to: ticketStatus.void })
    }
    pending = null
  }
  await sql`
    insert into weigh_ticket as k (device_id, ts, record_id, project_code, fields, pending, void_reason)
    values (${row.deviceId}, ${row.ts}, ${row.id}, ${row.projectCode}, ${JSON.stringify(fields)}::jsonb, ${pending ? JSON.stringify(pending) : null}::jsonb, ${voidReason})
    on conflict (device_id, ts, record_id) do update set fields = excluded.fields, pending = excluded.pending, void_reason = excluded.void_reason, version = k.version + 1`.execute(
    ctx.db,
  )
  await sql`
    insert into weigh_change (id, project_code, device_id, ts, record_id, at, action, changes, reason, by_name)
    values (${ctx.newId()}, ${row.projectCode}, ${row.deviceId}, ${row.ts}, ${row.id}, ${new Date(ctx.clock.now())}, ${body.action}, ${JSON.stringify(changes)}::jsonb,
      ${body.reason}, ${ctx.user.name})`.execute(ctx.db)
}

export const actionNames: Record<Action, string> = { save: '修改磅单', approve: '同意磅单修改', reject: '退回磅单修改', void: '作废磅单' }

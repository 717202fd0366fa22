import { dayMs } from '@zhugong/contract/kit/time'
import { rectifyMoves } from '@zhugong/contract/rectify/moves'
import { sql } from 'kysely'
import { asProduct, type BackgroundDependencies } from '#kit/background'
import { changeRow } from '#kit/change-row'
import type { Context } from '#kit/context'
import { tellKeepers } from '../notify/public.ts'
import { type Ladder, type ladderDays, replaceTodos, writeLog } from '../process/public.ts'
import { pageOf, rectifyKind } from './kind.ts'
import type { Notice } from './notice.ts'

/** A notice that is not signed for within this time counts as received (送达). */
const longestUnsignedMs = dayMs
const atOnce = 200

/** Marks unsigned notices as received, with the legal period beginning then. Returns their number. */
export async function deemReceived(deps: BackgroundDependencies): Promise<number> {
  const before = new Date(deps.clock.now() - longestUnsignedMs)
  const { rows } = await sql<{ id: string }>`select id from rectify where state = '1' and issue_time <= ${before}
    order by issue_time limit ${atOnce}`.execute(deps.db)
  for (const { id } of rows) await asProduct(deps, { userId: '', name: '系统', groupId: '' }, (ctx) => deem(ctx, id, before))
  return rows.length
}

async function deem(ctx: Context, id: string, before: Date): Promise<void> {
  const row = await rectifyKind.lock(ctx, id)
  // Signed for or revoked meanwhile.
  if (row.state !== '1' || row.issueTime === null || row.issueTime > before) return
  const values = { state: '2', deemed: true, receiveTime: new Date(row.issueTime.getTime() + longestUnsignedMs) }
  const version = await changeRow(ctx, 'rectify', { key: { id }, version: row.version, noun: rectifyKind.noun, by: null, values })
  const after: Notice = { ...row, ...values, version }
  await writeLog(ctx, rectifyKind.kind, after, { action: 'deem', from: row.state, to: after.state, opinion: '24 小时未签收' })
  await replaceTodos(ctx, rectifyKind, after)
}

/** What another domain does at a step of the ladder, for example the draft of a record of misconduct. */
type LateStep = (ctx: Context, notice: Notice) => Promise<void>
const lateSteps = new Map<string, { days: number; step: LateStep }>()
/** Registers under a name what happens with a notice that is `days` overdue, in the transaction that counts the step. */
export function registerLateStep(name: string, days: (typeof ladderDays)[number], step: LateStep): void {
  lateSteps.set(name, { days, step })
}

/**
 * The ladder of an overdue notice: after one day the responsible side is reminded, after three the site's head and the issuer's are told,
 * after seven the issuer is advised to propose a penalty.
 */
export const rectifyLadder: Ladder = {
  kind: rectifyKind.kind,
  climb: async (ctx, objectId, days) => {
    const row = await rectifyKind.lock(ctx, objectId)
    const { projectCode, corpCode, issuerGroup: groupId } = row
    const text = `${row.code ?? '整改通知'} 期限 ${row.deadline}，${rectifyKind.stateName(row.state)}`
    const notification = { projectCode, corpCode, title: `整改逾期 ${days} 天`, text, link: pageOf(row), kind: 'rectify' }
    const [issuersHead] = row.origin === 'gov' ? [rectifyMoves.decideExtend.needs[0]] : [rectifyMoves.decideExtend.needs[1]]
    await tellKeepers(ctx, { ...notification, code: rectifyMoves.reply.needs })
    if (days >= 3) await tellKeepers(ctx, { ...notification, corpCode: row.origin === 'gov' ? null : corpCode, groupId, code: issuersHead })
    for (const one of lateSteps.values()) if (one.days === days) await one.step(ctx, row)
    const advice = days >= 7 ? '，建议提出不良行为认定' : days >= 3 ? '，已告知负责人' : ''
    await writeLog(ctx, rectifyKind.kind, row, { action: 'late', from: row.state, to: row.state, opinion: `逾期 ${days} 天${advice}` })
  },
}

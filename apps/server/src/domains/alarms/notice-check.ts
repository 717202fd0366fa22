import { noticeState } from '@zhugong/contract/alarms/notices'
import { AppError } from '@zhugong/contract/kit/errors'
import { parseInstant } from '@zhugong/contract/kit/fields'
import { sql } from 'kysely'
import { changeRow, conflictOf } from '#kit/change-row'
import { formatInstant } from '#kit/clock'
import type { Context } from '#kit/context'
import { startFlow } from '../workflow/public.ts'
import { tellOfUrging, writeStep } from './notice-course.ts'
import { flowStart } from './notice-flow.ts'
import { mayCheck, type NoticeRow } from './notice-rows.ts'

const longestMs = 90 * 86_400_000

/** Parses the deadline set for a site. Throws AppError at the field. */
export function requireDeadline(given: string | undefined, now: number): Date {
  const deadline = (given === undefined ? undefined : parseInstant(given)) ?? 0
  if (deadline <= now) throw new AppError('invalidInput', '期限应晚于现在', { field: 'deadline' })
  if (deadline - now > longestMs) throw new AppError('invalidInput', '期限最长 90 天', { field: 'deadline' })
  return new Date(deadline)
}

interface Verdict {
  action: 'accept' | 'redo'
  text: string
  deadline?: string | undefined
  version?: number | undefined
}

/** The sender accepts the site's answer, or returns it with a new deadline. `row` is locked. */
export async function checkNotice(ctx: Context, row: NoticeRow, verdict: Verdict): Promise<undefined> {
  if (row.state !== noticeState.answered) throw new AppError('refused', '项目答复后才能核查')
  if (!mayCheck(ctx, row)) throw new AppError('refused', '由发出督办的单位核查')
  if (verdict.version !== undefined && verdict.version !== row.version) throw await conflictOf(ctx, 'siteNotice', { id: row.id }, '通知')
  if (verdict.action === 'accept') await accept(ctx, row, verdict.text)
  else await redo(ctx, row, verdict.text, requireDeadline(verdict.deadline, ctx.clock.now()))
  ctx.note(`${verdict.action === 'accept' ? '核查通过' : '退回重办'}督办：${row.subject || row.text.slice(0, 40)}`, row.id)
  return undefined
}

async function accept(ctx: Context, row: NoticeRow, text: string): Promise<void> {
  const { rows } = await sql<{
    waits: boolean
  }>`select state in ('open', 'acknowledged') as waits from alarm where id = ${row.alarmId}`.execute(ctx.db)
  if (rows[0]?.waits) throw new AppError('refused', '告警尚未处置，不能通过；请退回并说明要求')
  await changeRow(ctx, 'siteNotice', {
    key: { id: row.id },
    version: row.version,
    noun: '通知',
    values: { state: noticeState.accepted, checkText: text || null, checkName: ctx.user.name, checkTime: new Date(ctx.clock.now()) },
  })
  await writeStep(ctx, row, { action: 'accept', text })
}

/** Returns the notice to the site; the previous answer remains in its history. */
async function redo(ctx: Context, row: NoticeRow, text: string, deadline: Date): Promise<void> {
  await changeRow(ctx, 'siteNotice', {
    key: { id: row.id },
    version: row.version,
    noun: '通知',
    values: {
      state: noticeState.waiting,
      deadline,
      answer: null,
      files: sql`'{}'`,
      doneName: null,
      doneTime: null,
      redone: sql`redone + 1`,
      checkText: text,
      checkName: ctx.user.name,
      checkTime: new Date(ctx.clock.now()),
    },
  })
  await startFlow(ctx, flowStart({ ...row, deadline }, ctx.group.id))
  await writeStep(ctx, row, { action: 'redo', text, deadline })
  await tellOfUrging(ctx, row, `${text}，期限 ${formatInstant(deadline)}`)
}

import { noticeState } from '@zhugong/contract/alarms/notices'
import { AppError } from '@zhugong/contract/kit/errors'
import { parseInstant } from '@zhugong/contract/kit/fields'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import type { Context } from '#kit/context'
import { startFlow } from '../workflow/public.ts'
import { tellOfUrging, writeStep } from './notice-course.ts'
import { flowStart } from './notice-flow.ts'
import { mayCheck, type NoticeRow } from './notice-rows.ts'

const longestMs = 90 * 86_400_000

/** The days a site may be given. Throws AppError at the field. */
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

/** The sender's word on the site's answer: it is done, or done again by a new deadline. `row` is locked. */
export async function checkNotice(ctx: Context, row: NoticeRow, verdict: Verdict): Promise<undefined> {
  if (row.state !== noticeState.answered) throw new AppError('refused', '项目答复后才能核查')
  if (!mayCheck(ctx, row)) throw new AppError('refused', '由发出督办的单位核查')
  if (verdict.version !== undefined && verdict.version !== row.version)
    throw new AppError('conflict', '通知刚被其他人办理，请刷新后再试', { version: row.version })
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
  await sql`update site_notice set state = ${noticeState.accepted}, check_text = ${text || null}, check_name = ${ctx.user.name},
      check_time = ${new Date(ctx.clock.now())}, version = version + 1 where id = ${row.id}`.execute(ctx.db)
  await writeStep(ctx, row, { action: 'accept', text })
}

/** The site has it before it again; its last answer stays in the course. */
async function redo(ctx: Context, row: NoticeRow, text: string, deadline: Date): Promise<void> {
  await sql`update site_notice set state = ${noticeState.waiting}, deadline = ${deadline}, answer = null, files = '{}', done_name = null, done_time = null,
      redone = redone + 1, check_text = ${text}, check_name = ${ctx.user.name}, check_time = ${new Date(ctx.clock.now())}, version = version + 1
    where id = ${row.id}`.execute(ctx.db)
  await startFlow(ctx, flowStart({ ...row, deadline }, ctx.group.id))
  await writeStep(ctx, row, { action: 'redo', text, deadline })
  await tellOfUrging(ctx, row, `${text}，期限 ${formatInstant(deadline)}`)
}

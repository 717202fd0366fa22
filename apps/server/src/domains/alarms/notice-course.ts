import { isChecked, type NoticeAction, type NoticeKind } from '@zhugong/contract/alarms/notices'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import type { Context } from '#kit/context'
import type { Db } from '#kit/db'
import { logAlarms } from './by-others.ts'
import { alarmHappened } from './outbox.ts'

/** The data of a notice needed for its history and the alarm's log. */
export interface Stepping {
  id: string
  projectCode: string
  kind: NoticeKind
  alarmId: string | null
}
interface Step {
  action: 'send' | NoticeAction
  text?: string
  deadline?: Date
  files?: readonly string[]
}

/**
 * Event and text of each step in the alarm's log. Returning an answer counts as a new supervision order, so the same people are
 * notified.
 */
const logged: Partial<Record<Step['action'], { event: string; words: string }>> = {
  send: { event: 'urge', words: '督办' },
  redo: { event: 'urge', words: '督办退回重办' },
  answer: { event: 'urgeAnswer', words: '答复督办' },
  return: { event: 'urgeReturn', words: '退回督办' },
  withdraw: { event: 'urgeWithdraw', words: '撤回督办' },
  accept: { event: 'urgeAccept', words: '督办核查通过' },
}

/** Writes a step to the notice's history, and for supervision orders to the alarm's log, in the caller's transaction. */
export async function writeStep(ctx: Context, notice: Stepping, { action, text = '', deadline, files = [] }: Step): Promise<void> {
  const at = ctx.clock.now()
  await sql`insert into site_notice_step (id, notice_id, project_code, at, action, text, by_name, by_group, deadline, files)
    values (${ctx.newId()}, ${notice.id}, ${notice.projectCode}, ${new Date(at)}, ${action}, ${text}, ${ctx.user.name}, ${ctx.group.name},
      ${deadline ?? null}, ${[...files]}::text[])`.execute(ctx.db)
  const line = logged[action]
  if (!line || !isChecked(notice.kind) || notice.alarmId === null) return
  const until = deadline ? `（期限 ${formatInstant(deadline).slice(0, 16)}）` : ''
  await logAlarms(ctx.db, [notice.alarmId], {
    at,
    event: line.event,
    text: `${line.words}${text && `：${text}`}${until}`,
    byName: ctx.user.name,
  })
  // The ingest pushes the change to the alarm's subscribers; it is notified on commit.
  await sql`select pg_notify('zg_fleet', ${`alarm:${notice.alarmId}`})`.execute(ctx.db)
}

/** Supervision orders also use the alarm's own notification plans, so that those responsible for the site are notified at once. */
export async function tellOfUrging(ctx: Context, notice: Stepping, note: string): Promise<void> {
  if (!isChecked(notice.kind) || notice.alarmId === null) return
  const { rows } = await sql<{ level: number }>`select level from alarm where id = ${notice.alarmId}`.execute(ctx.db)
  if (rows[0])
    await alarmHappened(ctx.db, {
      alarmId: notice.alarmId,
      projectCode: notice.projectCode,
      event: 'urge',
      level: rows[0].level,
      at: ctx.clock.now(),
      detail: { by: ctx.user.name, userId: ctx.user.id, note: note || undefined },
    })
}

export interface NoticeStep {
  id: string
  noticeId: string
  at: Date
  action: string
  text: string
  byName: string
  byGroup: string
  deadline: Date | null
  files: string[]
}
export async function coursesOf(db: Db, noticeIds: readonly string[]): Promise<Map<string, NoticeStep[]>> {
  if (noticeIds.length === 0) return new Map()
  const { rows } = await sql<NoticeStep>`
    select id, notice_id, at, action, text, by_name, by_group, deadline, files from site_notice_step
    where notice_id = any (${[...noticeIds]}) order by at, id`.execute(db)
  return Map.groupBy(rows, (row) => row.noticeId)
}

import { isChecked, type NoticeAction, type NoticeKind } from '@zhugong/contract/alarms/notices'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import type { Context } from '#kit/context'
import type { Db } from '#kit/db'
import { logAlarms } from './by-others.ts'
import { alarmHappened } from './outbox.ts'

/** What a step is about: of a notice, what its course and its alarm's log need. */
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

/** How a step reads in the alarm's log. Asking again is asking: those who are told of supervision are told of it too. */
const logged: Partial<Record<Step['action'], { event: string; words: string }>> = {
  send: { event: 'urge', words: '督办' },
  redo: { event: 'urge', words: '督办退回重办' },
  answer: { event: 'urgeAnswer', words: '答复督办' },
  return: { event: 'urgeReturn', words: '退回督办' },
  withdraw: { event: 'urgeWithdraw', words: '撤回督办' },
  accept: { event: 'urgeAccept', words: '督办核查通过' },
}

/** Writes a step of a notice, and of supervision into the log of its alarm, in the transaction of the step. */
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
  // The ingest tells those who watch the alarm; it hears of it when this request is committed.
  await sql`select pg_notify('zg_fleet', ${`alarm:${notice.alarmId}`})`.execute(ctx.db)
}

/** Supervision of an alarm goes over the alarm's ways as well: whoever carries the site is told at once. */
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

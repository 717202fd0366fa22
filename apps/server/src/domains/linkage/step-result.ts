import { deviceCommands } from '@zhugong/contract/telemetry/commands'
import { sql } from 'kysely'
import type { Db } from '#kit/db'
import { newId } from '#kit/ids'
import { logAlarms } from '../alarms/public.ts'

interface About {
  projectCode: string
  execId: string
  execName: string
  level: number
  command: string
  simulated: boolean
  alarmIds: readonly string[]
  target: { id: string; name: string } | undefined
}

export interface StepResult {
  step: 'start' | 'stop' | 'hold'
  state: 'sent' | 'failed' | 'held' | 'skipped'
  /** What happened and why, for readers of the alarm. */
  text: string
  /** Answer of the device or the platform. */
  result: string
  attempts: number
  /** Written only to the action log; the alarm's log already contains it. */
  quiet?: boolean
}

export const commandName = (command: string) => (deviceCommands as Readonly<Record<string, string>>)[command] ?? command
const titles = { start: '联动启动', stop: '联动停止', hold: '联动未启动' } as const

/** Writes one row to the action log and one line to the log of each alarm. */
export async function tell(db: Db, about: About, stepResult: StepResult, now: number): Promise<void> {
  const at = new Date(now)
  const drill = about.simulated ? '【演练】' : ''
  const alarmIds = [...about.alarmIds]
  const { target } = about
  await sql`insert into exec_log (id, project_code, alarm_id, alarm_ids, exec_id, kind, step, level, channel, receiver_id, receiver_name, title, text, state, result,
      attempts, sent_at, create_time)
    values (${newId(now)}, ${about.projectCode}, (select id from alarm where id = ${alarmIds[0] ?? null}), ${alarmIds}, ${about.execId}, 'linkage', ${stepResult.step}, ${about.level},
      ${about.command}, ${target?.id ?? null}, ${target?.name ?? '无'}, ${`${drill}${titles[stepResult.step]}：${target?.name ?? about.execName}`}, ${drill + stepResult.text}, ${stepResult.state},
      ${stepResult.result}, ${stepResult.attempts}, ${stepResult.state === 'sent' ? at : null}, ${at})`.execute(db)
  if (stepResult.quiet) return
  const line = `${drill}${about.execName}${target ? ` · ${target.name}` : ''}：${stepResult.text}`
  await logAlarms(db, alarmIds, { at: now, event: 'linkage', text: line.slice(0, 500) })
}

/** Writes a line to the log of one alarm only. */
export async function tellAlarm(db: Db, alarmId: string, text: string, now: number): Promise<void> {
  await logAlarms(db, [alarmId], { at: now, event: 'linkage', text })
}

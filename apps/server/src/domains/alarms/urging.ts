import type { AlarmUrging, NoticeState } from '@zhugong/contract/alarms/notices'
import { noticeState } from '@zhugong/contract/alarms/notices'
import { sql } from 'kysely'
import type { Scope } from '#kit/db'
import { type Condition, condition } from '#kit/list'

/** The supervision order of an alarm `a`, read with the alarm. */
export interface UrgingRecord {
  noticeId: string
  fromGroup: string
  fromName: string
  deadline: number
  doneAt: number | null
  state: NoticeState
}
export const urgingColumn = sql`(select jsonb_build_object('noticeId', n.id, 'fromGroup', n.from_group_name, 'fromName', n.from_name,
    'deadline', (extract(epoch from n.deadline) * 1000)::bigint, 'doneAt', (extract(epoch from n.done_time) * 1000)::bigint, 'state', n.state)
  from site_notice n where n.alarm_id = a.id and n.kind = 'supervise' and n.state in ('1', '2', '5')
  order by n.state = '5', n.create_time desc, n.id desc limit 1) as urging`

const waits = sql`exists (select 1 from site_notice n where n.alarm_id = a.id and n.kind = 'supervise' and n.state in ('1', '2'))`
export const urgedWhere = (urged: boolean | undefined): Condition[] =>
  urged === undefined ? [] : [condition(urged ? waits : sql`not ${waits}`)]

export function toUrging(row: UrgingRecord | null, now: number): AlarmUrging | null {
  if (!row) return null
  const { doneAt, ...urging } = row
  return { ...urging, late: (doneAt ?? now) > row.deadline && row.state !== noticeState.withdrawn }
}

/** Supervision orders are visible to the site and to companies that see it as a whole, not to companies that see only their own people. */
export const seesUrging = (scope: Scope, projectCode: string): boolean => !scope.limited.includes(projectCode)
export const isUrgingEvent = (event: string): boolean => event.startsWith('urge')

import { type AlarmAction, type AlarmState, alarmMoves } from '@zhugong/contract/alarms/codes'
import type { EpisodeMember } from '@zhugong/contract/alarms/endpoints'

/** The views of an alarm list; drills and late reports never mix with what goes on now. */
export const alarmTabs = {
  todo: { label: '待处理', scope: { state: 'open,acknowledged', simulated: false, historical: false } },
  active: { label: '告警中', scope: { active: true, simulated: false, historical: false } },
  handled: { label: '待关闭', scope: { state: 'handled', simulated: false, historical: false } },
  all: { label: '全部', scope: { simulated: false, historical: false } },
  late: { label: '历史补报', scope: { historical: true, simulated: false } },
  drill: { label: '演练', scope: { simulated: true } },
} as const
export type AlarmTab = keyof typeof alarmTabs
export const tabIn = (value: string | null): AlarmTab => (value !== null && value in alarmTabs ? (value as AlarmTab) : 'todo')

/** Where something is to be done, one happening is one row; a history has every alarm. */
export const mergesIn = (tab: AlarmTab): boolean => tab === 'todo' || tab === 'active'

/** What the address says where every alarm is to have its row all the same. */
export const eachAlarm = 'each'

/** Of a happening the alarms that an action still applies to: somebody may have taken up one of them alone. */
export const openOf = (
  row: { id: string; projectCode: string; state: string; version: number; beside?: readonly EpisodeMember[] | undefined },
  action: AlarmAction,
) =>
  [row, ...(row.beside ?? [])]
    .filter((one) => alarmMoves[action].from.includes(one.state as AlarmState))
    .map(({ id, version }) => ({ id, version, projectCode: row.projectCode }))

export interface BatchRow {
  maxLevel: number
  alarmKey: string
  state: string
}

/** Why these alarms cannot be handled together; undefined when they can. */
export function batchRefusal(rows: readonly BatchRow[]): string | undefined {
  if (rows.length === 0) return '请先选择告警'
  if (rows.some((row) => row.maxLevel <= 2)) return '一级和二级告警须逐条处理'
  if (new Set(rows.map((row) => row.alarmKey)).size > 1) return '一次只能批量处理同一种告警'
  return undefined
}

/**
 * Whether a happening waits behind the bar 新告警 instead of changing the list at once: a new alarm, lest rows move under the reader.
 * Level 1 comes at once, and so does what becomes of alarms that stand there: a recovery, another level, somebody's handling.
 */
export const bringsNews = (told: { event: string; level: number }): boolean => told.event === 'open' && told.level > 1

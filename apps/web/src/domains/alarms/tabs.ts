import { type AlarmAction, type AlarmState, alarmMoves } from '@zhugong/contract/alarms/codes'
import type { EpisodeMember } from '@zhugong/contract/alarms/endpoints'

/** Views of an alarm list; drills and late reports are kept apart from current alarms. */
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

/** Lists of work show one row per episode; history lists show every alarm. */
export const mergesIn = (tab: AlarmTab): boolean => tab === 'todo' || tab === 'active'

/** Value of the URL parameter `rows` that shows every alarm even in merged views. */
export const eachAlarm = 'each'

/** Alarms of an episode that an action still applies to; some may have been acknowledged alone. */
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

/** Why these alarms cannot be handled in one batch; undefined if they can. */
export function batchRefusal(rows: readonly BatchRow[]): string | undefined {
  if (rows.length === 0) return '请先选择告警'
  if (rows.some((row) => row.maxLevel <= 2)) return '一级和二级告警须逐条处理'
  if (new Set(rows.map((row) => row.alarmKey)).size > 1) return '一次只能批量处理同一种告警'
  return undefined
}

/**
 * Whether an event waits behind the bar 新告警 instead of refreshing the list: true for new alarms of level 2 to 4, so that rows do not
 * move under the reader. Level 1 and changes to existing alarms (recovery, level, handling) refresh the list at once.
 */
export const bringsNews = (reported: { event: string; level: number }): boolean => reported.event === 'open' && reported.level > 1

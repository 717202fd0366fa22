import { isOpen, type ProjectRights, runs } from '../kit/project-rights.ts'

/** Handling state of an alarm; whether the alarm condition still persists is stored separately (`active`). */
export const alarmStates = {
  open: '未处理',
  acknowledged: '已接单',
  handled: '已处理',
  closed: '已关闭',
  false: '误报',
  ignored: '已忽略',
} as const
export type AlarmState = keyof typeof alarmStates

export const alarmActions = ['ack', 'handle', 'false', 'ignore', 'close', 'reopen'] as const
export type AlarmAction = (typeof alarmActions)[number]

/** Allowed transitions. Supervision orders (`notices.ts`) do not change the state. */
export const alarmMoves: Readonly<Record<AlarmAction, { from: readonly AlarmState[]; to: AlarmState; label: string; needs: string }>> = {
  ack: { from: ['open'], to: 'acknowledged', label: '接单', needs: 'alarm.ack' },
  handle: { from: ['open', 'acknowledged'], to: 'handled', label: '处置', needs: 'alarm.handle' },
  false: { from: ['open', 'acknowledged', 'handled'], to: 'false', label: '标记误报', needs: 'alarm.false' },
  ignore: { from: ['open', 'acknowledged'], to: 'ignored', label: '忽略', needs: 'alarm.handle' },
  close: { from: ['open', 'acknowledged', 'handled'], to: 'closed', label: '关闭', needs: 'alarm.close' },
  reopen: { from: ['handled', 'closed', 'false', 'ignored'], to: 'open', label: '重新打开', needs: 'alarm.handle' },
}

/** Actions for the owner of a device on a site that the owner does not run; confirming and closing is left to the site. */
const ownersMoves: readonly AlarmAction[] = ['ack', 'handle']

/** States in which a government or company may send a supervision order. */
export const urgeableStates: readonly AlarmState[] = ['open', 'acknowledged', 'handled']
/** The least serious level that can be supervised. */
export const urgeableLevel = 2
export const isUrgeable = (alarm: { maxLevel: number; state: string; simulated: boolean; historical: boolean }): boolean =>
  alarm.maxLevel <= urgeableLevel && urgeableStates.some((state) => state === alarm.state) && !alarm.simulated && !alarm.historical

/** The actions that a group's part in the project allows; permission codes and state restrict them further. */
export function openMoves(at: ProjectRights, place: { projectCode: string; corpCode: string | null }): readonly AlarmAction[] {
  if (!isOpen(at, 'machine', place)) return []
  return runs(at, place.projectCode) ? alarmActions : ownersMoves
}

export const clearReasonNames: Readonly<Record<string, string>> = {
  recovered: '恢复正常',
  schedule: '超出生效时段',
  ruleChanged: '规则已修改',
  ruleDisabled: '规则已停用',
  manual: '人工解除',
  deviceRemoved: '设备已移除',
  simulatedEnd: '演练结束',
}

/** Closing an SOS call requires choosing the outcome for the person. */
export const rescueOutcomeNames: readonly string[] = ['无碍', '送医', '误触']
export const isRescue = (alarm: { family: string; alarmKey: string }): boolean =>
  alarm.alarmKey === 'sos' && (alarm.family === 'smartHelmet' || alarm.family === 'baseStationHelmet')

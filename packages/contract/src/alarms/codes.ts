import { isOpen, runs, type Standing } from '../kit/standing.ts'

/** How far an alarm's handling has come; whether it is still going on is another fact (`active`). */
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

/** What may follow what. Supervision is a process of its own (`notices.ts`) and changes nothing about the state. */
export const alarmMoves: Readonly<Record<AlarmAction, { from: readonly AlarmState[]; to: AlarmState; label: string; needs: string }>> = {
  ack: { from: ['open'], to: 'acknowledged', label: '接单', needs: 'alarm.ack' },
  handle: { from: ['open', 'acknowledged'], to: 'handled', label: '处置', needs: 'alarm.handle' },
  false: { from: ['open', 'acknowledged', 'handled'], to: 'false', label: '标记误报', needs: 'alarm.false' },
  ignore: { from: ['open', 'acknowledged'], to: 'ignored', label: '忽略', needs: 'alarm.handle' },
  close: { from: ['open', 'acknowledged', 'handled'], to: 'closed', label: '关闭', needs: 'alarm.close' },
  reopen: { from: ['handled', 'closed', 'false', 'ignored'], to: 'open', label: '重新打开', needs: 'alarm.handle' },
}

/** What the owner of a machine may do about its alarms where he does not run the site; whether they are true and done with is for those who do. */
const ownersMoves: readonly AlarmAction[] = ['ack', 'handle']

/** States in which a body or a company may still ask for action. */
export const urgeableStates: readonly AlarmState[] = ['open', 'acknowledged', 'handled']
/** The mildest level that is supervised. */
export const urgeableLevel = 2
export const isUrgeable = (alarm: { maxLevel: number; state: string; simulated: boolean; historical: boolean }): boolean =>
  alarm.maxLevel <= urgeableLevel && urgeableStates.some((state) => state === alarm.state) && !alarm.simulated && !alarm.historical

/** What a group's part in the project leaves open of handling an alarm; codes and the alarm's state narrow it further. */
export function openMoves(at: Standing, place: { projectCode: string; corpCode: string | null }): readonly AlarmAction[] {
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

/** A call for help is not done with by words alone: how it ended for the person is chosen. */
export const rescueOutcomeNames: readonly string[] = ['无碍', '送医', '误触']
export const isRescue = (alarm: { family: string; alarmKey: string }): boolean =>
  alarm.alarmKey === 'sos' && (alarm.family === 'smartHelmet' || alarm.family === 'baseStationHelmet')

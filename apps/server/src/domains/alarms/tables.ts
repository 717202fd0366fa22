import type { ColumnType, Generated } from 'kysely'

interface AlarmTable {
  id: string
  projectCode: string
  deviceId: string
  deviceName: string
  point: Generated<string>
  family: string
  alarmKey: string
  label: string
  level: number
  maxLevel: number
  state: Generated<string>
  active: Generated<boolean>
  stale: Generated<boolean>
  startTime: Date
  fireTime: Date
  clearTime: Date | null
  clearReason: string | null
  peakValue: number | null
  peakTime: Date | null
  metric: string | null
  thresholdText: Generated<string>
  ruleId: string | null
  ruleVersion: number | null
  sources: Generated<string[]>
  reopened: Generated<number>
  flapping: Generated<boolean>
  valuesUsed: ColumnType<Record<string, unknown>, string | undefined, string>
  simulated: Generated<boolean>
  historical: Generated<boolean>
  handlerName: string | null
  handleTime: Date | null
  measure: string | null
  photos: ColumnType<string[], string | undefined, string>
  outcome: string | null
  createTime: Generated<Date>
  version: Generated<number>
}
interface AlarmLogTable {
  id: string
  alarmId: string
  projectCode: string
  at: Date
  event: string
  text: string
  byName: string | null
}

declare module '#kit/db' {
  interface Tables {
    alarm: AlarmTable
    alarmLog: AlarmLogTable
  }
}

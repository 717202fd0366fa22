import type { TempSetting } from '@zhugong/contract/prevention/endpoints'
import type { Generated } from 'kysely'
import type { Json } from '#kit/columns'

interface TempAlarmSettingTable {
  projectCode: string
  value: Json<TempSetting>
  version: Generated<number>
  updateName: string | null
  updateTime: Date
}
export interface CourseLine {
  /** Epoch milliseconds. */
  at: number
  name: string
  action: string
  text: string
}
interface TempAlarmTable {
  id: string
  projectCode: string
  workerId: string
  corpCode: string | null
  teamId: string | null
  workDay: string
  temperature: number | null
  threshold: number
  level: string
  count: Generated<number>
  time: Date
  lastTime: Date
  terminalCode: string | null
  channel: string | null
  recheck: number | null
  recheckTime: Date | null
  handleState: Generated<string>
  handler: string | null
  handlerName: string | null
  handleTime: Date | null
  outcome: string | null
  course: Json<CourseLine[]>
  version: Generated<number>
  toldLevel: string | null
}

declare module '#kit/db' {
  interface Tables {
    tempAlarmSetting: TempAlarmSettingTable
    tempAlarm: TempAlarmTable
  }
}

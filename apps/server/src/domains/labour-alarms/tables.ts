import type { Generated } from 'kysely'

interface LaborAlarmTable {
  id: string
  projectCode: string
  workerId: string
  stayId: string
  corpCode: string
  teamId: string | null
  type: string
  period: Generated<string>
  content: string
  amount: Generated<number>
  time: Date
  lastTime: Date
  active: Generated<boolean>
  state: Generated<string>
  handler: string | null
  handlerName: string | null
  handleRemark: string | null
  handleTime: Date | null
  /** When the responsible users were notified; null if not yet. */
  toldAt: Date | null
  version: Generated<number>
}

declare module '#kit/db' {
  interface Tables {
    laborAlarm: LaborAlarmTable
  }
}

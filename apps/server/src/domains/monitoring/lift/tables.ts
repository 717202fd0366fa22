import type { Generated } from 'kysely'

interface LiftTestTable {
  id: string
  projectCode: string
  deviceId: string
  kind: 'drop' | 'load'
  testedOn: string
  result: 'pass' | 'fail'
  personName: string
  unitName: Generated<string>
  distanceMeters: number | null
  loadPercent: number | null
  remark: Generated<string>
  files: Generated<string[]>
  byName: string
  createTime: Date
  voidReason: string | null
  voidBy: string | null
  voidTime: Date | null
}
interface LiftStopTable {
  id: string
  projectCode: string
  deviceId: string
  alarmId: string | null
  stoppedAt: Date
  reason: string
  byName: string
  createTime: Date
  checkedOn: string | null
  personName: string | null
  unitName: Generated<string>
  finding: string | null
  files: Generated<string[]>
  resumedAt: Date | null
  resumedBy: string | null
}

declare module '#kit/db' {
  interface Tables {
    liftTest: LiftTestTable
    liftStop: LiftStopTable
  }
}

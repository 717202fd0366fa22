import type { Generated } from 'kysely'
import type { JsonGiven, JsonOrNull } from '#kit/columns'
import './crane/tables.ts'
import './environment/tables.ts'
import './formwork/tables.ts'
import './gateway/tables.ts'
import './helmet/tables.ts'
import './lift/tables.ts'
import './meter/tables.ts'
import './pile/tables.ts'
import './pit/tables.ts'
import './unloading/tables.ts'
import './vehicle/tables.ts'
import './video/tables.ts'
import './weigh/tables.ts'

interface CycleWatchTable {
  deviceId: string
  upto: Date
  state: JsonOrNull<unknown>
}
interface PointChangeTable {
  id: string
  projectCode: string
  deviceId: string
  family: string
  pointCode: string
  kind: 'damaged' | 'replaced' | 'zeroed'
  at: Date
  reason: Generated<string>
  value: number | null
  initial: number | null
  files: Generated<string[]>
  byName: string
}
interface AlarmReadingTable {
  id: string
  projectCode: string
  alarmId: string
  deviceId: string
  fromTime: Date
  untilTime: Date
  note: Generated<string>
  byName: string
  createTime: Date
}
interface ExceedCauseTable {
  id: string
  projectCode: string
  alarmId: string
  source: 'earthwork' | 'road' | 'pour' | 'nearby' | 'device' | 'other'
  text: string
  files: Generated<string[]>
  byName: string
  at: Date
}
interface AlarmFindingTable {
  id: string
  projectCode: string
  alarmId: string
  code: string
  text: string
  person: string | null
  everyHours: number | null
  files: Generated<string[]>
  byName: string
  byGroup: string
  at: Date
}
interface RecordFixTable {
  deviceId: string
  ts: Date
  recordId: string
  projectCode: string
  fields: JsonGiven<unknown>
  version: Generated<number>
}
interface RecordFixLogTable {
  id: string
  projectCode: string
  deviceId: string
  ts: Date
  recordId: string
  at: Date
  changes: JsonGiven<unknown>
  reason: string
  byName: string
}

declare module '#kit/db' {
  interface Tables {
    cycleWatch: CycleWatchTable
    pointChange: PointChangeTable
    alarmReading: AlarmReadingTable
    exceedCause: ExceedCauseTable
    alarmFinding: AlarmFindingTable
    recordFix: RecordFixTable
    recordFixLog: RecordFixLogTable
  }
}

import type { Correction, DayPart } from '@zhugong/contract/attendance/facts'
import type { Generated } from 'kysely'
import type { Json, Stamp } from '#kit/columns'

interface AttendanceEventTable {
  projectCode: string
  id: string
  dedupKey: string
  workerId: string | null
  corpCode: string | null
  teamId: string | null
  time: Date
  receivedAt: Date
  workDay: string | null
  direction: string | null
  attendType: string
  terminalCode: string
  deviceId: string | null
  channel: string | null
  score: number | null
  live: string | null
  pass: string | null
  picture: string | null
  pictureHash: string | null
  personHint: string | null
  temperature: number | null
  source: string
  recordId: string | null
  clockOffsetMs: number | null
  lng: number | null
  lat: number | null
  pointHash: string | null
  outsideFence: Generated<boolean>
  quarantine: string | null
  flags: Generated<string[]>
  late: Generated<boolean>
  duplicated: Generated<number>
  seq: number
}
interface AttendanceLedgerTable {
  projectCode: string
  seq: number
  workerId: string | null
  workerSeq: number | null
  kind: string
  receivedAt: Date
  eventId: string | null
  entry: string
  hash: string
}
interface AttendanceChainTable {
  projectCode: string
  seq: number
  hash: string
  receivedAt: Date | null
  daysFrom: string | null
  openedTo: string | null
}
interface AttendanceRootTable {
  projectCode: string
  date: string
  record: string
  hash: string
  createTime: Stamp
}
interface AttendanceRootCopyTable {
  groupId: string
  projectCode: string
  date: string
  hash: string
  deliveredAt: Date
}
interface AttendanceSettingTable {
  id: string
  projectCode: string
  effectiveFrom: string
  value: Json<Record<string, unknown>>
  reason: string | null
  createTime: Stamp
  createBy: string | null
}
/** Content of a correction, apart from its kind and approval. */
export type CorrectionValue = Pick<
  Correction,
  'target' | 'time' | 'direction' | 'fromDay' | 'toDay' | 'gate' | 'fromTime' | 'toTime' | 'shiftMs'
>
interface AttendanceCorrectionTable {
  id: string
  projectCode: string
  workerId: string | null
  corpCode: string | null
  kind: string
  state: string
  value: Json<CorrectionValue>
  requestedBy: string | null
  requestedAt: Date
  approvedBy: string | null
  approvedAt: Date | null
  byCompany: Generated<boolean>
  requestedName: string | null
  approvedName: string | null
  workDay: string | null
  reason: string | null
  files: Json<string[]>
  needs: Generated<string[]>
  approvals: Json<Approval[]>
  salt: string | null
  seq: number | null
  version: Generated<number>
  createTime: Stamp
}
/** One approver's opinion on a correction. */
export interface Approval {
  role: string
  by: string
  name: string
  /** Epoch milliseconds. */
  at: number
  opinion: string
  result: 'pass' | 'reject'
}
/** A person under a unit in a closed month. */
export interface ClosedRow {
  workerId: string
  name: string
  corpCode: string
  teamSysNo: string | null
  teamName: string | null
  attendDays: number
  workHours: number
  overtimeHours: number
}
interface AttendanceMonthTable {
  id: string
  projectCode: string
  month: string
  version: number
  sheet: Json<ClosedRow[]>
  hash: string
  closedBy: string | null
  closedName: string | null
  closedAt: Date
  reopenedName: string | null
  reopenedAt: Date | null
  reopenReason: string | null
}
interface AttendanceMonthTeamTable {
  projectCode: string
  month: string
  teamSysNo: string
  attendDays: number
  workHours: number
  confirmedBy: string | null
  confirmedName: string | null
  leaderName: string | null
  confirmedAt: Date
}
/** Figures of a day at the moment it settled. */
export interface AtClose {
  firstIn: number | null
  lastOut: number | null
  workHours: number
  attendDay: 0 | 1
  results: number[]
  recordCount: number
}
interface AttendanceDayTable {
  projectCode: string
  workerId: string
  workDay: string
  stayId: string
  corpCode: string
  teamId: string | null
  firstIn: Date | null
  lastOut: Date | null
  workHours: number
  overtimeHours: number
  attendDay: number
  results: number[]
  recordCount: number
  parts: Json<DayPart[]>
  shift: string | null
  expected: boolean
  required: boolean
  present: boolean
  pending: boolean
  settled: boolean
  atClose: Json<AtClose> | null
  rulesVersion: string
  settingVersion: string
  dueAt: Date | null
}
interface AttendancePresenceTable {
  projectCode: string
  workerId: string
  corpCode: string | null
  direction: string | null
  time: Date | null
  gate: string | null
  clearedAt: Date | null
}
interface AttendanceDirtyTable {
  projectCode: string
  id: Generated<number>
  workerId: string
  workDay: string
}

declare module '#kit/db' {
  interface Tables {
    attendanceEvent: AttendanceEventTable
    attendanceLedger: AttendanceLedgerTable
    attendanceChain: AttendanceChainTable
    attendanceRoot: AttendanceRootTable
    attendanceRootCopy: AttendanceRootCopyTable
    attendanceSetting: AttendanceSettingTable
    attendanceCorrection: AttendanceCorrectionTable
    attendanceMonth: AttendanceMonthTable
    attendanceMonthTeam: AttendanceMonthTeamTable
    attendanceDay: AttendanceDayTable
    attendancePresence: AttendancePresenceTable
    attendanceDirty: AttendanceDirtyTable
  }
}

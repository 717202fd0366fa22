/**
 * The input and the result of computing a worker's days.
 *
 * A gate record is a fact: it is stored as received and never changed. A day, a month or a presence rate is computed only from facts:
 * passages, entry and exit of the person, the setting in force, the states of the project, and approved corrections. The same facts give
 * the same days, in whatever order they arrive.
 *
 * Instants are epoch milliseconds; a work day is a Shanghai date (yyyy-MM-dd) that begins at the day cut.
 */

/** Directions of a passage. */
export const directions = { in: '01', out: '02' } as const
export type Direction = (typeof directions)[keyof typeof directions]

export type QuarantineReason = 'clockAhead' | 'tooOld' | 'clockOffset' | 'outsideFence'

export const quarantineReasons: Record<QuarantineReason, string> = {
  clockAhead: '设备时间超前 5 分钟以上',
  tooOld: '早于接收 30 天以上',
  clockOffset: '设备时钟偏差 5 分钟以上',
  outsideFence: '围栏外未计',
}

export interface AttendanceEvent {
  id: string
  /** Null for an unknown person. */
  workerId: string | null
  /** By the device's clock. */
  time: number
  /** By the server's clock. */
  receivedAt: number
  /** As received; null when the gate gave none. */
  direction: Direction | null
  /** Serial number of the gate, `mobile:` + workerId, or `manual:` + id of the correction. */
  gate: string
  /** Dictionary attendanceType. */
  type: string
  /** 0: the gate did not open. */
  pass: '0' | '1' | null
  /** Liveness check: 1 passed, 2 failed, 3 not checked. */
  live: '1' | '2' | '3' | null
  /** The gate's clock minus the server's, if the gate sends its clock. */
  clockOffsetMs: number | null
  /** The sign-in was made by phone outside the site's fence. */
  outsideFence: boolean
  recordId: string | null
  pictureHash: string | null
}

export interface Pause {
  from: number
  until: number | null
}

/** One row of projectWorker: half-open [entryTime, exitTime). */
export interface PlaceRow {
  entryTime: number
  exitTime: number | null
  /** When the person became formal; null: never in this stay. */
  formalFrom: number | null
  /** Suspensions of the person at this site, half-open intervals; null: not ended. */
  pauses?: readonly Pause[]
  corpCode: string
  teamSysNo: string | null
}

export const correctionKinds = {
  add: '补卡',
  void: '误刷',
  direction: '更正方向',
  assign: '认领',
  release: '放行待核记录',
  leave: '请假',
  stopDay: '停工日',
  revoke: '撤销更正',
} as const

export type CorrectionKind = keyof typeof correctionKinds

/** Dictionary approvalState, 已通过. */
export const approvedState = '2'

export interface Correction {
  id: string
  kind: CorrectionKind
  /** Dictionary approvalState. */
  state: string
  requestedBy: string | null
  requestedAt: number
  approvedBy: string | null
  approvedAt: number | null
  /** The company has approved too, as is required after the window. */
  byCompany: boolean
  /** The id of an event, for `revoke` of another correction. An event added by a correction has the correction's id. */
  target: string | null
  /** The person an added or claimed event belongs to; null: the person the facts are about. */
  workerId: string | null
  /** add: the time; release: the correct time, if that of the gate was wrong. */
  time: number | null
  direction: Direction | null
  fromDay: string | null
  toDay: string | null
  /** release of all records of a gate in [fromTime, toTime] instead of one event: their times are moved by `shiftMs`. */
  gate: string | null
  fromTime: number | null
  toTime: number | null
  shiftMs: number | null
}

export interface GateRole {
  /** The direction of a gate that serves only one. */
  direction: Direction | null
  /** An inner gate proves presence but its records are never paired. */
  role: 'perimeter' | 'inner'
}

export interface ProjectState {
  /** Dictionary projectState: 003 under construction, 005 stopped. */
  state: string
  from: number
}

export const dayResults = {
  1: '正常',
  2: '迟到',
  3: '早退',
  4: '缺卡',
  5: '缺勤',
  6: '请假',
  7: '加班',
  8: '停工',
  9: '夜班',
  10: '补传',
  11: '补录',
  12: '暂停作业',
} as const

export type DayResult = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12

export interface DayPart {
  corpCode: string
  teamSysNo: string | null
  workHours: number
  attendDay: 0 | 1
}

export interface Day {
  workDay: string
  firstIn: number | null
  lastOut: number | null
  /** One decimal. */
  workHours: number
  attendDay: 0 | 1
  results: DayResult[]
  recordCount: number
  parts: DayPart[]
  rulesVersion: string
  settingVersion: string
  /** Name of the team's shift; null: the times of the setting. */
  shift: string | null
  expected: boolean
  /** The work day has ended. */
  closed: boolean
  /** Closed, and no open entry can still get its exit. */
  settled: boolean
  /** An entry that may still get its exit. */
  pending: boolean
  leave: boolean
  stopped: boolean
  /** A holder of a key post had to be present (leave does not change that). */
  required: boolean
  /** Required, an attendance day, and present for the proven time. */
  present: boolean
  overtimeHours: number
}

export interface MonthTotals {
  attendDays: number
  workHours: number
  late: number
  early: number
  missing: number
  absent: number
  leave: number
  overtime: number
  stop: number
  night: number
  lateData: number
  corrected: number
  overtimeHours: number
}

export interface KeyPostMonth {
  required: number
  present: number
  /** Number of days that would suffice. */
  needed: number
  /** Percent, two decimals; null when nothing was required. */
  rate: number | null
  below: boolean
}

/** The posts of dictionary managerPost marked `key`, with the required presence in percent. A test compares them with the dictionary. */
export const keyPosts: Record<string, { minPresence: number }> = {
  '1001': { minPresence: 0 },
  '1004': { minPresence: 0 },
  '1009': { minPresence: 80 },
  '1011': { minPresence: 0 },
  '1016': { minPresence: 0 },
  '1017': { minPresence: 0 },
  '1018': { minPresence: 0 },
  '1022': { minPresence: 0 },
  '2001': { minPresence: 0 },
}

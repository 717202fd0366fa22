/*
 * What a worker's day is computed from, and what comes out of it.
 *
 * A gate tells that somebody passed. That is a fact: it is stored as it came and never changed. A day, a month, a presence rate
 * are computed from facts alone: passages, entry and exit of the person, the setting in force, the project's states and
 * approved corrections. Whoever has the same facts gets the same days, in whatever order the facts came.
 *
 * Instants are epoch milliseconds; a work day is a Shanghai date (yyyy-MM-dd) which begins at the day cut.
 */

/** Ways through a gate. */
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
  /** Null for a stranger. */
  workerId: string | null
  /** The device's clock. */
  time: number
  /** The server's clock. */
  receivedAt: number
  /** As received; null when the gate gave none. */
  direction: Direction | null
  /** Gate serial, `mobile:`+workerId, `manual:`+correction id. */
  gate: string
  /** Dictionary attendanceType. */
  type: string
  /** 0 = not let through. */
  pass: '0' | '1' | null
  /** 1 passed, 2 failed, 3 not judged. */
  live: '1' | '2' | '3' | null
  /** The gate's clock less the server's, where the gate states its clock. */
  clockOffsetMs: number | null
  /** A phone outside the geofence. */
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
  /** When the person was made formal; null = never in this row. */
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
  /** The company approved besides: needed after the window. */
  byCompany: boolean
  /** An event's id; for `revoke` another correction's id. An event added by a correction bears the correction's id. */
  target: string | null
  /** Whom an added or claimed event belongs to; null = the person the facts are about. */
  workerId: string | null
  /** add: when; release: the right time, where the gate's was wrong. */
  time: number | null
  direction: Direction | null
  fromDay: string | null
  toDay: string | null
  /** release of a gate's whole period [fromTime, toTime] instead of one event: its times are moved by `shiftMs`. */
  gate: string | null
  fromTime: number | null
  toTime: number | null
  shiftMs: number | null
}

export interface GateRole {
  /** A gate that serves one direction only. */
  direction: Direction | null
  /** An inner gate proves presence and never pairs. */
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
  /** Name of the team's shift, null = the setting's own times. */
  shift: string | null
  expected: boolean
  /** The running work day is over. */
  closed: boolean
  /** Closed, and no entry can still find its exit. */
  settled: boolean
  /** An entry that may still find its exit. */
  pending: boolean
  leave: boolean
  stopped: boolean
  /** A key post had to be here (leave does not lessen it). */
  required: boolean
  /** Required, a day of attendance, and proven time. */
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
  /** Days that would be enough. */
  needed: number
  /** Percent, two decimals; null when nothing was required. */
  rate: number | null
  below: boolean
}

/** Posts of dictionary managerPost marked `key`; `minPresence` in percent. A test compares it with the dictionary. */
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

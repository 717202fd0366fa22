import type { FactKind, Impact } from '@zhugong/contract/daylogs/fields'
import type { LogState } from '@zhugong/contract/daylogs/moves'
import type { Generated } from 'kysely'

interface Known {
  id: string
  /** Null: the log of an institution, which belongs to no project. */
  projectCode: string | null
  corpCode: string | null
  shownAt: Date | null
  groups: string[]
}
interface OfLog extends Known {
  logId: string
}
export type LogType = 'safetyPLog' | 'construction' | 'log'

interface DayLogTable extends Known {
  kind: LogType
  authorGroup: string
  authorGroupName: string
  unitId: string | null
  /** yyyy-MM-dd. */
  day: string
  weather: string | null
  tempHigh: number | null
  tempLow: number | null
  wind: number | null
  workerCount: number | null
  attendCount: number | null
  parts: Generated<string>
  machines: string | null
  safetyState: string | null
  qualityState: string | null
  tomorrow: string | null
  impact: Generated<Impact>
  idleCount: number | null
  photos: Generated<string[]>
  visited: Generated<string[]>
  late: Generated<boolean>
  lateReason: string | null
  recorder: string
  submittedAt: Date | null
  state: Generated<LogState>
  version: Generated<number>
  createBy: string
  createTime: Date
  updateBy: string | null
  updateTime: Generated<Date>
}
interface DayLogFactTable extends OfLog {
  seq: number
  kind: FactKind
  refId: string
  siteCode: string | null
  words: string
  amount: number | null
  unit: string | null
  state: string | null
  link: string | null
}
interface DayLogProblemTable extends OfLog {
  seq: number
  description: string
  rectifyId: string | null
}
interface DayLogTaskTable extends OfLog {
  seq: number
  taskId: string
  name: string
  before: number
  percent: number
  reason: string | null
}
interface DayLogPourTable extends OfLog {
  seq: number
  part: string
  grade: string
  volume: number
  fromTime: string
  untilTime: string
  byName: string
}
interface DayLogBlockTable extends OfLog {
  seq: number
  part: string
  gang: string | null
  content: string
  byId: string
  byName: string
  at: Date
}
interface DayLogCommentTable extends OfLog {
  content: string
  byId: string
  byName: string
  groupName: string
  at: Date
  answer: string | null
  answerBy: string | null
  answerAt: Date | null
}
interface DayLogChangeTable extends OfLog {
  field: string
  before: string
  after: string
  reason: string | null
  byName: string
  at: Date
}
interface DayLogUrgeTable {
  id: string
  projectCode: string
  day: string
  groupId: string
  groupName: string
  byName: string
  at: Date
}

declare module '#kit/db' {
  interface Tables {
    dayLog: DayLogTable
    dayLogFact: DayLogFactTable
    dayLogProblem: DayLogProblemTable
    dayLogTask: DayLogTaskTable
    dayLogPour: DayLogPourTable
    dayLogBlock: DayLogBlockTable
    dayLogComment: DayLogCommentTable
    dayLogChange: DayLogChangeTable
    dayLogUrge: DayLogUrgeTable
  }
}

import type { BaseState } from '@zhugong/contract/schedule/moves'
import type { Generated } from 'kysely'
import type { Disclosed } from '#kit/columns'

interface ScheduleTable extends Disclosed {
  id: string
  corpCode: string
  baseNo: Generated<number>
  baseReason: string | null
  approvedAt: Date | null
  planPercent: Generated<number>
  percent: Generated<number>
  delayDays: Generated<number>
  finishDeviation: Generated<number>
  late: Generated<number>
  severe: Generated<number>
  /** yyyy-MM-dd. */
  planStart: string | null
  planEnd: string | null
  scheduleState: Generated<string>
  reportTime: Date | null
  state: Generated<BaseState>
  version: Generated<number>
  createBy: string
  createTime: Date
  updateBy: string | null
  updateTime: Generated<Date>
}
interface ScheduleTaskTable extends Disclosed {
  id: string
  scheduleId: string
  corpCode: string
  unitId: string | null
  parentId: string | null
  wbs: string
  name: string
  phase: string | null
  leaf: Generated<boolean>
  milestone: Generated<boolean>
  critical: Generated<boolean>
  weight: number
  weightSum: number | null
  planStart: string
  planEnd: string
  baseStart: string | null
  baseEnd: string | null
  actualStart: string | null
  actualEnd: string | null
  planPercent: Generated<number>
  percent: Generated<number>
  delayDays: Generated<number>
  delayReason: string | null
  taskState: Generated<string>
  reportTime: Date | null
  version: Generated<number>
  updateBy: string | null
  updateTime: Generated<Date>
}
interface ScheduleReportTable extends Disclosed {
  id: string
  taskId: string
  scheduleId: string
  corpCode: string
  percent: number
  before: number
  actualStart: string | null
  actualEnd: string | null
  delayDays: number
  reason: string | null
  photos: Generated<string[]>
  byId: string
  byName: string
  at: Date
}
interface ScheduleBaseTable extends Disclosed {
  id: string
  scheduleId: string
  corpCode: string
  no: number
  reason: string | null
  submittedBy: string
  submittedAt: Date
  approvedBy: string | null
  approvedAt: Date | null
  opinion: string | null
}
interface ScheduleBaseTaskTable extends Disclosed {
  id: string
  baseId: string
  taskId: string
  corpCode: string
  name: string
  planStart: string
  planEnd: string
  weight: number
}

declare module '#kit/db' {
  interface Tables {
    schedule: ScheduleTable
    scheduleTask: ScheduleTaskTable
    scheduleReport: ScheduleReportTable
    scheduleBase: ScheduleBaseTable
    scheduleBaseTask: ScheduleBaseTaskTable
  }
}

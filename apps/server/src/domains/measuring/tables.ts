import type { PointResult } from '@zhugong/contract/measuring/judge'
import type { MeasureTaskState } from '@zhugong/contract/measuring/moves'
import type { Generated } from 'kysely'
import type { Disclosed, Trail } from '#kit/columns'

interface MeasureTemplateTable extends Trail {
  id: string
  groupId: string
  name: string
  stage: string
  targetRate: number
  revision: Generated<number>
}

/** What a rule says, in the template and in a task. */
interface RuleColumns {
  itemCode: string
  standardName: string
  baseValue: number | null
  judgeStart: number
  judgeEnd: number
  isAbsolute: boolean
  isRange: boolean
  isCustomBase: boolean
  areaCount: number
  pointCount: number
  method: string | null
  originId: string
}
interface MeasureRuleTable extends RuleColumns, Trail {
  id: string
  templateId: string
  groupId: string
  norm: string | null
  forbidManual: Generated<boolean>
  burstFactor: Generated<number>
  revision: Generated<number>
  supersededAt: Date | null
}
interface MeasureTaskTable extends Disclosed {
  id: string
  taskNo: string
  taskName: string
  checkType: string
  templateId: string
  templateName: string
  templateRevision: number
  targetRate: number
  placeName: string
  placeCount: number
  authorGroup: string
  authorGroupName: string
  memberId: string
  memberName: string
  memberGroup: string
  /** yyyy-MM-dd. */
  deadline: string | null
  totalItems: number
  totalPoints: number
  currentPoints: Generated<number>
  qualifiedPoints: Generated<number>
  burstPoints: Generated<number>
  firstQualified: Generated<number>
  instrumentNo: string | null
  checkTime: Date | null
  fixBy: string | null
  fixNote: string | null
  fixPhotos: Generated<string[]>
  state: Generated<MeasureTaskState>
  version: Generated<number>
  createBy: string
  createTime: Date
  updateBy: string | null
  updateTime: Generated<Date>
}
interface OfTask {
  taskId: string
  projectCode: string
  corpCode: string | null
}
interface MeasureTaskPlaceTable extends OfTask {
  placeId: string
  seq: number
}
interface MeasureTaskItemTable extends RuleColumns, OfTask {
  no: number
  ruleId: string
  revision: number
  forbidManual: boolean
  burstFactor: number
}
interface MeasureAreaTable extends OfTask {
  id: string
  placeId: string
  itemNo: number
  areaNo: number
  designValue: number | null
  planId: string | null
  pinX: number | null
  pinY: number | null
}
interface MeasurePointTable extends OfTask {
  id: string
  areaId: string
  placeId: string
  itemCode: string
  areaNo: number
  pointNo: number
  value: number
  deviation: number | null
  result: PointResult | null
  retest: number | null
  retestResult: PointResult | null
  photos: Generated<string[]>
  measurer: string
  instrumentNo: string | null
  at: Date
  retestAt: Date | null
}

declare module '#kit/db' {
  interface Tables {
    measureTemplate: MeasureTemplateTable
    measureRule: MeasureRuleTable
    measureTask: MeasureTaskTable
    measureTaskPlace: MeasureTaskPlaceTable
    measureTaskItem: MeasureTaskItemTable
    measureArea: MeasureAreaTable
    measurePoint: MeasurePointTable
  }
}

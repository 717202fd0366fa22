import type { MaterialEventKind, MaterialState } from '@zhugong/contract/materials/moves'
import type { Generated } from 'kysely'
import type { Disclosed } from '#kit/columns'

interface MaterialBatchTable extends Disclosed {
  id: string
  corpCode: string
  category: string
  name: string
  spec: string
  brand: string | null
  supplier: string
  batchNo: string | null
  quantity: string | number
  usedQuantity: Generated<string | number>
  unit: string
  arriveTime: Date
  plateNo: string | null
  usePart: string | null
  certFiles: string[]
  photos: Generated<string[]>
  needRetest: boolean
  samplesDue: number
  samplesTaken: Generated<number>
  tolerance: number
  deviation: number | null
  sentAt: Date | null
  labOrg: string | null
  reportNo: string | null
  retestPassed: boolean | null
  checkedBy: string | null
  blockedBy: string | null
  blockedReason: string | null
  exitAt: Date | null
  receiverId: string
  receiverName: string
  state: Generated<MaterialState>
  version: Generated<number>
  createBy: string
  createTime: Date
  updateBy: string | null
  updateTime: Generated<Date>
}
interface MaterialEventTable extends Disclosed {
  id: string
  batchId: string
  corpCode: string
  seq: number
  action: MaterialEventKind
  at: Date
  quantity: string | number | null
  part: string | null
  placeId: string | null
  planId: string | null
  pinX: number | null
  pinY: number | null
  team: string | null
  sampleNo: string | null
  reportNo: string | null
  weighId: string | null
  result: string | null
  note: string | null
  files: Generated<string[]>
  byId: string
  byName: string
  groupName: string
}
interface MaterialWeighTable extends Disclosed {
  weighId: string
  batchId: string
  corpCode: string
  direction: 'in' | 'out'
  billNo: string
  plateNo: string
  weighedAt: Date
  gross: number | null
  tare: number | null
  net: number | null
  actual: number | null
  bill: number | null
}
interface MaterialRuleTable {
  projectCode: string
  category: string
  needRetest: boolean
  perQuantity: number | null
  unit: string | null
  tolerance: number
  updateBy: string
  updateTime: Generated<Date>
}
interface MaterialPlanTable {
  projectCode: string
  category: string
  name: string
  spec: string
  unit: string
  planned: string | number
  updateBy: string
  updateTime: Generated<Date>
}

declare module '#kit/db' {
  interface Tables {
    materialBatch: MaterialBatchTable
    materialEvent: MaterialEventTable
    materialWeigh: MaterialWeighTable
    materialRule: MaterialRuleTable
    materialPlan: MaterialPlanTable
  }
}

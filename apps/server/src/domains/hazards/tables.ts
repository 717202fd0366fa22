import type { HazardState } from '@zhugong/contract/hazards/moves'
import type { PermitState } from '@zhugong/contract/hazards/permit-moves'
import type { PermitRole } from '@zhugong/contract/hazards/permit-rules'
import type { Generated } from 'kysely'
import type { Disclosed } from '#kit/columns'

interface Placed {
  placeId: string | null
  planId: string | null
  pinX: number | null
  pinY: number | null
}
interface Written {
  authorGroup: string
  authorGroupName: string
  version: Generated<number>
  createBy: string
  createTime: Date
  updateBy: string | null
  updateTime: Generated<Date>
}

interface HazardSourceTable extends Disclosed, Placed, Written {
  id: string
  corpCode: string
  name: string
  hazardSource: string[]
  part: string
  bigProjectId: string | null
  likelihood: number
  exposure: number
  consequence: number
  score: number
  riskLevel: string
  levelReason: string | null
  controlLevel: string
  measures: string[]
  responsible: string
  checkEvery: number
  /** yyyy-MM-dd. */
  startDate: string
  endDate: string | null
  controlNote: string | null
  controlPhotos: Generated<string[]>
  controlledAt: Date | null
  lastCheck: Date | null
  /** yyyy-MM-dd. */
  nextCheck: string | null
  state: Generated<HazardState>
}
interface HazardPatrolTable extends Disclosed {
  id: string
  hazardId: string
  corpCode: string
  at: Date
  byName: string
  result: string
  note: string | null
  photos: Generated<string[]>
  lateDays: Generated<number>
}

interface WorkPermitTable extends Disclosed, Placed, Written {
  id: string
  code: string | null
  corpCode: string
  type: string
  level: string | null
  content: string
  part: string
  hazardId: string | null
  deviceId: string | null
  startTime: Date
  endTime: Date
  closesBy: Date
  approvedBy: string | null
  approvedAt: Date | null
  startedAt: Date | null
  startPhotos: Generated<string[]>
  endedAt: Date | null
  finishPhotos: Generated<string[]>
  closedAt: Date | null
  closeNote: string | null
  closePhotos: Generated<string[]>
  extendTo: Date | null
  extendReason: string | null
  late: Generated<boolean>
  state: Generated<PermitState>
}
interface OfPermit extends Disclosed {
  id: string
  permitId: string
  corpCode: string
}
interface WorkPermitPersonTable extends OfPermit {
  seq: number
  role: PermitRole
  workerId: string
  name: string
  teamName: string | null
  until: Date | null
}
interface WorkPermitMeasureTable extends OfPermit {
  seq: number
  text: string
  photo: boolean
  done: boolean
  photos: Generated<string[]>
}
interface WorkPermitGasTable extends OfPermit {
  at: Date
  spot: string
  tester: string
  oxygen: number
  combustible: number
  carbonMonoxide: number
  hydrogenSulfide: number
}

declare module '#kit/db' {
  interface Tables {
    hazardSource: HazardSourceTable
    hazardPatrol: HazardPatrolTable
    workPermit: WorkPermitTable
    workPermitPerson: WorkPermitPersonTable
    workPermitMeasure: WorkPermitMeasureTable
    workPermitGas: WorkPermitGasTable
  }
}

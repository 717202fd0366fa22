import type { FireState, PartKind } from '@zhugong/contract/fire/moves'
import type { BuildingUse } from '@zhugong/contract/fire/place-rules'
import type { Level, Result, RuleLine, Verdict } from '@zhugong/contract/fire/rule'
import type { Generated } from 'kysely'
import type { Disclosed } from '#kit/columns'

interface FireCatalogueTable {
  id: string
  groupId: string
  version: number
  createBy: string
  createTime: Date
}
interface FireCatalogueItemTable {
  catalogueId: string
  code: string
  name: string
  level: Level | null
  method: string
  needsValue: boolean
  applicable: string[]
  fullCheck: boolean
  enable: boolean
  seq: number
}
interface FirePlaceTable {
  groupId: string
  code: string
  name: string
  uses: BuildingUse[]
  areaOver: number | null
  heightOver: number | null
  within: string[]
  special: boolean
  projects: string[]
  enable: boolean
  version: Generated<number>
  updateBy: string | null
  updateTime: Generated<Date>
}
interface FireDrawTable {
  id: string
  organiserGroup: string
  groups: string[]
  ratio: number
  candidates: number
  drawn: number
  listHash: string
  drawnAt: Date
  drawnName: string
}
interface FireCaseTable extends Disclosed {
  id: string
  code: string | null
  corpCode: string
  applicantGroup: string
  applyCorp: string
  authorityGroup: string | null
  authorityName: string | null
  kind: string
  applyType: Generated<string>
  contact: string
  tel: Buffer
  isPart: boolean
  designReviewNo: string | null
  designReviewDate: string | null
  licenseNo: string
  firePlaces: string[]
  special: boolean
  materials: string[]
  catalogueId: string | null
  noAcceptReason: string | null
  noAcceptNote: string | null
  submitTime: Date | null
  acceptTime: Date | null
  /** yyyy-MM-dd, as all days below. */
  dueFrom: string | null
  dueDate: string | null
  pausedAt: string | null
  inRandom: boolean | null
  drawId: string | null
  assessDate: string | null
  assessorIds: Generated<string[]>
  assessors: Generated<string[]>
  round: Generated<number>
  finishDate: string | null
  state: Generated<FireState>
  version: Generated<number>
  createBy: string
  createTime: Date
  updateBy: string | null
  updateTime: Generated<Date>
}
interface OfCase extends Disclosed {
  caseId: string
  corpCode: string
}
interface FireBuildTable extends OfCase {
  id: string
  seq: number
  unitId: string | null
  name: string
  use: BuildingUse
  structureType: string | null
  fireRating: string
  danger: string
  useProperty: string
  floorsUp: number
  floorsDown: number
  height: number
  length: number | null
  footprint: number | null
  areaUp: number
  areaDown: number
  addedPlaces: Generated<string[]>
  places: string[]
  projects: string[]
}
interface FirePartTable extends OfCase {
  seq: number
  kind: PartKind
  place: string
  content: string
  floor: string
  amount: number | null
  grade: 'A' | 'B1' | 'B2' | null
}
interface FirePauseTable extends OfCase {
  fromDay: string
  toDay: string | null
  reason: string
}
interface FireAssessorTable extends OfCase {
  seq: number
  userId: string | null
  expertId: string | null
  name: string
  unit: string | null
}
interface FireRoundTable extends OfCase {
  round: number
  onlySubs: string[] | null
  verdict: Verdict
  line: RuleLine
  causes: Generated<string[]>
  subsDone: number
  subsTotal: number
  startedAt: Date | null
  placeReason: string | null
  outsideM: number | null
  submittedAt: Date | null
  opinion: string | null
  remark: string | null
  docNo: string | null
  issuedAt: Date | null
  issuedBy: string | null
}
interface FirePointTable extends OfCase {
  id: string
  round: number
  buildId: string
  itemCode: string
  level: Level
  checkPart: string
  result: Result
  productFail: boolean
  designValue: string | null
  actualValue: string | null
  tolerance: number
  description: string | null
  photos: string[]
  changeReason: string | null
  byId: string
  byName: string
  at: Date
}
interface FireSubTable extends OfCase {
  round: number
  buildId: string
  subCode: string
  total: number | null
  absentReason: string | null
}
interface FireProofTable extends OfCase {
  pointId: string
  note: string
  files: string[]
  at: Date
}

declare module '#kit/db' {
  interface Tables {
    fireCatalogue: FireCatalogueTable
    fireCatalogueItem: FireCatalogueItemTable
    firePlace: FirePlaceTable
    fireDraw: FireDrawTable
    fireCase: FireCaseTable
    fireBuild: FireBuildTable
    firePart: FirePartTable
    firePause: FirePauseTable
    fireAssessor: FireAssessorTable
    fireRound: FireRoundTable
    firePoint: FirePointTable
    fireSub: FireSubTable
    fireProof: FireProofTable
  }
}

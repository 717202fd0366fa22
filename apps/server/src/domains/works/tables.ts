import type { ReviewResult } from '@zhugong/contract/works/moves'
import type { Generated } from 'kysely'
import type { Disclosed } from '#kit/columns'

interface BigprojectTable extends Disclosed {
  id: string
  code: string
  corpCode: string
  name: string
  category: string
  overScale: boolean
  riskLevel: string
  unitId: string | null
  placeId: string | null
  part: string
  depth: number | null
  height: number | null
  span: number | null
  totalLoad: number | null
  lineLoad: number | null
  pointLoad: number | null
  pieceWeight: number | null
  liftWeight: number | null
  weight: number | null
  constructionCorp: string
  subCorp: string | null
  planStartDate: string
  planEndDate: string
  actualStartDate: string | null
  actualEndDate: string | null
  planName: string | null
  planFiles: Generated<string[]>
  planPassDate: string | null
  activityId: string | null
  reviewDate: string | null
  reviewResult: ReviewResult | null
  reviewReport: string | null
  reviewConclusion: string | null
  revisionNote: string | null
  revisionFiles: Generated<string[]>
  disclosureDate: string | null
  discloser: string | null
  disclosureText: string | null
  warnPhotos: Generated<string[]>
  monitorOrg: string | null
  monitorFiles: Generated<string[]>
  acceptDate: string | null
  acceptPhotos: Generated<string[]>
  state: Generated<string>
  stateSince: Date
  version: Generated<number>
  createBy: string
  createTime: Date
  updateBy: string | null
  updateTime: Generated<Date>
}
interface BigprojectPersonTable extends Disclosed {
  id: string
  workId: string
  corpCode: string
  kind: 'receiver' | 'inspector'
  seq: number
  name: string
  post: string
}
interface BigprojectDeviceTable extends Disclosed {
  workId: string
  deviceId: string
  corpCode: string
}

declare module '#kit/db' {
  interface Tables {
    bigproject: BigprojectTable
    bigprojectPerson: BigprojectPersonTable
    bigprojectDevice: BigprojectDeviceTable
  }
}

import type { SpotState } from '@zhugong/contract/spotchecks/moves'
import type { SpotReadings, SpotTest } from '@zhugong/contract/spotchecks/readings'
import type { Generated } from 'kysely'
import type { Disclosed, JsonGiven } from '#kit/columns'

interface SpotCheckTable extends Disclosed {
  id: string
  code: string | null
  corpCode: string
  checkerGroup: string
  checkerGroupName: string
  checkerId: string
  checkers: string[]
  kind: string
  test: SpotTest
  part: string
  unitId: string | null
  placeId: string | null
  batchId: string | null
  /** yyyy-MM-dd. */
  checkDate: string
  method: string
  designValue: string
  actualValue: string | null
  readings: JsonGiven<SpotReadings>
  sampleNo: string | null
  labOrg: string | null
  labDue: string | null
  reportNo: string | null
  photos: Generated<string[]>
  result: string | null
  handle: string | null
  rectifyId: string | null
  closedAt: Date | null
  state: Generated<SpotState>
  version: Generated<number>
  createBy: string
  createTime: Date
  updateBy: string | null
  updateTime: Generated<Date>
}
interface SpotCheckReportTable extends Disclosed {
  id: string
  checkId: string
  corpCode: string
  seq: number
  stage: 'first' | 'changed' | 'again'
  reportNo: string
  labOrg: string
  reportDate: string
  actualValue: string
  passed: boolean
  reason: string | null
  files: string[]
  byId: string
  byName: string
  at: Date
}

declare module '#kit/db' {
  interface Tables {
    spotCheck: SpotCheckTable
    spotCheckReport: SpotCheckReportTable
  }
}

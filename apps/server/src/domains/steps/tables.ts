import type { StepState } from '@zhugong/contract/steps/moves'
import type { Generated } from 'kysely'
import type { Disclosed } from '#kit/columns'

interface SiteStepTable extends Disclosed {
  id: string
  code: string | null
  corpCode: string
  authorGroup: string
  authorGroupName: string
  work: string
  kind: string
  placeId: string
  planId: string | null
  pinX: number | null
  pinY: number | null
  part: string
  gang: string | null
  begunAt: Date | null
  checkTime: Date
  checkers: string[]
  photos: Generated<string[]>
  remark: string | null
  person: string | null
  /** yyyy-MM-dd. */
  deadline: string | null
  problems: Generated<string[]>
  round: Generated<number>
  result: string | null
  early: Generated<boolean>
  acceptedAt: Date | null
  rectifyId: string | null
  state: Generated<StepState>
  version: Generated<number>
  createBy: string
  createTime: Date
  updateBy: string | null
  updateTime: Generated<Date>
}
interface SiteStepPointTable extends Disclosed {
  id: string
  stepId: string
  corpCode: string
  round: number
  seq: number
  key: string
  name: string
  limitText: string
  unit: string | null
  value: number | null
  passed: boolean
  note: string | null
  photos: Generated<string[]>
  byName: string
  at: Date
}

declare module '#kit/db' {
  interface Tables {
    siteStep: SiteStepTable
    siteStepPoint: SiteStepPointTable
  }
}

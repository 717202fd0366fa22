import type { Generated } from 'kysely'
import type { Disclosed } from '#kit/columns'

interface SiteCheckTable extends Disclosed {
  id: string
  kind: string
  code: string | null
  checkerGroup: string
  checkerGroupName: string
  checkerId: string
  inspectType: string
  checkTime: Date
  checkers: string[]
  part: string
  placeId: string | null
  remark: string | null
  photos: Generated<string[]>
  dangerLevel: string | null
  problemCount: Generated<number>
  /** Written by the database: the earliest of its running notices, or of its problems. */
  deadline: Generated<string | null>
  state: Generated<string>
  version: Generated<number>
  createBy: string
  createTime: Date
  updateBy: string | null
  updateTime: Generated<Date>
}
interface SiteCheckProblemTable extends Disclosed {
  id: string
  checkId: string
  corpCode: string
  seq: number
  description: string
  part: string
  placeId: string | null
  planId: string | null
  pinX: number | null
  pinY: number | null
  itemCode: string | null
  /** Dictionary qualityProblem; null for problems of other trades. */
  qualityProblem: string | null
  measured: string | null
  standard: string | null
  clause: string | null
  dangerLevel: string
  noticeType: string | null
  majorClause: string | null
  requirement: string
  person: string | null
  deadline: string
  photos: Generated<string[]>
  mended: string | null
  mendedPhotos: Generated<string[]>
  voices: Generated<string[]>
  rectifyId: string | null
  lineId: string | null
}

declare module '#kit/db' {
  interface Tables {
    siteCheck: SiteCheckTable
    siteCheckProblem: SiteCheckProblemTable
  }
}

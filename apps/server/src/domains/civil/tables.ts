import type { CivilOwner } from '@zhugong/contract/civil/library'
import type { CivilArea } from '@zhugong/contract/civil/score'
import type { Generated } from 'kysely'
import type { Disclosed, Trail } from '#kit/columns'

interface CivilVersionTable extends Trail {
  id: string
  groupId: string
  owner: Exclude<CivilOwner, 'standard' | 'project'>
  ownerCode: string
  groupName: string
  areaCode: string | null
  name: string
  /** yyyy-MM-dd. */
  effectiveFrom: string | null
  issuedAt: Date | null
  issuedBy: string | null
}
interface CivilItemTable extends Trail {
  id: string
  groupId: string
  owner: Exclude<CivilOwner, 'standard'>
  ownerCode: string
  versionId: string | null
  itemCode: string
  part: string
  name: string
  maxScore: number
  rule: string | null
  requirement: string | null
  clause: string | null
  phases: Generated<string[]>
  good: Generated<string[]>
  bad: Generated<string[]>
  enable: Generated<boolean>
  revision: Generated<number>
  supersededAt: Date | null
}
interface CivilPointTable {
  id: string
  projectCode: string
  corpCode: string | null
  seq: number
  name: string
  area: CivilArea
  placeId: string | null
  planId: string | null
  pinX: number | null
  pinY: number | null
  itemCodes: Generated<string[]>
  archived: Generated<boolean>
  createBy: string
  createTime: Date
}
interface CivilWalkTable extends Disclosed {
  checkId: string
  versionId: string | null
  versionName: string
}
interface CivilShotTable extends Disclosed {
  sheetId: string
  checkId: string
  pointId: string
  photos: Generated<string[]>
  note: string | null
}

declare module '#kit/db' {
  interface Tables {
    civilVersion: CivilVersionTable
    civilItem: CivilItemTable
    civilPoint: CivilPointTable
    civilWalk: CivilWalkTable
    civilShot: CivilShotTable
  }
}

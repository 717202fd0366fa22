import type { ItemOwner } from '@zhugong/contract/scoring/library'
import type { Grade, ItemResult } from '@zhugong/contract/scoring/score'
import type { Generated } from 'kysely'
import type { Disclosed, Trail } from '#kit/columns'

interface CheckItemTable extends Trail {
  id: string
  groupId: string
  owner: Exclude<ItemOwner, 'standard'>
  library: string
  itemCode: string
  name: string
  takenFrom: string
  maxScore: number
  clause: string | null
  rule: string | null
  enable: Generated<boolean>
  revision: Generated<number>
  supersededAt: Date | null
}
interface CheckPhraseTable {
  groupId: string
  library: string
  itemCode: string
  seq: number
  phrase: string
}
interface CheckScoreTable extends Disclosed {
  checkId: string
  score: number | null
  grade: Grade | null
  reason: string | null
  weakest: string | null
}
interface CheckCategoryTable extends Disclosed {
  checkId: string
  category: string
  weight: number
  score: number
  points: number
}
interface CheckSheetTable extends Disclosed {
  id: string
  checkId: string
  /** The unit of a daily check; null in a scored inspection. */
  taskId: string | null
  seq: number
  sheetCode: string
  label: Generated<string>
  category: string
  assignee: string | null
  notApplicable: string | null
  savedBy: string | null
  savedAt: Date | null
  version: Generated<number>
}
interface CheckResultTable extends Disclosed {
  sheetId: string
  itemCode: string
  checkId: string
  seq: number
  itemId: string | null
  name: string
  maxScore: number
  guarantee: boolean
  clause: string | null
  rule: string | null
  result: Generated<ItemResult>
  deduction: Generated<number>
  note: string | null
  photos: Generated<string[]>
  reason: string | null
}
interface CheckSignTable extends Disclosed {
  checkId: string
  side: 'site' | 'supervisor'
  byId: string
  name: string
  groupName: string
  opinion: string
  at: Date
}

declare module '#kit/db' {
  interface Tables {
    checkItem: CheckItemTable
    checkPhrase: CheckPhraseTable
    checkScore: CheckScoreTable
    checkCategory: CheckCategoryTable
    checkSheet: CheckSheetTable
    checkResult: CheckResultTable
    checkSign: CheckSignTable
  }
}

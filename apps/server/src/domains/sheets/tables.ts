import type { SheetType } from '@zhugong/contract/sheets/moves'
import type { Generated } from 'kysely'
import type { Disclosed } from '#kit/columns'

interface ManualsheetTable extends Disclosed {
  id: string
  code: string | null
  groupId: string
  groupName: string
  ownerGroup: string | null
  docType: SheetType
  checkDate: string | null
  officers: Generated<string[]>
  progress: string | null
  checkPart: Generated<string>
  content: Generated<string>
  opinion: string | null
  photos: Generated<string[]>
  onPaper: Generated<boolean>
  scans: Generated<string[]>
  meetTime: Date | null
  meetPlace: string | null
  authorName: string
  submitTime: Date | null
  archiveTime: Date | null
  voidReason: string | null
  urgedAt: Date | null
  state: Generated<string>
  version: Generated<number>
  createBy: string
  createTime: Date
  updateBy: string | null
  updateTime: Generated<Date>
}
interface ManualsheetProblemTable extends Disclosed {
  sheetId: string
  seq: number
  description: string
  clause: string | null
  unitCode: string | null
  photos: Generated<string[]>
}
interface ManualsheetPersonTable extends Disclosed {
  sheetId: string
  seq: number
  name: string
  unit: string | null
  post: string | null
}

declare module '#kit/db' {
  interface Tables {
    manualsheet: ManualsheetTable
    manualsheetProblem: ManualsheetProblemTable
    manualsheetPerson: ManualsheetPersonTable
  }
}

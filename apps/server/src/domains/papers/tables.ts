import type { PaperState } from '@zhugong/contract/papers/moves'
import type { ColumnType, Generated } from 'kysely'

interface LibraryPaperTable {
  id: string
  category: '2' | '3'
  projectCode: string
  corpCode: string | null
  shownAt: Date | null
  groups: string[]
  authorGroup: string
  authorGroupName: string
  authorName: string
  placeId: string | null
  work: string | null
  col: string | null
  duty: string | null
  period: string | null
  name: string
  refSource: string | null
  refId: string | null
  /** yyyy-MM-dd. */
  workDate: string
  validEnd: string | null
  versionNo: Generated<number>
  late: ColumnType<boolean, never, never>
  approver: string | null
  approvedAt: Date | null
  reason: string | null
  state: Generated<PaperState>
  version: Generated<number>
  createBy: string
  createTime: Date
  updateBy: string | null
  updateTime: Generated<Date>
}
interface LibraryVersionTable {
  paperId: string
  versionNo: number
  projectCode: string
  files: string[]
  byName: string
  at: Date
}
interface LibraryExemptTable {
  id: string
  projectCode: string
  duty: string
  period: string
  reason: string
  byId: string
  byName: string
  at: Date
}
interface LibrarySinceTable {
  projectCode: string
  since: string
  reason: string
  byName: string
  at: Date
}

declare module '#kit/db' {
  interface Tables {
    libraryPaper: LibraryPaperTable
    libraryVersion: LibraryVersionTable
    libraryExempt: LibraryExemptTable
    librarySince: LibrarySinceTable
  }
}

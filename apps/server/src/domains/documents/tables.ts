import type { DataState, Security } from '@zhugong/contract/documents/moves'
import type { Requirement, StopState } from '@zhugong/contract/documents/travel-moves'
import type { Generated } from 'kysely'

interface DocumentTable {
  id: string
  groupId: string
  projectCode: string | null
  homeUser: string | null
  category: Generated<string>
  parentId: string | null
  place: string
  name: string
  path: Generated<string>
  isDir: boolean
  ancestors: Generated<string[]>
  gates: Generated<string[]>
  security: Generated<Security>
  fileId: string | null
  mime: string | null
  size: Generated<number>
  versionNo: Generated<number>
  ownerId: string
  ownerName: string
  dataState: Generated<DataState>
  archivedAt: Date | null
  deletedAt: Date | null
  deletedBy: string | null
  deletedByName: string | null
  binId: string | null
  binCount: number | null
  binBytes: number | null
  version: Generated<number>
  createBy: string
  createTime: Date
  updateBy: string | null
  updateTime: Date
}
interface DocumentGrantTable {
  id: string
  documentId: string
  userId: string | null
  roleId: string | null
  name: string
  level: number
}
interface DocumentVersionTable {
  id: string
  documentId: string
  no: number
  fileId: string
  name: string
  mime: string
  size: number
  fromNo: number | null
  byId: string
  byName: string
  at: Date
}
interface DocumentLookTable {
  id: string
  documentId: string
  what: 'view' | 'download' | 'print'
  versionNo: number
  byId: string
  byName: string
  groupName: string
  at: Date
}
interface DocumentStarTable {
  userId: string
  documentId: string
  at: Date
}
interface DocumentUseTable {
  groupId: string
  bytes: number
}

interface TravelPaperTable {
  id: string
  title: string
  requirement: Requirement
  content: string | null
  required: Generated<string[]>
  /** yyyy-MM-dd. */
  deadline: string | null
  files: Generated<string[]>
  fromGroup: string
  fromName: string
  byId: string
  issueTime: Date
}
interface TravelStopTable {
  id: string
  paperId: string
  fromGroup: string
  fromName: string
  toGroup: string
  toName: string
  toType: number
  above: string[]
  remark: string | null
  deadline: string | null
  state: Generated<StopState>
  readAt: Date | null
  urgedAt: Date | null
  version: Generated<number>
  updateBy: string | null
  updateTime: Date
}
interface TravelRoundTable {
  stopId: string
  no: number
  files: string[]
  note: string | null
  byName: string
  at: Date
  passed: boolean | null
  opinion: string | null
}

declare module '#kit/db' {
  interface Tables {
    document: DocumentTable
    documentGrant: DocumentGrantTable
    documentVersion: DocumentVersionTable
    documentLook: DocumentLookTable
    documentStar: DocumentStarTable
    documentUse: DocumentUseTable
    travelPaper: TravelPaperTable
    travelStop: TravelStopTable
    travelRound: TravelRoundTable
  }
}

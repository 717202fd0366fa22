import type { Requirement, StopState } from '@zhugong/contract/documents/travel-moves'
import type { Generated } from 'kysely'

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
    travelPaper: TravelPaperTable
    travelStop: TravelStopTable
    travelRound: TravelRoundTable
  }
}

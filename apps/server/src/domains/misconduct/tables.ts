import type { Generated } from 'kysely'

interface MisconductTable {
  id: string
  /** Null only for an expert. */
  projectCode: string | null
  corpCode: string | null
  shownAt: Date | null
  groups: string[]
  code: string | null
  targetType: string
  workerId: string | null
  teamId: string | null
  expertId: string | null
  targetName: string
  type: string
  level: string
  degree: string
  occurrenceDate: string | null
  fact: Generated<string>
  basis: Generated<string>
  score: number
  source: string
  sourceId: string | null
  system: Generated<boolean>
  apart: Generated<boolean>
  files: Generated<string[]>
  proposeGroup: string
  proposeGroupName: string
  proposerId: string | null
  proposerName: string | null
  proposeTime: Date | null
  partyGroup: string | null
  siteGroup: string | null
  decideGroup: string | null
  decideGroupName: string | null
  deciderId: string | null
  deciderName: string | null
  decideTime: Date | null
  decideOpinion: string | null
  docCode: string | null
  appealDays: number | null
  appealUntil: string | null
  months: number | null
  receiver: string | null
  receiveTime: Date | null
  serveFiles: Generated<string[]>
  publishStart: string | null
  publishEnd: string | null
  deducted: number | null
  returnedAt: Date | null
  workerBadId: string | null
  state: Generated<string>
  version: Generated<number>
  createBy: string
  createTime: Date
  updateBy: string | null
  updateTime: Generated<Date>
}
interface MisconductPleaTable {
  id: string
  projectCode: string | null
  corpCode: string | null
  shownAt: Date | null
  groups: string[]
  misconductId: string
  kind: 'appeal' | 'repair'
  reason: string
  files: Generated<string[]>
  byId: string
  byName: string
  groupName: string
  at: Date
  granted: boolean | null
  opinion: string | null
  decidedName: string | null
  decidedAt: Date | null
}

declare module '#kit/db' {
  interface Tables {
    misconduct: MisconductTable
    misconductPlea: MisconductPleaTable
  }
}

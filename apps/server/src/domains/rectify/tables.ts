import type { RectifyOrigin } from '@zhugong/contract/rectify/calls'
import type { ReplyState } from '@zhugong/contract/rectify/reply-model'
import type { Generated } from 'kysely'
import type { Disclosed } from '#kit/columns'

interface RectifyTable extends Disclosed {
  id: string
  code: string | null
  origin: RectifyOrigin
  corpCode: string
  issuerGroup: string
  issuerGroupName: string
  issuerId: string
  issuerName: string
  sourceType: string
  sourceKind: string | null
  sourceId: string | null
  noticeType: string
  category: string
  level: string
  majorClause: string | null
  checkDate: string
  deadline: string
  responsiblePerson: string
  issueTime: Date | null
  receiver: string | null
  receiveTime: Date | null
  deemed: Generated<boolean>
  replyTime: Date | null
  replierId: string | null
  returns: Generated<number>
  extendCount: Generated<number>
  urgedAt: Date | null
  closeTime: Date | null
  state: Generated<string>
  version: Generated<number>
  createBy: string
  createTime: Date
  updateBy: string | null
  updateTime: Generated<Date>
}
interface RectifyLineTable extends Disclosed {
  id: string
  rectifyId: string
  corpCode: string
  seq: number
  description: string
  part: string
  placeId: string | null
  planId: string | null
  pinX: number | null
  pinY: number | null
  clause: string | null
  requirement: string
  person: string | null
  photos: Generated<string[]>
  voices: Generated<string[]>
  state: Generated<'open' | 'answered' | 'passed'>
}
interface RectifyAnswerTable extends Disclosed {
  lineId: string
  round: number
  rectifyId: string
  corpCode: string
  measure: string
  photos: Generated<string[]>
  doneDate: string | null
  person: string | null
  byId: string
  byName: string
  at: Date
  draft: boolean
  reviewPassed: boolean | null
  reviewOpinion: string | null
  recheckPassed: boolean | null
  recheckOpinion: string | null
}
interface RectifyReplyTable extends Disclosed {
  rectifyId: string
  round: number
  corpCode: string
  origin: RectifyOrigin
  lines: number
  at: Date
  byId: string
  byName: string
  groupName: string
  opinion: string | null
  onBehalf: Generated<boolean>
  reason: string | null
  scans: Generated<string[]>
  reviewSheet: Generated<string[]>
  state: ReplyState
  since: Date
  reviewPassed: boolean | null
  reviewBy: string | null
  reviewAt: Date | null
  recheckPassed: boolean | null
  recheckBy: string | null
  recheckGroup: string | null
  second: string | null
  onSite: boolean | null
  recheckAt: Date | null
}
interface RectifyExtensionTable extends Disclosed {
  id: string
  rectifyId: string
  corpCode: string
  untilDay: string
  reason: string
  byName: string
  at: Date
  agreed: boolean | null
  opinion: string | null
  decidedBy: string | null
}

interface RectifySettingTable {
  id: string
  projectCode: string
  supervisorCloses: Generated<boolean>
  /** Name of whoever changed it last. */
  changedBy: string
  version: Generated<number>
  updateBy: string | null
  updateTime: Generated<Date>
}
interface RectifyPenaltyTable extends Disclosed {
  id: string
  code: string | null
  rectifyId: string
  corpCode: string
  issuerGroup: string
  facts: string
  clause: string
  amountYuan: number | null
  issueTime: Date | null
  issuedBy: string | null
  dropReason: string | null
  state: Generated<string>
  version: Generated<number>
  createTime: Date
  updateBy: string | null
  updateTime: Generated<Date>
}

declare module '#kit/db' {
  interface Tables {
    rectify: RectifyTable
    rectifyLine: RectifyLineTable
    rectifyAnswer: RectifyAnswerTable
    rectifyReply: RectifyReplyTable
    rectifyExtension: RectifyExtensionTable
    rectifySetting: RectifySettingTable
    rectifyPenalty: RectifyPenaltyTable
  }
}

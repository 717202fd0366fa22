import type { Generated } from 'kysely'
import type { Disclosed } from '#kit/columns'

interface CampaignTable {
  id: string
  code: string | null
  organiserGroup: string
  organiserName: string
  groups: string[]
  shownAt: Date | null
  name: string
  level: string
  startDate: string
  endDate: string
  surprise: boolean
  drawMode: '1' | '2'
  deadlineDays: number
  recheck: 'district' | 'organiser'
  summary: string | null
  issueTime: Date | null
  lockTime: Date | null
  finishTime: Date | null
  urgedAt: Date | null
  state: Generated<string>
  version: Generated<number>
  createBy: string
  createTime: Date
  updateBy: string | null
  updateTime: Generated<Date>
}
interface CampaignQuotaTable {
  campaignId: string
  seq: number
  areaCode: string | null
  riskLevel: string | null
  category: string | null
  seats: number
}
interface CampaignGroupTable {
  campaignId: string
  seq: number
  name: string
  areaCode: string | null
}
interface CampaignMemberTable {
  campaignId: string
  groupSeq: number
  seq: number
  userId: string | null
  expertId: string | null
  name: string
  unit: string
  leader: boolean
  disciplines: string[]
}
interface CampaignSheetTable {
  campaignId: string
  seq: number
  discipline: string
  sheetCode: string
}
interface CampaignRunTable {
  id: string
  campaignId: string
  run: number
  organiserGroup: string
  reason: string | null
  candidates: number
  listHash: string
  commitment: string
  frozenAt: Date
  frozenName: string
  drawnAt: Date | null
  witnesses: Generated<string[]>
}
interface CampaignLeftOutTable {
  runId: string
  projectCode: string
  reason: string
}
interface CampaignProjectTable extends Disclosed {
  id: string
  campaignId: string
  organiserGroup: string
  source: 'named' | 'drawn' | 'replacement'
  runId: string | null
  quotaSeq: number | null
  rank: number | null
  reason: string | null
  replaces: string | null
  groupSeq: number | null
  checkId: string | null
  dropped: string | null
  droppedAt: Date | null
  createTime: Date
  createName: string
}
interface CampaignEntrustTable {
  /** The line of the campaign. */
  id: string
  campaignId: string
  projectCode: string
  groups: string[]
  toGroup: string
  toName: string
  entrustedAt: Date
  entrustedBy: string
  acceptedAt: Date | null
  acceptedBy: string | null
}

declare module '#kit/db' {
  interface Tables {
    campaign: CampaignTable
    campaignQuota: CampaignQuotaTable
    campaignGroup: CampaignGroupTable
    campaignMember: CampaignMemberTable
    campaignSheet: CampaignSheetTable
    campaignRun: CampaignRunTable
    campaignLeftOut: CampaignLeftOutTable
    campaignProject: CampaignProjectTable
    campaignEntrust: CampaignEntrustTable
  }
}

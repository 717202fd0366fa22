import type { orderCodes, Register, ThemeCode } from '@zhugong/contract/themes/catalogue'
import type { CampaignState } from '@zhugong/contract/themes/moves'
import type { Generated } from 'kysely'
import type { Disclosed, JsonGiven } from '#kit/columns'

export interface StoredPoint {
  code: string
  name: string
  requirement: string
}
interface ThemeCampaignTable extends Disclosed {
  id: string
  leaderGroup: string
  leaderGroupName: string
  title: string
  theme: ThemeCode
  orderedBy: (typeof orderCodes)[number]
  basis: string | null
  noticeId: string | null
  /** yyyy-MM-dd. */
  startDate: string
  endDate: string
  persons: string[]
  registers: Generated<Register[]>
  points: JsonGiven<StoredPoint[]>
  report: string | null
  reportedAt: Date | null
  closedAt: Date | null
  state: Generated<CampaignState>
  version: Generated<number>
  createBy: string
  createTime: Date
  updateBy: string | null
  updateTime: Generated<Date>
}
interface ThemeObjectTable extends Disclosed {
  id: string
  campaignId: string
  seq: number
  register: string
  refId: string | null
  name: string
  added: Generated<boolean>
}
interface ThemeCheckTable extends Disclosed {
  checkId: string
  campaignId: string
}
interface ThemeSheetTable extends Disclosed {
  sheetId: string
  checkId: string
  objectId: string
}

declare module '#kit/db' {
  interface Tables {
    themeCampaign: ThemeCampaignTable
    themeObject: ThemeObjectTable
    themeCheck: ThemeCheckTable
    themeSheet: ThemeSheetTable
  }
}

import type { ScreenBody, ScreenSetting, TemplateState } from '@zhugong/contract/screens/model'
import type { Generated } from 'kysely'
import type { Json, Trail } from '#kit/columns'

interface ScreenTemplateTable extends Trail {
  id: string
  groupId: string | null
  level: number
  name: string
  description: Generated<string>
  body: Json<ScreenBody>
  state: Generated<TemplateState>
  publishedVersion: number | null
  sourceId: string | null
  delivered: Generated<boolean>
}
interface ScreenVersionTable {
  templateId: string
  version: number
  body: Json<ScreenBody>
  note: Generated<string>
  publishTime: Date
  publishBy: string
}
interface ScreenAssignmentTable {
  templateId: string
  groupId: string
  inherit: Generated<boolean>
  updateTime: Date
  updateBy: string
}
interface ScreenSettingTable {
  groupId: string
  value: Json<ScreenSetting>
  updateTime: Date
  updateBy: string
  version: Generated<number>
}
interface ScreenTokenTable {
  id: string
  tokenHash: string
  groupId: string
  templateId: string
  name: string
  createTime: Date
  createBy: string
  expiresAt: Date
  issuerId: string | null
  issuerGroupId: string | null
  nextHash: string | null
  nextExpiresAt: Date | null
  lastHash: string | null
  renewedAt: Date | null
  seenAt: Date | null
  revokedAt: Date | null
  revokedBy: string | null
}

declare module '#kit/db' {
  interface Tables {
    screenTemplate: ScreenTemplateTable
    screenVersion: ScreenVersionTable
    screenAssignment: ScreenAssignmentTable
    screenSetting: ScreenSettingTable
    screenToken: ScreenTokenTable
  }
}

import type { Generated } from 'kysely'
import type { JsonGiven } from '#kit/columns'

interface HelmetBroadcastTable {
  id: string
  projectCode: string
  at: Date
  lng: number
  lat: number
  radiusMeters: number
  text: string
  byName: string
  people: JsonGiven<unknown>
}
interface HelmetForgottenTable {
  projectCode: string
  until: Date
}
interface HelmetSettingTable {
  projectCode: string
  placeDays: number
  version: Generated<number>
  updateBy: string
  updateTime: Date
}

interface HelmetGroupTable {
  id: string
  projectCode: string
  name: string
  remark: string | null
  createTime: Generated<Date>
  createBy: string | null
  updateTime: Date | null
  updateBy: string | null
  version: Generated<number>
}
interface HelmetGroupMemberTable {
  deviceId: string
  groupId: string
  projectCode: string
}

declare module '#kit/db' {
  interface Tables {
    helmetGroup: HelmetGroupTable
    helmetGroupMember: HelmetGroupMemberTable
    helmetBroadcast: HelmetBroadcastTable
    helmetForgotten: HelmetForgottenTable
    helmetSetting: HelmetSettingTable
  }
}

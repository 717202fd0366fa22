import type { Generated } from 'kysely'

interface OfficerSettingTable {
  groupId: string
  beginAt: string
  endAt: string
  weekdays: number[]
  keepDays: number
  version: Generated<number>
  updateBy: string | null
  updateTime: Generated<Date>
}
interface OfficerShiftTable {
  id: string
  groupId: string
  userId: string
  beginTime: Date
  endTime: Date | null
}
interface OfficerPlaceTable {
  id: string
  groupId: string
  userId: string
  at: Date
  lng: number
  lat: number
  /** Metres. */
  accuracy: number
  projectCode: string | null
}
interface OfficerLookTable {
  id: string
  groupId: string
  userId: string | null
  lookerId: string
  lookerName: string
  kind: 'latest' | 'day' | 'sheet'
  day: string
  purpose: string | null
  at: Date
}

declare module '#kit/db' {
  interface Tables {
    officerSetting: OfficerSettingTable
    officerShift: OfficerShiftTable
    officerPlace: OfficerPlaceTable
    officerLook: OfficerLookTable
  }
}

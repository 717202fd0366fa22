import type { Generated } from 'kysely'

interface NightPermitTable {
  id: string
  projectCode: string
  permitNo: string
  issuer: string
  scope: string
  fromTime: Date
  untilTime: Date
  files: Generated<string[]>
  byName: string
  createTime: Date
  voidReason: string | null
  voidBy: string | null
  voidAt: Date | null
}

declare module '#kit/db' {
  interface Tables {
    nightPermit: NightPermitTable
  }
}

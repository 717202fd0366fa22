import type { Generated } from 'kysely'

interface PlatformMoveTable {
  id: string
  projectCode: string
  deviceId: string
  movedAt: Date
  fromPlace: Generated<string>
  toPlace: string
  personName: string
  remark: Generated<string>
  files: Generated<string[]>
  byName: string
  createTime: Date
  zeroWeight: number | null
  zeroedAt: Date | null
  zeroedBy: string | null
}

declare module '#kit/db' {
  interface Tables {
    platformMove: PlatformMoveTable
  }
}

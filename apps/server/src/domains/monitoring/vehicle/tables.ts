import type { Generated } from 'kysely'
import type { JsonGiven } from '#kit/columns'

interface VehicleFenceTable {
  id: string
  projectCode: string
  name: string
  kind: 'route' | 'dumpSites' | 'forbidden'
  points: JsonGiven<unknown>
  fromMinute: number | null
  untilMinute: number | null
  remark: string | null
  createTime: Generated<Date>
  createBy: string | null
  updateTime: Date | null
  updateBy: string | null
  version: Generated<number>
}

declare module '#kit/db' {
  interface Tables {
    vehicleFence: VehicleFenceTable
  }
}

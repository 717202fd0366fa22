import type { Generated } from 'kysely'
import type { Disclosed, Json, JsonGiven } from '#kit/columns'

/** An item as it was looked at; the name as the list read on that day. */
export interface KeptItem {
  code: string
  group: string
  name: string
  result: string
  note: string | null
  photos: string[]
}
export interface KeptPart {
  name: string
  model: string | null
  number: string | null
  count: number
  certificates: string[]
}
export interface KeptMaintainer {
  workerId: string | null
  name: string
  certNo: string | null
  certEnd: string | null
  verified: boolean | null
}

interface DeviceInspectTable extends Disclosed {
  checkId: string
  corpCode: string
  stayId: string
  machineName: string
  deviceType: string
  type: string
  day: string
  checkOrg: string
  items: JsonGiven<KeptItem[]>
  failItems: Generated<string[]>
  result: string
  nextDate: string | null
  reports: Generated<string[]>
  suspendedAt: Date | null
  releasedAt: Date | null
}
interface DeviceMaintainTable extends Disclosed {
  id: string
  code: string
  corpCode: string
  stayId: string
  machineName: string
  deviceType: string
  type: string
  maintainDate: string
  startAt: Date | null
  endAt: Date | null
  maintainCorp: string
  maintainers: JsonGiven<KeptMaintainer[]>
  content: string
  parts: Json<KeptPart[]>
  result: string
  nextDate: string | null
  photos: Generated<string[]>
  acceptor: string
  corrects: string | null
  rectifyId: string | null
  round: number | null
  state: Generated<string>
  version: Generated<number>
  createBy: string
  createName: string
  createTime: Date
  updateBy: string | null
  updateTime: Generated<Date>
}

declare module '#kit/db' {
  interface Tables {
    deviceInspect: DeviceInspectTable
    deviceMaintain: DeviceMaintainTable
  }
}

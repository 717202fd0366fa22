import type { ColumnType, Generated } from 'kysely'

type Json<T> = ColumnType<T, string, string>
type JsonOrNull<T> = ColumnType<T | null, string | null | undefined, string | null>

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
/** Fields of a ticket as they hold now, by the device's own names. */
export type TicketFields = Record<string, string | number>
export interface PendingChange {
  fields: TicketFields
  reason: string
  byName: string
  at: number
}
interface WeighTicketTable {
  deviceId: string
  ts: Date
  recordId: string
  projectCode: string
  fields: Json<TicketFields>
  pending: JsonOrNull<PendingChange>
  voidReason: string | null
  version: Generated<number>
}
interface WeighChangeTable {
  id: string
  projectCode: string
  deviceId: string
  ts: Date
  recordId: string
  at: Date
  action: string
  changes: Json<{ field: string; from: unknown; to: unknown }[]>
  reason: string
  byName: string
}

declare module '#kit/db' {
  interface Tables {
    helmetGroup: HelmetGroupTable
    helmetGroupMember: HelmetGroupMemberTable
    weighTicket: WeighTicketTable
    weighChange: WeighChangeTable
  }
}

import type { Generated } from 'kysely'
import type { JsonGiven, JsonOrNull } from '#kit/columns'

interface WeighCheckTable {
  id: string
  projectCode: string
  deviceId: string
  ts: Date
  recordId: string
  outcome: 'short' | 'wrong' | 'reweighed'
  shortWeight: number | null
  unitPrice: number | null
  amount: number | null
  againKey: string | null
  againWeight: number | null
  reason: string
  byName: string
  createTime: Date
}

/** Corrected fields of a ticket, by the device's names. */
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
  fields: JsonGiven<TicketFields>
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
  changes: JsonGiven<{ field: string; from: unknown; to: unknown }[]>
  reason: string
  byName: string
}

declare module '#kit/db' {
  interface Tables {
    weighTicket: WeighTicketTable
    weighChange: WeighChangeTable
    weighCheck: WeighCheckTable
  }
}

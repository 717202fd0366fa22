import { change } from '@zhugong/contract/monitoring/weigh/weighing'
import { sql } from 'kysely'
import type { Context } from '#kit/context'
import { rowOf } from '#kit/row-of'
import { fileIdsOf, filesOfSite } from '../../files/public.ts'
import { type TicketRow, ticketFields } from './ticket.ts'

export interface ChangeRow {
  id: string
  at: Date
  action: string
  changes: { field: string; from: unknown; to: unknown }[]
  reason: string
  byName: string
}

export const labelOf = (field: string): string => Object.values(ticketFields).find((f) => f.device === field)?.label ?? field

export const worded = (value: unknown): string => (value === null || value === undefined || value === '' ? '--' : String(value))

export const toChanges = (changes: ChangeRow['changes']) =>
  changes.map((c) => ({ field: c.field, label: labelOf(c.field), from: worded(c.from), to: worded(c.to) }))

export async function logOf(ctx: Pick<Context, 'db'>, row: TicketRow) {
  const { rows } = await sql<ChangeRow>`
    select id, at, action, changes, reason, by_name from weigh_change where device_id = ${row.deviceId} and ts = ${row.ts} and record_id = ${row.id}
    order by at, id limit 200`.execute(ctx.db)
  return rows.map((r) =>
    rowOf(change, r, {
      time: r.at.getTime(),
      changes: toChanges(r.changes),
    }),
  )
}

/** Ids of a ticket's photographs: from the bridge's cameras, or from a manual weighing, where access was checked on entry. */
export const ticketFiles = async (
  ctx: Pick<Context, 'db'>,
  ticket: { projectCode: string; photos: readonly string[] },
  log: readonly { action: string }[],
): Promise<string[]> => (log[0]?.action === 'manual' ? fileIdsOf(ticket.photos) : filesOfSite(ctx, ticket.projectCode, ticket.photos))

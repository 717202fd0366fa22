import { acceptParties, machineSeatRight, supervisorSeatRight } from '@zhugong/contract/machines/seats'
import { sql } from 'kysely'
import type { Context } from '#kit/context'
import type { Row } from '#kit/db'
import { contentHash, type Seat } from '../process/public.ts'

type Stay = Row<'machineStay'>

/** The joint acceptance as it is signed. */
const acceptContent = ({ machineId, position, inspectOrg, inspectDate, inspectReport, acceptDate, installCorp }: Stay) => ({
  machineId,
  position,
  inspectOrg,
  inspectDate,
  inspectReport,
  acceptDate,
  installCorp,
})

/** Five seats once the acceptance is written; the content of a later test is not theirs. */
export async function machineSeats(_ctx: Pick<Context, 'db'>, row: Stay): Promise<readonly Seat[]> {
  if (row.acceptDate === null) return []
  const content = acceptContent(row)
  const site = { own: machineSeatRight, tablet: machineSeatRight }
  return Object.entries(acceptParties).map(([seat, role]) => ({
    seat,
    role: `${role}（联合验收）`,
    ...(seat === 'supervisor' ? { own: supervisorSeatRight, tablet: supervisorSeatRight } : site),
    from: ['4'],
    content,
  }))
}

/** Parties that have not signed the acceptance as it is now. */
export async function unsignedParties(ctx: Pick<Context, 'db'>, row: Stay): Promise<string[]> {
  const { rows } = await sql<{ seat: string; hash: string }>`select seat, hash from process_signature
    where kind = 'spdevice' and object_id = ${row.id} and void_at is null and not refused`.execute(ctx.db)
  const hash = contentHash(acceptContent(row))
  const signed = new Set(rows.filter((one) => one.hash === hash).map((one) => one.seat))
  return Object.entries(acceptParties).flatMap(([seat, role]) => (signed.has(seat) ? [] : [role]))
}

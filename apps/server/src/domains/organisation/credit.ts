import { sql } from 'kysely'
import type { Context } from '#kit/context'

/**
 * Changes by points the credit score of the company that a record of misconduct is about, between 0 and 150. The company's history shows
 * it, with who did it. Returns the points by which it changed in fact: these are given back later. The database lets only the group that
 * decides the record, or an authority of its area, do so.
 */
export async function changeCredit(ctx: Pick<Context, 'db' | 'clock'>, recordId: string, points: number): Promise<number> {
  const { rows } = await sql<{
    changed: number
  }>`select zg_change_credit(${recordId}, ${points}::numeric, ${new Date(ctx.clock.now())})::float8 as changed`.execute(ctx.db)
  return rows[0]?.changed ?? 0
}

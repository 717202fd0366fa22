import { sql } from 'kysely'
import { formatDay } from '#kit/clock'
import type { Context } from '#kit/context'

/**
 * Draws the next number of a paper of this type and year. `owner` is the group that issues it, or the project whose issuers share a series.
 * Runs in the transaction that issues, so that the numbers have no gaps. Draw it last: the counter stays locked until the commit.
 */
export async function drawNumber(
  ctx: Pick<Context, 'db' | 'clock'>,
  owner: string,
  docType: string,
): Promise<{ year: number; no: number }> {
  const year = Number(formatDay(ctx.clock.now()).slice(0, 4))
  const { rows } = await sql<{
    last: number
  }>`insert into document_number (owner, doc_type, year, last) values (${owner}, ${docType}, ${year}, 1)
    on conflict (owner, doc_type, year) do update set last = document_number.last + 1 returning last`.execute(ctx.db)
  return { year, no: rows[0]?.last ?? 1 }
}

import { sql } from 'kysely'
import type { Context } from '#kit/context'
import type { Row } from '#kit/db'
import { sha256 } from './hashes.ts'

/** Hash before the first entry. */
const noHash = '0'.repeat(64)
const hashOf = (prevHash: string, entry: string) => sha256(`${prevHash}\n${entry}`)

/** Appends an entry to the chain of the caller's group; entries of one group follow each other, also from several requests at once. */
export async function addEntry(ctx: Context, runId: string, content: Readonly<Record<string, unknown>>): Promise<void> {
  const organiserGroup = ctx.group.id
  await sql`select pg_advisory_xact_lock(hashtextextended(${`draw chain ${organiserGroup}`}, 0))`.execute(ctx.db)
  const { rows } = await sql<Pick<Row<'drawChain'>, 'seq' | 'hash'>>`select seq, hash from draw_chain
    where organiser_group = ${organiserGroup} order by seq desc limit 1`.execute(ctx.db)
  const row = entryAfter(rows[0], { organiserGroup, runId, by: ctx.user.id, at: new Date(ctx.clock.now()) }, content)
  await ctx.db.insertInto('drawChain').values(row).execute()
}

/** The entry that follows `before`; without it the first of the chain. */
export function entryAfter(
  before: Pick<Row<'drawChain'>, 'seq' | 'hash'> | undefined,
  { organiserGroup, runId, by, at }: { organiserGroup: string; runId: string; by: string; at: Date },
  content: Readonly<Record<string, unknown>>,
): Row<'drawChain'> {
  const prevHash = before?.hash ?? noHash
  const seq = Number(before?.seq ?? 0) + 1
  const entry = JSON.stringify({ seq, at: at.toISOString(), by, ...content })
  return { organiserGroup, seq, runId, entry, prevHash, hash: hashOf(prevHash, entry), at }
}

/** Checks the entries of an organiser that the caller may see: each hash, and that neighbours follow each other. */
export async function checkChain(ctx: Pick<Context, 'db'>, organiserGroup: string): Promise<{ entries: number; sound: boolean }> {
  type Entry = Pick<Row<'drawChain'>, 'seq' | 'entry' | 'prevHash' | 'hash'>
  const { rows } = await sql<Entry>`select seq, entry, prev_hash, hash from draw_chain where organiser_group = ${organiserGroup}
    order by seq`.execute(ctx.db)
  const sound = rows.every((one, i) => {
    const before = rows[i - 1]
    const follows = before === undefined || Number(before.seq) + 1 !== Number(one.seq) || before.hash === one.prevHash
    const first = Number(one.seq) !== 1 || one.prevHash === noHash
    return follows && first && hashOf(one.prevHash, one.entry) === one.hash
  })
  return { entries: rows.length, sound }
}

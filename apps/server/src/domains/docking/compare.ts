import type * as connections from '@zhugong/contract/docking/connections'
import { isObjectType, type ObjectType, objectByUpper } from '@zhugong/contract/docking/standard'
import { AppError } from '@zhugong/contract/kit/errors'
import { sql } from 'kysely'
import { addDays, formatDay, formatInstant } from '#kit/clock'
import { AfterCommit } from '#kit/context'
import type { Db, Row, Tx } from '#kit/db'
import { type Outgoing, OutgoingError } from '#kit/outgoing'
import { RequestTurns, unlimitedTurns } from '#kit/request-turns'
import type { HandlerOf } from '#kit/serve'
import { getKept, getSeen, lineTo } from './platforms.ts'
import type { SenderDependencies } from './sender-dependencies.ts'
import { askCounts, type Counts, type Line } from './upper-client.ts'

/** Days compared again on request, to include records that arrived late. */
const daysBack = 7
/** Connections compared concurrently, alternating between groups, so that a slow one delays few. */
const comparedAtOnce = 8

interface Comparing {
  db: Db | Tx
  platformId: string
  day: string
  now: number
}

interface Both {
  ours: number
  theirs: number
  oursRemoved: number
  theirsRemoved: number | null
}
const differs = ({ ours, theirs, oursRemoved, theirsRemoved }: Both) =>
  theirsRemoved === null ? ours !== theirs : ours !== theirs || oursRemoved !== theirsRemoved

/** Compares one day's counts with those of the upper platform, per object. Returns the number of objects that differ. */
async function compareDay({ db, platformId, day, now }: Comparing, { counts, removed }: Counts): Promise<number> {
  const { rows } = await sql<{ objectType: string; accepted: number; removed: number }>`
    select object_type, sum(accepted)::int as accepted, sum(removed)::int as removed from docking_day
    where platform_id = ${platformId} and day = ${day}::date group by object_type`.execute(db)
  const both = new Map<ObjectType, Both>()
  const none: Both = { ours: 0, theirs: 0, oursRemoved: 0, theirsRemoved: removed && 0 }
  for (const row of rows)
    if (isObjectType(row.objectType))
      // A platform without separate counts of deletions includes them in its totals.
      both.set(row.objectType, { ...none, ours: removed ? row.accepted : row.accepted + row.removed, oursRemoved: row.removed })
  const put = (given: Record<string, number>, key: 'theirs' | 'theirsRemoved') => {
    for (const [upper, count] of Object.entries(given)) {
      const type = objectByUpper.get(upper)
      if (type) both.set(type, { ...none, ...both.get(type), [key]: count })
    }
  }
  put(counts, 'theirs')
  if (removed) put(removed, 'theirsRemoved')
  if (both.size === 0) return 0
  await db
    .insertInto('dockingCompare')
    .values([...both].map(([objectType, counted]) => ({ platformId, day, objectType, ...counted, at: new Date(now) })))
    .onConflict((conflict) =>
      conflict.columns(['platformId', 'day', 'objectType']).doUpdateSet((eb) => ({
        ours: eb.ref('excluded.ours'),
        theirs: eb.ref('excluded.theirs'),
        oursRemoved: eb.ref('excluded.oursRemoved'),
        theirsRemoved: eb.ref('excluded.theirsRemoved'),
        at: eb.ref('excluded.at'),
      })),
    )
    .execute()
  return [...both.values()].filter(differs).length
}

/** Compares yesterday for every connection not compared yet; one that does not respond is retried the next time. */
export async function compareAll({ database, clock, outgoing, secrets, log }: SenderDependencies): Promise<void> {
  const db = database.kysely
  const yesterday = addDays(formatDay(clock.now()), -1)
  const due = await db
    .selectFrom('dockingPlatform')
    .selectAll()
    .where('status', '=', '01')
    .where('downSince', 'is', null)
    .where((eb) => eb.or([eb('comparedTo', 'is', null), eb('comparedTo', '<', yesterday)]))
    .execute()
  const compare = async (row: Row<'dockingPlatform'>) => {
    try {
      const counts = await askCounts(outgoing, lineTo({ secrets }, row), yesterday, clock.now())
      await compareDay({ db, platformId: row.id, day: yesterday, now: clock.now() }, counts)
      await db.updateTable('dockingPlatform').set({ comparedTo: yesterday }).where('id', '=', row.id).execute()
    } catch (error) {
      if (error instanceof OutgoingError) log.info({ platform: row.id, why: error.message }, 'not compared')
      else log.warn({ platform: row.id, err: error }, 'not compared')
    }
  }
  const turns = new RequestTurns({ ...unlimitedTurns, waitingPerAccount: Number.POSITIVE_INFINITY, inAll: comparedAtOnce })
  await Promise.all(due.map((row) => turns.run(row.groupId, () => compare(row))))
}

export const runCompare =
  (outgoing: Outgoing): HandlerOf<typeof connections.runCompare> =>
  async ({ params }, ctx) => {
    const row: Row<'dockingPlatform'> = await getKept(ctx, params.id)
    const now = ctx.clock.now()
    const days = Array.from({ length: daysBack }, (_, back) => addDays(formatDay(now), -back - 1))
    ctx.note(`与 ${row.name} 对账`, row.id)
    return new AfterCommit(async () => {
      const result = await countsOf(outgoing, lineTo(ctx, row), days, now)
      const different = await ctx.later(async (db) => {
        let sum = 0
        for (const [day, counts] of result) sum += await compareDay({ db, platformId: row.id, day, now }, counts)
        return sum
      })
      return { days: daysBack, different }
    })
  }

/** The upper platform's counts for these days. Throws AppError at the first failed request. */
async function countsOf(outgoing: Outgoing, line: Line, days: readonly string[], now: number): Promise<Map<string, Counts>> {
  const byKey = new Map<string, Counts>()
  try {
    for (const day of days) byKey.set(day, await askCounts(outgoing, line, day, now))
  } catch (error) {
    if (error instanceof OutgoingError) throw new AppError('refused', `对账没有完成：${error.message}`)
    throw error
  }
  return byKey
}

const daysShown = 30
export const listCompare: HandlerOf<typeof connections.listCompare> = async ({ params }, ctx) => {
  const { id } = await getSeen(ctx.db, params.id)
  const rows = await ctx.db
    .selectFrom('dockingCompare')
    .selectAll()
    .where('platformId', '=', id)
    .where('day', '>=', addDays(formatDay(ctx.clock.now()), -daysShown))
    .orderBy('day', 'desc')
    .orderBy('objectType')
    .execute()
  return {
    list: rows.map(({ day, objectType, ours, theirs, oursRemoved, theirsRemoved, at }) => ({
      day,
      objectType,
      ours,
      theirs,
      oursRemoved,
      theirsRemoved,
      at: formatInstant(at),
    })),
  }
}

import type * as connections from '@zhugong/contract/docking/connections'
import { isObjectType, type ObjectType, objectByUpper } from '@zhugong/contract/docking/standard'
import { AppError } from '@zhugong/contract/kit/errors'
import { sql } from 'kysely'
import { addDays, formatDay, formatInstant } from '#kit/clock'
import type { Db, Row, Tx } from '#kit/db'
import { type Outgoing, OutgoingError } from '#kit/outgoing'
import type { HandlerOf } from '#kit/serve'
import { getKept, getSeen, lineTo } from './platforms.ts'
import type { SenderDependencies } from './sender.ts'
import { askCounts, type Line } from './upper-client.ts'

/** Days that are compared anew when somebody asks; what arrived late above is then seen. */
const daysBack = 7

interface Comparing {
  db: Db | Tx
  outgoing: Outgoing
  line: Line
  platformId: string
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

/** One day of ours beside theirs, by object. Throws OutgoingError. Answers how many objects differ. */
async function compareDay({ db, outgoing, line, platformId, now }: Comparing, day: string): Promise<number> {
  const { counts, removed } = await askCounts(outgoing, line, day, now)
  const { rows } = await sql<{ objectType: string; accepted: number; removed: number }>`
    select object_type, sum(accepted)::int as accepted, sum(removed)::int as removed from docking_day
    where platform_id = ${platformId} and day = ${day}::date group by object_type`.execute(db)
  const both = new Map<ObjectType, Both>()
  const none: Both = { ours: 0, theirs: 0, oursRemoved: 0, theirsRemoved: removed && 0 }
  for (const row of rows)
    if (isObjectType(row.objectType))
      // A platform that does not tell deletions apart counts them with the rest.
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

/** Yesterday of every connection that has not been compared; one that does not answer has its turn the next time. */
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
  for (const row of due) {
    try {
      await compareDay({ db, outgoing, line: lineTo({ secrets }, row), platformId: row.id, now: clock.now() }, yesterday)
      await db.updateTable('dockingPlatform').set({ comparedTo: yesterday }).where('id', '=', row.id).execute()
    } catch (error) {
      if (!(error instanceof OutgoingError)) throw error
      log.info({ platform: row.id, why: error.message }, 'not compared')
    }
  }
}

export const runCompare =
  (outgoing: Outgoing): HandlerOf<typeof connections.runCompare> =>
  async ({ params }, ctx) => {
    const row: Row<'dockingPlatform'> = await getKept(ctx, params.id)
    const now = ctx.clock.now()
    let different = 0
    try {
      for (let back = 1; back <= daysBack; back++)
        different += await compareDay(
          { db: ctx.db, outgoing, line: lineTo(ctx, row), platformId: row.id, now },
          addDays(formatDay(now), -back),
        )
    } catch (error) {
      if (error instanceof OutgoingError) throw new AppError('refused', `对账没有完成：${error.message}`)
      throw error
    }
    ctx.note(`与 ${row.name} 对账：${different} 处不一致`, row.id)
    return { days: daysBack, different }
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

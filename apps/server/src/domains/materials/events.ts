import type { Insertable } from 'kysely'
import { sql } from 'kysely'
import type { Context } from '#kit/context'
import type { Tables } from '#kit/db'
import type { Batch } from './kind.ts'

export const photoKind = '材料验收'

type Event = Insertable<Tables['materialEvent']>
type Given = Pick<Event, 'action'> &
  Partial<
    Omit<Event, 'id' | 'batchId' | 'projectCode' | 'corpCode' | 'shownAt' | 'groups' | 'seq' | 'action' | 'byId' | 'byName' | 'groupName'>
  >

/** Adds what happened to a batch; the caller holds the batch locked. */
export async function addEvent(
  ctx: Context,
  { id: batchId, projectCode, corpCode, shownAt, groups }: Pick<Batch, 'id' | 'projectCode' | 'corpCode' | 'shownAt' | 'groups'>,
  given: Given,
): Promise<void> {
  const { rows } = await sql<{
    seq: number
  }>`select coalesce(max(seq), 0)::int + 1 as seq from material_event where batch_id = ${batchId}`.execute(ctx.db)
  await ctx.db
    .insertInto('materialEvent')
    .values({
      id: ctx.newId(),
      batchId,
      projectCode,
      corpCode,
      shownAt,
      groups,
      seq: rows[0]?.seq ?? 1,
      at: new Date(ctx.clock.now()),
      quantity: null,
      part: null,
      placeId: null,
      planId: null,
      pinX: null,
      pinY: null,
      team: null,
      sampleNo: null,
      reportNo: null,
      weighId: null,
      result: null,
      note: null,
      ...given,
      byId: ctx.user.id,
      byName: ctx.user.name,
      groupName: ctx.group.name,
    })
    .execute()
}

import { type FlowPlace, flowNode } from '@zhugong/contract/workflow/flow'
import { sql } from 'kysely'
import type { WorkContext } from './model.ts'
import { resolve } from './people.ts'
import { joinGroups, originOf } from './steps.ts'
import { tellPeople } from './tell.ts'

/** Limit of recipients of a copy. */
const mostReaders = 20

/**
 * Sends a copy of the item to the holders of a permission code at a place. They are notified and can read the item, but do not decide.
 * Does nothing if nobody there holds the code.
 */
export async function copyToPlace(ctx: WorkContext, itemId: string, place: FlowPlace, code: string): Promise<void> {
  const item = await ctx.db.selectFrom('workItem').selectAll().where('id', '=', itemId).executeTakeFirstOrThrow()
  const node = flowNode.parse({ key: 'copy', name: '抄送', places: [place], by: { kind: 'code', code } })
  const { people, fallback } = await resolve(ctx, node, originOf(item))
  if (fallback) return
  const readers = people.slice(0, mostReaders)
  const now = new Date(ctx.clock.now())
  for (const { id, groupId } of readers)
    await sql`insert into work_copy (item_id, user_id, group_id, create_time) values (${item.id}, ${id}, ${groupId}, ${now}) on conflict do nothing`.execute(
      ctx.db,
    )
  await joinGroups(
    ctx,
    item,
    readers.map(({ id, groupId }) => ({ groupId, userId: id, code: null, roleId: null })),
  )
  tellPeople(ctx, readers, item, `抄送您：${item.title}`)
}

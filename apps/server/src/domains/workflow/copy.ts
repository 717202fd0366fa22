import { type FlowPlace, flowNode } from '@zhugong/contract/workflow/flow'
import { sql } from 'kysely'
import type { WorkContext } from './kinds.ts'
import { resolve } from './people.ts'
import { joinGroups, originOf } from './steps.ts'
import { tellPeople } from './tell.ts'

/** More readers than these are a circular. */
const mostReaders = 20

/**
 * Lets whoever holds a code at a place read along, without asking anything of him: he finds the item among his copies and is told of it.
 * Where nobody does, nobody reads along.
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

import { formatInstant } from '#kit/clock'
import type { Context } from '#kit/context'

const rowsShown = 20

/** Changes of an object made by the caller's own group, newest first. */
export async function changesOf(ctx: Pick<Context, 'system' | 'group'>, objectId: string) {
  const rows = await ctx.system
    .selectFrom('auditLog')
    .select(['at', 'userName', 'summary'])
    .where('objectId', '=', objectId)
    .where('groupId', '=', ctx.group.id)
    .where('result', '=', 'ok')
    .orderBy('at', 'desc')
    .limit(rowsShown)
    .execute()
  return rows.map(({ at, userName, summary }) => ({ at: formatInstant(at), by: userName, summary }))
}

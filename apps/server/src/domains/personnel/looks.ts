import type { Context } from '#kit/context'

export const lookAction = 'look'

/**
 * Looking at personal data in clear changes nothing, yet somebody may ask who did. The row stands in the transaction of the answer:
 * without it nothing is shown.
 */
export async function recordLook(ctx: Context, workerId: string, summary: string, projectCode: string | null): Promise<void> {
  await ctx.db
    .insertInto('auditLog')
    .values({
      id: ctx.newId(),
      at: new Date(ctx.clock.now()),
      userId: ctx.user.id,
      account: ctx.user.account,
      userName: ctx.user.name,
      groupId: ctx.group.id,
      groupName: ctx.group.name,
      action: lookAction,
      summary,
      objectId: workerId,
      projectCode,
      ip: ctx.ip,
    })
    .execute()
}

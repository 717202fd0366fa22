import type { Context } from '#kit/context'

/** Opens the group of accounts that an authority (type 1) or a project (type 3) is from its first moment. */
export async function openGroup(
  ctx: Pick<Context, 'db' | 'newId'>,
  group: { type: 1 | 3; code: string; name: string; areaCode: string },
): Promise<void> {
  await ctx.db
    .insertInto('tenant')
    .values({ id: ctx.newId(), ...group })
    .execute()
}

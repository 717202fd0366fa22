import { AppError } from '@zhugong/contract/kit/errors'
import type { Shared } from '#kit/context'
import type { Db, Row, Tx } from '#kit/db'
import { give, requireAppointable } from './admins.ts'
import { type Giver, giverNow, holds } from './giver.ts'
import { requireHeld } from './held.ts'
import { joinGroup, requireGivable } from './members.ts'

const over = () => new AppError('refused', '邀请已失效：可能已答复、撤回或过期，请联系邀请您的人重新发出')
const mayNoMore = () => new AppError('refused', '发出邀请的人已没有相应的权限，请联系该机构重新发出')

/** Accepts an invitation: the user becomes a member with the rights offered, if the inviter may still grant them. Returns the group. */
export const acceptJoin = (ctx: Shared, userId: string, id: string): Promise<{ groupId: string; groupName: string }> =>
  ctx.system.transaction().execute(async (tx) => {
    const { request, group } = await keptOpen(ctx, tx, userId, id)
    const giver = await giverOf(ctx, tx, request)
    const what = { userId, deadline: request.deadline, reason: request.reason }
    if (request.administrator) await give(giver, tx, group, what)
    else await enter(giver, request)
    await answered(ctx, tx, id, 'accepted')
    return { groupId: group.id, groupName: group.name }
  })

export async function refuseJoin(ctx: Shared, userId: string, id: string): Promise<string> {
  return ctx.system.transaction().execute(async (tx) => {
    const { group } = await keptOpen(ctx, tx, userId, id)
    await answered(ctx, tx, id, 'refused')
    return group.name
  })
}

export const answered = (ctx: Pick<Shared, 'clock'>, db: Db | Tx, id: string, answer: 'accepted' | 'refused' | 'withdrawn') =>
  db
    .updateTable('joinRequest')
    .set({ answer, answeredAt: new Date(ctx.clock.now()) })
    .where('id', '=', id)
    .execute()

async function keptOpen(ctx: Pick<Shared, 'clock'>, tx: Tx, userId: string, id: string) {
  const request = await tx
    .selectFrom('joinRequest')
    .selectAll()
    .where('id', '=', id)
    .where('userId', '=', userId)
    .where('answeredAt', 'is', null)
    .where('expiresAt', '>', new Date(ctx.clock.now()))
    .forUpdate()
    .executeTakeFirst()
  if (!request) throw over()
  const group = await tx
    .selectFrom('tenant')
    .select(['id', 'type', 'code', 'name', 'enable'])
    .where('id', '=', request.groupId)
    .executeTakeFirst()
  if (group?.enable !== '1') throw over()
  return { request, group }
}

async function giverOf(ctx: Shared, tx: Tx, request: Row<'joinRequest'>): Promise<Giver> {
  const giver = await giverNow(ctx, tx, request)
  if (!giver || !(await mayStill(giver, request))) throw mayNoMore()
  return giver
}

async function mayStill(giver: Giver, { needs, administrator, groupId, roleIds, deadline }: Row<'joinRequest'>): Promise<boolean> {
  const needed = needs.find((code) => giver.codes.has(code))
  if (!needed) return false
  return holds(async () => {
    if (administrator) await requireAppointable(giver, groupId, needed, deadline)
    else {
      if (groupId !== giver.group.id) throw mayNoMore()
      requireHeld(giver, [needed])
      await requireGivable(giver, roleIds, deadline)
    }
  })
}

async function enter(giver: Giver, { userId, roleIds, deadline }: Row<'joinRequest'>): Promise<void> {
  const member = await giver.db
    .selectFrom('member')
    .select('id')
    .where('userId', '=', userId)
    .where('groupId', '=', giver.group.id)
    .executeTakeFirst()
  if (member) throw new AppError('refused', '您已是该机构的成员')
  await joinGroup(giver, userId, roleIds, deadline)
}

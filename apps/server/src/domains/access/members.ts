import { AppError } from '@zhugong/contract/kit/errors'
import { sql } from 'kysely'
import { formatDay } from '#kit/clock'
import { type Context, found } from '#kit/context'
import { requireHeld } from './held.ts'
import { administratorOf, codesOfMember } from './roles.ts'

/** Refuses roles that do not belong to the group's kind, and codes the asker does not hold himself. */
export async function requireGivable(ctx: Context, roleIds: readonly string[]): Promise<void> {
  const roles = await ctx.db
    .selectFrom('role')
    .select('codes')
    .where('id', 'in', [...roleIds])
    .where('groupsType', '=', ctx.group.type)
    .where((eb) => eb.or([eb('groupId', 'is', null), eb('groupId', '=', ctx.group.id)]))
    .execute()
  if (roles.length !== new Set(roleIds).size) throw new AppError('invalidInput', '所选角色不存在', { field: 'roleIds' })
  requireHeld(
    ctx,
    roles.flatMap((r) => r.codes),
  )
}

/** Makes an account a member of the asker's group. Its roles have been judged (`requireGivable`). */
export async function joinGroup(ctx: Context, userId: string, roleIds: readonly string[]): Promise<string> {
  const memberId = ctx.newId()
  await ctx.db.insertInto('member').values({ id: memberId, userId, groupId: ctx.group.id }).execute()
  await ctx.db
    .insertInto('memberRole')
    .values([...new Set(roleIds)].map((roleId) => ({ memberId, roleId })))
    .execute()
  return memberId
}

/** The membership of an account that is named exactly; one that is new to the group joins it with the roles given. */
export async function enrolAccount(ctx: Context, account: string, roleIds: readonly string[]): Promise<{ memberId: string; name: string }> {
  // Whoever is not of the group yet is not seen from inside it.
  const user = await ctx.system
    .selectFrom('appUser')
    .select(['id', 'name'])
    .where('account', '=', account.toLowerCase())
    .where('enable', '=', '1')
    .executeTakeFirst()
  if (!user) throw new AppError('invalidInput', '没有这个账号，请核对后填写完整的账号', { field: 'account' })
  const member = await ctx.db
    .selectFrom('member')
    .select('id')
    .where('userId', '=', user.id)
    .where('groupId', '=', ctx.group.id)
    .executeTakeFirst()
  if (member) return { memberId: member.id, name: user.name }
  if (roleIds.length === 0) throw new AppError('invalidInput', `“${user.name}”尚未加入本组，请选择角色`, { field: 'roleIds' })
  await requireGivable(ctx, roleIds)
  return { memberId: await joinGroup(ctx, user.id, roleIds), name: user.name }
}

/** Gives another group its administrator, by the whole account; for the platform, which lets groups in. Answers the name. */
export async function appoint(ctx: Context, group: { id: string; type: number }, account: string): Promise<string> {
  const user = await ctx.system
    .selectFrom('appUser')
    .select(['id', 'name'])
    .where('account', '=', account.toLowerCase())
    .where('enable', '=', '1')
    .executeTakeFirst()
  if (!user) throw new AppError('invalidInput', '没有这个账号，请核对后填写完整的账号', { field: 'account' })
  const roleName = administratorOf(group.type)
  const role = found(
    await ctx.db.selectFrom('role').select('id').where('groupId', 'is', null).where('name', '=', roleName).executeTakeFirst(),
    roleName,
  )
  const member = await ctx.db
    .selectFrom('member')
    .select('id')
    .where('userId', '=', user.id)
    .where('groupId', '=', group.id)
    .executeTakeFirst()
  const memberId = member?.id ?? ctx.newId()
  if (!member) await ctx.db.insertInto('member').values({ id: memberId, userId: user.id, groupId: group.id }).execute()
  const given = await ctx.db
    .insertInto('memberRole')
    .values({ memberId, roleId: role.id })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  if (!given.numInsertedOrUpdatedRows) throw new AppError('refused', `“${user.name}”已是管理员`, { field: 'account' })
  return user.name
}

/** What keeps a group in hand: without anybody who holds it, nobody could be let in any more. */
const keeper = 'org.member'

/** Refuses when nobody who keeps the group's people would be left beside these. */
async function requireKeeper(ctx: Context, leaving: readonly string[]): Promise<void> {
  const groupId = ctx.group.id
  // Two keepers who leave at the same moment go one after the other, so that one of them is seen to be the last.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`keeper ${groupId}`}, 0))`.execute(ctx.db)
  const { rows } = await sql<{ n: number }>`
    select count(distinct m.id)::int as n from member m join app_user u on u.id = m.user_id and u.enable = '1'
      join member_role mr on mr.member_id = m.id and (mr.deadline is null or mr.deadline >= ${formatDay(ctx.clock.now())}::date)
      join role r on r.id = mr.role_id and ${keeper} = any (r.codes)
    where m.group_id = ${groupId} and m.enable = '1' and m.id <> all (${[...leaving]})`.execute(ctx.db)
  if (!rows[0]?.n) throw new AppError('refused', '本组须留有一位能维护人员的管理员，请先把此权限交给他人')
}

/**
 * Ends memberships of the asker's group, their rights and sessions with it. Others only by whoever holds all that they may do; the last
 * one who keeps the group's people stays. Answers the names.
 */
export async function dismiss(ctx: Context, memberIds: readonly string[]): Promise<string[]> {
  const groupId = ctx.group.id
  const members = await ctx.db
    .selectFrom('member as m')
    .innerJoin('appUser as u', 'u.id', 'm.userId')
    .select(['m.id', 'm.userId', 'u.name'])
    .where('m.groupId', '=', groupId)
    .where('m.id', 'in', [...memberIds])
    .execute()
  if (members.length !== new Set(memberIds).size) throw new AppError('notFound', '人员不在本组', { field: 'memberIds' })
  const held = await Promise.all(members.map((one) => codesOfMember(ctx.system, one.id, ctx.group.type, ctx.clock.now())))
  members.forEach((one, i) => {
    if (one.userId !== ctx.user.id) requireHeld(ctx, held[i] ?? [])
  })
  if (held.some((codes) => codes.includes(keeper))) await requireKeeper(ctx, memberIds)
  await ctx.db
    .deleteFrom('member')
    .where('groupId', '=', groupId)
    .where('id', 'in', [...memberIds])
    .execute()
  ctx.afterCommit(async () => {
    const users = members.map((one) => one.userId)
    // Whoever was taken in again meanwhile keeps his.
    await sql`delete from session s where s.group_id = ${groupId} and s.user_id = any (${users})
      and not exists (select 1 from member m where m.user_id = s.user_id and m.group_id = s.group_id)`.execute(ctx.system)
  })
  return members.map((one) => one.name)
}

/** The asker's own membership of the group he works for. */
export async function ownMember(ctx: Context): Promise<string> {
  const row = await ctx.db
    .selectFrom('member')
    .select('id')
    .where('userId', '=', ctx.user.id)
    .where('groupId', '=', ctx.group.id)
    .executeTakeFirst()
  return found(row, '组成员').id
}

import { isPermissionCode } from '@zhugong/contract/access/codes'
import { AppError } from '@zhugong/contract/kit/errors'
import { sql } from 'kysely'
import { formatDay } from '#kit/clock'
import { type Context, found } from '#kit/context'
import type { Db, Tx } from '#kit/db'
import { rightsOf } from './find-rights.ts'
import { requireAbove, requireHeld } from './held.ts'
import { askToJoin } from './join-requests.ts'
import { projectsOfPlaces } from './role-places.ts'
import { administratorOf } from './roles.ts'

type GrantContext = Pick<Context, 'db' | 'group' | 'codes' | 'principal'>

/**
 * Throws if a role is of another kind or group, or contains codes the caller does not hold in its projects for that long. `until`: last
 * day of the grant; null means no end.
 */
export async function requireGivable(ctx: GrantContext, roleIds: readonly string[], until?: string | null): Promise<void> {
  if (roleIds.length === 0) return
  const roles = await ctx.db
    .selectFrom('role')
    .select(['codes', 'dataScope', 'projects', 'projectGroups', 'enable', 'name'])
    .where('id', 'in', [...roleIds])
    .where('groupsType', '=', ctx.group.type)
    .where((eb) => eb.or([eb('groupId', 'is', null), eb('groupId', '=', ctx.group.id)]))
    .execute()
  if (roles.length !== new Set(roleIds).size) throw new AppError('invalidInput', '所选角色不存在', { field: 'roleIds' })
  for (const role of roles) {
    if (role.enable !== '1') throw new AppError('refused', `角色“${role.name}”已停用`, { field: 'roleIds' })
    const projects = role.dataScope === '4' ? await projectsOfPlaces(ctx, role) : null
    requireHeld(ctx, role.codes, { projects, ...(until === undefined ? {} : { until }) })
  }
}

/** Adds an account to the caller's group. Its roles must have been checked with `requireGivable`. */
export async function joinGroup(
  ctx: Pick<Context, 'db' | 'group' | 'newId' | 'user'>,
  userId: string,
  roleIds: readonly string[],
  deadline: string | null = null,
): Promise<string> {
  const memberId = ctx.newId()
  await ctx.db.insertInto('member').values({ id: memberId, userId, groupId: ctx.group.id, deadline }).execute()
  if (roleIds.length)
    await ctx.db
      .insertInto('memberRole')
      .values([...new Set(roleIds)].map((roleId) => ({ memberId, roleId, grantBy: ctx.user.name })))
      .execute()
  return memberId
}

interface Wanted {
  add: readonly string[]
  remove: readonly string[]
  /** End date of added roles; roles in `add` that the member already has get it too. */
  deadline: string | null
}

/**
 * Adds and removes roles of a member of the caller's group. The caller must hold the permissions of both. The group must keep a user
 * administrator and an administrator.
 */
export async function changeRolesOf(ctx: Context, memberId: string, { add, remove, deadline }: Wanted): Promise<void> {
  const before = await ctx.db.selectFrom('memberRole').select(['roleId', 'deadline']).where('memberId', '=', memberId).execute()
  const given = add.filter((id) => before.every((one) => one.roleId !== id || one.deadline !== deadline))
  const taken = remove.filter((id) => before.some((one) => one.roleId === id))
  // A user's own role end dates can only be changed by others.
  await requireGivable(ctx, given, deadline)
  await requireTakeable(ctx, taken)
  if (taken.length) await ctx.db.deleteFrom('memberRole').where('memberId', '=', memberId).where('roleId', 'in', taken).execute()
  for (const roleId of given)
    await ctx.db
      .insertInto('memberRole')
      .values({ memberId, roleId, deadline, grantBy: ctx.user.name })
      .onConflict((conflict) => conflict.columns(['memberId', 'roleId']).doUpdateSet({ deadline, grantBy: ctx.user.name }))
      .execute()
  if (taken.length || given.length) await requireKept(ctx)
}

/** A role may be removed only by a user who could grant it. Roles of a kind the group can no longer have may always be removed. */
async function requireTakeable(ctx: Context, roleIds: readonly string[]): Promise<void> {
  if (roleIds.length === 0) return
  const roles = await ctx.db
    .selectFrom('role')
    .select(['codes', 'dataScope', 'projects', 'projectGroups'])
    .where('id', 'in', [...roleIds])
    .where('groupsType', '=', ctx.group.type)
    .execute()
  for (const role of roles)
    requireHeld(
      ctx,
      role.codes.filter((code) => isPermissionCode(code)),
      { projects: role.dataScope === '4' ? await projectsOfPlaces(ctx, role) : null },
    )
}

/** Checks within this transaction that the group still has a member who manages users, and an administrator if it had one. */
export async function requireKept(ctx: Context): Promise<void> {
  await requireKeeper(ctx, [])
  await requireAdministrator(ctx.db, ctx.group.id, ctx.clock.now())
}

/** Throws if a group with administrators would have no active one today. A lock serialises two administrators leaving at the same time. */
export async function requireAdministrator(db: Db | Tx, groupId: string, now: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`administrator ${groupId}`}, 0))`.execute(db)
  const { rows } = await sql<{ active: number }>`
    select count(distinct m.id)::int as active from member m join app_user u on u.id = m.user_id and u.enable = '1'
      join member_role mr on mr.member_id = m.id and mr.enable = '1' and (mr.deadline is null or mr.deadline >= ${formatDay(now)}::date)
      join role r on r.id = mr.role_id and r.administrator
    where m.group_id = ${groupId} and m.enable = '1' and (m.deadline is null or m.deadline >= ${formatDay(now)}::date)`.execute(db)
  if (!rows[0]?.active) throw new AppError('refused', '不能停用或移除本组最后一位管理员，请先指定另一位')
}

/** Result of adding an account by its exact name: a membership, or an invitation that the owner must accept first. */
export type Enrolled = { name: string } & ({ memberId: string; requestId?: undefined } | { memberId?: undefined; requestId: string })

/**
 * Adds an account by its exact name. If it is new to the group, its owner is invited with the roles given. `needs`: permission codes of
 * the endpoint; the inviter must still hold one of them on acceptance.
 */
export async function enrolAccount(
  ctx: Context,
  account: string,
  { roleIds, deadline, needs }: { roleIds: readonly string[]; deadline: string | null; needs: readonly string[] },
): Promise<Enrolled> {
  // Row-level security hides accounts that are not members yet.
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
  await requireGivable(ctx, roleIds, deadline)
  return { requestId: await askToJoin(ctx, { userId: user.id, groupId: ctx.group.id, needs, roleIds, deadline }), name: user.name }
}

/**
 * Appoints the administrator of another group by the exact account name; used by the platform when it admits groups. Accounts that are
 * not members are invited and must accept (`pending`).
 */
export async function appoint(
  ctx: Context,
  group: { id: string; type: number },
  account: string,
  needs: readonly string[],
): Promise<{ name: string; pending: boolean }> {
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
  if (!member) {
    await askToJoin(ctx, { userId: user.id, groupId: group.id, needs, administrator: true, deadline: null })
    return { name: user.name, pending: true }
  }
  const given = await ctx.db
    .insertInto('memberRole')
    .values({ memberId: member.id, roleId: role.id })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  if (!given.numInsertedOrUpdatedRows) throw new AppError('refused', `“${user.name}”已是管理员`, { field: 'account' })
  return { name: user.name, pending: false }
}

/** Permission to manage a group's users. If no member holds it, nobody could be added any more. */
const keeper = 'org.member'

/** Throws if no member other than `leaving` can manage the group's users. */
export async function requireKeeper(ctx: Context, leaving: readonly string[]): Promise<void> {
  const groupId = ctx.group.id
  // Serialises two user managers leaving at the same time, so that the second is recognised as the last.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`keeper ${groupId}`}, 0))`.execute(ctx.db)
  const { rows } = await sql<{ n: number }>`
    select count(distinct m.id)::int as n from member m join app_user u on u.id = m.user_id and u.enable = '1'
      join member_role mr on mr.member_id = m.id and mr.enable = '1' and (mr.deadline is null or mr.deadline >= ${formatDay(ctx.clock.now())}::date)
      join role r on r.id = mr.role_id and r.enable = '1' and ${keeper} = any (r.codes)
    where m.group_id = ${groupId} and m.enable = '1' and m.id <> all (${[...leaving]})`.execute(ctx.db)
  if (!rows[0]?.n) throw new AppError('refused', '本组须留有一位能维护人员的管理员，请先把此权限交给他人')
}

/**
 * Ends memberships of the caller's group, with their rights and sessions. To remove others, the caller must hold all their rights; the
 * last user manager stays. Returns the names.
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
  const current = await Promise.all(members.map((one) => rightsOf(ctx.system, one.id, ctx.clock.now())))
  members.forEach((one, i) => {
    const rights = current[i]
    if (rights && one.userId !== ctx.user.id) requireAbove(ctx, rights)
  })
  if (current.some(({ codes }) => codes.has(keeper))) await requireKeeper(ctx, memberIds)
  const administers = await hasAdministrator(ctx, memberIds)
  await ctx.db
    .deleteFrom('member')
    .where('groupId', '=', groupId)
    .where('id', 'in', [...memberIds])
    .execute()
  if (administers) await requireAdministrator(ctx.db, groupId, ctx.clock.now())
  ctx.afterCommit(async () => {
    const users = members.map((one) => one.userId)
    // Users who were added again meanwhile keep their session.
    await sql`delete from session s where s.group_id = ${groupId} and s.user_id = any (${users})
      and not exists (select 1 from member m where m.user_id = s.user_id and m.group_id = s.group_id)`.execute(ctx.system)
  })
  return members.map((one) => one.name)
}

/** Id of the caller's own membership in the active group. */
export async function ownMember(ctx: Context): Promise<string> {
  const row = await ctx.db
    .selectFrom('member')
    .select('id')
    .where('userId', '=', ctx.user.id)
    .where('groupId', '=', ctx.group.id)
    .executeTakeFirst()
  return found(row, '组成员').id
}

async function hasAdministrator(ctx: Context, memberIds: readonly string[]): Promise<boolean> {
  const { rows } = await sql`
    select 1 from member_role mr join role r on r.id = mr.role_id and r.administrator where mr.member_id = any (${[...memberIds]}) limit 1`.execute(
    ctx.db,
  )
  return rows.length > 0
}

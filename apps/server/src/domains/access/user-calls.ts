import type * as contract from '@zhugong/contract/access/endpoints'
import { AppError } from '@zhugong/contract/kit/errors'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import { type Context, found, groupTypes } from '#kit/context'
import { isUniqueViolation } from '#kit/db'
import { anywhere, pageOf } from '#kit/list'
import type { HandlerOf } from '#kit/serve'
import { requireHeld } from './held.ts'
import { joinGroup, requireGivable } from './members.ts'
import { hashPassword, randomPassword } from './passwords.ts'
import { codesOfMember } from './roles.ts'

export const listUsers: HandlerOf<typeof contract.listUsers> = async ({ query }, ctx) => {
  let rows = ctx.db.selectFrom('member as m').innerJoin('appUser as u', 'u.id', 'm.userId').innerJoin('tenant as t', 't.id', 'm.groupId')
  if (!ctx.scope.all) rows = rows.where('m.groupId', '=', ctx.group.id)
  if (query.name) rows = rows.where('u.name', 'ilike', anywhere(query.name))
  if (query.account) rows = rows.where('u.account', 'ilike', anywhere(query.account))
  if (query.enable) rows = rows.where(enabledIn(ctx), '=', query.enable)
  const list = await rows
    .select((eb) => [
      'u.id',
      'u.account',
      'u.name',
      'u.phoneMask',
      enabledIn(ctx).as('enable'),
      'u.lastLoginAt',
      'u.createTime',
      't.name as groupName',
      't.type as groupsType',
      eb
        .selectFrom('memberRole as mr')
        .innerJoin('role as r', 'r.id', 'mr.roleId')
        .select(
          sql<{ id: string; name: string }[]>`coalesce(json_agg(json_build_object('id', r.id, 'name', r.name) order by r.name), '[]')`.as(
            'roles',
          ),
        )
        .whereRef('mr.memberId', '=', 'm.id')
        .as('roles'),
    ])
    .orderBy('u.createTime', 'desc')
    .orderBy('u.id')
    .$call(pageOf(query))
    .execute()
  const { total } = await rows.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return {
    list: list.map((row) => ({
      id: row.id,
      account: row.account,
      name: row.name,
      phone: row.phoneMask,
      enable: row.enable,
      groupName: row.groupName,
      groupsType: row.groupsType,
      roleNames: (row.roles ?? []).map((r) => r.name),
      roleIds: (row.roles ?? []).map((r) => r.id),
      lockedUntil: null,
      lastLogin: row.lastLoginAt ? formatInstant(row.lastLoginAt) : null,
      createTime: formatInstant(row.createTime),
    })),
    total,
  }
}

export const createUser: HandlerOf<typeof contract.createUser> = async ({ body }, ctx) => {
  await requireGivable(ctx, body.roleIds)
  const password = randomPassword()
  const id = ctx.newId()
  try {
    await ctx.db
      .insertInto('appUser')
      .values({
        id,
        account: body.account.toLowerCase(),
        name: body.name,
        passwordHash: await hashPassword(password),
        mustChange: true,
        createBy: ctx.user.id,
      })
      .execute()
  } catch (error) {
    if (isUniqueViolation(error)) throw new AppError('refused', '账号已存在，请换一个', { field: 'account' })
    throw error
  }
  await joinGroup(ctx, id, body.roleIds)
  ctx.note(`新增账号 ${body.account}`, id)
  return { id, password }
}

export const switchUser: HandlerOf<typeof contract.switchUser> = async ({ body }, ctx) => {
  if (body.id === ctx.user.id) throw new AppError('refused', '不能停用自己的账号')
  const wholeAccount = ctx.group.type === groupTypes.platform
  const memberships = ctx.db.selectFrom('member').select(['id', 'groupId']).where('userId', '=', body.id)
  const all = await (wholeAccount ? memberships : memberships.where('groupId', '=', ctx.group.id)).execute()
  found(all[0], '账号')
  const own = all.find((member) => member.groupId === ctx.group.id)
  // Taking away and giving back are grants too: nobody decides over more than he holds.
  if (own) requireHeld(ctx, await codesOfMember(ctx.system, own.id, ctx.group.type, ctx.clock.now()))
  // The account belongs to the person, who may work for others as well; a group only decides about its own part.
  if (wholeAccount) await ctx.db.updateTable('appUser').set({ enable: body.status }).where('id', '=', body.id).execute()
  else if (own) await ctx.db.updateTable('member').set({ enable: body.status }).where('id', '=', own.id).execute()
  ctx.note(body.status === '1' ? '启用账号' : '停用账号', body.id)
  if (body.status === '0') {
    const groupId = ctx.group.id
    ctx.afterCommit(async () => {
      const sessions = ctx.system.deleteFrom('session').where('userId', '=', body.id)
      await (wholeAccount ? sessions : sessions.where('groupId', '=', groupId)).execute()
    })
  }
  return undefined
}

/** The platform sees whether the account works at all, a group whether it works there. */
const enabledIn = (ctx: Pick<Context, 'group'>) =>
  ctx.group.type === groupTypes.platform
    ? sql<string>`u.enable`
    : sql<string>`case when u.enable = '1' and m.enable = '1' then '1' else '0' end`

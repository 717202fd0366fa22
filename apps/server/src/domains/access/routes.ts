import { isPermissionCode, permissionName } from '@zhugong/contract/access/codes'
import * as contract from '@zhugong/contract/access/endpoints'
import { menuTabs } from '@zhugong/contract/access/menus'
import { AppError } from '@zhugong/contract/kit/errors'
import { parseInstant } from '@zhugong/contract/kit/fields'
import { areaName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import { type Context, found, groupTypes, projectsFor } from '#kit/context'
import { isUniqueViolation } from '#kit/db'
import type { Serve } from '#kit/serve'
import { verifyAudit } from './audit.ts'
import { menuTreeFor } from './menus.ts'
import { hashPassword, randomPassword } from './passwords.ts'
import { codesOfMember, permissionTreeFor } from './roles.ts'

export function accessRoutes(serve: Serve) {
  serve(contract.initMenus, (_input, ctx) => menuTreeFor(ctx.codes, ctx.group.type))

  serve(contract.grantedApps, (_input, ctx) => {
    const apps = menuTreeFor(ctx.codes, ctx.group.type).map((tab) => ({
      id: tab.id,
      name: tab.title,
      code: tab.name,
      icon: menuTabs.find((t) => t.name === tab.name)?.icon ?? 'app',
      category: tab.title,
      deadline: null,
      leftTime: null,
      firstPath: tab.children[0]?.path ?? tab.children[0]?.children[0]?.path ?? null,
    }))
    return { apps, deadline: null, leftTime: null }
  })

  serve(contract.currentRoles, async (_input, ctx) => {
    const list = await ctx.system
      .selectFrom('memberRole as mr')
      .innerJoin('member as m', 'm.id', 'mr.memberId')
      .innerJoin('role as r', 'r.id', 'mr.roleId')
      .select(['r.id', 'r.name', 'r.codes'])
      .where('m.userId', '=', ctx.user.id)
      .where('m.groupId', '=', ctx.group.id)
      .execute()
    return { list, total: list.length }
  })

  serve(contract.myProjects, async (_input, ctx) => {
    const projects = projectsFor(ctx)
    let rows = ctx.db.selectFrom('project').where('enable', '=', '1')
    if (projects) rows = rows.where('projectCode', 'in', projects.length ? [...projects] : [''])
    const list = await rows.select(['projectCode', 'name', 'areaCode', 'prjStatus']).orderBy('areaCode').orderBy('name').execute()
    return [...Map.groupBy(list, (one) => one.areaCode)].map(([code, below]) => ({
      code,
      name: areaName(code) ?? code,
      projects: below.map((one) => ({ code: one.projectCode, name: one.name, areaCode: one.areaCode, prjStatus: one.prjStatus })),
    }))
  })

  serve(contract.permissionTree, (_input, ctx) => permissionTreeFor(ctx.group.type, ctx.codes))

  serve(contract.listRoles, async ({ query }, ctx) => {
    let rows = ctx.db.selectFrom('role as r').where('r.groupsType', '=', ctx.group.type)
    if (query.name) rows = rows.where('r.name', 'ilike', `%${query.name}%`)
    const list = await rows
      .selectAll('r')
      .select((eb) =>
        eb
          .selectFrom('memberRole as mr')
          .innerJoin('member as m', 'm.id', 'mr.memberId')
          .select((e) => e.fn.countAll<number>().as('n'))
          .whereRef('mr.roleId', '=', 'r.id')
          .where('m.groupId', '=', ctx.group.id)
          .as('userCount'),
      )
      .orderBy('r.builtIn', 'desc')
      .orderBy('r.name')
      .limit(query.size)
      .offset((query.page - 1) * query.size)
      .execute()
    const { total } = await rows.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
    return { list: list.map(toRole), total }
  })

  serve(contract.getRole, async ({ params }, ctx) => {
    const row = await ctx.db
      .selectFrom('role')
      .selectAll()
      .where('id', '=', params.id)
      .where('groupsType', '=', ctx.group.type)
      .executeTakeFirst()
    return toRole({ ...found(row, '角色'), userCount: 0 })
  })

  serve(contract.createRole, async ({ body }, ctx) => {
    requireHeld(ctx, body.codes)
    const id = ctx.newId()
    await saveRole(() =>
      ctx.db
        .insertInto('role')
        .values({
          id,
          groupId: ctx.group.id,
          groupsType: ctx.group.type,
          name: body.name,
          codes: body.codes,
          remark: body.remark,
          createBy: ctx.user.id,
        })
        .execute(),
    )
    ctx.note(`新增角色 ${body.name}`, id)
    return { id }
  })

  serve(contract.updateRole, async ({ params, body }, ctx) => {
    const role = await ownRole(ctx, params.id)
    // Codes one does not hold oneself can neither be added nor, unseen, be taken away.
    requireHeld(ctx, symmetricDifference(role.codes, body.codes))
    await saveRole(() =>
      ctx.db.updateTable('role').set({ name: body.name, codes: body.codes, remark: body.remark }).where('id', '=', role.id).execute(),
    )
    ctx.note(`修改角色 ${role.name}`, role.id)
    return undefined
  })

  serve(contract.removeRole, async ({ params }, ctx) => {
    const role = await ownRole(ctx, params.id)
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from member_role where role_id = ${role.id}`.execute(ctx.db)
    if (rows[0]?.n) throw new AppError('refused', `角色“${role.name}”仍有 ${rows[0].n} 人使用，请先调整他们的角色`)
    await ctx.db.deleteFrom('role').where('id', '=', role.id).execute()
    ctx.note(`删除角色 ${role.name}`, role.id)
    return undefined
  })

  serve(contract.listUsers, async ({ query }, ctx) => {
    let rows = ctx.db.selectFrom('member as m').innerJoin('appUser as u', 'u.id', 'm.userId').innerJoin('tenant as t', 't.id', 'm.groupId')
    if (!ctx.scope.all) rows = rows.where('m.groupId', '=', ctx.group.id)
    if (query.name) rows = rows.where('u.name', 'ilike', `%${query.name}%`)
    if (query.account) rows = rows.where('u.account', 'ilike', `%${query.account}%`)
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
      .limit(query.size)
      .offset((query.page - 1) * query.size)
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
  })

  serve(contract.createUser, async ({ body }, ctx) => {
    const roles = await ctx.db
      .selectFrom('role')
      .selectAll()
      .where('id', 'in', body.roleIds)
      .where('groupsType', '=', ctx.group.type)
      .execute()
    if (roles.length !== new Set(body.roleIds).size) throw new AppError('invalidInput', '所选角色不存在', { field: 'roleIds' })
    requireHeld(
      ctx,
      roles.flatMap((r) => r.codes),
    )
    const password = randomPassword()
    const id = ctx.newId()
    const memberId = ctx.newId()
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
    await ctx.db.insertInto('member').values({ id: memberId, userId: id, groupId: ctx.group.id }).execute()
    await ctx.db
      .insertInto('memberRole')
      .values(roles.map((r) => ({ memberId, roleId: r.id })))
      .execute()
    ctx.note(`新增账号 ${body.account}`, id)
    return { id, password }
  })

  serve(contract.switchUser, async ({ body }, ctx) => {
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
  })

  serve(contract.verifyAudit, (_input, ctx) => verifyAudit(ctx.system, ctx.scope.all ? undefined : ctx.group.id))
  serve(contract.listAudit, async ({ query }, ctx) => {
    let rows = ctx.db.selectFrom('auditLog')
    if (!ctx.scope.all) rows = rows.where('groupId', '=', ctx.group.id)
    if (query.account) rows = rows.where('account', 'ilike', `%${query.account}%`)
    if (query.summary) rows = rows.where('summary', 'ilike', `%${query.summary}%`)
    const from = query.startTime ? parseInstant(query.startTime) : undefined
    const to = query.endTime ? parseInstant(query.endTime) : undefined
    if (from) rows = rows.where('at', '>=', new Date(from))
    if (to) rows = rows.where('at', '<', new Date(to))
    const list = await rows
      .selectAll()
      .orderBy('at', 'desc')
      .orderBy('id')
      .limit(query.size)
      .offset((query.page - 1) * query.size)
      .execute()
    const { total } = await rows.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
    return {
      list: list.map((row) => ({
        id: row.id,
        at: formatInstant(row.at),
        account: row.account,
        userName: row.userName,
        groupName: row.groupName,
        action: row.action,
        summary: row.summary,
        objectId: row.objectId,
        projectCode: row.projectCode,
        result: row.result,
        ip: row.ip,
      })),
      total,
    }
  })
}

function toRole(row: {
  id: string
  name: string
  groupsType: number
  builtIn: boolean
  codes: string[]
  remark: string
  createTime: Date
  userCount: number | null
}) {
  return {
    id: row.id,
    name: row.name,
    groupsType: row.groupsType,
    builtIn: row.builtIn,
    codes: row.codes,
    remark: row.remark,
    userCount: Number(row.userCount ?? 0),
    createTime: formatInstant(row.createTime),
  }
}

/** The platform sees whether the account works at all, a group whether it works there. */
const enabledIn = (ctx: Pick<Context, 'group'>) =>
  ctx.group.type === groupTypes.platform
    ? sql<string>`u.enable`
    : sql<string>`case when u.enable = '1' and m.enable = '1' then '1' else '0' end`

/** Nobody grants what he does not hold. */
function requireHeld(ctx: Pick<Context, 'codes'>, codes: readonly string[]): void {
  for (const code of codes) {
    if (!isPermissionCode(code)) throw new AppError('invalidInput', `没有这个权限：${code}`, { field: 'codes' })
    if (!ctx.codes.has(code)) throw new AppError('forbidden', `您没有“${permissionName(code)}”（${code}），不能授予他人`, { code })
  }
}

async function ownRole(ctx: Context, id: string) {
  const role = found(await ctx.db.selectFrom('role').selectAll().where('id', '=', id).executeTakeFirst(), '角色')
  if (role.builtIn || role.groupId !== ctx.group.id) throw new AppError('refused', '系统内置角色不能修改，请复制后再改')
  return role
}

async function saveRole(save: () => Promise<unknown>): Promise<void> {
  try {
    await save()
  } catch (error) {
    if (isUniqueViolation(error, 'role_name')) throw new AppError('refused', '角色名称已存在', { field: 'name' })
    throw error
  }
}

const symmetricDifference = (a: readonly string[], b: readonly string[]) => [
  ...a.filter((c) => !b.includes(c)),
  ...b.filter((c) => !a.includes(c)),
]

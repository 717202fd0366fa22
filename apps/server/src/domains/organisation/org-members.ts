import { isOn } from '@zhugong/contract/kit/enable'
import { codesOf } from '@zhugong/contract/kit/endpoint'
import { AppError } from '@zhugong/contract/kit/errors'
import * as contract from '@zhugong/contract/organisation/org'
import { sql } from 'kysely'
import { changeRow } from '#kit/change-row'
import type { Context } from '#kit/context'
import { condition, pageSlice } from '#kit/list'
import type { HandlerOf, Serve } from '#kit/serve'
import { dismiss, enrolAccount, ownMember, usualEnd } from '../access/public.ts'
import {
  countMembers,
  type MemberQuery,
  memberConditions,
  memberOrder,
  members,
  type RawMember,
  toMember,
  viewConditions,
} from './org-rows.ts'
import { rolesOfPost } from './org-rules.ts'

export function orgMemberRoutes(serve: Serve) {
  serve(contract.listOrgMembers, ({ query }, ctx) => findMembers(ctx, query))
  serve(contract.listOrgMembersOf, ({ params, query }, ctx) => findMembers(ctx, { ...query, view: params.type }))
  serve(contract.orgPeopleTree, peopleTree)
  serve(contract.addOrgUser, addUser)
  serve(contract.addOrgMembers, addMembers)
  serve(contract.changeOrgPosts, changePosts)
  serve(contract.removeOrgMembers, removeMembers)
  serve(contract.updateOrgMember, updateMember)
  serve(contract.leaveGroup, leaveGroup)
}

async function findMembers(ctx: Context, query: MemberQuery & { page: number; size: number }) {
  const where = memberConditions(ctx, query)
  const { limit, offset } = pageSlice(query)
  const { rows } = await sql<RawMember>`
    select * from (${members(ctx)}) m where ${where} order by ${memberOrder(query)} limit ${limit} offset ${offset}`.execute(ctx.db)
  return { list: rows.map(toMember), total: await countMembers(ctx, where) }
}

/** The figures above the list; each equals the list of its view. */
export async function memberFigures(ctx: Context) {
  const { unplaced, dormant, several } = viewConditions(ctx)
  return {
    people: await countMembers(ctx, condition(sql`true`)),
    unplaced: await countMembers(ctx, unplaced),
    dormant: await countMembers(ctx, dormant),
    several: await countMembers(ctx, several),
  }
}

const peopleTree: HandlerOf<typeof contract.orgPeopleTree> = async (_, ctx) => {
  const { rows: nodes } = await sql<{ id: string; parentId: string | null; name: string }>`
    select id, parent_id, name from org_node where group_id = ${ctx.group.id} order by sort, id`.execute(ctx.db)
  const { rows: people } = await sql<{ orgId: string; memberId: string; post: string; name: string }>`
    select o.org_id, o.member_id, o.post, u.name from org_member o join member m on m.id = o.member_id join app_user u on u.id = m.user_id
    where o.group_id = ${ctx.group.id} order by o.is_head desc, o.post, u.name`.execute(ctx.db)
  const inside = Map.groupBy(people, (p) => p.orgId)
  const below = Map.groupBy(nodes, (n) => n.parentId)
  const draw = (parentId: string | null): contract.PeopleNode[] =>
    (below.get(parentId) ?? []).map((n) => ({
      key: n.id,
      title: n.name,
      kind: 'org' as const,
      post: null,
      children: [
        ...(inside.get(n.id) ?? []).map((p) => ({
          key: `${n.id}:${p.memberId}`,
          title: p.name,
          kind: 'member' as const,
          post: p.post || null,
          children: [],
        })),
        ...draw(n.id),
      ],
    }))
  return { tree: draw(null) }
}

const addUser: HandlerOf<typeof contract.addOrgUser> = async ({ body }, ctx) => {
  const node = await openNode(ctx, body.orgId, 'orgId')
  const { memberId, requestId, name } = await enrolAccount(ctx, body.account, {
    roleIds: body.roleIds.length > 0 ? body.roleIds : await rolesOfPost(ctx, body.post),
    deadline: await usualEnd(ctx, null),
    needs: codesOf(contract.addOrgUser),
  })
  if (memberId === undefined) {
    ctx.note(`邀请 ${name} 加入本组`, requestId)
    return { id: requestId, name, pending: true }
  }
  if (await isIn(ctx, node.id, memberId)) throw new AppError('refused', `“${name}”已在“${node.name}”`, { field: 'account' })
  await place(ctx, node.id, [memberId], { post: body.post, isHead: body.isHead })
  ctx.note(`部门 ${node.name} 添加 ${name}`, memberId)
  return { id: memberId, name, pending: false }
}

const addMembers: HandlerOf<typeof contract.addOrgMembers> = async ({ body }, ctx) => {
  const node = await openNode(ctx, body.orgId, 'orgId')
  await requireMembers(ctx, body.memberIds)
  await place(ctx, node.id, body.memberIds, { post: body.post })
  ctx.note(`部门 ${node.name} 添加 ${body.memberIds.length} 人`, [node.id, ...new Set(body.memberIds)])
  return undefined
}

const changePosts: HandlerOf<typeof contract.changeOrgPosts> = async ({ body }, ctx) => {
  const from = await getNode(ctx, body.orgId, 'orgId')
  const to = body.toOrgId ? await openNode(ctx, body.toOrgId, 'toOrgId') : from
  await requirePlaced(ctx, from, body.memberIds)
  if (to.id === from.id) {
    await ctx.db
      .updateTable('orgMember')
      .set((eb) => ({ post: body.post, version: eb('version', '+', 1) }))
      .where('orgId', '=', from.id)
      .where('memberId', 'in', body.memberIds)
      .execute()
  } else {
    await take(ctx, from.id, body.memberIds)
    await place(ctx, to.id, body.memberIds, { post: body.post })
  }
  ctx.note(`调岗 ${body.memberIds.length} 人：${from.name} → ${to.name}`, [to.id, ...new Set(body.memberIds)])
  return undefined
}

const removeMembers: HandlerOf<typeof contract.removeOrgMembers> = async ({ body }, ctx) => {
  if (!body.orgId) {
    if (body.memberIds.includes(await ownMember(ctx))) throw new AppError('refused', '不能移出自己，请用“退出本组”', { field: 'memberIds' })
    const names = await dismiss(ctx, body.memberIds)
    ctx.note(`移出本组：${names.join('、')}`, [...new Set(body.memberIds)])
    return undefined
  }
  const node = await getNode(ctx, body.orgId, 'orgId')
  await requirePlaced(ctx, node, body.memberIds)
  await take(ctx, node.id, body.memberIds)
  ctx.note(`部门 ${node.name} 移出 ${body.memberIds.length} 人`, [node.id, ...new Set(body.memberIds)])
  return undefined
}

const updateMember: HandlerOf<typeof contract.updateOrgMember> = async ({ params, body }, ctx) => {
  const node = await getNode(ctx, body.orgId, 'orgId')
  await requirePlaced(ctx, node, [params.id])
  await changeRow(ctx, 'orgMember', {
    key: { orgId: node.id, memberId: params.id },
    version: body.version,
    noun: '岗位',
    values: { post: body.post, isHead: body.isHead },
  })
  ctx.note(`修改部门 ${node.name} 人员的岗位`, params.id)
  return undefined
}

const leaveGroup: HandlerOf<typeof contract.leaveGroup> = async (_, ctx) => {
  await dismiss(ctx, [await ownMember(ctx)])
  ctx.note(`退出 ${ctx.group.name}`, ctx.user.id)
  return undefined
}

async function getNode(ctx: Context, id: string, field: string) {
  const row = await ctx.db
    .selectFrom('orgNode')
    .select(['id', 'name', 'enable', 'parentId'])
    .where('id', '=', id)
    .where('groupId', '=', ctx.group.id)
    .executeTakeFirst()
  if (!row) throw new AppError('notFound', '部门不存在或已删除', { field })
  return row
}

/** A department that accepts members: neither it nor any above it may be closed. */
async function openNode(ctx: Context, id: string, field: string) {
  const node = await getNode(ctx, id, field)
  for (let at: typeof node | undefined = node; at; at = at.parentId ? await getNode(ctx, at.parentId, field) : undefined)
    if (!isOn(at.enable)) throw new AppError('refused', `部门“${at.name}”已停用，不能加入人员`, { field })
  return node
}

async function requireMembers(ctx: Context, ids: readonly string[]): Promise<void> {
  const rows = await ctx.db
    .selectFrom('member')
    .select('id')
    .where('groupId', '=', ctx.group.id)
    .where('id', 'in', [...ids])
    .execute()
  if (rows.length !== new Set(ids).size) throw new AppError('notFound', '人员不在本组', { field: 'memberIds' })
}

const placed = (ctx: Context, orgId: string, ids: readonly string[]) =>
  ctx.db
    .selectFrom('orgMember')
    .select('memberId')
    .where('groupId', '=', ctx.group.id)
    .where('orgId', '=', orgId)
    .where('memberId', 'in', [...ids])
    .execute()

async function requirePlaced(ctx: Context, node: { id: string; name: string }, ids: readonly string[]): Promise<void> {
  if ((await placed(ctx, node.id, ids)).length !== new Set(ids).size)
    throw new AppError('notFound', `所选人员已不在“${node.name}”，请刷新后重试`, { field: 'memberIds' })
}

const isIn = async (ctx: Context, orgId: string, id: string) => (await placed(ctx, orgId, [id])).length > 0

/** Existing members keep their place. */
async function place(ctx: Context, orgId: string, ids: readonly string[], as: { post: string; isHead?: boolean }): Promise<void> {
  const rows = [...new Set(ids)].map((memberId) => ({ groupId: ctx.group.id, orgId, memberId, ...as }))
  await ctx.db
    .insertInto('orgMember')
    .values(rows)
    .onConflict((oc) => oc.doNothing())
    .execute()
}

const take = (ctx: Context, orgId: string, ids: readonly string[]) =>
  ctx.db
    .deleteFrom('orgMember')
    .where('orgId', '=', orgId)
    .where('memberId', 'in', [...ids])
    .execute()

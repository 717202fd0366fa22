import { AppError } from '@zhugong/contract/kit/errors'
import * as contract from '@zhugong/contract/organisation/org'
import { sql } from 'kysely'
import { changeRow, conflictOf } from '#kit/change-row'
import { type Context, found, groupTypes, requireProject } from '#kit/context'
import type { Row } from '#kit/db'
import { allOf, contains, equals, pageSlice } from '#kit/list'
import { pick } from '#kit/pick'
import type { HandlerOf, Serve } from '#kit/serve'
import { memberFigures } from './org-members.ts'
import { ancestorsOf, branch, mergeOf, named, nodeOf, orderAfter, requirePlace, requireRoom, toTree } from './tree.ts'

export function orgRoutes(serve: Serve) {
  serve(contract.orgTree, async (_, ctx) => ({
    tree: toTree<RawNode, contract.OrgNode>(await readNodes(ctx), toPlain),
    figures: await memberFigures(ctx),
  }))
  serve(contract.listOrgs, listOrgs)
  serve(contract.createOrg, createOrg)
  serve(contract.updateOrg, updateOrg)
  serve(contract.removeOrg, removeOrg)
  serve(contract.refreshOrg, refreshOrg)
  serve(contract.orgAncestors, orgAncestors)
}

const kind = { thing: '部门', maxDepth: contract.maxDepth }

type RawNode = Row<'orgNode'> & { path: string; depth: number; heads: string[]; own: number; people: number }

/** All departments of the caller's group, with path and members. A person in several subdepartments of one department counts there once. */
const nodes = (ctx: Pick<Context, 'group'>) => sql`
  with recursive down as (
    select n.*, n.name as path, 1 as depth, lpad(n.sort::text, 6, '0') || n.id as place from org_node n
      where n.group_id = ${ctx.group.id} and n.parent_id is null
    union all
    select n.*, d.path || '/' || n.name, d.depth + 1, d.place || '/' || lpad(n.sort::text, 6, '0') || n.id
      from org_node n join down d on n.parent_id = d.id),
  up as (
    select id as org_id, id as above from down
    union all select u.org_id, n.parent_id from up u join org_node n on n.id = u.above where n.parent_id is not null),
  inside as (
    select u.above, count(distinct m.member_id)::int as people, (count(*) filter (where u.org_id = u.above))::int as own
    from up u join org_member m on m.org_id = u.org_id group by u.above),
  led as (
    select m.org_id, array_agg(a.name order by a.name) as heads from org_member m join member x on x.id = m.member_id
      join app_user a on a.id = x.user_id where m.group_id = ${ctx.group.id} and m.is_head group by m.org_id)
  select d.*, coalesce(i.people, 0) as people, coalesce(i.own, 0) as own, coalesce(l.heads, '{}') as heads
  from down d left join inside i on i.above = d.id left join led l on l.org_id = d.id`

async function readNodes(ctx: Pick<Context, 'db' | 'group'>): Promise<RawNode[]> {
  const { rows } = await sql<RawNode>`select * from (${nodes(ctx)}) n order by n.place`.execute(ctx.db)
  return rows
}

const listOrgs: HandlerOf<typeof contract.listOrgs> = async ({ query }, ctx) => {
  const where = allOf(...contains('n.name', query.name), ...equals('n.enable', query.enable))
  const { limit, offset } = pageSlice(query)
  const { rows } =
    await sql<RawNode>`select * from (${nodes(ctx)}) n where ${where} order by n.place limit ${limit} offset ${offset}`.execute(ctx.db)
  const total = await sql<{ n: number }>`select count(*)::int as n from (${nodes(ctx)}) n where ${where}`.execute(ctx.db)
  return { list: rows.map((n) => ({ ...toPlain(n), path: n.path })), total: total.rows[0]?.n ?? 0 }
}

const createOrg: HandlerOf<typeof contract.createOrg> = async ({ body }, ctx) => {
  await oneAfterTheOther(ctx)
  const all = await readNodes(ctx)
  if (all.length >= contract.maxDepartments)
    throw new AppError('refused', `一个组最多 ${contract.maxDepartments} 个部门，请先合并或删除不用的部门`)
  requireRoom(all, body.parentId, 1, kind)
  const sisters = all.filter((n) => n.parentId === body.parentId)
  const id = ctx.newId()
  const sort = Math.max(-1, ...sisters.map((n) => n.sort)) + 1
  await named(
    () =>
      ctx.db
        .insertInto('orgNode')
        .values({ id, groupId: ctx.group.id, ...body, sort })
        .execute(),
    kind,
  )
  ctx.note(`新增部门 ${body.name}`, id)
  return { id }
}

const updateOrg: HandlerOf<typeof contract.updateOrg> = async ({ params, query, body }, ctx) => {
  requireOwnProject(ctx, query.projectCode)
  await oneAfterTheOther(ctx)
  const all = await readNodes(ctx)
  const before = nodeOf(all, params.id, kind)
  if (before.version !== body.version) throw await conflictOf(ctx, 'orgNode', { id: before.id }, '部门')
  const parentId = body.parentId === undefined ? before.parentId : body.parentId
  if (parentId !== before.parentId) requirePlace(all, before, parentId, kind)
  const { position, version: _, ...change } = body
  await named(
    () => changeRow(ctx, 'orgNode', { key: { id: before.id }, version: before.version, noun: '部门', values: { ...change } }),
    kind,
  )
  const order = orderAfter(all, before, { parentId, position })
  if (order) await renumber(ctx, order)
  ctx.note(`修改部门 ${before.name}`, before.id)
  return undefined
}

const removeOrg: HandlerOf<typeof contract.removeOrg> = async ({ params, query }, ctx) => {
  requireOwnProject(ctx, query.projectCode)
  await oneAfterTheOther(ctx)
  const all = await readNodes(ctx)
  const node = nodeOf(all, params.id, kind)
  const children = all.filter((n) => n.parentId === node.id)
  if (query.moveTo) await moveAll(ctx, all, node, query.moveTo)
  else if (children.length || node.own) {
    const inside = [children.length && `${children.length} 个下级部门`, node.own && `${node.own} 人`].filter(Boolean).join('、')
    throw new AppError('refused', `“${node.name}”下还有${inside}，请先移走，或选择并入的部门`)
  }
  await ctx.db.deleteFrom('orgNode').where('id', '=', node.id).execute()
  const into = query.moveTo ? `，人员与下级并入 ${nodeOf(all, query.moveTo, kind).name}` : ''
  ctx.note(`删除部门 ${node.name}${into}`, node.id)
  return undefined
}

/** Moves subdepartments and members to another department; members of both keep their place in the target. */
async function moveAll(ctx: Context, all: readonly RawNode[], node: RawNode, moveTo: string): Promise<void> {
  const { target, order } = mergeOf(all, node, moveTo, kind)
  await ctx.db
    .updateTable('orgNode')
    .set((eb) => ({ parentId: target.id, version: eb('version', '+', 1) }))
    .where('parentId', '=', node.id)
    .execute()
  await renumber(ctx, order)
  await sql`insert into org_member (group_id, org_id, member_id, post, create_time)
    select group_id, ${target.id}, member_id, post, create_time from org_member where org_id = ${node.id}
    on conflict (org_id, member_id) do nothing`.execute(ctx.db)
  await ctx.db.deleteFrom('orgMember').where('orgId', '=', node.id).execute()
}

const refreshOrg: HandlerOf<typeof contract.refreshOrg> = async ({ params }, ctx) => {
  const all = await readNodes(ctx)
  const root = nodeOf(all, params.id, kind)
  const inside = branch(all, root.id)
  return found(
    toTree<RawNode, contract.OrgNode>(
      all.filter((n) => inside.has(n.id)),
      toPlain,
      root.parentId,
    )[0],
    '部门',
  )
}

const orgAncestors: HandlerOf<typeof contract.orgAncestors> = async ({ query }, ctx) => {
  const all = await readNodes(ctx)
  const list = ancestorsOf(all, query.id, kind).map(({ id, name }) => ({ id, name }))
  return { list, total: list.length }
}

/** Serialises changes of one group's tree, so that checks still hold at the write. */
const oneAfterTheOther = (ctx: Context) => sql`select pg_advisory_xact_lock(hashtextextended(${`org ${ctx.group.id}`}, 0))`.execute(ctx.db)

const renumber = (ctx: Context, ids: readonly string[]) =>
  sql`update org_node n set sort = o.place - 1 from unnest(${[...ids]}::text[]) with ordinality as o (id, place)
    where n.id = o.id and n.sort <> o.place - 1`.execute(ctx.db)

function requireOwnProject(ctx: Context, projectCode: string | undefined): void {
  if (!projectCode) return
  requireProject(ctx, projectCode)
  if (ctx.group.type !== groupTypes.project || ctx.group.code !== projectCode)
    throw new AppError('notFound', '此处只有本组的部门；请先切换到该项目', { field: 'projectCode' })
}

const toPlain = (n: RawNode) => ({
  ...pick(n, 'id', 'parentId', 'name', 'enable', 'heads', 'own', 'people', 'version'),
})

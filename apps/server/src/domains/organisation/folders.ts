import { isOn } from '@zhugong/contract/kit/enable'
import { AppError } from '@zhugong/contract/kit/errors'
import * as contract from '@zhugong/contract/organisation/project-groups'
import { sql } from 'kysely'
import { changeRow, conflictOf } from '#kit/change-row'
import { type Context, found, requireProject } from '#kit/context'
import { pageSlice } from '#kit/list'
import { pick } from '#kit/pick'
import { rowOf } from '#kit/row-of'
import type { HandlerOf, Serve } from '#kit/serve'
import { requireFillable } from '../access/public.ts'
import {
  folderFigures,
  folderPage,
  folderProjectConditions,
  folderProjectOrder,
  folderProjects,
  type Looker,
  moduleName,
  projectsByFolder,
  type RawFolder,
  type RawFolderProject,
  readFolders,
  toFolderProject,
} from './folder-rows.ts'
import { branch, mergeOf, named, nodeOf, orderAfter, requirePlace, requireRoom, toTree } from './tree.ts'

/** Folders in which a group arranges its projects: branches, areas, lines of business. */
export function folderRoutes(serve: Serve) {
  serve(contract.folderTree, async ({ query }, ctx) => ({
    tree: toTree<RawFolder, contract.FolderNode>(await readFolders(ctx, query.module), toFolder),
    figures: await folderFigures(ctx, query.module),
  }))
  serve(contract.folderChildren, folderChildren)
  serve(contract.listFolders, listFolders)
  serve(contract.getFolder, getFolder)
  serve(contract.createFolder, createFolder)
  serve(contract.updateFolder, updateFolder)
  serve(contract.removeFolder, removeFolder)
  serve(contract.changeFolder, ({ body }, ctx) => moveProjects(ctx, body))
  serve(contract.addToFolder, async ({ body }, ctx) => moveProjects(ctx, { ...body, module: (await ownFolder(ctx, body.groupId)).module }))
  serve(contract.removeFromFolder, ({ body }, ctx) => moveProjects(ctx, { ...body, groupId: null }))
  serve(contract.copyFolders, copyFolders)
  serve(contract.listFolderProjects, listFolderProjects)
}

const kind = { thing: '项目组', maxDepth: contract.maxFolderDepth }

const folderChildren: HandlerOf<typeof contract.folderChildren> = async ({ query }, ctx) => {
  const all = await readFolders(ctx, query.module)
  if (query.id) nodeOf(all, query.id, kind)
  const children = all.filter((n) => n.parentId === (query.id ?? null))
  const inFolder = await projectsByFolder(ctx, query.module)
  const list = children.map((child) => {
    const inside = branch(all, child.id)
    const rows = inFolder.filter((row) => inside.has(row.groupId))
    const byState: Record<string, number> = {}
    for (const row of rows) byState[row.prjStatus] = (byState[row.prjStatus] ?? 0) + row.projects
    const sum = (key: 'onSite' | 'openAlarms') => rows.reduce((total, row) => total + row[key], 0)
    return { ...toFolder(child), byState, onSite: sum('onSite'), openAlarms: sum('openAlarms') }
  })
  return { list, total: list.length }
}

const listFolders: HandlerOf<typeof contract.listFolders> = async ({ query }, ctx) => {
  const { rows, total } = await folderPage(ctx, query, pageSlice(query))
  return { list: rows.map((n) => ({ ...toFolder(n), path: n.path })), total }
}

const getFolder: HandlerOf<typeof contract.getFolder> = async ({ params }, ctx) => {
  const { module } = await ownFolder(ctx, params.id)
  const node = nodeOf(await readFolders(ctx, module), params.id, kind)
  return { ...toFolder(node), module, path: node.path }
}

const createFolder: HandlerOf<typeof contract.createFolder> = async ({ body }, ctx) => {
  await oneAfterTheOther(ctx)
  const all = await readFolders(ctx, body.module)
  if (all.length >= contract.maxFolders) throw new AppError('refused', `一个模块最多 ${contract.maxFolders} 个项目组，请先合并或删除不用的`)
  requireRoom(all, body.parentId, 1, kind)
  await requireMember(ctx, body.headId)
  const id = ctx.newId()
  const sort = Math.max(-1, ...all.filter((n) => n.parentId === body.parentId).map((n) => n.sort)) + 1
  await named(
    () =>
      ctx.db
        .insertInto('projectGroup')
        .values({ id, groupId: ctx.group.id, ...body, headId: body.headId ?? null, sort })
        .execute(),
    kind,
  )
  ctx.note(`新增项目组 ${body.name}`, id)
  return { id }
}

const updateFolder: HandlerOf<typeof contract.updateFolder> = async ({ params, body }, ctx) => {
  await oneAfterTheOther(ctx)
  const all = await readFolders(ctx, (await ownFolder(ctx, params.id)).module)
  const before = nodeOf(all, params.id, kind)
  if (before.version !== body.version) throw await conflictOf(ctx, 'projectGroup', { id: before.id }, '项目组')
  const parentId = body.parentId === undefined ? before.parentId : body.parentId
  if (parentId !== before.parentId) requirePlace(all, before, parentId, kind)
  if (parentId && parentId !== before.parentId) await requireFillable(ctx, parentId, await projectsBelow(ctx, all, before.id))
  await requireMember(ctx, body.headId)
  const { position, version: _, ...change } = body
  await named(
    () =>
      changeRow(ctx, 'projectGroup', {
        key: { id: before.id },
        version: before.version,
        noun: '分组',
        values: { ...change, updateTime: new Date(ctx.clock.now()) },
      }),
    kind,
  )
  const order = orderAfter(all, before, { parentId, position })
  if (order) await renumber(ctx, order)
  ctx.note(`修改项目组 ${before.name}`, before.id)
  return undefined
}

const removeFolder: HandlerOf<typeof contract.removeFolder> = async ({ params, query }, ctx) => {
  await oneAfterTheOther(ctx)
  const all = await readFolders(ctx, (await ownFolder(ctx, params.id)).module)
  const node = nodeOf(all, params.id, kind)
  if (query.moveTo) await mergeInto(ctx, all, node, query.moveTo)
  else await requireEmpty(ctx, all, node)
  await ctx.db.deleteFrom('projectGroup').where('id', '=', node.id).execute()
  const into = query.moveTo ? `，项目与下级并入 ${nodeOf(all, query.moveTo, kind).name}` : ''
  ctx.note(`删除项目组 ${node.name}${into}`, node.id)
  return undefined
}

/** Projects outside the caller's scope count too, so that none loses its folder unnoticed. */
async function requireEmpty(ctx: Context, all: readonly RawFolder[], node: RawFolder): Promise<void> {
  const children = all.filter((n) => n.parentId === node.id).length
  const { n: own } = await ctx.db
    .selectFrom('projectGroupItem')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('projectGroupId', '=', node.id)
    .executeTakeFirstOrThrow()
  if (!children && !own) return
  const inside = [children && `${children} 个下级项目组`, own && `${own} 个项目`].filter(Boolean).join('、')
  throw new AppError('refused', `“${node.name}”下还有${inside}，请先移走，或选择并入的项目组`)
}

async function mergeInto(ctx: Context, all: readonly RawFolder[], node: RawFolder, moveTo: string): Promise<void> {
  const { target, order } = mergeOf(all, node, moveTo, kind)
  requireOpen(target)
  await requireFillable(ctx, target.id, await projectsBelow(ctx, all, node.id))
  await ctx.db
    .updateTable('projectGroup')
    .set((eb) => ({ parentId: target.id, version: eb('version', '+', 1) }))
    .where('parentId', '=', node.id)
    .execute()
  await renumber(ctx, order)
  await ctx.db.updateTable('projectGroupItem').set({ projectGroupId: target.id }).where('projectGroupId', '=', node.id).execute()
}

/** The projects in a folder and its subfolders, including those outside the caller's scope; they move with it. */
async function projectsBelow(ctx: Context, all: readonly RawFolder[], id: string): Promise<string[]> {
  const rows = await ctx.db
    .selectFrom('projectGroupItem')
    .select('projectCode')
    .where('projectGroupId', 'in', [...branch(all, id)])
    .execute()
  return rows.map((row) => row.projectCode)
}

interface Move {
  module: contract.FolderModule | (string & {})
  projectCodes: readonly string[]
  /** Null removes the projects from their folder. */
  groupId: string | null
}

async function moveProjects(ctx: Context, { module, projectCodes, groupId }: Move): Promise<{ moved: number }> {
  const codes = [...new Set(projectCodes)]
  await requireProjects(ctx, codes)
  const target = groupId ? nodeOf(await readFolders(ctx, module), groupId, kind, 'groupId') : undefined
  if (target) requireOpen(target)
  const staying = target
    ? await ctx.db
        .selectFrom('projectGroupItem')
        .select('projectCode')
        .where('projectGroupId', '=', target.id)
        .where('projectCode', 'in', codes)
        .execute()
    : []
  const moving = codes.filter((code) => !staying.some((one) => one.projectCode === code))
  if (moving.length === 0) return { moved: 0 }
  if (target) await requireFillable(ctx, target.id, moving)
  const gone = await ctx.db
    .deleteFrom('projectGroupItem')
    .where('groupId', '=', ctx.group.id)
    .where('module', '=', module)
    .where('projectCode', 'in', moving)
    .executeTakeFirst()
  if (target)
    await ctx.db
      .insertInto('projectGroupItem')
      .values(moving.map((projectCode) => ({ projectGroupId: target.id, projectCode, joinTime: new Date(ctx.clock.now()) })))
      .execute()
  const moved = target ? moving.length : Number(gone.numDeletedRows)
  ctx.note(target ? `${moved} 个项目加入项目组 ${target.name}` : `${moved} 个项目移出项目组（${moduleName(module)}）`, target?.id)
  return { moved }
}

const copyFolders: HandlerOf<typeof contract.copyFolders> = async ({ body }, ctx) => {
  await oneAfterTheOther(ctx)
  const [from, to] = [await readFolders(ctx, body.from), await readFolders(ctx, body.to)]
  if (from.length === 0) throw new AppError('refused', `${moduleName(body.from)}还没有项目组`, { field: 'from' })
  if (to.length > 0) throw new AppError('refused', `${moduleName(body.to)}已有项目组，不能再复制`, { field: 'to' })
  const ids = new Map(from.map((n) => [n.id, ctx.newId()]))
  // Parents before children, one statement each: the tree's trigger checks existing rows.
  for (const n of from)
    await ctx.db
      .insertInto('projectGroup')
      .values({
        id: ids.get(n.id) ?? '',
        groupId: ctx.group.id,
        module: body.to,
        parentId: n.parentId && (ids.get(n.parentId) ?? null),
        ...pick(n, 'name', 'sort', 'enable', 'headId'),
      })
      .execute()
  await sql`insert into project_group_item (project_group_id, project_code)
    select o.new, i.project_code from project_group_item i
      join unnest(${[...ids.keys()]}::text[], ${[...ids.values()]}::text[]) as o (old, new) on o.old = i.project_group_id`.execute(ctx.db)
  ctx.note(`复制项目组树：${moduleName(body.from)} 到 ${moduleName(body.to)}`)
  return { folders: from.length }
}

const listFolderProjects: HandlerOf<typeof contract.listFolderProjects> = async ({ query }, ctx) => {
  const where = folderProjectConditions(query, await lookedAt(ctx, query))
  const { limit, offset } = pageSlice(query)
  const from = sql`(${folderProjects(ctx, query.module)}) p where ${where}`
  const { rows } =
    await sql<RawFolderProject>`select * from ${from} order by ${folderProjectOrder(query.sort)} limit ${limit} offset ${offset}`.execute(
      ctx.db,
    )
  const total = await sql<{ n: number }>`select count(*)::int as n from ${from}`.execute(ctx.db)
  return { list: rows.map(toFolderProject), total: total.rows[0]?.n ?? 0 }
}

/** The folders whose projects are requested; undefined for all. */
export async function lookedAt(
  ctx: Looker,
  { module, groupId, below }: { module: string; groupId?: string | undefined; below?: boolean | undefined },
): Promise<readonly string[] | undefined> {
  if (!groupId) return undefined
  const all = await readFolders(ctx, module)
  const node = nodeOf(all, groupId, kind, 'groupId')
  return below === false ? [node.id] : [...branch(all, node.id)]
}

/** Serialises changes of one group's folders, so that checks still hold at the write. */
const oneAfterTheOther = (ctx: Context) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`folder ${ctx.group.id}`}, 0))`.execute(ctx.db)

const renumber = (ctx: Context, ids: readonly string[]) =>
  sql`update project_group n set sort = o.place - 1 from unnest(${[...ids]}::text[]) with ordinality as o (id, place)
    where n.id = o.id and n.sort <> o.place - 1`.execute(ctx.db)

/** The platform can read the folders of other groups but may change only its own. */
async function ownFolder(ctx: Pick<Context, 'db' | 'group'>, id: string) {
  const row = await ctx.db
    .selectFrom('projectGroup')
    .select(['id', 'module'])
    .where('id', '=', id)
    .where('groupId', '=', ctx.group.id)
    .executeTakeFirst()
  return found(row, '项目组')
}

/** Refuses projects outside the caller's scope, or hidden by row-level security. */
async function requireProjects(ctx: Context, codes: readonly string[]): Promise<void> {
  for (const code of codes) requireProject(ctx, code)
  const seen = await ctx.db.selectFrom('project').select('projectCode').where('projectCode', 'in', codes).execute()
  if (seen.length < codes.length) throw new AppError('notFound', '项目不存在或不在您的管辖范围内', { field: 'projectCodes' })
}

async function requireMember(ctx: Pick<Context, 'db' | 'group'>, id: string | null | undefined): Promise<void> {
  if (!id) return
  const row = await ctx.db.selectFrom('member').select('id').where('id', '=', id).where('groupId', '=', ctx.group.id).executeTakeFirst()
  if (!row) throw new AppError('notFound', '负责人不是本组成员', { field: 'headId' })
}

function requireOpen(target: Pick<RawFolder, 'name' | 'enable'>): void {
  if (!isOn(target.enable)) throw new AppError('refused', `项目组“${target.name}”已停用，不能加入项目`, { field: 'groupId' })
}

const toFolder = (n: RawFolder): contract.Folder => rowOf(contract.folder, n, {})

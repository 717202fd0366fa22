import type * as contract from '@zhugong/contract/documents/calls'
import { type DocumentRow, documentRow, lookKinds } from '@zhugong/contract/documents/calls'
import { dataStateNames, type GrantLevel, grantLevels, grantNames, quotaBytes } from '@zhugong/contract/documents/moves'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import { type Context, found, projectsFor } from '#kit/context'
import {
  allOf,
  anyOf,
  anywhere,
  type Condition,
  condition,
  contains,
  filtersOf,
  inProjects,
  instantsBetween,
  orderBy,
  pageSlice,
} from '#kit/list'
import { pick } from '#kit/pick'
import { rowOf } from '#kit/row-of'
import { seesProject } from '#kit/sees-project'
import type { HandlerOf } from '#kit/serve'
import { folderOf, insidePlace, readKnown, rootOf, scopeOf } from './places.ts'
import { actionsOf, gateLevel, type Known, keptBecause, rootLevel } from './rights.ts'

type Query = Partial<NonNullable<(typeof contract.listDocuments)['types']>['parsed']['query']>
export type Reader = Pick<Context, 'db' | 'user' | 'group' | 'codes' | 'scope' | 'scopeChecks'>

type Raw = Known & { projectName: string | null; starred: boolean; shareTo: string[] }
const mostNames = 20

/** All of one's own, those of visible projects, what was shared, used or marked. */
function inSpace(ctx: Reader, { space = 'own', projectCode, parentId, keyword }: Query): Condition {
  const scope = allOf(...inProjects('d.projectCode', projectsFor(ctx, projectCode)))
  if (parentId) return keyword ? condition(sql`d.ancestors @> ${[parentId]}::text[]`) : condition(sql`d.place = ${parentId}`)
  const own = { projectCode: null, homeUser: ctx.user.id, groupId: ctx.group.id }
  const nobody = sql`(d.project_code is null or ${scope})`
  if (space === 'own')
    return condition(keyword ? sql`d.home_user = ${ctx.user.id} and d.group_id = ${ctx.group.id}` : sql`d.place = ${rootOf(own)}`)
  if (space === 'project') return condition(sql`d.project_code is not null and ${scope} ${keyword ? sql`` : sql`and d.parent_id is null`}`)
  if (space === 'shared')
    return condition(sql`d.id in (select x.document_id from document_grant x where x.user_id = ${ctx.user.id}
      or x.role_id = any ((select zg_document_roles())::text[])) and d.owner_id <> ${ctx.user.id} and ${nobody}`)
  if (space === 'starred')
    return condition(sql`d.id in (select s.document_id from document_star s where s.user_id = ${ctx.user.id}) and ${nobody}`)
  return condition(sql`d.id in (select k.document_id from document_look k where k.by_id = ${ctx.user.id}
    order by k.at desc limit ${mostRecent}) and not d.is_dir and ${nobody}`)
}
const mostRecent = 200

function conditions(ctx: Reader, query: Query): Condition {
  const found_ = (word: string) => {
    const like = anywhere(word)
    return condition(sql`(d.name ilike ${like} or d.path ilike ${like})`)
  }
  return allOf(
    condition(sql`d.deleted_at is null`),
    inSpace(ctx, query),
    filtersOf(query, {
      projectCode: 'elsewhere',
      space: 'elsewhere',
      parentId: 'elsewhere',
      keyword: found_,
      name: [contains, 'd.name'],
      owner: [contains, 'd.ownerName'],
      security: [anyOf, 'd.security'],
      category: [anyOf, 'd.category'],
      updateTime: [instantsBetween, 'd.updateTime'],
    }),
  )
}

export async function readRows(
  ctx: Reader,
  where: Condition,
  { sort, limit, offset = 0 }: { sort?: Query['sort']; limit?: number; offset?: number } = {},
): Promise<DocumentRow[]> {
  const order = orderBy(sort, { name: 'd.name', size: 'd.size', updateTime: 'd.updateTime!' }, '-updateTime', 'd.id')
  // The page is cut before its rows are furnished.
  const { rows } = await sql<Raw>`select d.*, j.name as project_name, ${gateLevel(ctx)} as gate_level,
      exists (select from document_star s where s.user_id = ${ctx.user.id} and s.document_id = d.id) as starred,
      array(select x.name from document_grant x where x.document_id = d.id and x.user_id is distinct from d.owner_id
        order by x.name limit ${mostNames}) as share_to
    from (select * from document d where ${where} order by d.is_dir desc, ${order}
      ${limit === undefined ? sql`` : sql`limit ${limit} offset ${offset}`}) d
    left join project j on j.project_code = d.project_code order by d.is_dir desc, ${order}`.execute(ctx.db)
  return rows.map((raw) => toRow(ctx, raw))
}

const toRow = (ctx: Reader, raw: Raw): DocumentRow =>
  rowOf(documentRow, raw, {
    securityName: dictName('docSecurityLevel', raw.security) ?? raw.security,
    categoryName: dictName('documentCategory', raw.category) ?? raw.category,
    mine: raw.ownerId === ctx.user.id,
    updateTime: formatInstant(raw.updateTime),
    closed: raw.gates.length > 0,
    dataStateName: dataStateNames[raw.dataState],
    actions: actionsOf(ctx, raw),
    kept: keptBecause(raw),
  })

export async function countRows(ctx: Pick<Context, 'db'>, where: Condition): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from document d where ${where}`.execute(ctx.db)
  return rows[0]?.n ?? 0
}

/** Rows of the list with its filters, for list and export. */
export const listed = (ctx: Reader, query: Query) => conditions(ctx, query)

export async function quotaOf(ctx: Pick<Context, 'db' | 'group'>): Promise<{ used: number; most: number }> {
  const { rows } = await sql<{ bytes: number }>`select u.bytes from document_use u where u.group_id = ${ctx.group.id}`.execute(ctx.db)
  return { used: Number(rows[0]?.bytes ?? 0), most: quotaBytes[ctx.group.type] ?? 0 }
}

export const listDocuments: HandlerOf<typeof contract.listDocuments> = async ({ query }, ctx) => {
  await seesProject(ctx, query.projectCode)
  const where = conditions(ctx, query)
  const folder = query.parentId ? folderOf(await readKnown(ctx, query.parentId)) : undefined
  const names = folder
    ? await sql<{ id: string; name: string }>`select d.id, d.name from document d where d.id = any (${folder.ancestors})
        order by cardinality(d.ancestors)`.execute(ctx.db)
    : { rows: [] }
  return {
    list: await readRows(ctx, where, { sort: query.sort, ...pageSlice(query) }),
    total: await countRows(ctx, where),
    trail: folder ? [...names.rows, { id: folder.id, name: folder.name }] : [],
    adds: addsOf(ctx, query, folder),
    quota: await quotaOf(ctx),
  }
}

function addsOf(ctx: Context, { space, projectCode }: Query, folder: Known | undefined): string[] {
  if (folder) return actionsOf(ctx, folder).filter((action) => action === 'folder' || action === 'upload')
  const isOne = projectCode !== '*'
  const mayAdd = space === 'own' || (space === 'project' && isOne && rootLevel(ctx, projectCode ?? null) >= grantLevels.upload)
  return mayAdd && ctx.codes.has('documents.upload') ? ['folder', 'upload'] : []
}

const mostFolders = 1000
const mostProjects = 500

export const listDocumentFolders: HandlerOf<typeof contract.listDocumentFolders> = async ({ query: { space, projectCode } }, ctx) => {
  await seesProject(ctx, projectCode)
  const isEvery = space === 'project' && projectCode === '*'
  const scope = allOf(...inProjects('j.projectCode', projectsFor(ctx, projectCode)))
  const projects = isEvery
    ? await sql<{ projectCode: string; name: string }>`select j.project_code, j.name from project j where ${scope}
        and exists (select from document d where d.project_code = j.project_code and d.deleted_at is null)
        order by j.name limit ${mostProjects}`.execute(ctx.db)
    : { rows: [] }
  const of =
    space === 'own'
      ? sql`d.home_user = ${ctx.user.id} and d.group_id = ${ctx.group.id}`
      : sql`${allOf(...inProjects('d.projectCode', projectsFor(ctx, projectCode)))}`
  const { rows } = isEvery
    ? { rows: [] }
    : await sql<Known>`select d.*, ${gateLevel(ctx)} as gate_level from document d
        where ${of} and d.is_dir and d.deleted_at is null order by cardinality(d.ancestors), d.name limit ${mostFolders + 1}`.execute(
        ctx.db,
      )
  const shown = rows.slice(0, mostFolders)
  return {
    folders: shown.map((one) => ({
      ...pick(one, 'id', 'parentId', 'name'),
      adds: insidePlace(ctx, one).level >= grantLevels.upload,
    })),
    more: rows.length > mostFolders,
    projects: projects.rows,
  }
}

const mostLooks = 20

export const readDocument: HandlerOf<typeof contract.getDocument> = async ({ params: { id }, query }, ctx) => {
  await seesProject(ctx, query.projectCode)
  const where = allOf(condition(sql`d.id = ${id} and d.deleted_at is null`), scopeOf(ctx))
  const row = found((await readRows(ctx, where, { limit: 1 }))[0], '文档')
  const times = await sql<{ createTime: Date }>`select d.create_time from document d where d.id = ${id}`.execute(ctx.db)
  const versions = await sql<{ no: number; name: string; size: number; byName: string; at: Date; fromNo: number | null }>`
    select v.no, v.name, v.size, v.by_name, v.at, v.from_no from document_version v where v.document_id = ${id} order by v.no desc`.execute(
    ctx.db,
  )
  const mayManage = row.mine || row.actions.includes('share')
  const looks = mayManage
    ? await sql<{
        id: string
        byName: string
        groupName: string
        what: keyof typeof lookKinds
        at: Date
      }>`select k.id, k.by_name, k.group_name,
        k.what, k.at from document_look k where k.document_id = ${id} order by k.at desc limit ${mostLooks}`.execute(ctx.db)
    : { rows: [] }
  const n = await sql<{ n: number }>`select count(*)::int as n from document_look k where k.document_id = ${id}`.execute(ctx.db)
  return {
    ...row,
    createTime: formatInstant(times.rows[0]?.createTime ?? 0),
    versions: versions.rows.map((v) => ({ ...v, size: Number(v.size), at: formatInstant(v.at), current: v.no === row.versionNo })),
    grants: await grantsOf(ctx, id),
    looks: looks.rows.map(({ what, at, ...look }) => ({ ...look, label: lookKinds[what], at: formatInstant(at) })),
    lookCount: n.rows[0]?.n ?? 0,
  }
}

export async function grantsOf(ctx: Pick<Context, 'db'>, id: string): Promise<contract.Grant[]> {
  const { rows } = await sql<{ userId: string | null; roleId: string | null; name: string; level: GrantLevel }>`
    select x.user_id, x.role_id, x.name, x.level from document_grant x where x.document_id = ${id} order by x.level desc, x.name`.execute(
    ctx.db,
  )
  return rows.map(({ userId, roleId, name, level }) => ({
    kind: userId ? 'user' : 'role',
    id: userId ?? roleId ?? '',
    name,
    level,
    levelName: grantNames[level],
  }))
}

import * as contract from '@zhugong/contract/civil/library'
import { failDays, mostExtras } from '@zhugong/contract/civil/library'
import type { ParsedFor } from '@zhugong/contract/kit/endpoint'
import { AppError } from '@zhugong/contract/kit/errors'
import { dayMs } from '@zhugong/contract/kit/time'
import type { createCheckItem, listCivilItems } from '@zhugong/contract/scoring/library'
import { sql } from 'kysely'
import { changeRow } from '#kit/change-row'
import { formatDay } from '#kit/clock'
import { type Context, found, projectsFor } from '#kit/context'
import { isUniqueViolation } from '#kit/db'
import { allOf, inProjects } from '#kit/list'
import { seesProject } from '#kit/sees-project'
import type { HandlerOf, Serve } from '#kit/serve'
import { fileIdsOf, keptFiles, linkOf, linksOf } from '../files/public.ts'
import { registerCivilLibrary } from '../scoring/public.ts'
import { type Item, ownerOf, prefix, standardItems, standardRows, toItem, type Version, versionFor, versionsOf } from './library.ts'

export function civilLibraryRoutes(serve: Serve): void {
  registerCivilLibrary({ list: listItems, create: createItem })
  serve(contract.listCivilVersions, async ({ query }, ctx) => ({ list: await versionsOf(ctx, query.projectCode) }))
  serve(contract.createCivilVersion, createVersion)
  serve(contract.issueCivilVersion, issueVersion)
  serve(contract.removeCivilVersion, removeVersion)
  serve(contract.getCivilItem, readItem)
  serve(contract.changeCivilItem, changeItem)
}

type Query = ParsedFor<typeof listCivilItems>['query']
type Viewer = Pick<Context, 'db' | 'group' | 'clock' | 'scope' | 'scopeChecks'>

/** The version whose items are listed: the named one, or the one in force for the project; null: the dictionary. */
async function versionOf(ctx: Viewer, { versionId, projectCode }: Pick<Query, 'versionId' | 'projectCode'>): Promise<Version | null> {
  if (versionId) {
    const { rows } = await sql<Version>`select * from civil_version where id = ${versionId}`.execute(ctx.db)
    return found(rows[0], '标准版本')
  }
  const named = projectsFor(ctx, projectCode)
  if (named?.length === 1) return (await versionFor(ctx, named[0] ?? '', formatDay(ctx.clock.now()))) ?? null
  const inForce = (await versionsOf(ctx, projectCode)).find((one) => one.inForce)
  const { rows } = await sql<Version>`select * from civil_version where id = ${inForce?.id ?? ''}`.execute(ctx.db)
  return rows[0] ?? null
}

/** The items of a version and the extras the caller sees. A library has some dozens of them: filtered here. */
export async function readItems(ctx: Viewer, query: Query): Promise<contract.CivilItem[]> {
  const version = await versionOf(ctx, query)
  const projects = projectsFor(ctx, query.projectCode)
  const { rows } = await sql<Item>`select i.* from civil_item i where i.superseded_at is null and (i.version_id = ${version?.id ?? null}
      or i.version_id is null and (i.group_id = ${ctx.group.id} or i.owner = 'company'
        or i.owner = 'project' and ${allOf(...inProjects('i.ownerCode', projects))}))`.execute(ctx.db)
  const isDraft = version !== null && version.issuedAt === null
  const items = rows.map((row) => toItem(ctx, row, row.versionId === null || isDraft))
  const all = version === null ? [...standardRows(), ...items] : items
  const has = (text: string | null, part: string | undefined) => !part || (text ?? '').includes(part)
  const low = query.maxScore?.low ?? 0
  const high = query.maxScore?.high ?? Number.POSITIVE_INFINITY
  const kept = all.filter(
    (one) =>
      (!query.area?.length || query.area.includes(one.area)) &&
      has(one.itemCode, query.itemCode) &&
      has(one.name, query.name) &&
      has(one.rule, query.rule) &&
      one.maxScore >= low &&
      one.maxScore <= high &&
      (!query.phase?.length || one.phases.length === 0 || query.phase.some((phase) => one.phases.includes(phase))) &&
      (!query.owner?.length || query.owner.includes(one.owner)) &&
      (query.enable === undefined || query.enable === one.enable),
  )
  const sign = query.sort?.startsWith('-') ? -1 : 1
  const byScore = query.sort?.endsWith('maxScore') ?? false
  return kept.sort((a, b) => sign * ((byScore ? a.maxScore - b.maxScore : 0) || a.itemCode.localeCompare(b.itemCode)))
}

async function listItems(ctx: Viewer, query: Query) {
  const all = await readItems(ctx, query)
  const from = (query.page - 1) * query.size
  return { list: all.slice(from, from + query.size), total: all.length }
}

type Body = Extract<ParsedFor<typeof createCheckItem>['body'], { library: 'civil' }>

/** A new extra of the caller's group, or an item of its draft version. */
async function createItem(ctx: Context, { id = ctx.newId(), library: _library, versionId, part, ...fields }: Body) {
  const repeated = await sql<Item>`select * from civil_item where id = ${id} and group_id = ${ctx.group.id}`.execute(ctx.db)
  if (repeated.rows[0]) return { id, itemCode: repeated.rows[0].itemCode }
  if (versionId !== null) await draftVersion(ctx, versionId)
  await sql`select pg_advisory_xact_lock(hashtext(${`civil library ${ctx.group.id}`}))`.execute(ctx.db)
  const { rows } = await sql<{ itemCode: string; name: string }>`select item_code, name from civil_item
    where group_id = ${ctx.group.id} and version_id is not distinct from ${versionId} and superseded_at is null`.execute(ctx.db)
  if (versionId === null && rows.length >= mostExtras) throw new AppError('refused', `扩展检查项最多 ${mostExtras} 项`)
  if (rows.some((one) => one.name === fields.name)) throw new AppError('invalidInput', '已有同名检查项', { field: 'name' })
  const mark = ownerOf(ctx) === 'project' ? 'P' : ownerOf(ctx) === 'company' ? 'E' : 'S'
  const codes = new Set(rows.map((one) => one.itemCode))
  let n = 1
  while (codes.has(`${prefix}${part}-${mark}${n}`)) n++
  const itemCode = `${prefix}${part}-${mark}${n}`
  await ctx.db
    .insertInto('civilItem')
    .values({
      id,
      ...ownedBy(ctx),
      versionId,
      itemCode,
      part,
      ...fields,
      supersededAt: null,
      createBy: ctx.user.id,
      createTime: new Date(ctx.clock.now()),
    })
    .execute()
  ctx.note(`新增文明施工检查项 ${itemCode}`, id)
  return { id, itemCode }
}

const ownedBy = (ctx: Context) => ({ groupId: ctx.group.id, owner: ownerOf(ctx), ownerCode: ctx.group.code })

/** @throws AppError when it is not a draft of the caller's group */
async function draftVersion(ctx: Context, id: string): Promise<Version> {
  const { rows } = await sql<Version>`select * from civil_version where id = ${id} and group_id = ${ctx.group.id} for update`.execute(
    ctx.db,
  )
  const row = found(rows[0], '标准版本')
  if (row.issuedAt !== null) throw new AppError('refused', '已发布的版本不能修改，请复制为新版本')
  return row
}

const noun = '文明施工检查项'

const changeItem: HandlerOf<typeof contract.changeCivilItem> = async ({ params: { id }, query, body }, ctx) => {
  await seesProject(ctx, query.projectCode)
  const { rows } =
    await sql<Item>`select * from civil_item where id = ${id} and group_id = ${ctx.group.id} and superseded_at is null`.execute(ctx.db)
  const row = rows[0]
  if (!row) throw new AppError('notFound', '检查项不存在，或不是本机构的检查项')
  const put = (values: Partial<Item>) => changeRow(ctx, 'civilItem', { key: { id }, version: body.version, values, noun, by: ctx.user.id })
  if (body.action === 'examples') {
    const known = [...row.good, ...row.bad, ...(await picturesOf(ctx, row.itemCode)).map((one) => one.file)]
    await put({
      good: await keptFiles(ctx, fileIdsOf(body.good), known, 'good'),
      bad: await keptFiles(ctx, fileIdsOf(body.bad), known, 'bad'),
    })
    ctx.note(`修改示例照片 ${row.itemCode}`, id)
    return { id }
  }
  if (row.versionId !== null) await draftVersion(ctx, row.versionId)
  if (body.action !== 'edit') {
    await put({ enable: body.action === 'enable' })
    ctx.note(`${body.action === 'enable' ? '启用' : '停用'}${noun} ${row.itemCode}`, id)
    return { id }
  }
  const { action: _action, version: _version, ...fields } = body
  ctx.note(`修改${noun} ${row.itemCode}`, id)
  if (row.versionId !== null) {
    await put(fields)
    return { id }
  }
  await put({ supersededAt: new Date(ctx.clock.now()) })
  const next = ctx.newId()
  await ctx.db
    .insertInto('civilItem')
    .values({
      ...row,
      ...fields,
      id: next,
      revision: row.revision + 1,
      version: 0,
      createBy: ctx.user.id,
      createTime: new Date(ctx.clock.now()),
      updateBy: null,
      updateTime: null,
    })
    .execute()
  return { id: next }
}

const mostPictures = 24
/** Pictures of submitted walks at points where the item was judged, in the projects that the caller sees. */
async function picturesOf(ctx: Pick<Context, 'db' | 'scope' | 'scopeChecks'>, itemCode: string) {
  type Raw = { file: string; checkId: string; projectName: string; at: Date; right: boolean }
  const { rows } =
    await sql<Raw>`select s.photos[1] as file, s.check_id, j.name as project_name, c.check_time as at, r.result = '1' as right
    from check_result r join civil_shot s on s.sheet_id = r.sheet_id join site_check c on c.id = s.check_id join project j on j.project_code = c.project_code
    where r.item_code = ${itemCode} and c.state <> '0' and s.photos <> '{}' and r.result in ('1', '2')
      and ${allOf(...inProjects('s.projectCode', projectsFor(ctx, '*')))} order by r.result = '2' desc, c.check_time desc, s.sheet_id limit ${mostPictures}`.execute(
      ctx.db,
    )
  return rows
}

const readItem: HandlerOf<typeof contract.getCivilItem> = async ({ params: { id } }, ctx) => {
  const { rows } = await sql<Item>`select * from civil_item where id = ${id}`.execute(ctx.db)
  const row = found(rows[0], noun)
  const version = await sql<Version>`select * from civil_version where id = ${row.versionId ?? ''}`.execute(ctx.db)
  const isDraft = version.rows[0]?.issuedAt === null
  const seen = inProjects('r.projectCode', projectsFor(ctx, '*'))
  const since = new Date(ctx.clock.now() - failDays * dayMs)
  const failed = await sql<{ projectCode: string; projectName: string; count: number }>`
    select r.project_code, j.name as project_name, count(*)::int as count from check_result r join project j using (project_code)
    where r.item_code = ${row.itemCode} and r.result = '2' and r.shown_at >= ${since} and ${allOf(...seen)}
    group by 1, 2 order by 3 desc, 2 limit 10`.execute(ctx.db)
  type Kin = { id: string; name: string | null; revision: number; at: Date; maxScore: number }
  const kin = await sql<Kin>`select i.id, v.name, i.revision, coalesce(v.issued_at, i.create_time) as at, i.max_score from civil_item i
      left join civil_version v on v.id = i.version_id
    where i.item_code = ${row.itemCode} and (i.version_id is not null or i.group_id = ${row.groupId}) order by at desc, i.id`.execute(
    ctx.db,
  )
  return {
    ...toItem(ctx, row, row.supersededAt === null && (row.versionId === null || isDraft)),
    versionName: version.rows[0]?.name ?? null,
    mayShow: row.groupId === ctx.group.id && row.supersededAt === null,
    examples: [...row.good.map((file) => ({ file, good: true })), ...row.bad.map((file) => ({ file, good: false }))].map(
      ({ file, good }) => ({ photo: linkOf(ctx, file) ?? '', good }),
    ),
    history: kin.rows.map(({ id: own, name, revision, at, maxScore }) => ({
      id: own,
      title: name ?? `第 ${revision} 次修订`,
      at: formatDay(at),
      maxScore,
      current: own === id,
    })),
    failed: failed.rows,
    pictures: (await picturesOf(ctx, row.itemCode)).map(({ file, checkId, projectName, at, right }) => ({
      photo: linksOf(ctx, [file])[0] ?? '',
      checkId,
      projectName,
      day: formatDay(at),
      right,
    })),
  }
}

const createVersion: HandlerOf<typeof contract.createCivilVersion> = async ({ query, body: { id, name, from } }, ctx) => {
  await seesProject(ctx, query.projectCode)
  const repeated = await sql`select from civil_version where id = ${id} and group_id = ${ctx.group.id}`.execute(ctx.db)
  if (repeated.rows.length > 0) return { id }
  const source =
    from === null
      ? undefined
      : found((await sql<Version>`select * from civil_version where id = ${from}`.execute(ctx.db)).rows[0], '标准版本')
  const { owner, ...own } = ownedBy(ctx)
  const area = await sql<{
    areaCode: string
  }>`select area_code from government where gov_code = ${owner === 'government' ? ctx.group.code : ''}`.execute(ctx.db)
  const at = new Date(ctx.clock.now())
  await ctx.db
    .insertInto('civilVersion')
    .values({
      id,
      ...own,
      owner: owner as Version['owner'],
      groupName: ctx.group.name,
      areaCode: area.rows[0]?.areaCode ?? null,
      name,
      effectiveFrom: null,
      issuedAt: null,
      issuedBy: null,
      createBy: ctx.user.id,
      createTime: at,
    })
    .execute()
    .catch((error: unknown) => {
      throw isUniqueViolation(error) ? new AppError('refused', '该编号已被使用，请重新填写', { field: 'id' }) : error
    })
  const items = source
    ? (await sql<Item>`select * from civil_item where version_id = ${source.id} order by item_code`.execute(ctx.db)).rows
    : standardItems
  const none = {
    rule: null,
    requirement: null,
    clause: null,
    phases: [] as string[],
    good: [] as string[],
    bad: [] as string[],
    enable: true,
  }
  const rows = items.map((item) => ({
    ...none,
    ...item,
    id: ctx.newId(),
    ...own,
    owner,
    versionId: id,
    revision: 1,
    supersededAt: null,
    version: 0,
    createBy: ctx.user.id,
    createTime: at,
    updateBy: null,
    updateTime: null,
  }))
  if (rows.length > 0) await ctx.db.insertInto('civilItem').values(rows).execute()
  ctx.note(`复制标准版本 ${name}`, id)
  return { id }
}

const issueVersion: HandlerOf<typeof contract.issueCivilVersion> = async (
  { params: { id }, query, body: { version, effectiveFrom } },
  ctx,
) => {
  await seesProject(ctx, query.projectCode)
  await draftVersion(ctx, id)
  if (effectiveFrom < formatDay(ctx.clock.now())) throw new AppError('invalidInput', '生效日期不能早于今天', { field: 'effectiveFrom' })
  const { rows } = await sql`select from civil_item where version_id = ${id} and enable limit 1`.execute(ctx.db)
  if (rows.length === 0) throw new AppError('refused', '版本没有启用的检查项，不能发布')
  const values = { effectiveFrom, issuedAt: new Date(ctx.clock.now()), issuedBy: ctx.user.name }
  await changeRow(ctx, 'civilVersion', { key: { id }, version, values, noun: '标准版本', by: ctx.user.id })
  ctx.note('发布文明施工检查标准', id)
  return undefined
}

const removeVersion: HandlerOf<typeof contract.removeCivilVersion> = async ({ params: { id }, query }, ctx) => {
  await seesProject(ctx, query.projectCode)
  await draftVersion(ctx, id)
  await sql`delete from civil_version where id = ${id}`.execute(ctx.db)
  ctx.note('删除未发布的标准版本', id)
  return undefined
}

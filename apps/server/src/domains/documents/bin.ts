import type * as bin from '@zhugong/contract/documents/bin'
import { binRow } from '@zhugong/contract/documents/bin'
import type * as contract from '@zhugong/contract/documents/calls'
import { grantLevels, keptDays } from '@zhugong/contract/documents/moves'
import { deepest, freeName, markedName } from '@zhugong/contract/documents/names'
import { AppError } from '@zhugong/contract/kit/errors'
import { dayMs } from '@zhugong/contract/kit/time'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { type RawBuilder, sql } from 'kysely'
import { changeRow, conflictOf } from '#kit/change-row'
import { formatInstant } from '#kit/clock'
import { type Context, found, projectsFor } from '#kit/context'
import {
  allOf,
  anyOf,
  between,
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
import { forgetFiles } from '../files/public.ts'
import { contentOf, folderOf, insideOf, insidePlace, namesIn, type Place, readKnown, rootOf } from './places.ts'
import { gateLevel, type Known, levelOf, requireAction, rootLevel } from './rights.ts'
import type { Reader } from './rows.ts'
import { putDocument } from './writes.ts'

const noun = '回收站条目'

export const removeDocument: HandlerOf<typeof contract.removeDocument> = async ({ params: { id }, query }, ctx) => {
  await seesProject(ctx, query.projectCode)
  const row = await readKnown(ctx, id, true)
  requireAction(ctx, row, 'delete')
  if (query.version !== undefined && query.version !== row.version) throw await conflictOf(ctx, 'document', { id }, '文档')
  const all = await contentOf(ctx, id)
  if (all.archived > 0) throw new AppError('refused', `内含 ${all.archived} 份已归档或监督资料，不能删除`)
  const seen = await sql<Known>`select d.*, ${gateLevel(ctx)} as gate_level from document d
    where (d.id = ${id} or d.ancestors @> ${[id]}::text[]) and d.deleted_at is null`.execute(ctx.db)
  if (seen.rows.length < all.documents)
    throw new AppError('refused', `内含 ${all.documents - seen.rows.length} 份您看不到的资料，请与其所有人商量后再删除`)
  const barred = seen.rows.find((one) => levelOf(ctx, one) < grantLevels.edit)
  if (barred) throw new AppError('forbidden', `内含您不能删除的“${barred.name}”`)
  const now = new Date(ctx.clock.now())
  await sql`update document set deleted_at = ${now}, deleted_by = ${ctx.user.id}, deleted_by_name = ${ctx.user.name}, bin_id = ${id},
      version = version + 1 where (id = ${id} or ancestors @> ${[id]}::text[]) and deleted_at is null`.execute(ctx.db)
  await sql`update document set bin_count = ${all.documents}, bin_bytes = ${all.bytes} where id = ${id}`.execute(ctx.db)
  ctx.note(row.isDir ? `删除文件夹，含 ${all.documents} 项` : '删除文档', id)
}

/** Days until an entry is cleared, of the row `d`. */
const daysLeft = (ctx: Pick<Context, 'clock'>): RawBuilder<number> =>
  sql`greatest(0, ceil(${keptDays} - extract(epoch from ${new Date(ctx.clock.now())}::timestamptz - d.deleted_at) / 86400))::int`
const soonDays = 3

type Query = Partial<NonNullable<(typeof bin.listBin)['types']>['parsed']['query']>
type BinReader = Reader & Pick<Context, 'clock'>

/** One's own deletions; with documents.restore those of the group. */
function conditions(ctx: BinReader, query: Query): Condition {
  const scope = allOf(...inProjects('d.projectCode', projectsFor(ctx, query.projectCode)))
  const whose = ctx.codes.has('documents.restore')
    ? sql`(d.deleted_by = ${ctx.user.id} or d.group_id = ${ctx.group.id})`
    : sql`d.deleted_by = ${ctx.user.id}`
  const here = query.projectCode && query.projectCode !== '*' ? scope : sql`(d.project_code is null or ${scope})`
  return allOf(
    condition(sql`d.bin_id = d.id and ${whose} and ${here}`),
    filtersOf(query, {
      projectCode: 'elsewhere',
      name: [contains, 'd.name'],
      category: [anyOf, 'd.category'],
      deletedBy: [contains, 'd.deletedByName'],
      deletedTime: [instantsBetween, 'd.deletedAt'],
      daysLeft: (range) => allOf(...between('daysLeft', range).map(() => within(ctx, range))),
      soon: () => condition(sql`${daysLeft(ctx)} <= ${soonDays}`),
    }),
  )
}
const within = (ctx: BinReader, { low, high }: { low?: number | undefined; high?: number | undefined }): Condition =>
  condition(sql`${daysLeft(ctx)} between ${low ?? 0}::numeric and ${high ?? keptDays}::numeric`)

type Raw = Known & { daysLeft: number }

export async function readBin(ctx: BinReader, query: Query, slice?: { limit: number; offset: number }) {
  const order = orderBy(
    query.sort,
    { name: 'name', size: 'binBytes', deletedTime: 'deletedAt', daysLeft: 'daysLeft' },
    '-deletedTime',
    'id',
  )
  const { rows } = await sql<Raw>`select * from (select d.*, ${gateLevel(ctx)} as gate_level, ${daysLeft(ctx)} as days_left
      from document d where ${conditions(ctx, query)}) d order by ${order}
    ${slice ? sql`limit ${slice.limit} offset ${slice.offset}` : sql``}`.execute(ctx.db)
  return rows.map((raw) =>
    rowOf(binRow, raw, {
      categoryName: dictName('documentCategory', raw.category) ?? raw.category,
      count: raw.binCount ?? 1,
      size: Number(raw.binBytes ?? 0),
      deletedBy: raw.deletedByName ?? '',
      deletedTime: formatInstant(raw.deletedAt ?? 0),
      actions: actionsFor(ctx, raw),
    }),
  )
}

/** One's own deletions one takes back; those of others with documents.restore. For good: with documents.purge. */
function actionsFor(ctx: Reader, row: Known): string[] {
  const own = row.deletedBy === ctx.user.id && ctx.codes.has('documents.delete')
  const ofGroup = row.groupId === ctx.group.id && ctx.codes.has('documents.restore')
  const mayPurge = ctx.codes.has('documents.purge') && (row.deletedBy === ctx.user.id || row.groupId === ctx.group.id)
  return [...(own || ofGroup ? ['restore'] : []), ...(mayPurge ? ['purge'] : [])]
}

export async function countBin(ctx: BinReader, query: Query): Promise<{ entries: number; bytes: number; soon: number }> {
  const { rows } = await sql<{ entries: number; bytes: number; soon: number }>`select count(*)::int as entries,
      coalesce(sum(d.bin_bytes), 0)::float8 as bytes, (count(*) filter (where ${daysLeft(ctx)} <= ${soonDays}))::int as soon
    from document d where ${conditions(ctx, query)}`.execute(ctx.db)
  return rows[0] ?? { entries: 0, bytes: 0, soon: 0 }
}

export const listBin: HandlerOf<typeof bin.listBin> = async ({ query }, ctx) => {
  await seesProject(ctx, query.projectCode)
  const list = await readBin(ctx, query, pageSlice(query))
  const { entries } = await countBin(ctx, query)
  return { list, total: entries, counts: await countBin(ctx, { projectCode: query.projectCode }) }
}

/** An entry of the bin that the caller sees. @throws AppError `notFound` */
async function entryOf(ctx: Context, id: string): Promise<Known> {
  const { rows } = await sql<Known>`select d.*, ${gateLevel(ctx)} as gate_level from document d
    where d.id = ${id} and ${conditions(ctx, { projectCode: '*' })} for update of d`.execute(ctx.db)
  return found(rows[0], noun)
}

/** Back to its place: folders that are gone are made anew, a taken name gets a mark. Returns the version. */
export async function restore(
  ctx: Context,
  id: string,
  { version, to, elsewhere }: { version: number; to: string | null; elsewhere: boolean },
): Promise<number> {
  const row = await entryOf(ctx, id)
  if (!actionsFor(ctx, row).includes('restore'))
    throw new AppError('forbidden', '您没有此项权限（documents.restore）', { code: 'documents.restore' })
  if (row.version !== version) throw await conflictOf(ctx, 'document', { id }, noun)
  const place = elsewhere ? await chosenPlace(ctx, row, to) : await oldPlace(ctx, row)
  const { deepest: low } = await contentOf(ctx, id)
  if (place.ancestors.length + low - row.ancestors.length + 1 > deepest)
    throw new AppError('refused', `还原后目录超过 ${deepest} 层，请选择其他位置`, { field: 'to' })
  const names = await namesIn(ctx, place.place)
  const isTaken = (name: string) => names.has(name.toLowerCase())
  const name = isTaken(row.name) ? freeName(markedName(row.name, '（恢复）'), isTaken) : row.name
  const own = row.gates.includes(id) ? [id] : []
  const values = { name, ...pick(place, 'parentId', 'place', 'path', 'ancestors'), gates: [...place.gates, ...own] }
  const changed = await changeRow(ctx, 'document', { key: { id }, version, noun, by: ctx.user.id, values })
  if (row.isDir) {
    const inherited = row.gates.filter((gate) => gate !== id)
    await sql`select zg_document_moved(${id}, ${row.ancestors.length + 1}, ${insideOf(row)}, ${inherited}::text[])`.execute(ctx.db)
  }
  await sql`update document set deleted_at = null, deleted_by = null, deleted_by_name = null, bin_id = null, bin_count = null, bin_bytes = null
    where bin_id = ${id}`.execute(ctx.db)
  return changed
}

/** A folder, or the root, that the caller chooses within the same space. */
async function chosenPlace(ctx: Context, row: Known, to: string | null): Promise<Place> {
  const folder = to === null ? undefined : folderOf(await readKnown(ctx, to))
  if (folder && rootOf(folder) !== rootOf(row)) throw new AppError('invalidInput', '只能还原到同一项目或我的文档内', { field: 'to' })
  const place = folder ? insidePlace(ctx, folder) : rootOfRow(ctx, row)
  if (place.level < grantLevels.upload) throw new AppError('forbidden', '您不能在目标目录添加资料')
  return place
}

const rootOfRow = (ctx: Context, row: Known): Place => ({
  ...pick(row, 'projectCode', 'homeUser', 'groupId'),
  parentId: null,
  place: rootOf(row),
  path: '',
  ancestors: [],
  gates: [],
  level: rootLevel(ctx, row.projectCode),
})

/** The folders by their names; those that are gone are made anew. */
async function oldPlace(ctx: Context, row: Known): Promise<Place> {
  let place = rootOfRow(ctx, row)
  for (const name of row.path === '' ? [] : row.path.split('/')) {
    const { rows } = await sql<Known>`select d.*, ${gateLevel(ctx)} as gate_level from document d
      where d.place = ${place.place} and lower(d.name) = lower(${name}) and d.is_dir and d.deleted_at is null`.execute(ctx.db)
    const known = rows[0]
    if (known) {
      place = insidePlace(ctx, known)
      continue
    }
    const id = ctx.newId()
    await putDocument(ctx, place, { id, name, isDir: true })
    place = insidePlace(ctx, await readKnown(ctx, id))
  }
  return place
}

/** The content of entries goes for good, with its files. Returns how many documents. */
async function purge(ctx: Context, folder: string, ids: readonly string[]): Promise<number> {
  const files = await sql<{ fileId: string }>`select distinct v.file_id from document_version v join document d on d.id = v.document_id
    where d.bin_id = any (${[...ids]})`.execute(ctx.db)
  const gone = await sql<{ id: string }>`delete from document where bin_id = any (${[...ids]}) returning id`.execute(ctx.db)
  const only = files.rows.map((one) => one.fileId)
  if (only.length > 0) ctx.afterCommit(() => forgetFiles(ctx.system, folder, 'document', { only }).then(() => undefined))
  return gone.rows.length
}

export const purgeDocument =
  (folder: string): HandlerOf<typeof bin.purgeDocument> =>
  async ({ params: { id }, query }, ctx) => {
    await seesProject(ctx, query.projectCode)
    const row = await entryOf(ctx, id)
    if (!actionsFor(ctx, row).includes('purge')) throw new AppError('forbidden', '只能彻底删除自己或本机构删除的资料')
    if (query.name !== row.name) throw new AppError('invalidInput', '名称不一致，未删除', { field: 'name' })
    const n = await purge(ctx, folder, [id])
    ctx.note(`彻底删除 ${n} 项`, id)
  }

export const emptyBin =
  (folder: string): HandlerOf<typeof bin.emptyBin> =>
  async ({ query }, ctx) => {
    await seesProject(ctx, query.projectCode)
    const entries = await readBin(ctx, { projectCode: query.projectCode })
    const ids = entries.filter((one) => one.actions.includes('purge')).map((one) => one.id)
    if (entries.length !== query.count)
      throw new AppError('conflict', `回收站现有 ${entries.length} 条，与您看到的不同，请刷新后再清空`, { field: 'count' })
    const n = await purge(ctx, folder, ids)
    ctx.note(`清空回收站 ${ids.length} 条，共 ${n} 项`)
    return { purged: ids.length }
  }

/** Entries cleared in one turn, so that a job never holds long. */
const mostCleared = 500

/** Entries whose days are over. Returns how many. */
export async function clearBin(ctx: Context, folder: string): Promise<number> {
  const before = new Date(ctx.clock.now() - keptDays * dayMs)
  const { rows } = await sql<{ id: string; groupId: string }>`select d.id, d.group_id from document d
    where d.bin_id = d.id and d.deleted_at < ${before} order by d.deleted_at limit ${mostCleared}`.execute(ctx.db)
  if (rows.length > 0)
    await purge(
      ctx,
      folder,
      rows.map((one) => one.id),
    )
  return rows.length
}

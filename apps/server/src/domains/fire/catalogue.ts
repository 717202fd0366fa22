import {
  type CatalogueChange,
  type CatalogueItem,
  catalogueWith,
  deliveredCatalogue,
  isPoint,
  isProject,
  isSub,
  localAbove,
  mostLocal,
  projectOf,
  subOf,
} from '@zhugong/contract/fire/catalogue'
import type { changeFireItem, FireItemRow, listFireItems } from '@zhugong/contract/fire/settings'
import type { ParsedFor } from '@zhugong/contract/kit/endpoint'
import { AppError } from '@zhugong/contract/kit/errors'
import { dictionaryOf } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { changedMeanwhile } from '#kit/change-row'
import type { Context } from '#kit/context'
import { isUniqueViolation, type Row } from '#kit/db'
import type { HandlerOf } from '#kit/serve'

type Reader = Pick<Context, 'db'>

export const delivered: readonly CatalogueItem[] = deliveredCatalogue(
  (dictionaryOf('fireItem')?.items ?? []).map((one) => ({
    code: one.code,
    name: one.name,
    level: typeof one.level === 'string' ? one.level : undefined,
    table: typeof one.table === 'string' ? one.table : undefined,
  })),
)

/** The groups whose settings hold for a group, the nearest first: itself, then those above it. */
export async function settingGroups(ctx: Reader, groupId: string): Promise<string[]> {
  const { rows } = await sql<{ groups: string[] | null }>`select zg_fire_setters(${groupId}) as groups`.execute(ctx.db)
  return rows[0]?.groups ?? [groupId]
}

/** The newest catalogue in force for a group; undefined: as delivered. */
export async function catalogueOf(ctx: Reader, groupId: string): Promise<Row<'fireCatalogue'> | undefined> {
  const groups = await settingGroups(ctx, groupId)
  const { rows } = await sql<Row<'fireCatalogue'>>`select * from fire_catalogue where group_id = any (${groups})
    order by array_position(${groups}::text[], group_id), version desc limit 1`.execute(ctx.db)
  return rows[0]
}

export async function changesOf(ctx: Reader, catalogueId: string | null | undefined): Promise<CatalogueChange[]> {
  if (!catalogueId) return []
  const { rows } = await sql<CatalogueChange>`select code, name, level, method, needs_value, applicable, full_check, enable, seq
    from fire_catalogue_item where catalogue_id = ${catalogueId}`.execute(ctx.db)
  return rows
}
export const itemsOf = async (ctx: Reader, catalogueId: string | null | undefined): Promise<CatalogueItem[]> =>
  catalogueWith(delivered, await changesOf(ctx, catalogueId))

export async function catalogueName(ctx: Pick<Context, 'db' | 'system'>, catalogueId: string | null): Promise<string> {
  if (!catalogueId) return '交付目录'
  const { rows } = await sql<{
    version: number
    groupId: string
  }>`select version, group_id from fire_catalogue where id = ${catalogueId}`.execute(ctx.db)
  const own = rows[0]
  if (!own) return '交付目录'
  const tenant = await ctx.system.selectFrom('tenant').select('name').where('id', '=', own.groupId).executeTakeFirst()
  return `${tenant?.name ?? ''}目录第 ${own.version} 版`
}

/** Cases and open cases in which each point stands, by code: those whose catalogue has it and whose buildings look at its project. */
async function usesOf(ctx: Reader): Promise<(code: string) => { used: number; open: number }> {
  const { rows } = await sql<{ project: string; catalogueId: string | null; used: number; open: number }>`
    select x.project, c.catalogue_id, count(distinct c.id)::int as used,
      count(distinct c.id) filter (where c.state in ('1', '2', '3', '4', '5'))::int as open
    from fire_case c join fire_build b on b.case_id = c.id cross join lateral unnest(b.projects) as x (project)
    where c.state <> '0' group by 1, 2`.execute(ctx.db)
  const local = new Map<string, Set<string>>()
  const { rows: own } = await sql<{ catalogueId: string; code: string }>`select catalogue_id, code from fire_catalogue_item
    where length(code) = 6 and right(code, 2)::int > ${localAbove}`.execute(ctx.db)
  for (const one of own) local.set(one.code, (local.get(one.code) ?? new Set()).add(one.catalogueId))
  return (code) => {
    const holders = local.get(code)
    const fit = rows.filter(
      (one) => one.project === projectOf(code) && (!holders || (one.catalogueId !== null && holders.has(one.catalogueId))),
    )
    return { used: fit.reduce((n, one) => n + one.used, 0), open: fit.reduce((n, one) => n + one.open, 0) }
  }
}

type ItemQuery = Partial<NonNullable<(typeof listFireItems)['types']>['parsed']['query']>

export async function readItems(
  ctx: Pick<Context, 'db' | 'group'>,
  query: ItemQuery,
): Promise<{ rows: FireItemRow[]; version: number; all: CatalogueItem[]; groupId: string | null }> {
  const ownCatalogue = await catalogueOf(ctx, ctx.group.id)
  const changes = await changesOf(ctx, ownCatalogue?.id)
  const all = catalogueWith(delivered, changes)
  const changed = new Set(changes.map((one) => one.code))
  const names = new Map(all.map((one) => [one.code, one.name]))
  const use = await usesOf(ctx)
  const rows = all
    .filter(
      (one) =>
        isPoint(one.code) &&
        (!query.branch || one.code.startsWith(query.branch)) &&
        (!query.itemCode || one.code.includes(query.itemCode)) &&
        (!query.name || one.name.includes(query.name)) &&
        (!query.level || query.level.split(',').includes(one.level ?? '')) &&
        (!query.applicable || one.applicable.length === 0 || one.applicable.includes(query.applicable)) &&
        (!query.enable || (query.enable === '1') === one.enable) &&
        (!query.changed || changed.has(one.code)),
    )
    .map((one) => ({
      ...one,
      fullCheck: all.some((sub) => sub.code === subOf(one.code) && sub.fullCheck),
      projectName: names.get(projectOf(one.code)) ?? '',
      subName: names.get(subOf(one.code)) ?? '',
      ...use(one.code),
      changed: changed.has(one.code),
    }))
  return { rows, version: ownCatalogue?.version ?? 0, all, groupId: ownCatalogue?.groupId ?? null }
}

export const listItems: HandlerOf<typeof listFireItems> = async ({ query }, ctx) => {
  const { rows, version, all } = await readItems(ctx, query)
  const ownCatalogue = await catalogueOf(ctx, ctx.group.id)
  const from = (query.page - 1) * query.size
  const points = all.filter((one) => isPoint(one.code) && one.code.startsWith(query.branch ?? ''))
  const n = (level: string) => points.filter((one) => one.level === level).length
  return {
    list: rows.slice(from, from + query.size),
    total: rows.length,
    version: ownCatalogue?.groupId === ctx.group.id ? version : 0,
    versionName: await catalogueName(ctx, ownCatalogue?.id ?? null),
    levels: { A: n('A'), B: n('B'), C: n('C') },
    branches: all
      .filter((one) => isProject(one.code) || isSub(one.code))
      .map(({ code, name, table, fullCheck }) => ({
        code,
        name,
        table,
        fullCheck,
        points: all.filter((one) => isPoint(one.code) && one.code.startsWith(code)).length,
      })),
  }
}

type ItemBody = ParsedFor<typeof changeFireItem>['body']
const refuse = (field: string, message: string) => new AppError('invalidInput', message, { field })

/** The change of one point or sub-item. @throws AppError `invalidInput` at the field */
function changeOf(all: readonly CatalogueItem[], body: ItemBody): CatalogueChange {
  const { method, needsValue, applicable, fullCheck, enable } = body
  const own = { method, needsValue, applicable: [...new Set(applicable)].sort(), enable }
  const before = all.find((one) => one.code === body.code)
  if (!before) throw refuse('code', '没有这个子项或要点')
  if (isProject(before.code)) throw refuse('code', '项目不能修改')
  if (isPoint(before.code)) {
    if (!before.local && (body.name ?? before.name) !== before.name) throw refuse('name', '交付要点的名称不能修改')
    if (!before.local && (body.level ?? before.level) !== before.level) throw refuse('level', '交付要点的重要程度不能修改')
    return {
      ...own,
      code: before.code,
      name: body.name ?? before.name,
      level: body.level ?? before.level,
      fullCheck: before.fullCheck,
      seq: body.seq ?? before.seq,
    }
  }
  if (!body.name && !body.level) {
    const { name, level, seq } = before
    return { ...before, code: before.code, name, level, fullCheck, seq: body.seq ?? seq }
  }
  if (!body.name) throw refuse('name', '请填写要点名称')
  if (!body.level) throw refuse('level', '请选择重要程度')
  const inSub = all.filter((one) => isPoint(one.code) && subOf(one.code) === before.code)
  const no = Math.max(localAbove, ...inSub.filter((one) => one.local).map((one) => Number(one.code.slice(4)))) + 1
  if (no > mostLocal) throw refuse('code', `每个子项最多增加 ${mostLocal - localAbove} 个本地要点`)
  if (inSub.some((one) => one.name === body.name)) throw refuse('name', '该子项已有同名要点')
  const seq = body.seq ?? Math.max(0, ...inSub.map((one) => one.seq)) + 1
  return { ...own, code: `${before.code}${no}`, name: body.name, level: body.level, fullCheck: false, seq }
}

/** Makes the next version. Running assessments keep the one they began with. */
export const changeItem: HandlerOf<typeof changeFireItem> = async ({ body }, ctx) => {
  const ownCatalogue = await catalogueOf(ctx, ctx.group.id)
  const version = ownCatalogue?.groupId === ctx.group.id ? ownCatalogue.version : 0
  if (version !== body.version) throw changedMeanwhile('事项目录', { version })
  const before = await changesOf(ctx, ownCatalogue?.id)
  const change = changeOf(catalogueWith(delivered, before), body)
  const id = ctx.newId()
  await ctx.db
    .insertInto('fireCatalogue')
    .values({ id, groupId: ctx.group.id, version: version + 1, createBy: ctx.user.name, createTime: new Date(ctx.clock.now()) })
    .execute()
    .catch((error: unknown) => {
      throw isUniqueViolation(error) ? changedMeanwhile('事项目录') : error
    })
  const items = [...before.filter((one) => one.code !== change.code), change]
  await ctx.db
    .insertInto('fireCatalogueItem')
    .values(
      items.map(({ code, name, level, method, needsValue, applicable, fullCheck, enable, seq }) => ({
        catalogueId: id,
        code,
        name,
        level,
        method,
        needsValue,
        applicable,
        fullCheck,
        enable,
        seq,
      })),
    )
    .execute()
  const { open } = (await usesOf(ctx))(change.code)
  ctx.note(`修改消防验收事项 ${change.code}`, id)
  return { version: version + 1, code: change.code, open }
}

import type { BrandRow } from '@zhugong/contract/equipment/library-endpoints'
import * as calls from '@zhugong/contract/equipment/library-endpoints'
import { AppError } from '@zhugong/contract/kit/errors'
import { familyOf } from '@zhugong/contract/telemetry/families'
import { sql } from 'kysely'
import { changeRow, conflictOf } from '#kit/change-row'
import { formatInstant } from '#kit/clock'
import { type Context, found } from '#kit/context'
import type { Tx } from '#kit/db'
import { isUniqueViolation } from '#kit/db'
import { allOf, anyOf, anywhere, type Condition, condition, contains, equals, orderBy, pageSlice } from '#kit/list'
import { pick } from '#kit/pick'
import type { HandlerOf, Serve } from '#kit/serve'
import { fileIdsOf, keptFiles, linkOf } from '../files/public.ts'
import { alikeNames } from './brand-names.ts'
import { differences, findChanges, noteChange } from './change-log.ts'
import { findMonths, findQuality, findSites } from './quality.ts'

/** Days in which a merge can be undone. */
const undoDays = 7

interface Row {
  id: string
  factoryId: string
  factoryName: string
  name: string
  alias: string[]
  logo: string | null
  families: string[]
  models: number
  devices: number
  enable: string
  mergedInto: string | null
  mergedIntoName: string | null
  remark: string | null
  updateTime: Date
  version: number
}
const columns = sql`b.id, b.factory_id, f.name as factory_name, b.name, b.alias, b.logo, b.families, b.enable, b.merged_into, t.name as merged_into_name, b.remark, b.update_time, b.version,
  (select count(distinct m.root_id)::int from model m where m.brand_id = b.id) as models, u.devices`
const tables = sql`brand b join factory f on f.id = b.factory_id left join brand t on t.id = b.merged_into
  cross join lateral (select count(*)::int as devices from device d where d.brand_id = b.id) u`

const toBrand = (row: Row, ctx: Pick<Context, 'secrets' | 'clock'>): BrandRow => ({
  ...row,
  logo: linkOf(ctx, row.logo),
  familyNames: row.families.map((key) => familyOf(key)?.name ?? key),
  updateTime: formatInstant(row.updateTime),
})

async function getBrandRow(db: Tx, id: string): Promise<Row> {
  const { rows } = await sql<Row>`select ${columns} from ${tables} where b.id = ${id}`.execute(db)
  return found(rows[0], '品牌')
}

interface Merge {
  id: string
  intoId: string
  at: Date
  moved: { brandId: string; name: string; models: string[]; devices: string[] }[]
}

interface BrandFilter {
  name?: string | undefined
  alias?: string | undefined
  factoryId?: string | undefined
  families?: string[] | undefined
  enable?: string[] | undefined
  merged?: boolean | undefined
}
export const brandWhere = (query: BrandFilter): Condition =>
  allOf(
    ...contains('b.name', query.name),
    ...(query.alias ? [condition(sql`exists (select 1 from unnest(b.alias) a where a ilike ${anywhere(query.alias)})`)] : []),
    ...equals('b.factory_id', query.factoryId),
    ...(query.families?.length ? [condition(sql`b.families && ${query.families}::text[]`)] : []),
    ...anyOf('b.enable', query.enable),
    ...(query.merged ? [] : [condition(sql`b.merged_into is null`)]),
  )

export function brandRoutes(serve: Serve): void {
  serve(calls.listBrands, listBrands)
  serve(calls.getBrand, getBrand)
  serve(calls.createBrand, createBrand)
  serve(calls.updateBrand, updateBrand)
  serve(calls.removeBrand, removeBrand)
}

const listBrands: HandlerOf<typeof calls.listBrands> = async ({ query }, ctx) => {
  const where = brandWhere(query)
  const order = orderBy(
    query.sort,
    { name: 'b.name', factoryName: 'f.name', devices: 'u.devices', updateTime: 'b.update_time', enable: 'b.enable' },
    'name',
    'b.id',
  )
  const { limit, offset } = pageSlice(query)
  const { rows } =
    await sql<Row>`select ${columns} from ${tables} where ${where} order by ${order} limit ${limit} offset ${offset}`.execute(ctx.db)
  const total = await sql<{ n: number }>`select count(*)::int as n from ${tables} where ${where}`.execute(ctx.db)
  if (!query.with?.includes('quality'))
    return { list: rows.map((r) => toBrand(r, ctx)), total: total.rows[0]?.n ?? 0, duplicates: [], merges: [] }
  const quality = await findQuality(
    ctx.db,
    'brand_id',
    rows.map((r) => r.id),
    ctx.clock.now(),
  )
  return {
    list: rows.map((r) => ({ ...toBrand(r, ctx), quality: quality.get(r.id) })),
    total: total.rows[0]?.n ?? 0,
    duplicates: await findDuplicates(ctx.db),
    // Merges list devices of all sites, so only the platform gets them.
    merges: ctx.group.type === 0 ? await findMerges(ctx.db, ctx.clock.now()) : [],
  }
}

const getBrand: HandlerOf<typeof calls.getBrand> = async ({ params }, ctx) => {
  const row = await getBrandRow(ctx.db, params.id)
  const quality = (await findQuality(ctx.db, 'brand_id', [row.id], ctx.clock.now())).get(row.id)
  return {
    ...toBrand(row, ctx),
    quality,
    months: row.devices < 10 ? [] : await findMonths(ctx.db, row.id, ctx.clock.now()),
    byProject: await findSites(ctx.db, 'brand_id', row.id),
    changes: await findChanges(ctx.db, 'brand', row.id),
  }
}

const createBrand: HandlerOf<typeof calls.createBrand> = async ({ body }, ctx) => {
  const id = ctx.newId()
  await requireFactory(ctx.db, body.factoryId)
  const alias = aliasesOf(body.alias, body.name)
  await requireFreeName(ctx.db, [body.name, ...alias])
  await guarded(
    sql`insert into brand (id, factory_id, name, alias, logo, families, remark, create_time, create_by, update_time)
        values (${id}, ${body.factoryId}, ${body.name}, ${alias}, ${await keptLogo(ctx, body.logo)}, ${body.families}, ${body.remark ?? null},
          ${new Date(ctx.clock.now())}, ${ctx.user.name}, ${new Date(ctx.clock.now())})`.execute(ctx.db),
  )
  await noteChange(ctx, { subject: 'brand', id, act: '新增' })
  ctx.note(`新增设备品牌 ${body.name}`, id)
  return { id }
}

const updateBrand: HandlerOf<typeof calls.updateBrand> = async ({ params, body }, ctx) => {
  const row = await getBrandRow(ctx.db, params.id)
  if (body.version !== undefined && body.version !== row.version) throw await conflictOf(ctx, 'brand', { id: row.id }, '品牌')
  if (body.undoMerge) {
    await undoMerge(ctx, row, body.undoMerge)
    return { id: row.id }
  }
  if (body.mergeFrom) return { id: row.id, mergeId: await mergeBrands(ctx, row, body.mergeFrom) }
  if (row.mergedInto) throw new AppError('refused', `品牌已并入 ${row.mergedIntoName}，请先撤销合并`)
  if (body.factoryId && body.factoryId !== row.factoryId) await requireFactory(ctx.db, body.factoryId)
  const alias = body.alias ? aliasesOf(body.alias, body.name ?? row.name) : row.alias
  if (body.name || body.alias) await requireFreeName(ctx.db, [body.name ?? row.name, ...alias], row.id)
  await guarded(
    changeRow(ctx, 'brand', {
      key: { id: row.id },
      version: row.version,
      noun: '品牌',
      by: ctx.user.name,
      values: {
        factoryId: body.factoryId ?? row.factoryId,
        name: body.name ?? row.name,
        alias,
        logo: body.logo === undefined ? row.logo : await keptLogo(ctx, body.logo, row.logo),
        families: body.families ?? row.families,
        remark: body.remark === undefined ? row.remark : body.remark,
        enable: body.enable ?? row.enable,
      },
    }),
  )
  if (body.factoryId && body.factoryId !== row.factoryId) {
    // The maker of a brand is also the maker of its models and devices.
    await sql`update model set factory_id = ${body.factoryId} where brand_id = ${row.id}`.execute(ctx.db)
    await sql`update device set factory_id = ${body.factoryId}, factory_name = (select name from factory where id = ${body.factoryId}) where brand_id = ${row.id}`.execute(
      ctx.db,
    )
  }
  if (body.name && body.name !== row.name) await sql`update device set brand_name = ${body.name} where brand_id = ${row.id}`.execute(ctx.db)
  await noteChange(ctx, {
    subject: 'brand',
    id: row.id,
    act: body.enable ? (body.enable === '1' ? '启用' : '停用') : '修改',
    detail: differences<Record<string, unknown>>(
      { name: '名称', alias: '别名', families: '设备类别', remark: '备注', factoryId: '厂商' },
      row as unknown as Record<string, unknown>,
      body as Record<string, unknown>,
    ),
  })
  ctx.note(`修改设备品牌 ${row.name}`, row.id)
  return { id: row.id }
}

const removeBrand: HandlerOf<typeof calls.removeBrand> = async ({ params }, ctx) => {
  const row = await getBrandRow(ctx.db, params.id)
  if (row.models > 0) throw new AppError('refused', `${row.name} 下还有 ${row.models} 个型号，不能删除`)
  if (row.devices > 0) throw new AppError('refused', `${row.name} 还有 ${row.devices} 台设备在用，不能删除`)
  const { rows } = await sql`select 1 from brand where merged_into = ${row.id}`.execute(ctx.db)
  if (rows.length) throw new AppError('refused', `有品牌并入了 ${row.name}，不能删除`)
  await sql`delete from brand where id = ${row.id}`.execute(ctx.db)
  ctx.note(`删除设备品牌 ${row.name}`, row.id)
}

async function mergeBrands(ctx: Context, into: Row, from: readonly string[]): Promise<string> {
  if (into.mergedInto) throw new AppError('refused', `${into.name} 自己已并入 ${into.mergedIntoName}`)
  const moved: Merge['moved'] = []
  for (const id of new Set(from)) {
    if (id === into.id) throw new AppError('invalidInput', '不能把品牌并入自己', { field: 'mergeFrom' })
    const one = await getBrandRow(ctx.db, id)
    if (one.mergedInto) throw new AppError('refused', `${one.name} 已并入 ${one.mergedIntoName}`)
    const clash = await sql<{
      name: string
    }>`select a.name from model a join model b on lower(a.name) = lower(b.name) and a.model_version = b.model_version
      where a.brand_id = ${one.id} and b.brand_id = ${into.id} limit 1`.execute(ctx.db)
    if (clash.rows[0]) throw new AppError('refused', `${one.name} 与 ${into.name} 都有型号 ${clash.rows[0].name}，请先改名或删除其一`)
    const models = await sql<{
      id: string
    }>`update model set brand_id = ${into.id}, factory_id = ${into.factoryId} where brand_id = ${one.id} returning id`.execute(ctx.db)
    const devices = await sql<{
      id: string
    }>`update device set brand_id = ${into.id}, brand_name = ${into.name}, factory_id = ${into.factoryId}, factory_name = ${into.factoryName}
      where brand_id = ${one.id} returning id`.execute(ctx.db)
    await changeRow(ctx, 'brand', {
      key: { id: one.id },
      version: one.version,
      noun: '品牌',
      by: ctx.user.name,
      values: { mergedInto: into.id, enable: '0' },
    })
    moved.push({ brandId: one.id, name: one.name, models: models.rows.map((r) => r.id), devices: devices.rows.map((r) => r.id) })
    await noteChange(ctx, { subject: 'brand', id: one.id, act: `并入 ${into.name}` })
  }
  const id = ctx.newId()
  const names = moved.map((m) => m.name)
  await sql`insert into brand_merge (id, into_id, at, by_name, moved) values (${id}, ${into.id}, ${new Date(ctx.clock.now())}, ${ctx.user.name}, ${JSON.stringify(moved)}::jsonb)`.execute(
    ctx.db,
  )
  // The old names become aliases: imports and other platforms still use them.
  await changeRow(ctx, 'brand', {
    key: { id: into.id },
    version: into.version,
    noun: '品牌',
    by: ctx.user.name,
    values: { alias: aliasesOf([...into.alias, ...names], into.name) },
  })
  await noteChange(ctx, { subject: 'brand', id: into.id, act: `合并 ${names.join('、')}` })
  ctx.note(`品牌 ${names.join('、')} 并入 ${into.name}`, into.id)
  return id
}

async function undoMerge(ctx: Context, into: Row, mergeId: string): Promise<void> {
  const { rows } =
    await sql<Merge>`select id, into_id, at, moved from brand_merge where id = ${mergeId} and into_id = ${into.id} and undone_at is null`.execute(
      ctx.db,
    )
  const merge = found(rows[0], '合并记录')
  if (ctx.clock.now() - merge.at.getTime() > undoDays * 86_400_000) throw new AppError('refused', `合并已超过 ${undoDays} 天，不能撤销`)
  const before = await sql<{ id: string; factoryId: string; factoryName: string; name: string }>`
    select b.id, b.factory_id, f.name as factory_name, b.name from brand b join factory f on f.id = b.factory_id where b.id = any (${merge.moved.map((m) => m.brandId)})`.execute(
    ctx.db,
  )
  for (const one of merge.moved) {
    const brand = before.rows.find((b) => b.id === one.brandId)
    if (!brand) continue
    // Models that got another brand since the merge keep it.
    await sql`update model set brand_id = ${brand.id}, factory_id = ${brand.factoryId} where id = any (${one.models}) and brand_id = ${into.id}`.execute(
      ctx.db,
    )
    await sql`update device set brand_id = ${brand.id}, brand_name = ${brand.name}, factory_id = ${brand.factoryId}, factory_name = ${brand.factoryName}
      where id = any (${one.devices}) and brand_id = ${into.id}`.execute(ctx.db)
    await changeRow(ctx, 'brand', {
      key: { id: brand.id },
      version: null,
      noun: '品牌',
      by: ctx.user.name,
      values: { mergedInto: null, enable: '1' },
    })
    await noteChange(ctx, { subject: 'brand', id: brand.id, act: `撤销并入 ${into.name}` })
  }
  const names = merge.moved.map((m) => m.name)
  await changeRow(ctx, 'brand', {
    key: { id: into.id },
    version: into.version,
    noun: '品牌',
    by: ctx.user.name,
    values: { alias: into.alias.filter((a) => !names.includes(a)) },
  })
  await sql`update brand_merge set undone_at = ${new Date(ctx.clock.now())} where id = ${merge.id}`.execute(ctx.db)
  await noteChange(ctx, { subject: 'brand', id: into.id, act: `撤销合并 ${names.join('、')}` })
  ctx.note(`撤销品牌合并 ${into.name}`, into.id)
}

async function findMerges(db: Tx, now: number) {
  const { rows } = await sql<Merge & { intoName: string }>`
    select g.id, g.into_id, b.name as into_name, g.at, g.moved from brand_merge g join brand b on b.id = g.into_id
    where g.undone_at is null and g.at > ${new Date(now - undoDays * 86_400_000)} order by g.at desc limit 20`.execute(db)
  return rows.map((r) => ({
    ...pick(r, 'id', 'intoId', 'intoName'),
    names: r.moved.map((m) => m.name).join('、'),
    at: formatInstant(r.at),
    devices: r.moved.reduce((sum, m) => sum + m.devices.length, 0),
  }))
}

async function findDuplicates(db: Tx) {
  const { rows } = await sql<Row>`select ${columns} from ${tables} where b.merged_into is null order by b.name, b.id limit 2000`.execute(db)
  return alikeNames(rows).map(({ why, group }) => ({
    why,
    brands: group.map(({ id, name, factoryName, devices }) => ({ id, name, factoryName, devices })),
  }))
}

async function keptLogo(ctx: Context, logo: string | null | undefined, before: string | null = null): Promise<string | null> {
  const [id] = await keptFiles(ctx, fileIdsOf(logo ? [logo] : []), [before])
  return id ?? null
}

const aliasesOf = (alias: readonly string[], name: string) =>
  [...new Set(alias.map((a) => a.trim()).filter((a) => a && a !== name))].slice(0, 40)

async function requireFactory(db: Tx, id: string): Promise<void> {
  const { rows } = await sql<{ enable: string }>`select enable from factory where id = ${id}`.execute(db)
  if (!rows[0]) throw new AppError('invalidInput', '厂商不存在或已删除', { field: 'factoryId' })
  if (rows[0].enable !== '1') throw new AppError('invalidInput', '厂商已停用', { field: 'factoryId' })
}

/** Refuses a name or alias that another brand has: imports find the brand by name. */
async function requireFreeName(db: Tx, names: readonly string[], except = ''): Promise<void> {
  const lower = names.map((n) => n.toLowerCase())
  const { rows } = await sql<{ name: string; hit: string }>`
    select b.name, h.hit from brand b cross join lateral (select x as hit from unnest(array_append(b.alias, b.name)) x where lower(x) = any (${lower}) limit 1) h
    where b.id <> ${except} and b.merged_into is null limit 1`.execute(db)
  const hit = rows[0]
  if (hit)
    throw new AppError('refused', hit.hit === hit.name ? `已有品牌 ${hit.name}` : `“${hit.hit}” 已是 ${hit.name} 的别名`, { field: 'name' })
}

async function guarded<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (isUniqueViolation(error)) throw new AppError('refused', '品牌名称已存在', { field: 'name' })
    throw error
  }
}

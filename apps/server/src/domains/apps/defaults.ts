import type * as defaults from '@zhugong/contract/apps/default-endpoints'
import { ownArea, packageRow } from '@zhugong/contract/apps/default-endpoints'
import type { ParsedFor } from '@zhugong/contract/kit/endpoint'
import { AppError } from '@zhugong/contract/kit/errors'
import { areaName, dictionaryOf, isAreaCode } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { changedMeanwhile, changeRow } from '#kit/change-row'
import { changedWords } from '#kit/changed'
import { formatInstant } from '#kit/clock'
import { type Context, found, groupTypes, requireCode } from '#kit/context'
import { isUniqueViolation, type Row } from '#kit/db'
import { rowOf } from '#kit/row-of'
import type { HandlerOf } from '#kit/serve'
import { areaPrefix } from '../access/public.ts'

type Body = ParsedFor<typeof defaults.saveDefaults>['body']

export const listDefaults: HandlerOf<typeof defaults.listDefaults> = async ({ query }, ctx) => {
  const list = query.schemeId
    ? await usesOf(ctx, query.schemeId)
    : query.areaCode
      ? await cellsOf(ctx, query.areaCode === ownArea ? await areaOf(ctx) : query.areaCode)
      : await findPackages(ctx, query.groupType && Number(query.groupType))
  return { list, total: list.length }
}

export const saveDefaults: HandlerOf<typeof defaults.saveDefaults> = async ({ body }, ctx) => {
  if ('cells' in body) return saveCells(ctx, body)
  requireCode(ctx, 'appPackage.edit')
  if (ctx.group.type !== groupTypes.platform) throw new AppError('forbidden', '应用方案由平台维护')
  return 'remove' in body ? removePackage(ctx, body) : savePackage(ctx, body)
}

// ---- apps of new projects

interface RawCell {
  areaCode: string
  category: string
  appId: string
  days: number | null
  required: boolean
  off: boolean
}

/** The area that is shown when none is named: an authority's own; for the platform, the city with most projects. */
async function areaOf(ctx: Context): Promise<string> {
  if (ctx.group.areaCode) return ctx.group.areaCode
  const { rows } = await sql<{ area: string }>`
    select left(area_code, 4) || '00' as area from project group by 1 order by count(*) desc limit 1`.execute(ctx.db)
  return rows[0]?.area ?? '000000'
}

/**
 * Every app x category of an area as a new project there gets it: from the nearest area above with a setting, else from the default
 * package.
 */
async function cellsOf(ctx: Context, areaCode: string): Promise<defaults.DefaultCell[]> {
  const categories = (dictionaryOf('projectCategory')?.items ?? []).map((item) => item.code)
  const fronts = [2, 4, 6].filter((n) => n <= areaPrefix(areaCode).length).map((n) => areaCode.slice(0, n).padEnd(6, '0'))
  const apps = await ctx.db
    .selectFrom('app')
    .select(['id'])
    .where('base', '=', false)
    .where(sql<boolean>`3 = any (group_types)`)
    .orderBy('sort')
    .execute()
  const rows = await ctx.db
    .selectFrom('appDefault')
    .selectAll()
    .where('areaCode', 'in', [...fronts, ''])
    .execute()
  const pack = await ctx.db
    .selectFrom('appPackage')
    .select(['appIds', 'days'])
    .where('groupType', '=', 3)
    .where('isDefault', '=', true)
    .executeTakeFirst()
  const said = new Map<string, RawCell>()
  for (const row of rows.toSorted((a, b) => areaPrefix(a.areaCode).length - areaPrefix(b.areaCode).length))
    said.set(`${row.category} ${row.appId}`, row)
  return apps.flatMap(({ id: appId }) =>
    categories.map((category) => {
      const row = said.get(`${category} ${appId}`)
      const own = row?.areaCode === areaCode
      const on = row ? !row.off : (pack?.appIds.includes(appId) ?? false)
      return {
        areaCode,
        category,
        appId,
        on,
        required: row?.required ?? false,
        days: row ? row.days : (pack?.days ?? null),
        inherited: !own,
      }
    }),
  )
}

async function saveCells(ctx: Context, { areaCode, cells }: Extract<Body, { cells: unknown }>): Promise<{ id: null }> {
  requireCode(ctx, 'appDefault.edit')
  if (!isAreaCode(areaCode)) throw new AppError('invalidInput', '区划不存在', { field: 'areaCode' })
  if (ctx.group.type === groupTypes.government && !areaCode.startsWith(areaPrefix(ctx.group.areaCode ?? 'none')))
    throw new AppError('forbidden', '只能设置本机构辖区的默认应用', { field: 'areaCode' })
  const known = await ctx.db.selectFrom('app').select('id').where('base', '=', false).execute()
  const ids = new Set(known.map((app) => app.id))
  const categories = new Set((dictionaryOf('projectCategory')?.items ?? []).map((item) => item.code))
  for (const { category, appId, on, required, days } of cells) {
    if (!ids.has(appId)) throw new AppError('invalidInput', '应用不存在', { field: 'cells' })
    if (!categories.has(category)) throw new AppError('invalidInput', '项目类别不存在', { field: 'cells' })
    if (required && on === false) throw new AppError('invalidInput', '必须的应用不能关闭', { field: 'cells' })
    await ctx.db
      .deleteFrom('appDefault')
      .where('areaCode', '=', areaCode)
      .where('category', '=', category)
      .where('appId', '=', appId)
      .execute()
    if (on === null) continue
    await ctx.db
      .insertInto('appDefault')
      .values({ areaCode, category, appId, off: !on, required, days, updateTime: new Date(ctx.clock.now()), updateBy: ctx.user.name })
      .execute()
  }
  ctx.note(`设置项目默认应用（${areaName(areaCode)}）${cells.length} 处`)
  return { id: null }
}

// ---- packages

export const getPackage = async (ctx: Pick<Context, 'db'>, id: string): Promise<Row<'appPackage'>> =>
  found(await ctx.db.selectFrom('appPackage').selectAll().where('id', '=', id).executeTakeFirst(), '应用方案')

async function findPackages(ctx: Context, groupType: number | undefined): Promise<defaults.PackageRow[]> {
  const packs = await ctx.db
    .selectFrom('appPackage')
    .selectAll()
    .$if(groupType !== undefined, (q) => q.where('groupType', '=', groupType ?? 0))
    .orderBy('groupType')
    .orderBy('createTime')
    .execute()
  const lists = await Promise.all(packs.map((pack) => usesOf(ctx, pack.id)))
  return packs.map((pack, i) =>
    rowOf(packageRow, pack, {
      apps: pack.appIds,
      uiGroupId: pack.uiSchemeId,
      groups: lists[i]?.length ?? 0,
      drifted: lists[i]?.filter((one) => one.missing.length + one.beyond.length > 0).length ?? 0,
    }),
  )
}

/** The groups a package was applied to, with the apps that they lack and those they have in addition. */
async function usesOf(ctx: Context, packageId: string) {
  const { rows } = await sql<{
    groupId: string
    groupName: string
    groupType: number
    areaCode: string | null
    appliedAt: Date
    missing: string[] | null
    beyond: string[] | null
  }>`
    select u.group_id, b.name as group_name, b.type as group_type, b.area_code, u.applied_at,
      (select array_agg(a.name order by a.sort) from app a where a.id = any (p.app_ids) and not exists (
        select 1 from app_grant g where g.group_id = u.group_id and g.app_id = a.id and g.revoked_at is null)) as missing,
      (select array_agg(distinct a.name) from app_grant g join app a on a.id = g.app_id
        where g.group_id = u.group_id and g.revoked_at is null and g.app_id <> all (p.app_ids)) as beyond
    from app_package_use u join app_package p on p.id = u.package_id join zg_branch() b on b.id = u.group_id
    where u.package_id = ${packageId} order by b.name`.execute(ctx.db)
  return rows.map(({ areaCode, appliedAt, ...row }) => ({
    ...row,
    areaName: areaName(areaCode),
    appliedTime: formatInstant(appliedAt),
    missing: row.missing ?? [],
    beyond: row.beyond ?? [],
  }))
}

async function savePackage(ctx: Context, body: Extract<Body, { apps: unknown }>): Promise<{ id: string }> {
  const { schemeId, apps, uiGroupId, version, ...fields } = body
  const known = await ctx.db
    .selectFrom('app')
    .select(['id', 'name', 'groupTypes'])
    .where('base', '=', false)
    .where('id', 'in', [...apps, ''])
    .execute()
  if (known.length !== new Set(apps).size) throw new AppError('invalidInput', '应用不存在', { field: 'apps' })
  const wrong = known.find((app) => !app.groupTypes.includes(fields.groupType))
  if (wrong) throw new AppError('invalidInput', `“${wrong.name}”不提供给此类机构`, { field: 'apps' })
  const before = schemeId ? await getPackage(ctx, schemeId) : undefined
  if (before && before.groupType !== fields.groupType) throw new AppError('invalidInput', '方案的组类型不能改变', { field: 'groupType' })
  if (before?.isDefault && !fields.isDefault)
    throw new AppError('refused', '每类机构须有一个默认方案，请改设另一个为默认', { field: 'isDefault' })
  if (fields.isDefault) await ctx.db.updateTable('appPackage').set({ isDefault: false }).where('groupType', '=', fields.groupType).execute()
  const values = { ...fields, appIds: [...new Set(apps)], uiSchemeId: uiGroupId }
  const id = before?.id ?? ctx.newId()
  try {
    if (!before)
      await ctx.db
        .insertInto('appPackage')
        .values({ ...values, id, createBy: ctx.user.name })
        .execute()
    else {
      await changeRow(ctx, 'appPackage', { key: { id }, version: version ?? -1, noun: '方案', by: ctx.user.name, values: { ...values } })
    }
  } catch (error) {
    throw isUniqueViolation(error) ? new AppError('refused', `方案“${fields.name}”已存在`, { field: 'name' }) : error
  }
  const words = before
    ? changedWords({
        名称: [before.name, fields.name],
        应用数: [before.appIds.length, values.appIds.length],
        天数: [before.days ?? '长期', fields.days ?? '长期'],
        角色数: [before.roleIds.length, fields.roleIds.length],
        默认: [before.isDefault, fields.isDefault],
        说明: [before.remark, fields.remark],
      })
    : ''
  ctx.note(`${before ? '修改' : '新增'}应用方案 ${fields.name}${words ? `：${words}` : ''}`, id)
  return { id }
}

async function removePackage(ctx: Context, { schemeId, version }: { schemeId: string; version: number }): Promise<{ id: string }> {
  const pack = await getPackage(ctx, schemeId)
  if (pack.isDefault || pack.builtIn) throw new AppError('refused', '默认方案和自带方案不能删除')
  const done = await ctx.db.deleteFrom('appPackage').where('id', '=', pack.id).where('version', '=', version).executeTakeFirst()
  if (done.numDeletedRows === 0n) throw changedMeanwhile('方案')
  ctx.note(`删除应用方案 ${pack.name}`, pack.id)
  return { id: pack.id }
}

import { permissionModules, permissionName } from '@zhugong/contract/access/codes'
import { menuPages } from '@zhugong/contract/access/menus'
import type * as contract from '@zhugong/contract/apps/app-endpoints'
import { appRow } from '@zhugong/contract/apps/app-endpoints'
import { appOfCode } from '@zhugong/contract/apps/catalogue'
import { holderName, leftTime } from '@zhugong/contract/apps/codes'
import { isOn } from '@zhugong/contract/kit/enable'
import type { OutputFor, ParsedFor } from '@zhugong/contract/kit/endpoint'
import { AppError } from '@zhugong/contract/kit/errors'
import { sql } from 'kysely'
import { changeRow } from '#kit/change-row'
import { changedWords } from '#kit/changed'
import { addDays, formatDay } from '#kit/clock'
import { type Context, found, groupTypes } from '#kit/context'
import { isUniqueViolation } from '#kit/db'
import { allOf, anyOf, between, type Condition, condition, contains, equals, orderBy, pageSlice } from '#kit/list'
import { rowOf } from '#kit/row-of'
import type { HandlerOf } from '#kit/serve'
import { appsOf, type OwnedApp } from '../access/public.ts'

type Query = Partial<ParsedFor<typeof contract.listApps>['query']>

interface RawApp {
  id: string
  code: string
  name: string
  summary: string
  categoryId: string
  categoryName: string
  appType: '1' | '2'
  icon: string
  entry: string | null
  groupTypes: number[]
  needs: { id: string; name: string }[] | null
  defaultDays: number | null
  devices: string
  base: boolean
  builtIn: boolean
  enable: string
  sort: number
  grantCount: number
  users: number
  codes: string[]
  grantId: string | null
  startDay: string | null
  required: boolean | null
  version: number
}

/** Selects apps with the number of groups that hold them: only the grants of the caller's own branch are counted (row-level security). */
const rowsOf = (ctx: Pick<Context, 'group' | 'clock'>) => {
  const today = formatDay(ctx.clock.now())
  return sql`
    select a.*, c.name as category_name, c.hidden_types,
      (select json_agg(json_build_object('id', n.id, 'name', n.name)) from app n where n.id = any (a.prerequisites)) as needs,
      (select count(distinct x.group_id)::int from app_grant x
        where x.app_id = a.id and x.revoked_at is null and x.start_day <= ${today}::date and (x.deadline is null or x.deadline >= ${today}::date)) as grant_count,
      (select count(distinct u.user_id)::int from app_use u where u.app_id = a.id and u.group_id = ${ctx.group.id} and u.day > ${addDays(today, -7)}::date) as users,
      g.id as grant_id, g.start_day, g.required
    from app a join app_category c on c.id = a.category_id
      left join lateral (select x.id, x.start_day, x.required from app_grant x where x.app_id = a.id and x.group_id = ${ctx.group.id} and x.revoked_at is null
        order by x.deadline desc nulls first limit 1) g on true`
}

/** Groups see apps that are offered to their type or that they hold; the platform sees all. */
const availableTo = (ctx: Pick<Context, 'group'>): Condition[] =>
  ctx.group.type === groupTypes.platform
    ? []
    : [
        condition(
          sql`${ctx.group.type} = any (a.group_types) and ${ctx.group.type} <> all (a.hidden_types) and (a.enable = '1' or a.grant_id is not null)`,
        ),
      ]

const conditions = (ctx: Pick<Context, 'group'>, query: Query): Condition =>
  allOf(
    ...availableTo(ctx),
    ...equals('a.appType', query.appType),
    ...contains('a.name', query.name),
    ...contains('a.code', query.code),
    ...anyOf('a.categoryId', query.category),
    ...(query.groupTypes?.length ? [condition(sql`a.group_types::text[] && ${query.groupTypes}`)] : []),
    ...between('a.grantCount', query.grantCount),
    ...equals('a.enable', query.enable),
  )

const from = (ctx: Pick<Context, 'group' | 'clock'>, query: Query) => sql`(${rowsOf(ctx)}) a where ${conditions(ctx, query)}`

type Looker = Pick<Context, 'db' | 'clock' | 'group' | 'codes' | 'user'>

export async function findApps(ctx: Looker, query: Query, slice?: { limit: number; offset: number }): Promise<contract.AppRow[]> {
  const order = orderBy(query.sort, { sort: 'a.sort', name: 'a.name', code: 'a.code', grantCount: 'a.grantCount' }, 'sort', 'a.id')
  const part = slice ? sql`limit ${slice.limit} offset ${slice.offset}` : sql``
  const [{ rows }, mine] = await Promise.all([
    sql<RawApp>`select a.* from ${from(ctx, query)} order by ${order} ${part}`.execute(ctx.db),
    appsOf(ctx.db, ctx.group, ctx.user.id, formatDay(ctx.clock.now())),
  ])
  const existing = new Map(mine.map((app) => [app.id, app]))
  return rows.map((row) => toApp(ctx, row, existing.get(row.id)))
}
export async function countApps(ctx: Looker, query: Query): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from ${from(ctx, query)}`.execute(ctx.db)
  return rows[0]?.n ?? 0
}

export const listApps: HandlerOf<typeof contract.listApps> = async ({ query }, ctx) => {
  const [list, total] = [await findApps(ctx, query, pageSlice(query)), await countApps(ctx, query)]
  return { list, total }
}

function toApp(ctx: Looker, row: RawApp, current: OwnedApp | undefined): contract.AppRow {
  const has = ctx.group.type !== groupTypes.platform && current && current.state !== 'none'
  const state = current?.state === 'range' || current?.state === 'none' || !current ? 'valid' : current.state
  return rowOf(appRow, row, {
    prerequisites: row.needs ?? [],
    grantCount: ctx.codes.has('grant.view') ? row.grantCount : 0,
    mine: has
      ? {
          grantId: row.grantId,
          state,
          start: row.startDay ?? formatDay(ctx.clock.now()),
          deadline: current.deadline,
          leftTime: leftTime(current.deadline, formatDay(ctx.clock.now())),
          visible: current.visible,
          required: row.required ?? row.base,
        }
      : null,
  })
}

/** Callers who may see the catalogue see any app of it; others only the apps that they may open. */
export const getApp: HandlerOf<typeof contract.getApp> = async ({ params }, ctx): Promise<OutputFor<typeof contract.getApp>> => {
  const mine = await appsOf(ctx.system, ctx.group, ctx.user.id, formatDay(ctx.clock.now()))
  const existing = mine.find((app) => app.id === params.id)
  const isOpen = existing && (existing.state === 'valid' || existing.state === 'ending' || existing.state === 'grace')
  if (!isOpen) {
    if (!ctx.codes.has('app.view')) throw new AppError('notFound', '应用不存在或未对您开放')
  }
  const { rows } =
    await sql<RawApp>`select a.* from (${rowsOf(ctx)}) a where a.id = ${params.id} and ${allOf(...availableTo(ctx))}`.execute(ctx.db)
  const row = found(rows[0], '应用')
  const entries = await ctx.db
    .selectFrom('menu')
    .select(['id', 'title', 'path'])
    .where('appId', '=', row.id)
    .where('removed', '=', false)
    .execute()
  const sensitive = new Set(permissionModules.flatMap((m) => m.permissions.filter((p) => p.sensitive).map((p) => p.code)))
  return {
    ...toApp(ctx, row, existing),
    functions: row.codes.map((code) => ({ code, name: permissionName(code), sensitive: sensitive.has(code) })),
    menus: entries.flatMap(({ id, title, path }) => (path ? [{ id, title, path }] : [])),
    host: row.appType === '2' && row.entry ? new URL(row.entry).host : null,
  }
}

interface Wished {
  categoryId?: string | undefined
  prerequisites?: readonly string[] | undefined
  codes?: readonly string[] | undefined
  appType?: '1' | '2' | undefined
  entry?: string | null | undefined
}

/**
 * Checks that category, prerequisites and page exist. The codes must belong to delivered apps that need a grant: otherwise a new app would
 * take codes from every group without a grant of it.
 */
async function requireSound(ctx: Context, id: string | undefined, wished: Wished): Promise<void> {
  if (wished.categoryId) {
    const category = await ctx.db.selectFrom('appCategory').select('id').where('id', '=', wished.categoryId).executeTakeFirst()
    if (!category) throw new AppError('invalidInput', '所选分类不存在', { field: 'categoryId' })
  }
  if (wished.prerequisites?.length) {
    if (id && (await needsItself(ctx, id, wished.prerequisites)))
      throw new AppError('invalidInput', '前置应用又需要本应用，不能互为前置', { field: 'prerequisites' })
    const known = await ctx.db
      .selectFrom('app')
      .select('id')
      .where('id', 'in', [...wished.prerequisites])
      .execute()
    if (known.length < new Set(wished.prerequisites).size) throw new AppError('invalidInput', '前置应用不存在', { field: 'prerequisites' })
  }
  if (wished.codes?.length) {
    const { rows } = await sql<{ code: string }>`
      select c as code from unnest(${[...wished.codes]}::text[]) c where not exists (select 1 from app a where a.built_in and not a.base and c = any (a.codes))`.execute(
      ctx.db,
    )
    if (rows[0]) throw new AppError('invalidInput', `“${permissionName(rows[0].code)}”不属于可授权的应用，不能打包`, { field: 'codes' })
  }
  if (wished.appType === '1' && wished.entry && !menuPages.has(wished.entry))
    throw new AppError('invalidInput', '入口应从平台的页面中选择', { field: 'entry' })
}

async function needsItself(ctx: Context, id: string, prerequisites: readonly string[]): Promise<boolean> {
  const { rows } = await sql<{ loops: boolean }>`
    with recursive needed as (
      select unnest(${[...prerequisites]}::text[]) as id union select unnest(a.prerequisites) from app a join needed n on n.id = a.id)
    select exists (select 1 from needed where id = ${id}) as loops`.execute(ctx.db)
  return rows[0]?.loops ?? false
}

export const createApp: HandlerOf<typeof contract.createApp> = async ({ body }, ctx) => {
  await requireSound(ctx, undefined, body)
  const id = ctx.newId()
  const last = await ctx.db
    .selectFrom('app')
    .select((eb) => eb.fn.max('sort').as('sort'))
    .executeTakeFirst()
  try {
    await ctx.db
      .insertInto('app')
      .values({ ...body, id, sort: Number(last?.sort ?? 0) + 10, createBy: ctx.user.name })
      .execute()
  } catch (error) {
    throw isUniqueViolation(error) ? new AppError('refused', `应用编码“${body.code}”已存在`, { field: 'code' }) : error
  }
  ctx.note(`新增应用 ${body.name}`, id)
  return { id }
}

export const updateApp: HandlerOf<typeof contract.updateApp> = async ({ params, body: { version, ...change } }, ctx) => {
  const app = found(await ctx.db.selectFrom('app').selectAll().where('id', '=', params.id).executeTakeFirst(), '应用')
  const fixed = app.builtIn && (change.codes ?? change.appType ?? (change.entry === undefined ? undefined : 'entry'))
  if (fixed !== undefined && fixed !== false) throw new AppError('refused', '平台自带应用的功能与类型随产品更新，不能修改')
  if (app.base && change.enable === '0') throw new AppError('refused', '基础应用不能下架')
  await requireSound(ctx, app.id, { appType: app.appType, ...change })
  const type = change.appType ?? app.appType
  const entry = change.entry === undefined ? app.entry : change.entry
  if (type === '2' && !entry) throw new AppError('invalidInput', '请填写外部地址', { field: 'entry' })
  await changeRow(ctx, 'app', { key: { id: app.id }, version, noun: '应用', by: ctx.user.name, values: { ...change } })
  const turn = change.enable && change.enable !== app.enable ? (isOn(change.enable) ? '上架' : '下架') : '修改'
  const words = changedWords({
    名称: [app.name, change.name],
    说明: [app.summary, change.summary],
    图标: [app.icon, change.icon],
    适用: [app.groupTypes.map(holderName), change.groupTypes?.map(holderName)],
    默认天数: [app.defaultDays ?? '长期', change.defaultDays === undefined ? undefined : (change.defaultDays ?? '长期')],
    需要的设备: [app.devices, change.devices],
    地址: [app.entry, change.entry],
  })
  ctx.note(`${turn}应用 ${app.name}${words ? `：${words}` : ''}`, app.id)
  return undefined
}

export const removeApp: HandlerOf<typeof contract.removeApp> = async ({ params }, ctx) => {
  const app = found(await ctx.db.selectFrom('app').selectAll().where('id', '=', params.id).executeTakeFirst(), '应用')
  if (app.builtIn) throw new AppError('refused', '平台自带应用不能删除，可以下架')
  const granted = await ctx.db.selectFrom('appGrant').select('id').where('appId', '=', app.id).limit(1).executeTakeFirst()
  if (granted) throw new AppError('refused', `“${app.name}”曾经授权，不能删除，可以下架`)
  const needed = await sql<{ name: string }>`select name from app where ${app.id} = any (prerequisites)`.execute(ctx.db)
  if (needed.rows[0]) throw new AppError('refused', `“${needed.rows[0].name}”需要先开通本应用，不能删除`)
  await ctx.db.updateTable('menu').set({ appId: null }).where('appId', '=', app.id).execute()
  await ctx.db.deleteFrom('app').where('id', '=', app.id).execute()
  ctx.note(`删除应用 ${app.name}`, app.id)
  return undefined
}

export const sortApps: HandlerOf<typeof contract.sortApps> = async ({ body }, ctx) => {
  const { rows } = await sql<{ id: string; sort: number }>`select id, sort from app where id = any (${body.ids}) order by sort, id`.execute(
    ctx.db,
  )
  if (rows.length !== new Set(body.ids).size) throw new AppError('invalidInput', '应用不存在', { field: 'ids' })
  // Redistribute the sort numbers that these apps already had, so that their position among the other apps is kept.
  const places = rows.map((row, i) => Math.max(row.sort, (rows[i - 1]?.sort ?? -1) + 1))
  for (const [i, id] of body.ids.entries())
    await ctx.db
      .updateTable('app')
      .set({ sort: places[i] ?? i, categoryId: body.categoryId || undefined })
      .where('id', '=', id)
      .execute()
  ctx.note('应用排序')
  return undefined
}

/** Recorded once per day and account: the figures count users of an app, not page views. */
export const useApp: HandlerOf<typeof contract.useApp> = async ({ body }, ctx) => {
  if (!ctx.principal.group) return undefined
  const code = body.code.includes('.') ? appOfCode(body.code) : body.code
  await sql`insert into app_use (group_id, app_id, user_id, day)
    select ${ctx.group.id}, id, ${ctx.user.id}, ${formatDay(ctx.clock.now())}::date from app where code = ${code} on conflict do nothing`.execute(
    ctx.db,
  )
  return undefined
}

/** Returns an app that can be granted. */
export async function getAvailable(
  ctx: Context,
  ids: readonly string[],
): Promise<
  Map<string, { id: string; name: string; groupTypes: number[]; prerequisites: string[]; defaultDays: number | null; sort: number }>
> {
  const rows = await ctx.db
    .selectFrom('app')
    .select(['id', 'name', 'groupTypes', 'prerequisites', 'defaultDays', 'base', 'enable', 'sort'])
    .where('id', 'in', [...ids, ''])
    .execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  for (const id of ids) {
    const app = byId.get(id)
    if (!app) throw new AppError('invalidInput', '应用不存在', { field: 'apps' })
    if (app.base) throw new AppError('invalidInput', `“${app.name}”是基础应用，所有机构都有，不需要授权`, { field: 'apps' })
    if (!isOn(app.enable)) throw new AppError('invalidInput', `“${app.name}”已下架，不能再授权`, { field: 'apps' })
  }
  return byId
}

import { isOn } from '@zhugong/contract/kit/enable'
import { codesOf } from '@zhugong/contract/kit/endpoint'
import { AppError } from '@zhugong/contract/kit/errors'
import * as brand from '@zhugong/contract/organisation/brand'
import * as contract from '@zhugong/contract/organisation/groups'
import { areaName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import { type Context, found, groupTypes, projectsFor } from '#kit/context'
import type { Row } from '#kit/db'
import { allOf, inProjects, pageSlice } from '#kit/list'
import { pick } from '#kit/pick'
import { rowOf } from '#kit/row-of'
import type { HandlerOf, Serve } from '#kit/serve'
import { appoint, changeGroup, openGroup } from '../access/public.ts'
import { exportOf } from '../exports/registry.ts'
import { fileIdsOf, shownLinks } from '../files/public.ts'
import { countGroups, figuresOf, findGroups } from './group-rows.ts'
import { isBelow } from './registration.ts'

/** Groups with accounts: authorities and companies, their branding and settings. */
export function groupRoutes(serve: Serve) {
  serve(contract.listGroups, async ({ query }, ctx) => ({
    list: await findGroups(ctx, query, pageSlice(query)),
    total: await countGroups(ctx, query),
  }))
  serve(contract.groupFigures, ({ query }, ctx) => figuresOf(ctx, query.type))
  serve(contract.groupTree, groupTree)
  serve(contract.getGroup, getGroup)
  serve(contract.openCompany, openCompany)
  serve(contract.updateGroup, updateGroup)
  serve(contract.appointAdministrator, appointAdministrator)
}

const groupTree: HandlerOf<typeof contract.groupTree> = async ({ query }, ctx) =>
  query.kind === 'government' ? { tree: await governmentTree(ctx) } : { tree: await corporationTree(ctx) }

async function governmentTree(ctx: Context): Promise<contract.GroupNode[]> {
  const rows = await ctx.db
    .selectFrom('government')
    .select(['govCode', 'name', 'parentGovCode', 'enable'])
    .orderBy('level')
    .orderBy('govCode')
    .execute()
  const known = new Set(rows.map((r) => r.govCode))
  const below = Map.groupBy(rows, (r) => (r.parentGovCode && known.has(r.parentGovCode) ? r.parentGovCode : null))
  const draw = (parent: string | null): contract.GroupNode[] =>
    (below.get(parent) ?? []).map((r) => ({
      key: `1/${r.govCode}`,
      title: r.name,
      type: groupTypes.government,
      code: r.govCode,
      enable: r.enable,
      children: draw(r.govCode),
    }))
  return draw(null)
}

async function corporationTree(ctx: Context): Promise<contract.GroupNode[]> {
  const { rows } = await sql<{ corpCode: string; corpName: string; corpEnable: string; projectCode: string; name: string; enable: string }>`
    select c.corp_code, c.corp_name, c.enable as corp_enable, p.project_code, p.name, p.enable
    from project p join corporation c on c.corp_code = p.contractor_corp_code
    where ${allOf(...inProjects('p.projectCode', projectsFor(ctx)))} order by c.corp_name, p.name`.execute(ctx.db)
  return [...Map.groupBy(rows, (r) => r.corpCode).values()].flatMap((led) =>
    led[0]
      ? [
          {
            key: `2/${led[0].corpCode}`,
            title: led[0].corpName,
            type: groupTypes.corporation,
            code: led[0].corpCode,
            enable: led[0].corpEnable,
            children: led.map((p) => ({
              key: `3/${p.projectCode}`,
              title: p.name,
              type: groupTypes.project,
              code: p.projectCode,
              enable: p.enable,
              children: [],
            })),
          },
        ]
      : [],
  )
}

const getGroup: HandlerOf<typeof contract.getGroup> = async ({ params }, ctx) => {
  const tenant = await getVisible(ctx, params.id)
  const { rows } = await sql<{ people: number; administrators: string[] | null }>`
    select count(distinct m.id)::int as people,
      array_agg(distinct u.name) filter (where r.group_id is null and r.name like '%管理员') as administrators
    from member m join app_user u on u.id = m.user_id left join member_role mr on mr.member_id = m.id left join role r on r.id = mr.role_id
    where m.group_id = ${tenant.id}`.execute(ctx.system)
  return {
    ...toBrand(ctx, tenant),
    ...pick(tenant, 'type', 'name', 'enable'),
    areaName: tenant.areaCode && areaName(tenant.areaCode),
    settings: { org: rulesOf(tenant) },
    people: rows[0]?.people ?? 0,
    administrators: rows[0]?.administrators ?? [],
  }
}

export const openCompany: HandlerOf<typeof contract.openCompany> = async ({ body }, ctx) => {
  const company = await ctx.db
    .selectFrom('corporation')
    .select(['corpName', 'areaCode', 'enable'])
    .where('corpCode', '=', body.corpCode)
    .executeTakeFirst()
  if (!company) throw new AppError('invalidInput', '企业不在企业库中，请先登记企业', { field: 'corpCode' })
  if (!isOn(company.enable)) throw new AppError('refused', `企业“${company.corpName}”已停用`, { field: 'corpCode' })
  const id = await openGroup(ctx, {
    type: groupTypes.corporation,
    code: body.corpCode,
    name: company.corpName,
    areaCode: company.areaCode,
    sysName: body.sysName,
  })
  if (body.account) await appoint(ctx, { id, type: groupTypes.corporation }, body.account, codesOf(contract.openCompany))
  ctx.note(`开通企业 ${company.corpName}`, id)
  return { id }
}

const updateGroup: HandlerOf<typeof contract.updateGroup> = async ({ params, body: { version, settings, ...fields } }, ctx) => {
  const tenant = await getTenant(ctx, params.id)
  await writeBrand(
    ctx,
    tenant,
    version,
    fields,
    settings && JSON.stringify({ ...tenant.settings, ...(await requireRoles(ctx, tenant, settings)) }),
  )
  ctx.note(`修改组 ${tenant.name}`, tenant.id)
  return undefined
}

const appointAdministrator: HandlerOf<typeof contract.appointAdministrator> = async ({ body }, ctx) => {
  const tenant = found(await ctx.db.selectFrom('tenant').selectAll().where('id', '=', body.id).executeTakeFirst(), '机构')
  if (tenant.type !== groupTypes.government && tenant.type !== groupTypes.corporation)
    throw new AppError('refused', '只为监管机构和企业指定管理员')
  const done = await appoint(ctx, tenant, body.account, codesOf(contract.appointAdministrator))
  ctx.note(`${done.pending ? '邀请' : '指定'} ${done.name} 为 ${tenant.name} 的管理员`, tenant.id)
  return done
}

export type Tenant = Row<'tenant'>

/** The caller's own group; any group for the platform. */
export async function getTenant(ctx: Context, id: string): Promise<Tenant> {
  const row = await ctx.db.selectFrom('tenant').selectAll().where('id', '=', id).executeTakeFirst()
  return found(row && (ctx.group.type === groupTypes.platform || row.id === ctx.group.id) ? row : undefined, '机构')
}

/** The caller's own group, and for an authority those below it. */
async function getVisible(ctx: Context, id: string): Promise<Tenant> {
  if (ctx.group.type !== groupTypes.government || id === ctx.group.id) return getTenant(ctx, id)
  const row = await ctx.system
    .selectFrom('tenant')
    .selectAll()
    .where('id', '=', id)
    .where('type', '=', groupTypes.government)
    .executeTakeFirst()
  return found(row && (await isBelow(ctx, row.code)) ? row : undefined, '机构')
}

/** The stored settings of a group; settings missing in an older format are empty. */
export const rulesOf = (tenant: Pick<Tenant, 'settings'>): brand.OrgRules => brand.orgRules.parse(tenant.settings.org ?? {})

async function requireRoles(ctx: Context, tenant: Tenant, settings: { org: brand.OrgRules }): Promise<{ org: brand.OrgRules }> {
  const wanted = [...new Set(settings.org.posts.flatMap((one) => one.roleId ?? []))]
  if (wanted.length === 0) return settings
  const rows = await ctx.db
    .selectFrom('role')
    .select('id')
    .where('id', 'in', wanted)
    .where('groupsType', '=', tenant.type)
    .where((eb) => eb.or([eb('groupId', 'is', null), eb('groupId', '=', tenant.id)]))
    .execute()
  if (rows.length < wanted.length) throw new AppError('invalidInput', '所选角色不存在', { field: 'settings' })
  return settings
}

interface Appearance {
  sysName?: string | null | undefined
  logo?: string | null | undefined
  screen?: string | null | undefined
  lng?: number | null | undefined
  lat?: number | null | undefined
  primaryColor?: string | null | undefined
}

export async function writeBrand(
  ctx: Context,
  tenant: Tenant,
  version: number,
  { logo, ...fields }: Appearance,
  settings?: string,
): Promise<void> {
  await changeGroup(ctx, tenant.id, version, {
    ...fields,
    ...(logo === undefined ? {} : { logo: await keptLogo(ctx, logo, tenant.logo) }),
    settings,
  })
}

/** The logo must be the caller's own file. Images with scripts are refused: the login page shows it to everybody. */
async function keptLogo(ctx: Context, logo: string | null, before: string | null): Promise<string | null> {
  const [id] = fileIdsOf(logo ? [logo] : [])
  if (!id || id === before) return id ?? null
  const file = await ctx.db.selectFrom('storedFile').select(['mime', 'bytes']).where('id', '=', id).executeTakeFirst()
  if (!file) throw new AppError('invalidInput', '标识图片不存在，请重新上传', { field: 'logo' })
  if (!brand.logoTypes.includes(file.mime)) throw new AppError('invalidInput', '标识应为 PNG、JPG 或 WebP 图片', { field: 'logo' })
  if (Number(file.bytes) > brand.logoMaxBytes) throw new AppError('invalidInput', '标识图片不能超过 1 MB', { field: 'logo' })
  return id
}

export const toBrand = (ctx: Context, t: Tenant) =>
  rowOf(brand.brandRead, t, {
    sysName: t.sysName ?? t.name,
    logo: t.logo ? (shownLinks(ctx, [t.logo])[0] ?? null) : null,
    updateTime: t.updateTime && formatInstant(t.updateTime),
  })

export function registerGroupExport(): void {
  exportOf(
    contract.groupList,
    {
      title: '机构列表',
      widths: { name: 32, code: 24, kind: 20, parentGovCode: 28 },
      count: countGroups,
      async *rows(ctx, query) {
        yield* await findGroups(ctx, query)
      },
    },
    {
      kind: (g) => g.kindName,
      level: (g) => g.levelName,
      areaCode: (g) => g.areaName,
      parentGovCode: (g) => g.parentName,
      enable: (g) => (isOn(g.enable) ? '启用' : '停用'),
    },
  )
}

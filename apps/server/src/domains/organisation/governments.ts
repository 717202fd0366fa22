import { maskPhone } from '@zhugong/contract/kit/checks'
import { isOn } from '@zhugong/contract/kit/enable'
import { AppError } from '@zhugong/contract/kit/errors'
import * as contract from '@zhugong/contract/organisation/governments'
import { type GovernmentRow, governmentRow } from '@zhugong/contract/organisation/model'
import { areaName, dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { changeRow } from '#kit/change-row'
import { formatInstant } from '#kit/clock'
import { type Context, found, groupTypes } from '#kit/context'
import { allOf, anyOf, between, contains, equals, filtersOf, inAreas, orderBy, pageSlice } from '#kit/list'
import { rowOf } from '#kit/row-of'
import type { HandlerOf, Serve } from '#kit/serve'
import { openGroup } from '../access/public.ts'
import { isBelow, requireOwnArea } from './registration.ts'

export function governmentRoutes(serve: Serve) {
  serve(contract.listGovernments, listGovernments)
  serve(contract.pickGovernments, pickGovernments)
  serve(contract.getGovernment, async ({ params }, ctx) => toRow(await getRaw(ctx, params.govCode)))
  serve(contract.createGovernment, createGovernment)
  serve(contract.updateGovernment, updateGovernment)
  serve(contract.removeGovernment, removeGovernment)
  serve(contract.switchGovernment, switchGovernment)
}

const listGovernments: HandlerOf<typeof contract.listGovernments> = async ({ query }, ctx) => {
  const where = filtersOf(query, {
    name: [contains, 'g.name'],
    govCode: [contains, 'g.govCode'],
    type: [anyOf, 'g.type'],
    level: [anyOf, 'g.level'],
    areaCode: [inAreas, 'g.areaCode'],
    enable: [equals, 'g.enable'],
    projectCount: [between, 'g.projectCount'],
  })
  const order = orderBy(
    query.sort,
    { name: 'g.name', govCode: 'g.govCode', level: 'g.level', createTime: 'g.createTime', projectCount: 'g.projectCount' },
    '-createTime',
    'g.govCode',
  )
  const { limit, offset } = pageSlice(query)
  const { rows } =
    await sql<RawGovernment>`select * from (${select}) g where ${where} order by ${order} limit ${limit} offset ${offset}`.execute(ctx.db)
  const total = await sql<{ n: number }>`select count(*)::int as n from (${select}) g where ${where}`.execute(ctx.db)
  return { list: rows.map(toRow), total: total.rows[0]?.n ?? 0 }
}

const pickGovernments: HandlerOf<typeof contract.pickGovernments> = async ({ query }, ctx) => {
  const rows = await ctx.db
    .selectFrom('government')
    .select(['govCode', 'name', 'areaCode'])
    .where('enable', '=', '1')
    .where(allOf(...contains('name', query.name)))
    .orderBy('level')
    .orderBy('govCode')
    .limit(500)
    .execute()
  return { list: rows.map((r) => ({ code: r.govCode, name: r.name, areaCode: r.areaCode })), total: rows.length }
}

const createGovernment: HandlerOf<typeof contract.createGovernment> = async ({ body }, ctx) => {
  const { govCode } = await openBody(ctx, body)
  ctx.note(`新增监管机构 ${body.name}`, govCode)
  return { govCode }
}

type Body = NonNullable<(typeof contract.createGovernment)['types']>['parsed']['body']

/** Creates a government and its group. */
export async function openBody(ctx: Context, body: Body): Promise<{ govCode: string; groupId: string }> {
  await requireParent(ctx, undefined, body.parentGovCode)
  const next = await ctx.db
    .selectFrom('government')
    .select((eb) => eb.fn.max('govCode').as('last'))
    .where('govCode', 'like', `${body.areaCode}%`)
    .executeTakeFirst()
  const govCode = `${body.areaCode}${String(Number(next?.last?.slice(6) ?? 0) + 1).padStart(3, '0')}`
  const { linkPhone, ...rest } = body
  await ctx.db
    .insertInto('government')
    .values({ ...rest, govCode, linkPhone: ctx.secrets.seal(linkPhone), linkPhoneMask: maskPhone(linkPhone), createBy: ctx.user.id })
    .execute()
  const groupId = await openGroup(ctx, { type: 1, code: govCode, name: body.name, areaCode: body.areaCode })
  return { govCode, groupId }
}

const updateGovernment: HandlerOf<typeof contract.updateGovernment> = async ({ params, body }, ctx) => {
  const before = await getRaw(ctx, params.govCode)
  await requireSuperior(ctx, before, body)
  await requireParent(ctx, params.govCode, body.parentGovCode)
  const { linkPhone, version, ...rest } = body
  await changeRow(ctx, 'government', {
    key: { govCode: params.govCode },
    version: version ?? before.version,
    noun: '机构',
    by: ctx.user.id,
    values: {
      ...rest,
      linkPhone: linkPhone ? ctx.secrets.seal(linkPhone) : undefined,
      linkPhoneMask: linkPhone ? maskPhone(linkPhone) : undefined,
    },
  })
  ctx.note(`修改监管机构 ${before.name}`, params.govCode)
  return undefined
}

const removeGovernment: HandlerOf<typeof contract.removeGovernment> = async ({ params }, ctx) => {
  const row = await getRaw(ctx, params.govCode)
  if (row.projectCount > 0) throw new AppError('refused', `机构“${row.name}”下还有 ${row.projectCount} 个项目，不能删除`)
  const below = await ctx.db.selectFrom('government').select('govCode').where('parentGovCode', '=', params.govCode).executeTakeFirst()
  if (below || row.userCount > 0)
    throw new AppError('refused', `机构“${row.name}”下还有${below ? '下级机构' : `${row.userCount} 个账号`}，不能删除`)
  await ctx.db.deleteFrom('government').where('govCode', '=', params.govCode).execute()
  ctx.note(`删除监管机构 ${row.name}`, params.govCode)
  return undefined
}

const switchGovernment: HandlerOf<typeof contract.switchGovernment> = async ({ body }, ctx) => {
  const row = await getRaw(ctx, body.govCode)
  await ctx.db.updateTable('government').set({ enable: body.status }).where('govCode', '=', body.govCode).execute()
  ctx.note(`${isOn(body.status) ? '启用' : '停用'}监管机构 ${row.name}`, body.govCode)
  return undefined
}

interface RawGovernment {
  govCode: string
  name: string
  type: string
  level: string
  areaCode: string
  parentGovCode: string | null
  parentName: string | null
  creditCode: string | null
  disciplines: string[]
  linkMan: string
  linkPhoneMask: string | null
  address: string | null
  projectCount: number
  reachCount: number
  userCount: number
  adminName: string | null
  lastLogin: Date | null
  enable: string
  createTime: Date
  version: number
}

/** The member count needs row-level access to members: the platform and the government itself. */
const select = sql`
  select g.*, p.name as parent_name,
    (select count(*)::int from project x where x.supervise_org = g.gov_code) as project_count,
    (select count(*)::int from project x where x.project_code <> all (g.removed_projects)
      and (x.area_code ^@ zg_area_front(g.area_code) or x.project_code = any (g.added_projects) or x.supervise_org = g.gov_code)) as reach_count,
    (select count(*)::int from member m join tenant t on t.id = m.group_id where t.type = 1 and t.code = g.gov_code) as user_count,
    (select min(u.name) from member m join tenant t on t.id = m.group_id join app_user u on u.id = m.user_id
       join member_role mr on mr.member_id = m.id join role r on r.id = mr.role_id
     where t.type = 1 and t.code = g.gov_code and r.name = '监管机构管理员') as admin_name,
    (select max(u.last_login_at) from member m join tenant t on t.id = m.group_id join app_user u on u.id = m.user_id
     where t.type = 1 and t.code = g.gov_code) as last_login
  from government g left join government p on p.gov_code = g.parent_gov_code`

async function getRaw(ctx: Pick<Context, 'db'>, govCode: string): Promise<RawGovernment> {
  const { rows } = await sql<RawGovernment>`select * from (${select}) g where gov_code = ${govCode}`.execute(ctx.db)
  return found(rows[0], '监管机构')
}

/** Fields that place a government in the hierarchy: changed by the one above it or the platform. */
const current = { type: '机构类型', level: '层级', areaCode: '管辖区划', parentGovCode: '上级机构' } as const

/** A government edits itself and those below, but not its own place in the hierarchy. */
async function requireSuperior(ctx: Context, before: RawGovernment, body: Pick<RawGovernment, keyof typeof current>): Promise<void> {
  if (ctx.group.type === groupTypes.platform) return
  if (!(await isBelow(ctx, before.govCode))) throw new AppError('forbidden', '只能修改本机构和下级机构的资料')
  if (before.govCode === ctx.group.code) {
    const field = (Object.keys(current) as (keyof typeof current)[]).find((key) => body[key] !== before[key])
    if (field) throw new AppError('forbidden', `本机构的${current[field]}由上级机构或平台修改`, { field })
    return
  }
  requireOwnArea(ctx, [body.areaCode])
  if (body.parentGovCode === null || !(await isBelow(ctx, body.parentGovCode)))
    throw new AppError('forbidden', '下级机构只能调整到本机构或其下级', { field: 'parentGovCode' })
}

async function requireParent(ctx: Pick<Context, 'db'>, govCode: string | undefined, parent: string | null): Promise<void> {
  if (!parent) return
  if (parent === govCode) throw new AppError('invalidInput', '上级机构不能是自己', { field: 'parentGovCode' })
  const { rows } = await sql<{ govCode: string }>`
    with recursive above as (
      select gov_code, parent_gov_code from government where gov_code = ${parent}
      union select g.gov_code, g.parent_gov_code from government g join above a on g.gov_code = a.parent_gov_code)
    select gov_code from above`.execute(ctx.db)
  if (rows.length === 0) throw new AppError('invalidInput', '上级机构不存在', { field: 'parentGovCode' })
  if (rows.some((r) => r.govCode === govCode)) throw new AppError('invalidInput', '上级机构不能是自己的下级', { field: 'parentGovCode' })
}

function toRow(g: RawGovernment): GovernmentRow {
  return rowOf(governmentRow, g, {
    typeName: dictName('govType', g.type),
    levelName: dictName('govLevel', g.level),
    areaName: areaName(g.areaCode),
    linkPhone: g.linkPhoneMask,
    lastLogin: g.lastLogin ? formatInstant(g.lastLogin) : null,
    createTime: formatInstant(g.createTime),
  })
}

import { isPermissionCode, permissionModules, permissionName } from '@zhugong/contract/access/codes'
import type * as contract from '@zhugong/contract/access/functions'
import type { FunctionRow } from '@zhugong/contract/access/functions'
import { menuPages } from '@zhugong/contract/access/menus'
import { riskCodes, riskName } from '@zhugong/contract/access/role-work'
import type { Endpoint } from '@zhugong/contract/kit/endpoint'
import { codesOf } from '@zhugong/contract/kit/endpoint'
import { AppError } from '@zhugong/contract/kit/errors'
import { sql } from 'kysely'
import { conflictOf } from '#kit/change-row'
import { changedWords } from '#kit/changed'
import { formatDay } from '#kit/clock'
import { type Context, found } from '#kit/context'
import type { HandlerOf } from '#kit/serve'
import { functionStates, riskOf } from './function-tree.ts'

/** Functions that cannot be stopped for everybody: nobody could switch them on again. */
const indispensable = ['function.view', 'function.edit']

/** Every permission of the product with its menus, endpoints, roles and holders. */
export async function functionRows(ctx: Pick<Context, 'db' | 'clock'>, endpoints: readonly Endpoint[]): Promise<FunctionRow[]> {
  const states = await functionStates(ctx.db)
  const { rows } = await sql<{ code: string; roles: number; users: number }>`
    select c.code, count(distinct r.id)::int as roles, count(distinct m.user_id)::int as users
    from role r cross join lateral unnest(r.codes) c(code)
      left join member_role mr on mr.role_id = r.id and r.enable = '1' and mr.enable = '1'
        and (mr.deadline is null or mr.deadline >= ${formatDay(ctx.clock.now())}::date)
      left join member m on m.id = mr.member_id and m.enable = '1'
    group by c.code`.execute(ctx.db)
  const uses = new Map(rows.map((row) => [row.code, row]))
  const requested = Map.groupBy(
    endpoints.flatMap((endpoint) => codesOf(endpoint).map((code) => ({ code, name: `${endpoint.method} ${endpoint.path}` }))),
    (one) => one.code,
  )
  const pages = [...menuPages.values()]
  return permissionModules.flatMap((m) =>
    m.permissions.map((p): FunctionRow => {
      const state = states.get(p.code)
      return {
        code: p.code,
        title: state?.title ?? p.name,
        module: m.module,
        moduleName: m.name,
        remark: state?.remark ?? '',
        risk: state?.risk ?? riskOf(p),
        groupTypes: [...p.types],
        menus: pages.filter((page) => page.code === p.code || page.buttons?.includes(m.module)).map(({ path, title }) => ({ path, title })),
        endpoints: (requested.get(p.code) ?? []).map((one) => one.name),
        roles: uses.get(p.code)?.roles ?? 0,
        users: uses.get(p.code)?.users ?? 0,
        enable: state?.enable ?? '1',
        reason: state?.reason ?? '',
        updateBy: state?.updateBy ?? null,
        version: state?.version ?? 0,
      }
    }),
  )
}

type Query = Parameters<HandlerOf<typeof contract.listFunctions>>[0]['query']
const views = {
  unattached: (one: FunctionRow) => one.menus.length === 0,
  unheld: (one: FunctionRow) => one.users === 0,
  personal: (one: FunctionRow) => one.risk === riskCodes.personal,
  unasked: (one: FunctionRow) => one.endpoints.length === 0,
}
const between = (value: number, range: { low?: number | undefined; high?: number | undefined } | undefined) =>
  value >= (range?.low ?? 0) && value <= (range?.high ?? Number.POSITIVE_INFINITY)
const holds = (text: string, part: string | undefined) => text.toLowerCase().includes((part ?? '').toLowerCase())

/** Filters and sorts in memory: there are only a few hundred codes, and most of their attributes are not in the database. */
export function chosen(rows: readonly FunctionRow[], query: Partial<Query>): FunctionRow[] {
  const list = rows.filter(
    (one) =>
      holds(one.code, query.code) &&
      holds(one.title, query.title) &&
      (!query.module?.length || query.module.includes(one.module)) &&
      (!query.risk || one.risk === query.risk) &&
      (!query.enable || one.enable === query.enable) &&
      between(one.roles, query.roles) &&
      between(one.users, query.users) &&
      (!query.view || views[query.view](one)),
  )
  if (!query.sort) return list
  const falling = query.sort.startsWith('-')
  const name = query.sort.replace('-', '') as 'code' | 'roles' | 'users'
  const compare = (a: FunctionRow, b: FunctionRow) => (name === 'code' ? a.code.localeCompare(b.code) : a[name] - b[name])
  return list.sort((a, b) => (falling ? compare(b, a) : compare(a, b)))
}

export const listFunctions =
  (endpoints: () => readonly Endpoint[]): HandlerOf<typeof contract.listFunctions> =>
  async ({ query }, ctx) => {
    const rows = await functionRows(ctx, endpoints())
    const list = chosen(rows, query)
    const from = (query.page - 1) * query.size
    const count = (view: keyof typeof views) => rows.filter(views[view]).length
    return {
      list: list.slice(from, from + query.size),
      total: list.length,
      figures: {
        total: rows.length,
        unattached: count('unattached'),
        unheld: count('unheld'),
        personal: count('personal'),
        unasked: count('unasked'),
      },
      modules: permissionModules.map((m) => ({ module: m.module, name: m.name, functions: m.permissions.length })),
    }
  }

export const functionHolders: HandlerOf<typeof contract.functionHolders> = async ({ params }, ctx) => {
  if (!isPermissionCode(params.code)) found(undefined, '权限码')
  const today = formatDay(ctx.clock.now())
  const { rows: roles } = await sql<{ id: string; name: string; groupName: string | null; groupsType: number; users: number }>`
    select r.id, r.name, t.name as group_name, r.groups_type,
      (select count(distinct m.user_id)::int from member_role mr join member m on m.id = mr.member_id where mr.role_id = r.id) as users
    from role r left join tenant t on t.id = r.group_id where ${params.code} = any (r.codes) order by r.groups_type, users desc, r.name`.execute(
    ctx.db,
  )
  const { rows: groups } = await sql<{ groupName: string; users: number }>`
    select t.name as group_name, count(distinct m.user_id)::int as users
    from member m join tenant t on t.id = m.group_id join member_role mr on mr.member_id = m.id and mr.enable = '1'
        and (mr.deadline is null or mr.deadline >= ${today}::date)
      join role r on r.id = mr.role_id and r.enable = '1' and ${params.code} = any (r.codes)
    where m.enable = '1' group by t.name order by 2 desc, 1`.execute(ctx.db)
  return { roles, groups }
}

const deliveredRisk = (code: string): string => {
  const known = permissionModules.flatMap((one) => one.permissions).find((one) => one.code === code)
  return known ? riskOf(known) : riskCodes.ordinary
}

/** Changes title, explanation or risk class, or stops a function for everybody; stopping requires a reason and a confirmation. */
export const editFunction: HandlerOf<typeof contract.editFunction> = async ({ body }, ctx) => {
  if (!isPermissionCode(body.code)) throw new AppError('invalidInput', `没有这个权限：${body.code}`, { field: 'code' })
  const before = (await functionStates(ctx.db)).get(body.code)
  const stops = body.enable === '0' && before?.enable !== '0'
  if (stops) {
    if (indispensable.includes(body.code)) throw new AppError('refused', '停用后将无法再启用，此功能不能停用', { field: 'enable' })
    if (!body.reason) throw new AppError('invalidInput', '请填写停用原因', { field: 'reason' })
    if (!body.confirmed) throw new AppError('refused', '停用后所有人立即失去此功能，请再次确认', { field: 'confirmed' })
  }
  const changed = await sql`
    insert into function_state (code, title, remark, risk, enable, reason, update_by, update_time, version)
    values (${body.code}, ${body.title}, ${body.remark}, ${body.risk}, ${body.enable}, ${body.reason}, ${ctx.user.name},
      ${new Date(ctx.clock.now())}, ${body.version + 1})
    on conflict (code) do update set title = excluded.title, remark = excluded.remark, risk = excluded.risk, enable = excluded.enable,
      reason = excluded.reason, update_by = excluded.update_by, update_time = excluded.update_time, version = excluded.version
    where function_state.version = ${body.version}`.execute(ctx.db)
  if (changed.numAffectedRows === 0n) throw await conflictOf(ctx, 'functionState', { code: body.code }, '该功能')
  const act = stops ? '停用功能' : before?.enable === '0' && body.enable === '1' ? '恢复功能' : '修改功能'
  const words = changedWords({
    名称: [before?.title ?? permissionName(body.code), body.title],
    说明: [before?.remark ?? '', body.remark],
    敏感级别: [riskName(before?.risk ?? deliveredRisk(body.code)), riskName(body.risk)],
  })
  ctx.note(
    `${act} ${permissionName(body.code)}（${body.code}）${[body.reason, words]
      .filter(Boolean)
      .map((one) => `：${one}`)
      .join('')}`,
    body.code,
  )
  return undefined
}

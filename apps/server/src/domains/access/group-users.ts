import * as contract from '@zhugong/contract/access/group-roles'
import { codesOf, type ParsedFor } from '@zhugong/contract/kit/endpoint'
import { AppError } from '@zhugong/contract/kit/errors'
import { sql } from 'kysely'
import { changedMeanwhile } from '#kit/change-row'
import { changedWords } from '#kit/changed'
import { addDays, formatDay, formatInstant } from '#kit/clock'
import { type Context, found } from '#kit/context'
import { allOf, type Condition, condition, contains, daysBetween, orderBy, pageSlice } from '#kit/list'
import { rowOf } from '#kit/row-of'
import type { HandlerOf } from '#kit/serve'
import { rulesInForce, usualEnd } from './delegation.ts'
import { rightsAtWork } from './find-rights.ts'
import { requireAbove } from './held.ts'
import { changeRolesOf, dismiss, enrolAccount, requireKept } from './members.ts'

export interface RawGroupUser {
  id: string
  userId: string
  name: string
  account: string
  phoneMask: string | null
  departments: string[]
  posts: string[]
  roles: contract.GroupUser['roles']
  temporary: contract.GroupUser['temporary']
  administers: boolean
  deadline: string | null
  lastLoginAt: Date | null
  enable: string
  createTime: Date
  version: number
}

type Looker = Pick<Context, 'db' | 'clock' | 'group'>

type Query = Partial<ParsedFor<typeof contract.listGroupUsers>['query']>

/** "Ends soon" means within this number of days from today. */
const soonDays = 7

/** SQL source: members of the caller's group with their roles. The version counts changes of the roles. */
export const groupUsers = ({ clock, group }: Looker) => sql`
  select m.id, m.user_id, u.name, u.account, u.phone_mask, m.deadline::text as deadline, u.last_login_at, m.create_time,
    case when u.enable = '1' and m.enable = '1' then '1' else '0' end as enable,
    array(select distinct n.name from org_member o join org_node n on n.id = o.org_id where o.member_id = m.id) as departments,
    array(select distinct o.post from org_member o where o.member_id = m.id and o.post <> '') as posts,
    (select coalesce(json_agg(json_build_object('id', r.id, 'name', r.name, 'deadline', mr.deadline,
        'enable', case when r.enable = '1' and mr.enable = '1' then '1' else '0' end, 'tied', coalesce(r.data_scope = '4', false)) order by r.name), '[]')
      from member_role mr join role r on r.id = mr.role_id where mr.member_id = m.id) as roles,
    (select coalesce(json_agg(json_build_object('id', x.id, 'name', x.name, 'endTime',
        to_char(x.end_time at time zone 'Asia/Shanghai', 'YYYY-MM-DD HH24:MI:SS')) order by x.end_time), '[]')
      from temp_role x where x.group_id = m.group_id and m.id = any (x.member_ids)
        and x.end_time > ${new Date(clock.now())} and x.start_time <= ${new Date(clock.now())}) as temporary,
    exists (select 1 from member_role mr join role r on r.id = mr.role_id and r.administrator where mr.member_id = m.id) as administers,
    (select least(m.deadline, min(mr.deadline)) from member_role mr where mr.member_id = m.id) as ends,
    (select coalesce(sum(mr.version + 1), 0)::int from member_role mr where mr.member_id = m.id) as version
  from member m join app_user u on u.id = m.user_id where m.group_id = ${group.id}`

const views = (looker: Looker): Readonly<Record<NonNullable<Query['view']>, Condition>> => {
  const today = formatDay(looker.clock.now())
  return {
    administrator: condition(sql`m.administers`),
    temporary: condition(sql`json_array_length(m.temporary) > 0`),
    without: condition(sql`json_array_length(m.roles) = 0`),
    ending: condition(sql`m.ends between ${today}::date and ${addDays(today, soonDays)}::date`),
  }
}

const sourceOf: Readonly<Record<string, Condition>> = {
  '1': condition(sql`json_array_length(m.roles) > 0 and not m.administers`),
  '3': condition(sql`m.administers`),
  '4': condition(sql`json_array_length(m.temporary) > 0`),
}

const anywhereIn = (column: string, part: string | undefined): Condition[] =>
  part ? [condition(sql`exists (select 1 from unnest(${sql.ref(column)}) x where x ilike ${`%${part.replace(/[\\%_]/g, '\\$&')}%`})`)] : []

export const groupUserConditions = (looker: Looker, query: Query): Condition =>
  allOf(
    ...contains('m.name', query.name),
    ...contains('m.account', query.account),
    ...anywhereIn('m.departments', query.dept),
    ...anywhereIn('m.posts', query.post),
    ...(query.roleId
      ? [condition(sql`exists (select 1 from member_role mr where mr.member_id = m.id and mr.role_id = ${query.roleId})`)]
      : []),
    ...(query.view ? [views(looker)[query.view]] : []),
    ...(query.source?.length
      ? [
          condition(
            sql`(${sql.join(
              query.source.map((one) => (Object.hasOwn(sourceOf, one) && sourceOf[one]) || sql`false`),
              sql` or `,
            )})`,
          ),
        ]
      : []),
    ...daysBetween('m.ends', query.expireDate),
    ...daysBetween('m.lastLoginAt', query.lastLogin),
  )

export const groupUserOrder = ({ sort }: Query) =>
  orderBy(sort, { name: 'm.name!', expireDate: 'm.ends', lastLogin: 'm.lastLoginAt' }, 'name', 'm.id')

export const toGroupUser = (row: RawGroupUser): contract.GroupUser =>
  rowOf(contract.groupUser, row, {
    phone: row.phoneMask,
    sources: [...(row.administers ? ['3'] : row.roles.length ? ['1'] : []), ...(row.temporary.length ? ['4'] : [])],
    lastLogin: row.lastLoginAt && formatInstant(row.lastLoginAt),
    createTime: formatInstant(row.createTime),
  })

export const listGroupUsers: HandlerOf<typeof contract.listGroupUsers> = async ({ query }, ctx) => {
  const where = groupUserConditions(ctx, query)
  const { limit, offset } = pageSlice(query)
  const { rows } = await sql<RawGroupUser>`
    select * from (${groupUsers(ctx)}) m where ${where} order by ${groupUserOrder(query)} limit ${limit} offset ${offset}`.execute(ctx.db)
  const { rows: counted } = await sql<{ n: number }>`select count(*)::int as n from (${groupUsers(ctx)}) m where ${where}`.execute(ctx.db)
  return { list: rows.map(toGroupUser), total: counted[0]?.n ?? 0 }
}

export async function readUser(ctx: Context, id: string): Promise<RawGroupUser> {
  const { rows } = await sql<RawGroupUser>`select * from (${groupUsers(ctx)}) m where m.id = ${id}`.execute(ctx.db)
  return found(rows[0], '组成员')
}

export const getGroupUser: HandlerOf<typeof contract.getGroupUser> = async ({ params }, ctx) => toGroupUser(await readUser(ctx, params.id))

export const addGroupUser: HandlerOf<typeof contract.addGroupUser> = async ({ body }, ctx) => {
  const rules = await rulesInForce(ctx)
  const roleIds = body.roleIds.length ? body.roleIds : rules.defaultRoleId ? [rules.defaultRoleId] : []
  const known = await ctx.db
    .selectFrom('member as m')
    .innerJoin('appUser as u', 'u.id', 'm.userId')
    .select('u.name')
    .where('m.groupId', '=', ctx.group.id)
    .where('u.account', '=', body.account.toLowerCase())
    .executeTakeFirst()
  if (known) throw new AppError('refused', `“${known.name}”已在本组`, { field: 'account' })
  const { requestId, name } = await enrolAccount(ctx, body.account, {
    roleIds,
    deadline: await usualEnd(ctx, body.expireDate),
    needs: codesOf(contract.addGroupUser),
  })
  ctx.note(`邀请 ${name} 加入本组`, requestId)
  return { id: requestId ?? '', name, pending: true }
}

export const updateGroupUser: HandlerOf<typeof contract.updateGroupUser> = async ({ params, body }, ctx) => {
  const row = await readUser(ctx, params.id)
  if (row.version !== body.version) throw changedMeanwhile('该成员的角色')
  await setEnd(ctx, row, body.expireDate)
  const before = row.roles.map((role) => role.id)
  await changeRolesOf(ctx, row.id, {
    add: body.roleIds.filter((id) => !before.includes(id)),
    remove: before.filter((id) => !body.roleIds.includes(id)),
    deadline: body.expireDate ?? (await usualEnd(ctx, null)),
  })
  await sql`update member_role set version = version + 1 where member_id = ${row.id}`.execute(ctx.db)
  const names = await roleNames(ctx, body.roleIds)
  const words = changedWords({
    角色: [row.roles.map((role) => role.name).sort(), names.sort()],
    有效期: [row.deadline ?? '长期', body.expireDate ?? '长期'],
  })
  ctx.note(`修改成员 ${row.name}${words ? `：${words}` : ''}`, row.id)
  return undefined
}

/** Names of roles, in alphabetical order. */
export async function roleNames(ctx: Context, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const rows = await ctx.db
    .selectFrom('role')
    .select('name')
    .where('id', 'in', [...ids])
    .orderBy('name')
    .execute()
  return rows.map((row) => row.name)
}

/** Changes the end date of a membership. An extension grants all the member's rights; nobody may extend their own membership. */
export async function setEnd(ctx: Context, row: Pick<RawGroupUser, 'id' | 'userId' | 'deadline'>, until: string | null): Promise<void> {
  if (until === row.deadline) return
  if (until !== null && until < formatDay(ctx.clock.now()))
    throw new AppError('invalidInput', '有效期不能早于今天', { field: 'expireDate' })
  const isLater = row.deadline !== null && (until === null || until > row.deadline)
  if (row.userId === ctx.user.id && isLater)
    throw new AppError('forbidden', '不能延长自己的有效期，请由其他管理员办理', { field: 'expireDate' })
  requireAbove(ctx, await rightsAtWork(ctx.system, row.id, ctx.clock.now()), isLater ? until : undefined)
  await ctx.db.updateTable('member').set({ deadline: until }).where('id', '=', row.id).where('groupId', '=', ctx.group.id).execute()
  await requireKept(ctx)
}

export const removeGroupUser: HandlerOf<typeof contract.removeGroupUser> = async ({ params }, ctx) => {
  const row = await readUser(ctx, params.id)
  if (row.userId === ctx.user.id) throw new AppError('refused', '不能移除自己，请由其他管理员办理')
  const [name = ''] = await dismiss(ctx, [row.id])
  ctx.note(`移除成员 ${name}`, row.id)
  return undefined
}

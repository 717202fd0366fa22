import * as contract from '@zhugong/contract/access/admins'
import { codesOf, type ParsedFor } from '@zhugong/contract/kit/endpoint'
import { AppError } from '@zhugong/contract/kit/errors'
import { sql } from 'kysely'
import { changeRow } from '#kit/change-row'
import { changedWords } from '#kit/changed'
import { addDays, formatDay, formatInstant } from '#kit/clock'
import { type Context, found } from '#kit/context'
import type { Db, Tx } from '#kit/db'
import { allOf, anyOf, type Condition, condition, contains, daysBetween, equals, orderBy, pageSlice } from '#kit/list'
import { rowOf } from '#kit/row-of'
import type { HandlerOf } from '#kit/serve'
import { isBelow, requireBelow } from './groups-below.ts'
import { requireHeld } from './held.ts'
import { belongsTo } from './home-group.ts'
import { askToJoin } from './join-requests.ts'
import { requireAdministrator } from './members.ts'
import { hashPassword, randomPassword } from './passwords.ts'
import { administratorOf } from './roles.ts'

interface RawAdmin {
  id: string | null
  groupId: string
  groupName: string
  groupsType: number
  roleScope: string
  userId: string | null
  userName: string | null
  account: string | null
  phoneMask: string | null
  deadline: string | null
  reason: string | null
  grantBy: string | null
  lastLogin: Date | null
  secondFactor: boolean
  status: '0' | '1'
  actives: number
  active: boolean
  createTime: Date | null
  version: number | null
}
type Looker = Pick<Context, 'group' | 'principal' | 'clock' | 'system' | 'scope' | 'db'>
type Query = Partial<ParsedFor<typeof contract.listAdmins>['query']>
const soonDays = 30

/**
 * SQL source: every group below the caller's with each of its administrators, or one row without an administrator. An administrator
 * holds the administrator role of the group's kind; the grant is the `member_role` row. Runs without row-level security, because
 * members are visible only inside their own group; `isBelow` limits the groups.
 */
export const admins = (looker: Looker) => sql`
  select mr.id, t.id as group_id, t.name as group_name, t.type as groups_type, (t.type + 1)::text as role_scope, u.id as user_id,
    u.name as user_name, u.account, u.phone_mask, mr.deadline::text as deadline, mr.reason, mr.grant_by, u.last_login_at as last_login,
    coalesce(u.otp_secret is not null, false) as second_factor,
    case when mr.enable = '1' and m.enable = '1' and u.enable = '1' then '0' else '1' end as status,
    coalesce(${actsToday(looker)}, false) as active, (count(*) filter (where ${actsToday(looker)}) over (partition by t.id))::int as actives,
    mr.create_time, mr.version
  from tenant t
    left join (member_role mr join role r on r.id = mr.role_id and r.administrator join member m on m.id = mr.member_id
      join app_user u on u.id = m.user_id) on m.group_id = t.id
  where ${isBelow(looker)}`

const actsToday = ({ clock }: Pick<Looker, 'clock'>) => {
  const today = formatDay(clock.now())
  return sql`(mr.enable = '1' and m.enable = '1' and u.enable = '1' and coalesce(mr.deadline >= ${today}::date, true)
    and coalesce(m.deadline >= ${today}::date, true))`
}

const without = sql`a.actives = 0`
const ending = ({ clock }: Pick<Looker, 'clock'>) => {
  const today = formatDay(clock.now())
  return sql`(a.active and a.deadline::date between ${today}::date and ${addDays(today, soonDays)}::date)`
}

export const adminConditions = (looker: Looker, query: Query): Condition =>
  allOf(
    // The view `none` lists groups without an active administrator; all other views list grants.
    condition(query.view === 'none' ? without : sql`a.id is not null`),
    ...(query.view === 'ending' ? [condition(ending(looker))] : []),
    ...contains('a.userName', query.userName),
    ...contains('a.account', query.account),
    ...contains('a.groupName', query.groupName),
    ...(query.groupsType?.length ? [condition(sql`a.groups_type::text = any (${query.groupsType})`)] : []),
    ...anyOf('a.roleScope', query.roleScope),
    ...(query.deadline ? daysBetween('a.ends', query.deadline) : []),
    ...contains('a.grantBy', query.grantBy),
    ...daysBetween('a.lastLogin', query.lastLogin),
    ...equals('a.secondFactor', query.secondFactor && query.secondFactor === '1'),
    ...equals('a.status', query.status),
  )
export const adminOrder = ({ sort }: Query) =>
  orderBy(
    sort,
    { userName: 'a.userName', groupName: 'a.groupName!', deadline: 'a.deadline', lastLogin: 'a.lastLogin', createTime: 'a.createTime' },
    '-createTime',
    'a.groupId',
  )
/** Adds the deadline as a date (`ends`) to its text form. */
export const adminRows = (looker: Looker) => sql`(select x.*, x.deadline::date as ends from (${admins(looker)}) x)`

export const toAdmin = (row: RawAdmin): contract.AdminGrant =>
  rowOf(contract.adminGrant, row, {
    phone: row.phoneMask,
    reason: row.reason ?? '',
    lastLogin: row.lastLogin && formatInstant(row.lastLogin),
    last: row.active && row.actives === 1,
    createTime: row.createTime && formatInstant(row.createTime),
    version: row.version ?? 0,
  })

export const listAdmins: HandlerOf<typeof contract.listAdmins> = async ({ query }, ctx) => {
  const where = adminConditions(ctx, query)
  const { limit, offset } = pageSlice(query)
  const { rows } = await sql<RawAdmin>`
    select * from ${adminRows(ctx)} a where ${where} order by ${adminOrder(query)} limit ${limit} offset ${offset}`.execute(ctx.system)
  const { rows: counted } = await sql<{ total: number; people: number; without: number; ending: number; stopped: number }>`
    select (count(*) filter (where ${where}))::int as total, count(distinct a.user_id)::int as people,
      (count(distinct a.group_id) filter (where ${without}))::int as without, (count(*) filter (where ${ending(ctx)}))::int as ending,
      (count(*) filter (where a.id is not null and a.status = '1'))::int as stopped
    from ${adminRows(ctx)} a`.execute(ctx.system)
  const { total, ...figures } = counted[0] ?? { total: 0, people: 0, without: 0, ending: 0, stopped: 0 }
  return { list: rows.map(toAdmin), total, figures }
}

async function readAdmin(ctx: Context, id: string): Promise<RawAdmin> {
  const { rows } = await sql<RawAdmin>`select * from (${admins(ctx)}) a where a.id = ${id}`.execute(ctx.system)
  return found(rows[0], '管理员授权')
}
export const getAdmin: HandlerOf<typeof contract.getAdmin> = async ({ params }, ctx) => toAdmin(await readAdmin(ctx, params.id))

type Appointer = Pick<Context, 'group' | 'principal' | 'codes' | 'clock' | 'system' | 'scope' | 'db'>

/**
 * Checks that the caller may appoint an administrator. From above the group, the caller must hold `code` there for at least as long. In
 * the caller's own group, the caller must hold every right of its administrator role, because nobody can grant more than that.
 */
async function requireGrantable(
  ctx: Appointer,
  code: string,
  group: { id: string; type: number; code: string },
  until: string | null,
): Promise<void> {
  if (until !== null && until < formatDay(ctx.clock.now())) throw new AppError('invalidInput', '有效期不能早于今天', { field: 'deadline' })
  requireHeld(ctx, [code], { projects: group.type === 3 ? [group.code] : null, until })
  if (group.id === ctx.group.id) requireHeld(ctx, (await administratorRole(ctx, group.type)).codes, { projects: null, until })
}

const administratorRole = async (ctx: Pick<Context, 'system'>, type: number) =>
  found(
    await ctx.system
      .selectFrom('role')
      .select(['id', 'codes'])
      .where('groupId', 'is', null)
      .where('administrator', '=', true)
      .where('groupsType', '=', type)
      .executeTakeFirst(),
    administratorOf(type),
  )

/**
 * The group for which the caller may appoint an administrator until a date, or without an end. Throws if the group is not below the
 * caller's or the caller lacks the right.
 */
export async function requireAppointable(ctx: Appointer, groupId: string, code = 'adminGrant.edit', until: string | null = null) {
  await requireBelow(ctx, groupId)
  const group = await groupOf(ctx, groupId)
  await requireGrantable(ctx, code, group, until)
  return group
}

async function groupOf(ctx: Pick<Context, 'system'>, id: string) {
  const row = await ctx.system.selectFrom('tenant').select(['id', 'type', 'code', 'name']).where('id', '=', id).executeTakeFirst()
  return found(row, '机构')
}

async function accountNamed(ctx: Context, account: string): Promise<{ id: string; name: string }> {
  const user = await ctx.system
    .selectFrom('appUser')
    .select(['id', 'name'])
    .where('account', '=', account.toLowerCase())
    .where('enable', '=', '1')
    .executeTakeFirst()
  if (!user) throw new AppError('invalidInput', '没有这个账号，请核对后填写完整的账号', { field: 'account' })
  return user
}

const isMember = async (ctx: Pick<Context, 'system'>, userId: string, groupId: string): Promise<boolean> =>
  (await ctx.system.selectFrom('member').select('id').where('userId', '=', userId).where('groupId', '=', groupId).executeTakeFirst()) !==
  undefined

interface Granted {
  userId: string
  deadline: string | null
  reason: string
}
/** Makes a user administrator of a group, in one transaction of the database given. Returns the grant's id. */
export async function give(
  ctx: Pick<Context, 'system' | 'newId' | 'clock'> & { user: { name: string } },
  db: Db | Tx,
  group: { id: string; type: number },
  { userId, deadline, reason }: Granted,
): Promise<string> {
  const role = await administratorRole(ctx, group.type)
  const run = async (tx: Db | Tx): Promise<string> => {
    await sql`insert into member (id, user_id, group_id) values (${ctx.newId()}, ${userId}, ${group.id}) on conflict do nothing`.execute(tx)
    const { rows } = await sql<{ id: string }>`
      insert into member_role (member_id, role_id, deadline, reason, grant_by, create_time)
      select id, ${role.id}, ${deadline}, ${reason}, ${ctx.user.name}, ${new Date(ctx.clock.now())} from member
        where user_id = ${userId} and group_id = ${group.id}
      on conflict (member_id, role_id) do nothing returning id`.execute(tx)
    const id = rows[0]?.id
    if (!id) throw new AppError('refused', '该账号已是这个组的管理员', { field: 'account' })
    return id
  }
  return db.isTransaction ? run(db) : db.transaction().execute(run)
}

export const createAdmin: HandlerOf<typeof contract.createAdmin> = async ({ body }, ctx) => {
  const db = await requireBelow(ctx, body.groupId)
  const group = await groupOf(ctx, body.groupId)
  await requireGrantable(ctx, 'adminGrant.edit', group, body.deadline)
  const user = await accountNamed(ctx, body.account)
  if (user.id === ctx.user.id) throw new AppError('forbidden', '不能任命自己，请由他人办理', { field: 'account' })
  if (!(await isMember(ctx, user.id, group.id))) {
    const needs = codesOf(contract.createAdmin)
    const id = await askToJoin(ctx, { ...body, userId: user.id, groupId: group.id, needs, administrator: true })
    ctx.note(`邀请 ${user.name} 任 ${group.name} 的管理员：${body.reason}`, id)
    return { id, pending: true }
  }
  const id = await give(ctx, db, group, { userId: user.id, deadline: body.deadline, reason: body.reason })
  ctx.note(`任命 ${user.name} 为 ${group.name} 的管理员：${body.reason}`, id)
  return { id, pending: false }
}

/** The grant to change. It must belong to a group below the caller's, and must not be the caller's own. */
async function changeable(ctx: Context, id: string) {
  const row = await readAdmin(ctx, id)
  const db = await requireBelow(ctx, row.groupId)
  return { row, db, group: await groupOf(ctx, row.groupId) }
}

export const updateAdmin: HandlerOf<typeof contract.updateAdmin> = async ({ params, body }, ctx) => {
  const { row, db, group } = await changeable(ctx, params.id)
  if (row.userId === ctx.user.id) throw new AppError('forbidden', '不能修改自己的授权，请由他人办理')
  await requireGrantable(ctx, 'adminGrant.edit', group, body.deadline)
  await changeRow({ db, clock: ctx.clock }, 'memberRole', {
    key: { id: params.id },
    version: body.version,
    noun: '授权',
    values: { deadline: body.deadline, reason: body.reason, grantBy: ctx.user.name },
  })
  const words = changedWords({ 有效期: [row.deadline ?? '长期', body.deadline ?? '长期'] })
  ctx.note(`修改 ${group.name} 管理员 ${row.userName ?? ''} 的授权${words ? `，${words}` : ''}：${body.reason}`, params.id)
  return undefined
}

export const switchAdmin: HandlerOf<typeof contract.switchAdmin> = async ({ params, query, body }, ctx) => {
  const { row, db, group } = await changeable(ctx, params.id)
  if ((query.status === undefined) === (query.userId === undefined))
    throw new AppError('invalidInput', '请指明启停状态或接手的账号', { field: 'status' })
  await requireGrantable(ctx, 'adminGrant.switch', group, row.deadline)
  const run = (tx: Db | Tx) =>
    query.userId ? handOver(ctx, tx, row, group, { ...body, userId: query.userId }) : stop(ctx, tx, row, query.status ?? '0', body.reason)
  // A handover creates a different grant, so the audit log names both holders.
  const next = await (db.isTransaction ? run(db) : db.transaction().execute(run))
  const act = query.userId ? '更换' : query.status === '1' ? '停用' : '启用'
  const kept = query.userId && body.former === 'none' ? '，不保留其他角色' : next?.kept ? `，原管理员改任${next.kept}` : ''
  ctx.note(
    `${act} ${group.name} 的管理员 ${row.userName ?? ''}${kept}${body.reason ? `：${body.reason}` : ''}`,
    next ? [params.id, next.id] : params.id,
  )
  return undefined
}

/** Beware: here `status` 1 means stop. */
async function stop(ctx: Context, tx: Db | Tx, row: RawAdmin, status: '0' | '1', reason: string): Promise<undefined> {
  if (status === '1' && row.userId === ctx.user.id) throw new AppError('refused', '不能停用自己')
  await changeRow({ db: tx, clock: ctx.clock }, 'memberRole', {
    key: { id: found(row.id ?? undefined, '授权') },
    version: row.version,
    noun: '授权',
    values: { enable: status === '1' ? '0' : '1', reason: sql`case when ${reason} = '' then reason else ${reason} end` },
  })
  if (status === '1') await requireAdministrator(tx, row.groupId, ctx.clock.now())
  else await sql`update member set enable = '1' where id = (select member_id from member_role where id = ${row.id})`.execute(tx)
  return undefined
}

interface HandedOver {
  userId: string
  former: 'others' | 'role' | 'none'
  formerRoleId?: string | null | undefined
}
/**
 * Moves the grant unchanged to another account. The former administrator keeps other roles, receives one ordinary role instead, or
 * receives nothing.
 */
async function handOver(
  ctx: Context,
  tx: Db | Tx,
  row: RawAdmin,
  group: { id: string; type: number },
  { userId, former, formerRoleId }: HandedOver,
): Promise<{ id: string; kept: string }> {
  if (userId === ctx.user.id) throw new AppError('forbidden', '不能接手给自己，请由他人办理', { field: 'userId' })
  const next = await ctx.system.selectFrom('appUser').select('id').where('id', '=', userId).where('enable', '=', '1').executeTakeFirst()
  if (!next) throw new AppError('notFound', '账号不存在或已停用', { field: 'userId' })
  if (!(await isMember(ctx, userId, group.id)))
    throw new AppError('refused', '此人不是该组成员：请用“新增管理员”邀请，由其本人接受后再停用原授权', { field: 'userId' })
  const role = former === 'role' ? await roleToKeep(ctx, row, group, formerRoleId) : undefined
  const id = await give(ctx, tx, group, { userId, deadline: row.deadline, reason: row.reason ?? '' })
  if (former === 'others') await sql`delete from member_role where id = ${row.id}`.execute(tx)
  else {
    const { rows } = await sql<{ memberId: string }>`
      delete from member_role where member_id = (select member_id from member_role where id = ${row.id}) returning member_id`.execute(tx)
    if (role && rows[0])
      await sql`insert into member_role (member_id, role_id, deadline, reason, grant_by, create_time)
        values (${rows[0].memberId}, ${role.id}, ${row.deadline}, '不再任管理员', ${ctx.user.name}, ${new Date(ctx.clock.now())})`.execute(
        tx,
      )
  }
  await requireAdministrator(tx, row.groupId, ctx.clock.now())
  return { id, kept: role?.name ?? '' }
}

async function roleToKeep(ctx: Context, row: RawAdmin, group: { id: string; type: number }, roleId: string | null | undefined) {
  if (!roleId) throw new AppError('invalidInput', '请选择原管理员保留的角色', { field: 'formerRoleId' })
  const role = (await ordinaryRoles(ctx, row, group)).find((one) => one.id === roleId)
  if (!role) throw new AppError('invalidInput', '该组没有这个可保留的角色', { field: 'formerRoleId' })
  return role
}

/** Active roles of the group's own kind that the administrator role fully covers, so that the former administrator gains no rights. */
async function ordinaryRoles(ctx: Context, row: RawAdmin, group: { id: string; type: number }) {
  const { codes } = await administratorRole(ctx, group.type)
  const { rows } = await sql<{ id: string; name: string; held: boolean }>`
    select r.id, r.name, exists (select 1 from member_role own join member_role mr using (member_id)
      where own.id = ${row.id} and mr.role_id = r.id) as held
    from role r where r.groups_type = ${group.type} and (r.group_id is null or r.group_id = ${group.id}) and r.enable = '1'
      and not r.administrator and r.codes <@ ${codes}::text[]
    order by held desc, r.name`.execute(ctx.system)
  return rows
}

export const formerRoles: HandlerOf<typeof contract.formerRoles> = async ({ params }, ctx) => {
  const { row, group } = await changeable(ctx, params.id)
  const list = await ordinaryRoles(ctx, row, group)
  return { list, total: list.length }
}

/**
 * Restores the administrator of a group that lost its own: the account becomes administrator with a new password, shown once. Throws
 * while another administrator is active. Also throws for an account that was not opened in the group or belongs to another group; its
 * owner must be invited instead.
 */
export const resetAdmin: HandlerOf<typeof contract.resetAdmin> = async ({ body }, ctx) => {
  const db = await requireBelow(ctx, body.groupId)
  const group = await groupOf(ctx, body.groupId)
  await requireGrantable(ctx, 'adminGrant.switch', group, null)
  const user = await accountNamed(ctx, body.account)
  if (user.id === ctx.user.id) throw new AppError('forbidden', '不能重置给自己，请由他人办理', { field: 'account' })
  const { rows: active } = await sql<{ userId: string }>`
    select a.user_id from (${admins(ctx)}) a where a.group_id = ${group.id} and a.active`.execute(ctx.system)
  if (active.some((one) => one.userId !== user.id)) throw new AppError('refused', '该组仍有可用的管理员，请用“更换管理员”')
  if (!(await belongsTo(ctx, user.id, group.id)))
    throw new AppError('refused', '该账号不是这个机构开立的，或还属于其他机构，不能由此重置密码；请用“新增管理员”邀请，由其本人接受', {
      field: 'account',
    })
  const password = randomPassword()
  const passwordHash = await hashPassword(password)
  const run = async (tx: Db | Tx) => {
    const { rows } = await sql<{ id: string }>`select mr.id from member_role mr join role r on r.id = mr.role_id and r.administrator
      join member m on m.id = mr.member_id where m.group_id = ${group.id} and m.user_id = ${user.id}`.execute(tx)
    const granted = rows[0]
    if (granted)
      await changeRow({ db: tx, clock: ctx.clock }, 'memberRole', {
        key: { id: granted.id },
        version: null,
        noun: '授权',
        values: { enable: '1', deadline: null, grantBy: ctx.user.name, reason: body.reason },
      })
    else await give(ctx, tx, group, { userId: user.id, deadline: null, reason: body.reason })
    await sql`update member set enable = '1', deadline = null where group_id = ${group.id} and user_id = ${user.id}`.execute(tx)
    await sql`update app_user set password_hash = ${passwordHash}, must_change = true where id = ${user.id}`.execute(tx)
  }
  await (db.isTransaction ? run(db) : db.transaction().execute(run))
  ctx.afterCommit(async () => {
    await ctx.system.deleteFrom('session').where('userId', '=', user.id).execute()
  })
  ctx.note(`重置 ${group.name} 的管理员为 ${user.name}：${body.reason}`, group.id)
  return { name: user.name, password }
}

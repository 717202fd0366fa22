import type * as work from '@zhugong/contract/access/role-work'
import { longestTemporaryDays, tempRole, type tempStates } from '@zhugong/contract/access/role-work'
import type { ParsedFor } from '@zhugong/contract/kit/endpoint'
import { AppError } from '@zhugong/contract/kit/errors'
import { dayMs } from '@zhugong/contract/kit/time'
import { sql } from 'kysely'
import { changeRow } from '#kit/change-row'
import { changedWords } from '#kit/changed'
import { formatDay, formatInstant, startOfDay } from '#kit/clock'
import { type Context, found } from '#kit/context'
import { allOf, anyOf, type Condition, condition, contains, orderBy, pageSlice } from '#kit/list'
import { pick } from '#kit/pick'
import { rowOf } from '#kit/row-of'
import type { HandlerOf } from '#kit/serve'
import { rulesInForce } from './delegation.ts'
import { requireHeld } from './held.ts'

interface RawTemp {
  id: string
  name: string
  groupId: string
  groupName: string
  codes: string[]
  projects: string[] | null
  projectNames: string[]
  memberIds: string[]
  people: string[]
  startTime: Date
  endTime: Date
  reason: string
  state: (typeof tempStates)[number]
  grantBy: string
  createTime: Date
  version: number
}
type Looker = Pick<Context, 'db' | 'clock' | 'scope' | 'group'>

/** SQL source: temporary roles of the groups visible to the caller: the own group or, for the platform, all. */
export const temps = ({ clock }: Pick<Looker, 'clock'>) => sql`
  select x.*, t.name as group_name,
    array(select u.name from member m join app_user u on u.id = m.user_id where m.id = any (x.member_ids) order by u.name) as people,
    array(select p.name from project p where p.project_code = any (x.projects) order by p.name) as project_names,
    case when x.start_time > ${new Date(clock.now())} then 'early' when x.end_time <= ${new Date(clock.now())} then 'over' else 'running' end as state
  from temp_role x join tenant t on t.id = x.group_id`

type Query = Partial<ParsedFor<typeof work.listTempRoles>['query']>
const lastDay = sql`((x.end_time - interval '1 millisecond') at time zone 'Asia/Shanghai')::date`
const lastDayBetween = (range: Query['endTime']): Condition[] => [
  ...(range?.from ? [condition(sql`${lastDay} >= ${range.from.slice(0, 10)}::date`)] : []),
  ...(range?.to ? [condition(sql`${lastDay} <= ${range.to.slice(0, 10)}::date`)] : []),
]
export const tempConditions = (query: Query): Condition =>
  allOf(
    ...contains('x.name', query.name),
    ...anyOf('x.state', query.state),
    // Filtered by the last valid day; `end_time` is the midnight after it.
    ...lastDayBetween(query.endTime),
    ...(query.person ? [condition(sql`array_to_string(x.people, '、') ilike ${`%${query.person.replace(/[\\%_]/g, '\\$&')}%`}`)] : []),
  )
/** Active ones first, then by end. */
export const tempOrder = ({ sort }: Query) =>
  sort
    ? orderBy(sort, { name: 'x.name', startTime: 'x.startTime', endTime: 'x.endTime' }, '-endTime', 'x.id')
    : sql`x.state = 'over', x.end_time desc, x.id`

export const toTemp = (row: RawTemp) =>
  rowOf(tempRole, row, {
    startTime: formatInstant(row.startTime),
    endTime: formatInstant(row.endTime),
    createTime: formatInstant(row.createTime),
  })

export const listTempRoles: HandlerOf<typeof work.listTempRoles> = async ({ query }, ctx) => {
  const where = tempConditions(query)
  const { limit, offset } = pageSlice(query)
  const { rows } = await sql<RawTemp>`
    select * from (${temps(ctx)}) x where ${where} order by ${tempOrder(query)} limit ${limit} offset ${offset}`.execute(ctx.db)
  const { rows: counted } = await sql<{ n: number }>`select count(*)::int as n from (${temps(ctx)}) x where ${where}`.execute(ctx.db)
  return { list: rows.map(toTemp), total: counted[0]?.n ?? 0 }
}

const readTemp = async (ctx: Context, id: string): Promise<RawTemp> => {
  const { rows } = await sql<RawTemp>`select * from (${temps(ctx)}) x where x.id = ${id}`.execute(ctx.db)
  return found(rows[0], '临时角色')
}
export const getTempRole: HandlerOf<typeof work.getTempRole> = async ({ params }, ctx) => toTemp(await readTemp(ctx, params.id))

export const createTempRole: HandlerOf<typeof work.createTempRole> = async ({ body }, ctx) => {
  const from = startOfDay(body.startTime)
  await requireSpan(ctx, from, body.endTime)
  if (body.startTime < formatDay(ctx.clock.now())) throw new AppError('invalidInput', '开始日期不能早于今天', { field: 'startTime' })
  await requirePeople(ctx, body.memberIds)
  for (const project of body.projects ?? [])
    if (!ctx.scope.all && !ctx.principal.scope.projects.includes(project))
      throw new AppError('notFound', '项目不存在或不在您的管辖范围内', { field: 'projects' })
  if (body.projects?.length === 0) throw new AppError('invalidInput', '请选择项目，或选本组全部', { field: 'projects' })
  requireHeld(ctx, body.codes, { projects: body.projects, until: body.endTime })
  const id = ctx.newId()
  await ctx.db
    .insertInto('tempRole')
    .values({
      id,
      groupId: ctx.group.id,
      ...pick(body, 'name', 'codes', 'projects', 'memberIds', 'reason'),
      startTime: new Date(from),
      endTime: new Date(startOfDay(body.endTime) + dayMs),
      grantBy: ctx.user.name,
      giverId: ctx.user.id,
    })
    .execute()
  ctx.note(`授予临时角色 ${body.name}（${body.memberIds.length} 人，至 ${body.endTime}）`, id)
  return { id }
}

export const updateTempRole: HandlerOf<typeof work.updateTempRole> = async ({ params, body }, ctx) => {
  const row = await ownTemp(ctx, params.id)
  await requireSpan(ctx, row.startTime.getTime(), body.endTime)
  await requirePeople(ctx, body.memberIds)
  requireHeld(ctx, row.codes, { projects: row.projects, until: body.endTime })
  await changeRow(ctx, 'tempRole', {
    key: { id: row.id },
    version: body.version,
    noun: '临时角色',
    values: {
      endTime: new Date(startOfDay(body.endTime) + dayMs),
      reason: body.reason,
      memberIds: body.memberIds,
      // The editor becomes the giver.
      grantBy: ctx.user.name,
      giverId: ctx.user.id,
    },
  })
  const words = changedWords({
    结束: [formatDay(row.endTime.getTime() - 1), body.endTime],
    人数: [row.memberIds.length, body.memberIds.length],
    原因: [row.reason, body.reason],
  })
  ctx.note(`修改临时角色 ${row.name}${words ? `：${words}` : ''}`, row.id)
  return undefined
}

export const endTempRole: HandlerOf<typeof work.endTempRole> = async ({ params }, ctx) => {
  const row = await ownTemp(ctx, params.id)
  requireHeld(ctx, row.codes, { projects: row.projects })
  const now = new Date(ctx.clock.now())
  // A role that has not begun is deleted, because it never had any effect.
  if (row.startTime >= now) await ctx.db.deleteFrom('tempRole').where('id', '=', row.id).execute()
  else await changeRow(ctx, 'tempRole', { key: { id: row.id }, version: row.version, noun: '临时角色', values: { endTime: now } })
  ctx.note(`结束临时角色 ${row.name}`, row.id)
  return undefined
}

async function ownTemp(ctx: Context, id: string): Promise<RawTemp> {
  const row = await readTemp(ctx, id)
  if (row.groupId !== ctx.group.id) throw new AppError('refused', '临时角色由授予它的机构维护')
  if (row.state === 'over') throw new AppError('refused', '临时角色已结束，只作记录')
  return row
}

async function requireSpan(ctx: Context, from: number, lastDay: string): Promise<void> {
  const to = startOfDay(lastDay) + dayMs
  if (to <= Math.max(from, ctx.clock.now())) throw new AppError('invalidInput', '结束日期不能早于开始日期和今天', { field: 'endTime' })
  const rules = await rulesInForce(ctx)
  if (!rules.temporary) throw new AppError('refused', '本组的授权规则不允许临时角色')
  const most = Math.min(longestTemporaryDays, rules.temporaryDays)
  if (to - from > most * dayMs) throw new AppError('invalidInput', `临时角色最长 ${most} 天`, { field: 'endTime' })
}

async function requirePeople(ctx: Context, memberIds: readonly string[]): Promise<void> {
  const rows = await ctx.db
    .selectFrom('member')
    .select('id')
    .where('groupId', '=', ctx.group.id)
    .where('id', 'in', [...memberIds])
    .execute()
  if (rows.length !== new Set(memberIds).size) throw new AppError('notFound', '人员不在本组', { field: 'memberIds' })
}

import { AppError } from '@zhugong/contract/kit/errors'
import type * as contract from '@zhugong/contract/reports/endpoints'
import { reportContents, reportPush } from '@zhugong/contract/reports/endpoints'
import { sql } from 'kysely'
import { changeRow } from '#kit/change-row'
import { changedWords } from '#kit/changed'
import { formatDay, formatInstant } from '#kit/clock'
import { type Context, found, projectsFor } from '#kit/context'
import { isUniqueViolation, type Row } from '#kit/db'
import { allOf, anyOf, type Condition, condition, contains, equals, orderBy, pageSlice } from '#kit/list'
import { rowOf } from '#kit/row-of'
import type { HandlerOf } from '#kit/serve'
import { calendarOf } from '../access/public.ts'
import type { Senders } from '../notify/public.ts'
import { periodBefore } from './calendar.ts'
import { buildReport } from './figures.ts'
import { firstTurn, queue } from './turns.ts'

type Looker = Pick<Context, 'db' | 'group'>
interface Named {
  id: string
  name: string
}
type RawPush = Row<'reportPush'> & {
  users: Named[]
  roles: Named[]
  places: { code: string; name: string }[]
  sent: number
  failed: number
  waiting: number
  lastResult: '1' | '2' | '3' | null
}

/** Pushes with their recipients, and the result of the last run. */
const pushes = sql`
  select x.*, case when x.sent + x.failed + x.waiting = 0 or x.waiting > 0 then null when x.failed = 0 then '1' when x.sent > 0 then '2' else '3' end as last_result
  from (select r.*, coalesce(u.list, '[]') as users, coalesce(o.list, '[]') as roles, coalesce(p.list, '[]') as places,
      coalesce(s.sent, 0) as sent, coalesce(s.failed, 0) as failed, coalesce(s.waiting, 0) as waiting
    from report_push r
      left join lateral (select json_agg(json_build_object('id', u.id, 'name', u.name) order by u.name) as list
        from app_user u join member m on m.user_id = u.id and m.group_id = r.group_id where u.id = any (r.user_ids)) u on true
      left join lateral (select json_agg(json_build_object('id', o.id, 'name', o.name) order by o.name) as list from role o where o.id = any (r.role_ids)) o on true
      left join lateral (select json_agg(json_build_object('code', p.project_code, 'name', p.name) order by p.name) as list
        from project p where p.project_code = any (r.projects)) p on true
      left join lateral (select count(*) filter (where s.state = '1')::int as sent, count(*) filter (where s.state = '2')::int as failed,
          count(*) filter (where s.state = '0')::int as waiting from report_sending s where s.turn = r.last_turn) s on true) x`

const conditions = (query: contract.PushesQuery): Condition =>
  allOf(
    ...contains('q.name', query.name),
    ...anyOf('q.reportType', query.reportType),
    ...(query.content?.length ? [condition(sql`q.content && ${query.content}::text[]`)] : []),
    ...(query.channels?.length ? [condition(sql`q.channels && ${query.channels}::text[]`)] : []),
    ...anyOf('q.lastResult', query.lastResult),
    ...equals('q.enable', query.enable),
  )

export async function findPushes(ctx: Looker, query: contract.PushesQuery): Promise<contract.ReportPush[]> {
  const { limit, offset } = pageSlice(query)
  const by = orderBy(
    query.sort,
    { name: 'q.name', next: 'q.nextAt', lastTime: 'q.lastTime', updateTime: sql`coalesce(q.update_time, q.create_time)` },
    'next',
    'q.id',
  )
  const { rows } = await sql<RawPush>`
    select q.* from (${pushes}) q where ${conditions(query)} order by ${by} limit ${limit} offset ${offset}`.execute(ctx.db)
  const editors = await namesOf(
    ctx,
    rows.flatMap((row) => row.updateBy ?? row.createBy ?? []),
  )
  return rows.map((row) => toPush(row, editors))
}
export async function countPushes(ctx: Looker, query: contract.PushesQuery): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from (${pushes}) q where ${conditions(query)}`.execute(ctx.db)
  return rows[0]?.n ?? 0
}

async function namesOf(ctx: Pick<Context, 'db'>, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await ctx.db
    .selectFrom('appUser')
    .select(['id', 'name'])
    .where('id', 'in', [...ids])
    .execute()
  return new Map(rows.map((row) => [row.id, row.name]))
}

const toPush = (row: RawPush, editors: ReadonlyMap<string, string>): contract.ReportPush =>
  rowOf(reportPush, row, {
    projects: row.places,
    hasSecret: row.webhookSecret !== null,
    next: row.nextAt && formatInstant(row.nextAt),
    lastTime: row.lastTime && formatInstant(row.lastTime),
    lastSent: row.sent,
    lastFailed: row.failed,
    updateBy: editors.get(row.updateBy ?? row.createBy ?? '') ?? '--',
    updateTime: formatInstant(row.updateTime ?? row.createTime),
  })

export const listPushes: HandlerOf<typeof contract.listPushes> = async ({ query }, ctx) => ({
  list: await findPushes(ctx, query),
  total: await countPushes(ctx, query),
})

const getPush = async (ctx: Context, id: string): Promise<Row<'reportPush'>> =>
  found(await ctx.db.selectFrom('reportPush').selectAll().where('id', '=', id).forUpdate().executeTakeFirst(), '报表推送')

export const savePush: HandlerOf<typeof contract.savePush> = async ({ body: { id, version, webhookSecret, ...body } }, ctx) => {
  const now = ctx.clock.now()
  await requireOwn(ctx, body)
  const nextAt = firstTurn(body, now, await calendarOf(ctx.system, ctx.group.id))
  const secret = webhookSecret === undefined ? {} : { webhookSecret: ctx.secrets.seal(webhookSecret || null) }
  const saved = { ...body, ...secret }
  if (id === undefined) {
    const made = ctx.newId()
    await ctx.db
      .insertInto('reportPush')
      .values({ id: made, groupId: ctx.group.id, ...saved, nextAt, createBy: ctx.user.id, createTime: new Date(now) })
      .execute()
      .catch(taken(body.name))
    ctx.note(`新增报表推送 ${body.name}`, made)
    return { id: made, next: formatInstant(nextAt) }
  }
  const before = await getPush(ctx, id)
  if (before.version !== version) throw new AppError('refused', '此推送刚被他人修改，请刷新后再改')
  const next = before.enable === '1' ? nextAt : null
  await changeRow(ctx, 'reportPush', {
    key: { id },
    version: before.version,
    noun: '推送',
    by: ctx.user.id,
    values: { ...saved, nextAt: next },
  }).catch(taken(body.name))
  const words = changedWords({
    名称: [before.name, body.name],
    内容: [before.content.map(contentName), body.content.map(contentName)],
    时间: [before.sendAt, body.sendAt],
    项目数: [before.projects.length || '全部', body.projects.length || '全部'],
    接收人数: [before.userIds.length, body.userIds.length],
    接收角色数: [before.roleIds.length, body.roleIds.length],
    渠道数: [before.channels.length, body.channels.length],
  })
  ctx.note(`修改报表推送 ${before.name}${words ? `：${words}` : ''}`, id)
  return { id, next: next && formatInstant(next) }
}

const contentName = (key: string): string => (key in reportContents ? reportContents[key as contract.ReportContent].name : key)

const taken = (name: string) => (error: unknown) => {
  throw isUniqueViolation(error) ? new AppError('refused', `推送“${name}”已存在`, { field: 'name' }) : error
}

/** Refuses projects out of scope, and users and roles of other groups: reports are read outside the product too. */
async function requireOwn(
  ctx: Context,
  { projects, userIds, roleIds }: Pick<contract.PushBody, 'projects' | 'userIds' | 'roleIds'>,
): Promise<void> {
  await requireSeen(ctx, projects)
  const { users, roles } = await choicesOf(ctx)
  const [people, named] = [new Set(users.map((u) => u.id)), new Set(roles.map((r) => r.id))]
  if (!userIds.every((id) => people.has(id))) throw new AppError('invalidInput', '接收人应是本组的人员', { field: 'userIds' })
  if (!roleIds.every((id) => named.has(id))) throw new AppError('invalidInput', '接收角色应是本组可用的角色', { field: 'roleIds' })
}

async function requireSeen(ctx: Context, projects: readonly string[]): Promise<void> {
  for (const project of projects) projectsFor(ctx, project)
  const seen = projects.length
    ? await ctx.db
        .selectFrom('project')
        .select('projectCode')
        .where('projectCode', 'in', [...projects])
        .execute()
    : []
  if (seen.length < new Set(projects).size) throw new AppError('notFound', '项目不存在或不在您的管辖范围内', { field: 'projects' })
}

async function choicesOf(ctx: Looker) {
  const { rows: users } = await sql<contract.PushChoices['users'][number]>`
    select u.id, u.name, m.enable = '1' and u.enable = '1' as enabled,
      coalesce((select string_agg(r.name, '、' order by r.name) from member_role mr join role r on r.id = mr.role_id where mr.member_id = m.id), '') as roles
    from member m join app_user u on u.id = m.user_id where m.group_id = ${ctx.group.id} order by u.name, u.id`.execute(ctx.db)
  const { rows: roles } = await sql<contract.PushChoices['roles'][number]>`
    select r.id, r.name, (select count(*)::int from member_role mr join member m on m.id = mr.member_id and m.group_id = ${ctx.group.id}
      where mr.role_id = r.id and mr.enable = '1') as people
    from role r where r.groups_type = ${ctx.group.type} and (r.group_id is null or r.group_id = ${ctx.group.id}) and r.enable = '1' order by r.name, r.id`.execute(
    ctx.db,
  )
  return { users, roles }
}

export const pushChoices =
  (senders: Pick<Senders, 'sms' | 'mail'>): HandlerOf<typeof contract.pushChoices> =>
  async (_, ctx) => ({ ...(await choicesOf(ctx)), ready: { sms: senders.sms !== undefined, mail: senders.mail !== undefined } })

export const switchPush: HandlerOf<typeof contract.switchPush> = async ({ params, body }, ctx) => {
  const push = await getPush(ctx, params.id)
  const next = body.enable === '1' ? firstTurn(push, ctx.clock.now(), await calendarOf(ctx.system, ctx.group.id)) : null
  const version = await changeRow(ctx, 'reportPush', {
    key: { id: push.id },
    version: body.version,
    noun: '推送',
    by: ctx.user.id,
    values: { enable: body.enable, nextAt: next },
  })
  ctx.note(`${body.enable === '1' ? '启用' : '暂停'}报表推送 ${push.name}`, push.id)
  return { next: next && formatInstant(next), version }
}

/** Sent reports stay, with the push's name at that time. */
export const removePush: HandlerOf<typeof contract.removePush> = async ({ params }, ctx) => {
  const push = await getPush(ctx, params.id)
  await ctx.db
    .updateTable('reportSending')
    .set({ state: '3', reason: '推送已删除', dueAt: null })
    .where('pushId', '=', push.id)
    .where('state', '=', '0')
    .execute()
  await ctx.db.deleteFrom('reportPush').where('id', '=', push.id).execute()
  ctx.note(`删除报表推送 ${push.name}`, push.id)
  return {}
}

export const previewPush: HandlerOf<typeof contract.previewPush> = async ({ body }, ctx) => {
  await requireSeen(ctx, body.projects)
  const now = ctx.clock.now()
  const period = periodBefore(body.reportType, formatDay(now))
  return buildReport({ ...ctx, now }, { ...body, title: body.name || '报表预览', period })
}

/** Sends a test to the caller only, marked as such. */
export const testPush: HandlerOf<typeof contract.testPush> = async ({ params }, ctx) => {
  const push = await getPush(ctx, params.id)
  const now = ctx.clock.now()
  await queue(ctx.db, push, { receivers: [ctx.user], day: formatDay(now), now, test: true })
  ctx.note(`测试报表推送 ${push.name}`, push.id)
  return { queued: push.channels.length }
}

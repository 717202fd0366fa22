import { dueKindsWithPaper } from '@zhugong/contract/equipment/codes'
import type { DueRow } from '@zhugong/contract/equipment/service-endpoints'
import * as calls from '@zhugong/contract/equipment/service-endpoints'
import { AppError } from '@zhugong/contract/kit/errors'
import { familyOf } from '@zhugong/contract/telemetry/families'
import { sql } from 'kysely'
import type { z } from 'zod'
import { changeRow, conflictOf } from '#kit/change-row'
import { addDays, formatDay, formatInstant } from '#kit/clock'
import { type Context, found, projectsFor } from '#kit/context'
import { isUniqueViolation } from '#kit/db'
import { allOf, anyOf, type Condition, condition, contains, daysBetween, equals, inProjects, orderBy, pageSlice } from '#kit/list'
import type { HandlerOf, Serve } from '#kit/serve'
import { fileIdsOf, keptFiles, linksOf } from '../files/public.ts'
import { noteChange } from './change-log.ts'
import { askReview } from './device-flow.ts'
import { getDeviceRow } from './device-write.ts'
import { isDueSoon } from './in-use.ts'
import { requireOwnMachines } from './own-machines.ts'
import { copyServiceDue } from './service-due.ts'

interface Row {
  id: string
  deviceId: string
  deviceName: string
  family: string
  projectCode: string
  projectName: string
  ownerCorp: string | null
  kind: string
  dueDate: string
  owner: string | null
  providerId: string | null
  providerName: string | null
  noticeState: string
  noticedAt: Date | null
  noticedTo: string | null
  handledAt: Date | null
  handledBy: string | null
  files: string[]
  remark: string | null
  version: number
}
const dueColumns = sql`u.id, u.device_id, d.name as device_name, d.family, u.project_code, p.name as project_name, d.owner_corp, u.kind, u.due_date, coalesce(u.owner, d.leader) as owner, d.provider_id,
  f.name as provider_name, u.notice_state, u.noticed_at, u.noticed_to, u.handled_at, u.handled_by, u.files, u.remark, u.version`
const dueTables = sql`device_due u join device d on d.id = u.device_id join project p on p.project_code = u.project_code left join factory f on f.id = d.provider_id`

const daysUntil = (day: string, today: string) =>
  Math.round((Date.parse(`${day}T00:00:00Z`) - Date.parse(`${today}T00:00:00Z`)) / 86_400_000)

function toDue(r: Row, ctx: Pick<Context, 'clock' | 'secrets'>): DueRow {
  return {
    ...r,
    familyName: familyOf(r.family)?.name ?? r.family,
    daysLeft: daysUntil(r.dueDate, formatDay(ctx.clock.now())),
    noticedAt: r.noticedAt ? formatInstant(r.noticedAt) : null,
    handledAt: r.handledAt ? formatInstant(r.handledAt) : null,
    files: linksOf(ctx, r.files),
    needsPaper: dueKindsWithPaper.includes(r.kind),
  }
}

type DueContext = Pick<Context, 'db' | 'clock' | 'secrets' | 'scope' | 'scopeChecks'>
type DueFilter = z.output<typeof calls.dueFilters>

function dueWhere(ctx: DueContext, query: DueFilter): Condition {
  const today = formatDay(ctx.clock.now())
  return allOf(
    ...inProjects('u.project_code', projectsFor(ctx, query.projectCode)),
    ...equals('u.device_id', query.deviceId),
    ...anyOf('u.kind', query.kind),
    ...contains('d.name', query.deviceName),
    ...contains('p.name', query.projectName),
    ...daysBetween('u.due_date', query.dueDate),
    ...(query.daysLeft?.low === undefined ? [] : [condition(sql`u.due_date >= ${addDays(today, Math.trunc(query.daysLeft.low))}::date`)]),
    ...(query.daysLeft?.high === undefined ? [] : [condition(sql`u.due_date <= ${addDays(today, Math.trunc(query.daysLeft.high))}::date`)]),
    ...(query.noticeState?.length ? anyOf('u.notice_state', query.noticeState) : query.all ? [] : [condition(sql`u.notice_state <> '2'`)]),
    ...equals('d.provider_id', query.providerId),
  )
}

/** For exports: the rows after the given id. */
export async function findDuesAfter(ctx: DueContext, query: DueFilter, after: string, limit: number): Promise<DueRow[]> {
  const { rows } =
    await sql<Row>`select ${dueColumns} from ${dueTables} where ${dueWhere(ctx, query)} and u.id > ${after} order by u.id limit ${limit}`.execute(
      ctx.db,
    )
  return rows.map((r) => toDue(r, ctx))
}
export async function countDues(ctx: DueContext, query: DueFilter): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from ${dueTables} where ${dueWhere(ctx, query)}`.execute(ctx.db)
  return rows[0]?.n ?? 0
}

async function getDue(ctx: Context, deviceId: string, dueId: string): Promise<Row> {
  const { rows } = await sql<Row>`select ${dueColumns} from ${dueTables}
    where ${allOf(...equals('u.id', dueId), ...equals('u.device_id', deviceId), ...inProjects('u.project_code', projectsFor(ctx)))}`.execute(
    ctx.db,
  )
  return found(rows[0], '到期事项')
}

export function dueRoutes(serve: Serve): void {
  serve(calls.listDues, listDues)
  serve(calls.createDue, createDue)
  serve(calls.updateDue, updateDue)
  serve(calls.renewDues, renewDues)
  serve(calls.getDueSetting, getDueSetting)
  serve(calls.saveDueSetting, saveDueSetting)
}

const listDues: HandlerOf<typeof calls.listDues> = async ({ query }, ctx) => {
  const today = formatDay(ctx.clock.now())
  const scope = inProjects('u.project_code', projectsFor(ctx, query.projectCode))
  const where = dueWhere(ctx, query)
  const order = orderBy(
    query.sort,
    {
      daysLeft: 'u.due_date',
      dueDate: 'u.due_date',
      deviceName: 'd.name',
      projectName: 'p.name',
      kind: 'u.kind',
      noticeState: 'u.notice_state',
    },
    'daysLeft',
    'u.id',
  )
  const { limit, offset } = pageSlice(query)
  const { rows } =
    await sql<Row>`select ${dueColumns} from ${dueTables} where ${where} order by ${order} limit ${limit} offset ${offset}`.execute(ctx.db)
  const total = await sql<{ n: number }>`select count(*)::int as n from ${dueTables} where ${where}`.execute(ctx.db)
  const counts = await sql<{ overdue: number; week: number; month: number; handled: number }>`
      select count(*) filter (where u.notice_state <> '2' and u.due_date < ${today}::date)::int as overdue,
        count(*) filter (where ${isDueSoon(today, 7)})::int as week,
        count(*) filter (where ${isDueSoon(today)})::int as month,
        count(*) filter (where u.handled_at >= ${new Date(`${today.slice(0, 7)}-01T00:00:00+08:00`)})::int as handled
      from device_due u where ${allOf(...scope)}`.execute(ctx.db)
  return {
    list: rows.map((r) => toDue(r, ctx)),
    total: total.rows[0]?.n ?? 0,
    counts: counts.rows[0] ?? { overdue: 0, week: 0, month: 0, handled: 0 },
  }
}

const createDue: HandlerOf<typeof calls.createDue> = async ({ params, body }, ctx) => {
  const device = await getDeviceRow(ctx, params.id)
  await requireOwnMachines(ctx, [device.id])
  const id = ctx.newId()
  try {
    await sql`insert into device_due (id, device_id, project_code, kind, due_date, owner, remark, create_time)
        values (${id}, ${device.id}, ${device.projectCode}, ${body.kind}, ${body.dueDate}, ${body.owner ?? null}, ${body.remark ?? null}, ${new Date(ctx.clock.now())})`.execute(
      ctx.db,
    )
  } catch (error) {
    if (isUniqueViolation(error)) throw new AppError('refused', '该设备已登记此类到期，请直接续期', { field: 'kind' })
    throw error
  }
  if (body.kind === 'service') await copyServiceDue(ctx, device.id, body.dueDate)
  await noteChange(ctx, {
    subject: 'device',
    id: device.id,
    projectCode: device.projectCode,
    act: '登记到期',
    detail: [{ label: body.kind, before: null, after: body.dueDate }],
  })
  ctx.note(`登记设备到期 ${device.name}`, id)
  return { id }
}

const updateDue: HandlerOf<typeof calls.updateDue> = async ({ params, body }, ctx) => {
  const row = await getDue(ctx, params.id, params.dueId)
  await requireOwnMachines(ctx, [row.deviceId])
  if (body.version !== undefined && body.version !== row.version) throw await conflictOf(ctx, 'deviceDue', { id: row.id }, '到期事项')
  if (body.renew) await renew(ctx, row, body.renew)
  if (body.dismiss) {
    if (dueKindsWithPaper.includes(row.kind) && row.files.length === 0)
      throw new AppError('refused', '此类到期须登记续期并上传证明，不能直接处理')
    await changeRow(ctx, 'deviceDue', {
      key: { id: row.id },
      version: null,
      noun: '到期事项',
      values: { noticeState: '2', handledAt: new Date(ctx.clock.now()), handledBy: ctx.user.name },
    })
  }
  if (body.noticedTo)
    await sql`update device_due set notice_state = '1', noticed_at = ${new Date(ctx.clock.now())}, noticed_to = ${body.noticedTo}, version = version + 1
        where id = ${row.id} and notice_state <> '2'`.execute(ctx.db)
  if (body.owner !== undefined || body.remark !== undefined)
    await changeRow(ctx, 'deviceDue', {
      key: { id: row.id },
      version: null,
      noun: '到期事项',
      values: { owner: body.owner === undefined ? row.owner : body.owner, remark: body.remark === undefined ? row.remark : body.remark },
    })
  ctx.note(`${body.renew ? '续期' : body.noticedTo ? '登记已通知' : '处理'} ${row.deviceName}`, row.id)
}

const renewDues: HandlerOf<typeof calls.renewDues> = async ({ body }, ctx) => {
  await requireOwnMachines(
    ctx,
    body.items.map((item) => item.deviceId),
  )
  for (const { deviceId, dueId } of body.items) await renew(ctx, await getDue(ctx, deviceId, dueId), body)
  ctx.note(`批量续期 ${body.items.length} 项至 ${body.dueDate}`)
}

const getDueSetting: HandlerOf<typeof calls.getDueSetting> = async (_input, ctx) => {
  const { rows } = await sql<{
    days: number[]
    receivers: string[]
  }>`select days, receivers from due_setting where group_id = ${ctx.group.id}`.execute(ctx.db)
  return rows[0] ?? { days: [30, 7, 1], receivers: [] }
}

const saveDueSetting: HandlerOf<typeof calls.saveDueSetting> = async ({ body }, ctx) => {
  const days = [...new Set(body.days)].sort((a, b) => b - a)
  await sql`insert into due_setting (group_id, days, receivers, update_time, update_by) values (${ctx.group.id}, ${days}, ${body.receivers}, ${new Date(ctx.clock.now())}, ${ctx.user.name})
      on conflict (group_id) do update set days = excluded.days, receivers = excluded.receivers, update_time = excluded.update_time, update_by = excluded.update_by`.execute(
    ctx.db,
  )
  ctx.note('修改到期提醒设置')
}

async function renew(ctx: Context, row: Row, to: { dueDate: string; files: string[] }): Promise<void> {
  if (to.dueDate <= row.dueDate) throw new AppError('invalidInput', `${row.deviceName} 的新日期应晚于 ${row.dueDate}`, { field: 'dueDate' })
  if (dueKindsWithPaper.includes(row.kind) && to.files.length === 0)
    throw new AppError('invalidInput', `${row.deviceName} 的续期须上传证明文件`, { field: 'files' })
  const files = await keptFiles(ctx, fileIdsOf(to.files), row.files)
  // A new term resets the reminders.
  await changeRow(ctx, 'deviceDue', {
    key: { id: row.id },
    version: row.version,
    noun: '到期事项',
    values: {
      dueDate: to.dueDate,
      files,
      noticeState: '0',
      noticedAt: null,
      noticedTo: null,
      handledAt: new Date(ctx.clock.now()),
      handledBy: ctx.user.name,
    },
  })
  if (row.kind === 'service') await copyServiceDue(ctx, row.deviceId, to.dueDate)
  // Rules read the lift's fall arrester date from the device's parameters.
  if (row.kind === 'fallArrester')
    await sql`update device set params = params || ${JSON.stringify({ safetyDeviceExpiry: to.dueDate })}::jsonb, version = version + 1 where id = ${row.deviceId} and family = 'lifter'`.execute(
      ctx.db,
    )
  if (row.kind === 'fallArrester') await askReview(ctx, row.deviceId)
  await noteChange(ctx, {
    subject: 'device',
    id: row.deviceId,
    projectCode: row.projectCode,
    act: '续期',
    detail: [{ label: row.kind, before: row.dueDate, after: to.dueDate }],
  })
}

import { AppError } from '@zhugong/contract/kit/errors'
import { parseInstant } from '@zhugong/contract/kit/fields'
import { dayMs } from '@zhugong/contract/kit/time'
import * as calls from '@zhugong/contract/notify/endpoints'
import { sql } from 'kysely'
import { changeRow, conflictOf } from '#kit/change-row'
import { formatDay, formatInstant, startOfDay } from '#kit/clock'
import { type Context, found, projectsFor, requireProject } from '#kit/context'
import { allOf, inProjects } from '#kit/list'
import { rowOf } from '#kit/row-of'
import { seesProject } from '#kit/sees-project'
import type { HandlerOf, Serve } from '#kit/serve'
import { rolesAndPeople } from './receivers.ts'
import type { NoticeSettings } from './settings.ts'

interface DutyRow {
  id: string
  projectCode: string
  userId: string
  fromTime: Date
  untilTime: Date
  remark: string
  version: number
}

/** In practice a shift lasts a day or less; a much longer one is a typing error. */
const longestShiftMs = 14 * dayMs

export function dutyRoutes(serve: Serve, settings: NoticeSettings): void {
  serve(calls.listDuty, listDuty(settings))

  serve(calls.createDuty, createDuty(settings))
  serve(calls.updateDuty, updateDuty(settings))
  serve(calls.copyDuty, copyDuty(settings))
  serve(calls.deleteDuty, async ({ params, query }, ctx) => {
    const row = await findShift(ctx, params.id, query.projectCode)
    await sql`delete from duty_shift where id = ${row.id}`.execute(ctx.db)
    ctx.note(`删除值班 ${formatInstant(row.fromTime)} 起`, row.id)
  })
}

const createDuty =
  (settings: NoticeSettings): HandlerOf<typeof calls.createDuty> =>
  async ({ query: { projectCode }, body }, ctx) => {
    requireProject(ctx, projectCode)
    await seesProject(ctx, projectCode)
    const { from, until } = await checked(settings, ctx, projectCode, body)
    const id = ctx.newId()
    await sql`insert into duty_shift (id, project_code, user_id, from_time, until_time, remark, create_time, create_by)
      values (${id}, ${projectCode}, ${body.userId}, ${from}, ${until}, ${body.remark ?? ''}, ${new Date(ctx.clock.now())}, ${ctx.user.name})`.execute(
      ctx.db,
    )
    ctx.note(`新增值班 ${body.fromTime} 起`, id)
    return { id }
  }

const updateDuty =
  (settings: NoticeSettings): HandlerOf<typeof calls.updateDuty> =>
  async ({ params, query, body }, ctx) => {
    const row = await findShift(ctx, params.id, query.projectCode)
    if (body.version !== undefined && body.version !== row.version) throw await conflictOf(ctx, 'dutyShift', { id: row.id }, '值班')
    const { from, until } = await checked(settings, ctx, row.projectCode, body, row.id)
    await changeRow(ctx, 'dutyShift', {
      key: { id: row.id },
      version: row.version,
      noun: '值班',
      by: ctx.user.name,
      values: { userId: body.userId, fromTime: from, untilTime: until, remark: body.remark ?? '' },
    })
    ctx.note(`修改值班 ${body.fromTime} 起`, row.id)
    return { id: row.id }
  }

const weekMs = 7 * dayMs
/** Maximum number of shifts copied with one week; a site has a few per day. */
const mostCopied = 200

const copyDuty =
  (settings: NoticeSettings): HandlerOf<typeof calls.copyDuty> =>
  async ({ query: { projectCode }, body }, ctx) => {
    requireProject(ctx, projectCode)
    await seesProject(ctx, projectCode)
    const start = startOfDay(body.week)
    const now = ctx.clock.now()
    const { rows: before } = await sql<
      Pick<DutyRow, 'userId' | 'fromTime' | 'untilTime' | 'remark'>
    >`select user_id, from_time, until_time, remark from duty_shift
      where project_code = ${projectCode} and from_time >= ${new Date(start - weekMs)} and from_time < ${new Date(start)}
      order by from_time, id limit ${mostCopied}`.execute(ctx.db)
    if (before.length === 0) throw new AppError('refused', '上周没有排班，没有可沿用的')
    const { rows: taken } = await sql<
      Pick<DutyRow, 'userId' | 'fromTime' | 'untilTime'>
    >`select user_id, from_time, until_time from duty_shift
      where project_code = ${projectCode} and until_time > ${new Date(start)} and from_time < ${new Date(start + weekMs + longestShiftMs)}`.execute(
      ctx.db,
    )
    const { people } = await rolesAndPeople(settings.pool, projectCode, now)
    const later = (at: Date) => new Date(at.getTime() + weekMs)
    const shifts = before
      .map((one) => ({ ...one, fromTime: later(one.fromTime), untilTime: later(one.untilTime) }))
      .filter(
        (one) =>
          one.untilTime.getTime() > now &&
          people.some((p) => p.id === one.userId) &&
          !taken.some((t) => t.userId === one.userId && t.fromTime < one.untilTime && t.untilTime > one.fromTime),
      )
    if (shifts.length === 0) throw new AppError('refused', '上周的班次在这周都已过时、已排或人员已离开，没有可沿用的')
    for (const one of shifts)
      await sql`insert into duty_shift (id, project_code, user_id, from_time, until_time, remark, create_time, create_by)
        values (${ctx.newId()}, ${projectCode}, ${one.userId}, ${one.fromTime}, ${one.untilTime}, ${one.remark}, ${new Date(now)}, ${ctx.user.name})`.execute(
        ctx.db,
      )
    ctx.note(`沿用上周值班 ${shifts.length} 班，${body.week} 起一周`, projectCode)
    return { copied: shifts.length, left: before.length - shifts.length }
  }

/** Checks that the person belongs to the site and has no overlapping shift; returns start and end. */
async function checked(
  settings: NoticeSettings,
  ctx: Context,
  projectCode: string,
  body: { userId: string; fromTime: string; untilTime: string },
  except?: string,
) {
  const from = parseInstant(body.fromTime) ?? 0
  const until = parseInstant(body.untilTime) ?? 0
  if (until - from > longestShiftMs) throw new AppError('invalidInput', '一个班次最长 14 天', { field: 'untilTime' })
  const { people } = await rolesAndPeople(settings.pool, projectCode, ctx.clock.now())
  if (!people.some((p) => p.id === body.userId)) throw new AppError('invalidInput', '值班人员须为本项目在用账号', { field: 'userId' })
  const { rows } =
    await sql`select 1 from duty_shift where project_code = ${projectCode} and user_id = ${body.userId} and id <> ${except ?? ''}
    and from_time < ${new Date(until)} and until_time > ${new Date(from)}`.execute(ctx.db)
  if (rows.length) throw new AppError('conflict', '该人员在此时段已有值班', { field: 'fromTime' })
  return { from: new Date(from), until: new Date(until) }
}

async function findShift(ctx: Context, id: string, projectCode: string) {
  const { rows } = await sql<DutyRow>`select id, project_code, user_id, from_time, until_time, remark, version from duty_shift
    where id = ${id} and ${allOf(...inProjects('project_code', projectsFor(ctx, projectCode)))} for update`.execute(ctx.db)
  return found(rows[0], '值班')
}

const listDuty =
  (settings: NoticeSettings): HandlerOf<typeof calls.listDuty> =>
  async ({ query }, ctx) => {
    requireProject(ctx, query.projectCode)
    await seesProject(ctx, query.projectCode)
    const now = ctx.clock.now()
    const from = (query.from && parseInstant(query.from)) || startOfDay(formatDay(now))
    const to = (query.to && parseInstant(query.to)) || from + 7 * dayMs
    const { rows } =
      await sql<DutyRow>`select d.id, d.project_code, d.user_id, d.from_time, d.until_time, d.remark, d.version from duty_shift d
      where d.project_code = ${query.projectCode} and d.until_time > ${new Date(from)} and d.from_time < ${new Date(to)} order by d.from_time, d.id limit 500`.execute(
        ctx.db,
      )
    const { rows: names } = await settings.pool.query<{ id: string; name: string; phone_mask: string | null }>(
      'select id, name, phone_mask from app_user where id = any ($1)',
      [rows.map((r) => r.userId)],
    )
    const nameOf = new Map(names.map((n) => [n.id, n]))
    const { people } = await rolesAndPeople(settings.pool, query.projectCode, now)
    return {
      list: rows.map((r) =>
        rowOf(calls.dutyRow, r, {
          userName: nameOf.get(r.userId)?.name ?? '',
          phoneMask: nameOf.get(r.userId)?.phone_mask ?? null,
          fromTime: formatInstant(r.fromTime),
          untilTime: formatInstant(r.untilTime),
        }),
      ),
      total: rows.length,
      people,
    }
  }

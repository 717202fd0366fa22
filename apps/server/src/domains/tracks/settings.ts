import { AppError } from '@zhugong/contract/kit/errors'
import { dayMs } from '@zhugong/contract/kit/time'
import type { getDuty, saveDutyHours, setDuty } from '@zhugong/contract/tracks/calls'
import { isOnDuty, usualDuty } from '@zhugong/contract/tracks/track'
import { sql } from 'kysely'
import { changeRow } from '#kit/change-row'
import { formatInstant } from '#kit/clock'
import { type Context, groupTypes } from '#kit/context'
import { isUniqueViolation, type Row } from '#kit/db'
import type { HandlerOf } from '#kit/serve'
import { openCheckSince } from '../checks/public.ts'
import { dayCheckSince } from '../daychecks/public.ts'
import { heldKinds } from './records.ts'

type Viewer = Pick<Context, 'db' | 'group'>

/** @throws AppError `forbidden` outside of a supervising body: positions are those of its officers only */
export function requireBody(ctx: Pick<Context, 'group'>): void {
  if (ctx.group.type !== groupTypes.government) throw new AppError('forbidden', '监督人员定位只供监管机构使用')
}

export async function hoursOf(ctx: Viewer) {
  const { rows } = await sql<Row<'officerSetting'>>`select * from officer_setting where group_id = ${ctx.group.id}`.execute(ctx.db)
  const set = rows[0]
  return set
    ? { begin: set.beginAt, end: set.endAt, weekdays: set.weekdays, keepDays: set.keepDays, version: set.version }
    : { ...usualDuty, weekdays: [...usualDuty.weekdays], version: 0 }
}

/** Times during which the caller's device had the position switched on. */
export async function shiftsOf(
  ctx: Pick<Context, 'db' | 'group' | 'user'>,
  after: Date,
): Promise<Pick<Row<'officerShift'>, 'beginTime' | 'endTime'>[]> {
  const { rows } = await sql<Pick<Row<'officerShift'>, 'beginTime' | 'endTime'>>`select begin_time, end_time from officer_shift
    where group_id = ${ctx.group.id} and user_id = ${ctx.user.id} and (end_time is null or end_time >= ${after}) order by begin_time`.execute(
    ctx.db,
  )
  return rows
}

/** A check that is still open after so long was forgotten. */
const longestCheckMs = dayMs / 2
export async function checkSince(ctx: Pick<Context, 'db' | 'user' | 'clock'>): Promise<Date | undefined> {
  const after = new Date(ctx.clock.now() - longestCheckMs)
  return (await dayCheckSince(ctx, after)) ?? openCheckSince(ctx, heldKinds, after)
}

export const readDuty: HandlerOf<typeof getDuty> = async (_input, ctx) => {
  requireBody(ctx)
  const now = ctx.clock.now()
  const hours = await hoursOf(ctx)
  const since = (await shiftsOf(ctx, new Date(now))).find((one) => one.endTime === null)?.beginTime
  const checking = await checkSince(ctx)
  const onDuty = isOnDuty(hours, now)
  const { rows } = await sql<{ n: number }>`select count(distinct m.user_id)::int as n from member m
      join member_role mr on mr.member_id = m.id join role r on r.id = mr.role_id
    where m.group_id = ${ctx.group.id} and m.enable = '1' and 'inspection.trackView' = any (r.codes)`.execute(ctx.system)
  return {
    on: since !== undefined,
    since: since?.getTime() ?? null,
    ...hours,
    open: onDuty || checking !== undefined,
    why: onDuty
      ? `执勤时段 ${hours.begin}–${hours.end}`
      : checking
        ? `有进行中的检查（${formatInstant(checking).slice(11, 16)} 起）`
        : `不在执勤时段（${hours.begin}–${hours.end}），不采集位置`,
    viewers: rows[0]?.n ?? 0,
    maySet: ctx.codes.has('inspection.trackView'),
  }
}

export const switchDuty: HandlerOf<typeof setDuty> = async ({ body: { on } }, ctx) => {
  requireBody(ctx)
  const now = new Date(ctx.clock.now())
  if (on)
    await sql`insert into officer_shift (id, group_id, user_id, begin_time) values (${ctx.newId()}, ${ctx.group.id}, ${ctx.user.id}, ${now})
      on conflict (group_id, user_id) where end_time is null do nothing`.execute(ctx.db)
  else
    await sql`update officer_shift set end_time = ${now} where group_id = ${ctx.group.id} and user_id = ${ctx.user.id} and end_time is null`.execute(
      ctx.db,
    )
  ctx.note(on ? '开启执勤定位' : '关闭执勤定位', ctx.user.id)
  return undefined
}

export const writeHours: HandlerOf<typeof saveDutyHours> = async ({ body }, ctx) => {
  requireBody(ctx)
  const { version, begin, end, weekdays, keepDays } = body
  const values = { beginAt: begin, endAt: end, weekdays: [...new Set(weekdays)].sort(), keepDays }
  ctx.note('设置执勤时段', ctx.group.id)
  const { rows } = await sql`select from officer_setting where group_id = ${ctx.group.id}`.execute(ctx.db)
  if (rows[0]) {
    await changeRow(ctx, 'officerSetting', { key: { groupId: ctx.group.id }, version, noun: '执勤时段', by: ctx.user.id, values })
    return undefined
  }
  await ctx.db
    .insertInto('officerSetting')
    .values({ groupId: ctx.group.id, ...values, updateBy: ctx.user.id })
    .execute()
    .catch((error: unknown) => {
      throw isUniqueViolation(error) ? new AppError('conflict', '执勤时段已被他人保存，请刷新后再改') : error
    })
  return undefined
}

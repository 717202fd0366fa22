import { AppError } from '@zhugong/contract/kit/errors'
import * as calls from '@zhugong/contract/monitoring/lift/lift-stops'
import { sql } from 'kysely'
import { formatDay, formatInstant } from '#kit/clock'
import { projectsFor } from '#kit/context'
import type { Tx } from '#kit/db'
import { allOf, equals, inProjects, pageSlice } from '#kit/list'
import type { HandlerOf, Serve } from '#kit/serve'
import { fileIdsOf, keptFiles, linksOf } from '../../files/public.ts'
import { type DeviceRow, getDeviceRow } from '../shared/devices.ts'
import { daysUntil, textOr } from '../shared/family.ts'
import { dropTestsOf } from './lift-tests.ts'

const family = 'lifter'

interface Row extends Omit<calls.LiftStop, 'stoppedAt' | 'resumedAt'> {
  stoppedAt: Date
  resumedAt: Date | null
}
const columns = sql`s.id, s.project_code, s.device_id, d.name as device_name, s.alarm_id, a.label as alarm_label, s.stopped_at, s.reason, s.by_name,
  to_char(s.checked_on, 'YYYY-MM-DD') as checked_on, s.person_name, s.unit_name, s.finding, s.files, s.resumed_at, s.resumed_by`
const tables = sql`lift_stop s join device d on d.id = s.device_id left join alarm a on a.id = s.alarm_id`

export function liftStopRoutes(serve: Serve): void {
  serve(calls.listLiftStops, listLiftStops)
  serve(calls.stopLift, stopLift)
  serve(calls.resumeLift, resumeLift)
}

const listLiftStops: HandlerOf<typeof calls.listLiftStops> = async ({ query }, ctx) => {
  const { limit, offset } = pageSlice(query)
  const { rows } = await sql<Row & { total: number }>`
    select ${columns}, count(*) over ()::int as total from ${tables}
    where ${allOf(...inProjects('s.project_code', projectsFor(ctx, query.projectCode)), ...equals('s.device_id', query.deviceId))}
    order by s.stopped_at desc, s.id desc limit ${limit} offset ${offset}`.execute(ctx.db)
  return {
    list: rows.map(({ total: _total, ...row }) => ({
      ...row,
      stoppedAt: row.stoppedAt.getTime(),
      resumedAt: row.resumedAt?.getTime() ?? null,
      files: linksOf(ctx, row.files),
    })),
    total: rows[0]?.total ?? 0,
  }
}

type Lift = Pick<DeviceRow, 'id' | 'params'>

/** What prevents returning a lift to use, in words. The inspection itself is entered with the request. */
async function missingFor(db: Tx, lift: Lift, now: number): Promise<string[]> {
  const { rows } = await sql<{ label: string; active: boolean; n: number }>`
    select a.label, bool_or(a.active) as active, count(*)::int as n from alarm a
    where a.device_id = ${lift.id} and not a.simulated and not a.historical and a.alarm_key <> 'offline'
      and ((a.max_level = 1 and a.state in ('open', 'acknowledged'))
        or (a.active and a.level = 1 and a.state <> 'false') or (a.id in (select alarm_id from lift_stop where device_id = ${lift.id} and resumed_at is null)
          and (a.active or a.state in ('open', 'acknowledged'))))
    group by a.label order by a.label`.execute(db)
  const alarms = rows.map(({ label, active, n }) => `${label}${n > 1 ? ` ${n} 条` : ''}${active ? '尚未恢复' : '尚未处置'}`)
  const drop = (await dropTestsOf(db, [lift.id], now))(lift.id)
  const expiry = textOr(lift.params.safetyDeviceExpiry)
  const expiryDays = daysUntil(expiry, now)
  return [
    ...alarms,
    ...(drop.dropTestFailed
      ? ['防坠试验不合格，须试验合格']
      : drop.dropTestDays !== null && drop.dropTestDays < 0
        ? [`防坠试验逾期 ${-drop.dropTestDays} 天`]
        : []),
    ...(expiryDays !== null && expiryDays < 0 ? [`防坠安全器标定过期 ${-expiryDays} 天`] : []),
  ]
}

/** Whether a lift is out of use, and what is missing to return it to use. */
export async function stateStop(db: Tx, lift: Lift, now: number): Promise<calls.ActiveStop | null> {
  const { rows } = await sql<Omit<calls.ActiveStop, 'stoppedAt' | 'missing'> & { stoppedAt: Date }>`
    select s.id, s.alarm_id, a.label as alarm_label, s.stopped_at, s.reason, s.by_name,
      (select count(*)::int from device_record r where r.device_id = s.device_id and r.record = 'workingCycle' and r.ts > s.stopped_at) as runs_since
    from lift_stop s left join alarm a on a.id = s.alarm_id where s.device_id = ${lift.id} and s.resumed_at is null`.execute(db)
  const [row] = rows
  return row ? { ...row, stoppedAt: row.stoppedAt.getTime(), missing: await missingFor(db, lift, now) } : null
}

const stopLift: HandlerOf<typeof calls.stopLift> = async ({ query, body }, ctx) => {
  const lift = await getDeviceRow(ctx, body.deviceId, family)
  if (!(projectsFor(ctx, query.projectCode) ?? [lift.projectCode]).includes(lift.projectCode))
    throw new AppError('invalidInput', '升降机不属于所选项目', { field: 'deviceId' })
  if (body.alarmId) {
    const { rows } = await sql<{ simulated: boolean }>`
      select simulated from alarm where id = ${body.alarmId} and device_id = ${lift.id}`.execute(ctx.db)
    if (!rows[0]) throw new AppError('invalidInput', '告警不属于这台升降机', { field: 'alarmId' })
    if (rows[0].simulated) throw new AppError('refused', '演练告警不能作为停用依据')
  }
  const id = ctx.newId()
  const now = new Date(ctx.clock.now())
  // If two users stop it at the same time, the second is refused.
  const { rows } = await sql<{ id: string }>`
    insert into lift_stop (id, project_code, device_id, alarm_id, stopped_at, reason, by_name, create_time)
    values (${id}, ${lift.projectCode}, ${lift.id}, ${body.alarmId}, ${now}, ${body.reason}, ${ctx.user.name}, ${now})
    on conflict (device_id) where resumed_at is null do nothing returning id`.execute(ctx.db)
  if (!rows[0]) throw new AppError('refused', `${lift.name} 已经停用`)
  ctx.note(`停用 ${lift.name}：${body.reason}`, id)
  return { id }
}

const resumeLift: HandlerOf<typeof calls.resumeLift> = async ({ params, query, body }, ctx) => {
  const { rows } = await sql<{ deviceId: string; stoppedAt: Date; resumedAt: Date | null }>`
    select s.device_id, s.stopped_at, s.resumed_at from lift_stop s
    where ${allOf(...equals('s.id', params.id), ...inProjects('s.project_code', projectsFor(ctx, query.projectCode)))} for update`.execute(
    ctx.db,
  )
  const [stop] = rows
  if (!stop) throw new AppError('notFound', '停用记录不存在')
  if (stop.resumedAt) throw new AppError('refused', `已于 ${formatInstant(stop.resumedAt)} 恢复使用`)
  const now = ctx.clock.now()
  if (body.checkedOn > formatDay(now)) throw new AppError('invalidInput', '检查日期不能晚于今天', { field: 'checkedOn' })
  if (body.checkedOn < formatDay(stop.stoppedAt.getTime()))
    throw new AppError('invalidInput', `检查应在停用之后（${formatDay(stop.stoppedAt.getTime())}）`, { field: 'checkedOn' })
  const lift = await getDeviceRow(ctx, stop.deviceId, family)
  const missing = await missingFor(ctx.db, lift, now)
  if (missing.length > 0) throw new AppError('refused', `还不能恢复使用：${missing.join('；')}`)
  const files = await keptFiles(ctx, fileIdsOf(body.files), [], 'files')
  await sql`update lift_stop set checked_on = ${body.checkedOn}, person_name = ${body.personName}, unit_name = ${body.unitName}, finding = ${body.finding},
      files = ${files}::text[], resumed_at = ${new Date(Math.max(now, stop.stoppedAt.getTime() + 1))}, resumed_by = ${ctx.user.name}
    where id = ${params.id}`.execute(ctx.db)
  ctx.note(`恢复使用 ${lift.name}：${body.personName} ${body.checkedOn} 检查，${body.finding}`, params.id)
}

import { AppError } from '@zhugong/contract/kit/errors'
import { parseInstant } from '@zhugong/contract/kit/fields'
import { dayMs } from '@zhugong/contract/kit/time'
import * as calls from '@zhugong/contract/monitoring/alarm-readings'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import { projectsFor } from '#kit/context'
import { allOf, equals, inProjects, pageSlice } from '#kit/list'
import type { HandlerOf, Serve } from '#kit/serve'

/** Readings of machines attached to an alarm as evidence. */
export function alarmReadingRoutes(serve: Serve): void {
  serve(calls.listAlarmReadings, listAlarmReadings)
  serve(calls.attachReadings, attachReadings)
  serve(calls.detachReadings, detachReadings)
}

const listAlarmReadings: HandlerOf<typeof calls.listAlarmReadings> = async ({ query }, ctx) => {
  const { limit, offset } = pageSlice(query)
  const { rows } = await sql<{
    id: string
    projectCode: string
    alarmId: string
    deviceId: string
    deviceName: string
    family: string
    fromTime: Date
    untilTime: Date
    note: string
    byName: string
    total: number
  }>`
    select r.id, r.project_code, r.alarm_id, r.device_id, d.name as device_name, d.family, r.from_time, r.until_time, r.note, r.by_name, count(*) over ()::int as total
    from alarm_reading r join device d on d.id = r.device_id
    where ${allOf(...inProjects('r.project_code', projectsFor(ctx, query.projectCode)), ...equals('r.alarm_id', query.alarmId))}
    order by r.from_time, r.id limit ${limit} offset ${offset}`.execute(ctx.db)
  return {
    list: rows.map(({ total: _total, fromTime, untilTime, ...row }) => ({ ...row, from: fromTime.getTime(), to: untilTime.getTime() })),
    total: rows[0]?.total ?? 0,
  }
}

const attachReadings: HandlerOf<typeof calls.attachReadings> = async ({ query, body }, ctx) => {
  const now = ctx.clock.now()
  const from = parseInstant(body.from) ?? now
  const to = Math.min(now, parseInstant(body.to) ?? now)
  if (to <= from) throw new AppError('invalidInput', '结束时间应晚于开始时间', { field: 'to' })
  if (to - from > calls.attachedDays * dayMs) throw new AppError('invalidInput', `一次最多附 ${calls.attachedDays} 天`, { field: 'from' })
  const { rows } = await sql<{ projectCode: string; label: string; deviceName: string; attached: number; again: boolean }>`
    select a.project_code, a.label, a.device_name, (select count(*)::int from alarm_reading r where r.alarm_id = a.id) as attached,
      exists (select 1 from alarm_reading r where r.alarm_id = a.id and r.device_id = ${body.deviceId} and r.from_time = ${new Date(from)}
        and r.until_time = ${new Date(to)}) as again
    from alarm a where ${allOf(...equals('a.id', body.alarmId), ...inProjects('a.project_code', projectsFor(ctx, query.projectCode)))}`.execute(
    ctx.db,
  )
  const [alarm] = rows
  if (!alarm) throw new AppError('invalidInput', '告警不属于所选项目', { field: 'alarmId' })
  if (alarm.again) throw new AppError('refused', '这段监测记录已附到该告警')
  if (alarm.attached >= calls.mostAttached) throw new AppError('refused', `一条告警最多附 ${calls.mostAttached} 段监测记录`)
  const device = await sql<{
    name: string
  }>`select name from device where id = ${body.deviceId} and project_code = ${alarm.projectCode}`.execute(ctx.db)
  const name = device.rows[0]?.name
  if (name === undefined) throw new AppError('invalidInput', '设备不属于告警所在的项目', { field: 'deviceId' })
  const id = ctx.newId()
  await sql`insert into alarm_reading (id, project_code, alarm_id, device_id, from_time, until_time, note, by_name, create_time)
    values (${id}, ${alarm.projectCode}, ${body.alarmId}, ${body.deviceId}, ${new Date(from)}, ${new Date(to)}, ${body.note}, ${ctx.user.name}, ${new Date(now)})`.execute(
    ctx.db,
  )
  ctx.note(`监测记录附到告警：${name} ${formatInstant(from)} 至 ${formatInstant(to)}，${alarm.deviceName} ${alarm.label}`, id)
  return { id }
}

const detachReadings: HandlerOf<typeof calls.detachReadings> = async ({ params, query }, ctx) => {
  const { rows } = await sql<{ name: string }>`
    delete from alarm_reading r using device d where d.id = r.device_id
      and ${allOf(...equals('r.id', params.id), ...inProjects('r.project_code', projectsFor(ctx, query.projectCode)))} returning d.name`.execute(
    ctx.db,
  )
  if (!rows[0]) throw new AppError('notFound', '附带的监测记录不存在或已取下')
  ctx.note(`从告警取下监测记录：${rows[0].name}`, params.id)
}

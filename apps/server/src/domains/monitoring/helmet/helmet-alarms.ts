import type { Sort } from '@zhugong/contract/kit/list'
import { dayMs } from '@zhugong/contract/kit/time'
import { sql } from 'kysely'
import { type Context, projectsFor } from '#kit/context'
import { allOf, anyInt, anyOf, condition, equals, inProjects, pageSlice } from '#kit/list'
import { pick } from '#kit/pick'
import { veilFor } from '../../readings/public.ts'
import { numberOr, todayStart } from '../shared/family.ts'
import { periodOf } from '../shared/period.ts'
import { helmetFamilies } from './helmet-store.ts'

// ---- alarms

export interface AlarmQuery {
  projectCode?: string | undefined
  deviceId?: string | undefined
  alarmKey?: string[] | undefined
  level?: string[] | undefined
  state?: string[] | undefined
  startTime?: string | undefined
  endTime?: string | undefined
}

export function alarmsWhere(ctx: Context, query: AlarmQuery, usualMs: number) {
  const period = periodOf(query, ctx.clock.now(), usualMs, 400 * dayMs)
  return allOf(
    ...anyOf('a.family', helmetFamilies),
    ...inProjects('a.project_code', projectsFor(ctx, query.projectCode)),
    ...equals('a.device_id', query.deviceId),
    ...anyOf('a.alarm_key', query.alarmKey),
    ...anyOf('a.state', query.state),
    ...anyInt('a.level', query.level),
    ...equals('a.simulated', false),
    condition(sql`a.start_time >= ${new Date(period.from)} and a.start_time < ${new Date(period.to)}`),
  )
}

export const firstAck = sql`(select min(k.at) from alarm_log k where k.alarm_id = a.id and k.event in ('ack', 'handle', 'false', 'close'))`

export const responseSeconds = sql`extract(epoch from ${firstAck} - a.fire_time)::float8`

export async function alarmList(ctx: Context, query: AlarmQuery & { page: number; size: number; sort?: Sort<'startTime'> | undefined }) {
  const where = alarmsWhere(ctx, query, 30 * dayMs)
  const { limit, offset } = pageSlice(query)
  const now = ctx.clock.now()
  const { rows } = await sql<{
    id: string
    projectCode: string
    projectName: string
    deviceId: string
    deviceName: string
    family: string
    alarmKey: string
    label: string
    level: number
    state: string
    active: boolean
    startTime: Date
    clearTime: Date | null
    handlerName: string | null
    responseSeconds: number | null
    valuesUsed: Record<string, unknown>
    workerName: string | null
    teamName: string | null
    version: number
  }>`
    select a.id, a.project_code, p.name as project_name, a.device_id, a.device_name, a.family, a.alarm_key, a.label, a.level, a.state, a.active, a.start_time,
      a.clear_time, a.handler_name, ${responseSeconds} as response_seconds, a.values_used, w.worker_name, w.team_name, a.version
    from alarm a join project p on p.project_code = a.project_code left join device d on d.id = a.device_id
      left join lateral (
        select pw.worker_name, t.team_name from project_worker pw left join team t on t.id = pw.team_id
        where pw.project_code = a.project_code and pw.worker_id = d.params ->> 'workerId' order by pw.entry_time desc limit 1) w on true
    where ${where} order by ${query.sort === 'startTime' ? sql`a.start_time` : sql`a.start_time desc`}, a.id limit ${limit} offset ${offset}`.execute(
    ctx.db,
  )
  const counts = await sql<{ total: number; sosOpen: number; fallsToday: number; removalsToday: number; mean: number | null }>`
    select count(*)::int as total, count(*) filter (where a.alarm_key = 'sos' and a.state = 'open')::int as sos_open,
      count(*) filter (where a.alarm_key in ('fall', 'impact') and a.start_time >= ${new Date(todayStart(now))})::int as falls_today,
      count(*) filter (where a.alarm_key = 'removal' and a.start_time >= ${new Date(todayStart(now))})::int as removals_today, avg(${responseSeconds}) as mean
    from alarm a where ${where}`.execute(ctx.db)
  const n = counts.rows[0]
  const worn = (r: { deviceId: string; family: string; projectCode: string }) => ({
    id: r.deviceId,
    family: r.family,
    projectCode: r.projectCode,
  })
  const veil = await veilFor(ctx, rows.map(worn))
  const places = (r: (typeof rows)[number]) => veil.values(worn(r), r.valuesUsed, 'now')
  return {
    list: rows.map((r) => ({
      ...pick(
        r,
        'id',
        'projectCode',
        'projectName',
        'deviceId',
        'deviceName',
        'alarmKey',
        'level',
        'state',
        'active',
        'handlerName',
        'teamName',
        'version',
      ),
      category: r.family === 'baseStationHelmet' ? '701' : '700',
      alarmLabel: r.label,
      startTime: r.startTime.getTime(),
      clearTime: r.clearTime?.getTime() ?? null,
      durationSeconds: Math.max(0, Math.round(((r.clearTime?.getTime() ?? now) - r.startTime.getTime()) / 1000)),
      responseSeconds: r.responseSeconds === null ? null : Math.max(0, Math.round(r.responseSeconds)),
      batteryPercent: numberOr(r.valuesUsed.batteryPercent),
      lng: numberOr(places(r).longitude),
      lat: numberOr(places(r).latitude),
      workerName: veil.seesPerson(worn(r)) ? r.workerName : null,
    })),
    total: n?.total ?? 0,
    sosOpen: n?.sosOpen ?? 0,
    fallsToday: n?.fallsToday ?? 0,
    removalsToday: n?.removalsToday ?? 0,
    averageResponseSeconds: n?.mean === null || n?.mean === undefined ? null : Math.round(n.mean),
  }
}

export async function alarmLine(ctx: Context, query: AlarmQuery) {
  const { rows } = await sql<{ day: string; alarmKey: string; n: number }>`
    select to_char(a.start_time at time zone 'Asia/Shanghai', 'YYYY-MM-DD') as day, a.alarm_key, count(*)::int as n
    from alarm a where ${alarmsWhere(ctx, query, 30 * dayMs)} group by 1, 2 order by 1, 2`.execute(ctx.db)
  const list = [...Map.groupBy(rows, (r) => r.day)].map(([day, own]) => ({
    day,
    total: own.reduce((sum, r) => sum + r.n, 0),
    byKey: Object.fromEntries(own.map((r) => [r.alarmKey, r.n])),
  }))
  return { list, total: list.length }
}

export async function alarmPie(ctx: Context, query: AlarmQuery) {
  const { rows } = await sql<{ alarmKey: string; label: string; n: number; falses: number; mean: number | null }>`
    select a.alarm_key, max(a.label) as label, count(*)::int as n, count(*) filter (where a.state = 'false')::int as falses, avg(${responseSeconds}) as mean
    from alarm a where ${alarmsWhere(ctx, query, 30 * dayMs)} group by 1 order by 3 desc, 1`.execute(ctx.db)
  return {
    list: rows.map((r) => ({
      alarmKey: r.alarmKey,
      label: r.label,
      count: r.n,
      falseCount: r.falses,
      averageResponseSeconds: r.mean === null ? null : Math.round(r.mean),
    })),
    total: rows.length,
  }
}

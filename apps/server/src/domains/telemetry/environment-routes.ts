import { AppError } from '@zhugong/contract/kit/errors'
import * as calls from '@zhugong/contract/telemetry/endpoints'
import { sql } from 'kysely'
import { dayMs } from '#kit/clock'
import type { Config } from '#kit/config'
import { type Context, projectsFor } from '#kit/context'
import type { Tx } from '#kit/db'
import { pageSlice } from '#kit/list'
import type { HandlerOf, Serve } from '#kit/serve'
import { findDeviceRows, getDeviceRow, latestOf, toDeviceNow } from './devices.ts'
import { environmentAnalysis, hourMeans, noiseLimitAt } from './environment.ts'
import { fileOf, infoOf, type LineQuery, lineOf, readingsOf } from './family-reads.ts'
import { sprayDays } from './groups.ts'
import { askIngest } from './local.ts'
import { longest, periodOf } from './period.ts'
import { findRecords } from './records.ts'

const family = 'environment'
const usualMetrics = ['pm10', 'pm25', 'tsp', 'noise', 'leq', 'temperature', 'humidity', 'windSpeed']

export function environmentRoutes(serve: Serve, deps: { config: Config }): void {
  serve(calls.envInfo, envInfo)
  serve(calls.envDevice, envDevice)
  serve(calls.envRealtime, envRealtime)
  serve(calls.envLine, ({ query }, ctx) => lineOfStation(ctx, query))
  serve(calls.envRecords, envRecords)
  serve(calls.envAnalysis, envAnalysis)
  serve(calls.sprayRecords, sprayRecords)
  serve(calls.switchSpray, switchSpray(deps))
  serve(calls.openEnvDevices, openEnvDevices)
  serve(calls.openEnvRealtime, openEnvRealtime)
  serve(calls.openEnvLine, ({ query }, ctx) =>
    query.deviceId ? lineOfStation(ctx, { ...query, deviceId: query.deviceId }) : { list: [], total: 0, bucketSeconds: 0 },
  )
}

async function lineOfStation(ctx: Context, query: LineQuery) {
  const { list, total, bucketSeconds } = await lineOf(ctx, family, query, usualMetrics)
  return { list, total, bucketSeconds }
}

const envInfo: HandlerOf<typeof calls.envInfo> = async ({ params }, ctx) => {
  const row = await getDeviceRow(ctx, params.id, family)
  return {
    ...(await infoOf(ctx, row)),
    hour: await hourMeans(ctx.db, row.id, ctx.clock.now()),
    noiseLimit: noiseLimitAt(ctx.clock.now()),
  }
}

const envDevice: HandlerOf<typeof calls.envDevice> = async ({ params }, ctx) => {
  const row = await getDeviceRow(ctx, params.id, family)
  const sprays = await isProjectOf(ctx.db, row.projectCode, 'sprayController')
  return {
    ...(await fileOf(ctx, row)),
    sprays: sprays.map((s) => ({
      deviceId: s.id,
      name: s.name,
      online: s.online ?? false,
      running: s.v?.running === true || s.v?.state === '1',
    })),
  }
}

const envRealtime: HandlerOf<typeof calls.envRealtime> = async ({ query }, ctx) => {
  const projects = projectsFor(ctx, query.projectCode)
  const { rows, total } = await findDeviceRows(ctx.db, family, projects, query, pageSlice(query))
  const { rows: counts } = await sql<{ online: number; offline: number; over: number }>`
    select count(*) filter (where l.online)::int as online, count(*) filter (where not coalesce(l.online, false))::int as offline,
      count(*) filter (where exists (select 1 from alarm a where a.device_id = d.id and a.active and a.alarm_key not in ('offline', 'constantValue')))::int as over
    from device d left join device_latest l on l.device_id = d.id
    where d.family = ${family} ${projects ? sql`and d.project_code = any (${[...projects]})` : sql``}`.execute(ctx.db)
  const n = counts[0] ?? { online: 0, offline: 0, over: 0 }
  return { list: rows.map((r) => ({ ...toDeviceNow(r), areaCode: r.areaCode })), total, ...n }
}

const envRecords: HandlerOf<typeof calls.envRecords> = async ({ query }, ctx) => {
  if (query.kind === 'period') {
    const period = periodOf(query, ctx.clock.now(), dayMs, longest.readings)
    const filter = { record: 'period', projects: projectsFor(ctx, query.projectCode), deviceId: query.deviceId, period }
    const { list, total } = await findRecords(ctx.db, filter, pageSlice(query), query.sort)
    return { list: list.map((r) => ({ ...r, kind: String(r.data.kind ?? 'minute') })), total }
  }
  return readingsOf(ctx, family, query)
}

const envAnalysis: HandlerOf<typeof calls.envAnalysis> = async ({ query }, ctx) => {
  const projects = projectsFor(ctx, query.projectCode)
  if (query.deviceId) await getDeviceRow(ctx, query.deviceId, family)
  return environmentAnalysis(ctx.db, projects, query.deviceId, periodOf(query, ctx.clock.now(), 7 * dayMs, 100 * dayMs))
}

const sprayRecords: HandlerOf<typeof calls.sprayRecords> = async ({ query }, ctx) => {
  const period = periodOf(query, ctx.clock.now(), 30 * dayMs, 100 * dayMs)
  if (query.groupBy) {
    const groups = await sprayDays(ctx.db, projectsFor(ctx, query.projectCode), period, ctx.clock.now())
    const { limit, offset } = pageSlice(query)
    return { list: [], total: groups.length, groups: groups.slice(offset, offset + limit) }
  }
  return findRecords(
    ctx.db,
    { record: 'sprayRecord', projects: projectsFor(ctx, query.projectCode), deviceId: query.deviceId, period },
    pageSlice(query),
    query.sort,
  )
}

const switchSpray =
  (deps: { config: Config }): HandlerOf<typeof calls.switchSpray> =>
  async ({ body }, ctx) => {
    const row = await getDeviceRow(ctx, body.deviceId, 'sprayController')
    ctx.note(body.status === '1' ? `启动喷淋 ${body.minutes} 分钟` : '停止喷淋', row.id)
    const answer = await askIngest(deps.config, '/command', {
      deviceId: row.id,
      cmdId: ctx.newId(),
      cmd: body.status === '1' ? 'spray.start' : 'spray.stop',
      params: body.status === '1' ? { durationSeconds: Math.round(body.minutes * 60) } : {},
      by: ctx.user.name,
    })
    if (answer.result !== 0) throw new AppError('refused', answer.message || '设备没有执行指令', { cmdId: answer.cmdId })
    return answer
  }

const openEnvDevices: HandlerOf<typeof calls.openEnvDevices> = async ({ query }, ctx) => {
  const { rows, total } = await findDeviceRows(ctx.db, family, projectsFor(ctx, query.projectCode), {}, pageSlice(query))
  return {
    list: rows.map((r) => ({
      deviceId: r.id,
      deviceSn: r.deviceSn,
      name: r.name,
      projectCode: r.projectCode,
      projectName: r.projectName,
      lng: r.lng,
      lat: r.lat,
      online: r.online ?? false,
    })),
    total,
  }
}

const openEnvRealtime: HandlerOf<typeof calls.openEnvRealtime> = async ({ query }, ctx) => {
  const { rows, total } = await findDeviceRows(ctx.db, family, projectsFor(ctx, query.projectCode), query, pageSlice(query))
  return { list: rows.map((r) => ({ deviceId: r.id, name: r.name, projectCode: r.projectCode, reading: latestOf(r) })), total }
}

async function isProjectOf(db: Tx, projectCode: string, family: string) {
  return (await findDeviceRows(db, family, [projectCode])).rows
}

import { verifyDevice } from '@zhugong/contract/equipment/endpoints'
import { AppError } from '@zhugong/contract/kit/errors'
import { parseInstant } from '@zhugong/contract/kit/fields'
import * as calls from '@zhugong/contract/telemetry/endpoints'
import { families, familyNamed } from '@zhugong/contract/telemetry/families'
import { sql } from 'kysely'
import type { Config } from '#kit/config'
import { type Context, projectsFor } from '#kit/context'
import type { Tx } from '#kit/db'
import { pageSlice } from '#kit/list'
import type { Serve } from '#kit/serve'
import { craneDays, cycleGroups, cyclesToday, neighbourhood, offlineSpans } from './cranes.ts'
import { type DeviceRow, familyRequired, findDeviceRows, getDeviceRow, latestOf, limitsOf, toDeviceNow } from './devices.ts'
import { environmentAnalysis, hourMeans, noiseLimitAt } from './environment.ts'
import { toFamilyView } from './family-view.ts'
import { onlineShares, sprayDays } from './groups.ts'
import { liveTokenMs, viewerPrefix, writeTicket } from './live-access.ts'
import { askIngest } from './local.ts'
import { findRecords, lastRecord, openAlarmsOf } from './records.ts'
import { countReadings, findLine, findReadings, type Period, toReading } from './series.ts'
import { verifyWithFrame } from './verify.ts'
import { wireRoutes } from './wire-routes.ts'

export interface TelemetryDependencies {
  config: Config
}

const dayMs = 86_400_000
const longest = { readings: 31 * dayMs, line: 400 * dayMs }

/** The asked period; without one the last so many hours. Throws AppError when it is turned round or too long. */
function periodOf(
  query: { startTime?: string | undefined; endTime?: string | undefined },
  now: number,
  usualMs: number,
  most: number,
): Period {
  const to = query.endTime ? (parseInstant(query.endTime) ?? now) : now + 1
  const from = query.startTime ? (parseInstant(query.startTime) ?? to - usualMs) : to - usualMs
  if (from >= to) throw new AppError('invalidInput', '结束时间应晚于开始时间', { field: 'endTime' })
  if (to - from > most) throw new AppError('invalidInput', `时间范围最多 ${Math.round(most / dayMs)} 天`, { field: 'startTime' })
  return { from, to }
}

export function telemetryRoutes(serve: Serve, deps: TelemetryDependencies): void {
  serve(calls.liveToken, (_input, ctx) => {
    const expiresAt = ctx.clock.now() + liveTokenMs
    const clientId = `${viewerPrefix}${ctx.newId()}`
    return {
      // Beside whatever host the page came from: the server's own address says nothing behind a proxy.
      url: `:${deps.config.mqttWsPort}`,
      clientId,
      username: 'live',
      password: writeTicket(ctx.secrets, { sessionHash: ctx.principal.sessionHash, projectCode: ctx.projectCode, expiresAt, clientId }),
      expiresIn: Math.floor(liveTokenMs / 1000),
    }
  })
  serve(calls.listFamilies, () => ({ list: families.map((f) => ({ key: f.key, code: f.code, name: f.name })), total: families.length }))
  serve(calls.getFamily, ({ params }, ctx) => {
    const family = familyNamed(params.key)
    if (!family) throw new AppError('notFound', '没有这个设备族')
    return toFamilyView(family, ctx.clock.now())
  })
  cranes(serve)
  environment(serve, deps)
  wireRoutes(serve, deps)
  serve(verifyDevice, ({ body }, ctx) => verifyWithFrame(ctx, body))
}

async function infoOf(ctx: Context, row: DeviceRow) {
  const [alarms, limits, record] = await Promise.all([openAlarmsOf(ctx.db, row.id), limitsOf(ctx.db, row), lastRecord(ctx.db, row)])
  return { ...toDeviceNow(row), alarms, limits, lastRecord: record, now: ctx.clock.now() }
}

async function fileOf(ctx: Context, row: DeviceRow) {
  return {
    deviceId: row.id,
    deviceName: row.name,
    deviceSn: row.deviceSn,
    family: row.family,
    projectCode: row.projectCode,
    projectName: row.projectName,
    installPlace: row.installPlace,
    lng: row.lng,
    lat: row.lat,
    params: row.params,
    limits: await limitsOf(ctx.db, row),
  }
}

const usualMetrics: Record<string, readonly string[]> = {
  towerCrane: ['load', 'loadPercent', 'momentPercent', 'radius', 'hookHeight', 'windSpeed', 'tilt'],
  environment: ['pm10', 'pm25', 'tsp', 'noise', 'leq', 'temperature', 'humidity', 'windSpeed'],
}

async function lineOf(
  ctx: Context,
  family: string,
  deviceId: string,
  query: { metrics?: string[] | undefined; points: number; startTime?: string | undefined; endTime?: string | undefined },
) {
  const row = await getDeviceRow(ctx, deviceId, family)
  const kind = familyRequired(family)
  const metrics = (query.metrics?.length ? query.metrics : (usualMetrics[family] ?? [])).filter((m) => kind.metric(m)).slice(0, 12)
  const period = periodOf(query, ctx.clock.now(), 3_600_000, longest.line)
  const { list, bucketSeconds } = await findLine(ctx.db, kind, row.id, metrics, period, query.points)
  return { list, total: list.length, bucketSeconds }
}

interface ReadingsQuery {
  deviceId?: string | undefined
  startTime?: string | undefined
  endTime?: string | undefined
  sort?: string | undefined
  page: number
  size: number
}

async function readingsOf(ctx: Context, family: string, query: ReadingsQuery) {
  if (!query.deviceId) throw new AppError('invalidInput', '请选择设备', { field: 'deviceId' })
  if (query.sort && query.sort.replace(/^-/, '') !== 'time') throw new AppError('invalidInput', '只能按时间排序', { field: 'sort' })
  const row = await getDeviceRow(ctx, query.deviceId, family)
  const period = periodOf(query, ctx.clock.now(), dayMs, longest.readings)
  const [rows, total] = await Promise.all([
    findReadings(ctx.db, row.id, period, { ...pageSlice(query), falling: query.sort !== 'time' }),
    countReadings(ctx.db, row.id, period),
  ])
  return { list: rows.map((r) => ({ ...toReading(family, r), deviceId: row.id, deviceName: row.name })), total }
}

function cranes(serve: Serve): void {
  const family = 'towerCrane'
  serve(calls.towerInfo, async ({ params }, ctx) => infoOf(ctx, await getDeviceRow(ctx, params.id, family)))
  serve(calls.towerDevice, async ({ params }, ctx) => {
    const row = await getDeviceRow(ctx, params.id, family)
    return { ...(await fileOf(ctx, row)), ...(await neighbourhood(ctx.db, row)) }
  })
  serve(calls.towerLine, ({ query }, ctx) => lineOf(ctx, family, query.deviceId, query))
  serve(calls.towerRecords, async ({ query }, ctx) => {
    if (query.groupBy === 'day') {
      const period = periodOf(query, ctx.clock.now(), 7 * dayMs, longest.readings)
      return craneDays(ctx.db, projectsFor(ctx, query.projectCode), query.deviceId, period, query)
    }
    // Without a device there is nothing to show yet, and nothing wrong.
    if (!query.deviceId) return { list: [], total: 0 }
    return readingsOf(ctx, family, query)
  })
  serve(calls.towerOnline, async ({ query }, ctx) => {
    const projects = projectsFor(ctx, query.projectCode)
    const period = periodOf(query, ctx.clock.now(), 7 * dayMs, longest.readings)
    if (query.groupBy) {
      const shares = await onlineShares(ctx.db, family, projects, query.deviceId, period, ctx.clock.now())
      const { limit, offset } = pageSlice(query)
      const online = shares.filter((s) => s.online).length
      return { list: shares.slice(offset, offset + limit), total: shares.length, online, offline: shares.length - online }
    }
    return offlineSpans(ctx.db, family, projects, query.deviceId, period, pageSlice(query), ctx.clock.now())
  })
  serve(calls.towerCycles, async ({ query }, ctx) => {
    const projects = projectsFor(ctx, query.projectCode)
    const period = periodOf(query, ctx.clock.now(), 7 * dayMs, 100 * dayMs)
    const filter = {
      record: 'workingCycle',
      projects,
      deviceId: query.deviceId,
      period,
      text: { driverName: query.driverName },
      illegal: query.illegal,
    }
    const today = await cyclesToday(ctx.db, projects, query.deviceId, ctx.clock.now())
    if (query.groupBy) {
      const groups = await cycleGroups(ctx.db, filter, query.groupBy)
      const { limit, offset } = pageSlice(query)
      return { list: groups.slice(offset, offset + limit), total: groups.length, today }
    }
    return { ...(await findRecords(ctx.db, filter, pageSlice(query), query.sort)), today }
  })
  serve(calls.towerVideo, async ({ query }, ctx) => {
    if (!query.id) return { deviceId: null, cameras: [] }
    const row = await getDeviceRow(ctx, query.id, family)
    const { rows } = await sql<{ deviceId: string; name: string; place: string | null; online: boolean }>`
      select d.id as device_id, d.name, d.install_place as place, coalesce(l.online, false) as online
      from device d left join device_latest l on l.device_id = d.id
      where d.project_code = ${row.projectCode} and d.family = 'videoAi' and d.params ->> 'craneId' = ${row.id} order by d.name`.execute(
      ctx.db,
    )
    return { deviceId: row.id, cameras: rows }
  })
}

async function isProjectOf(db: Tx, projectCode: string, family: string) {
  return (await findDeviceRows(db, family, [projectCode])).rows
}

function environment(serve: Serve, deps: TelemetryDependencies): void {
  const family = 'environment'
  serve(calls.envInfo, async ({ params }, ctx) => {
    const row = await getDeviceRow(ctx, params.id, family)
    return {
      ...(await infoOf(ctx, row)),
      hour: await hourMeans(ctx.db, row.id, ctx.clock.now()),
      noiseLimit: noiseLimitAt(ctx.clock.now()),
    }
  })
  serve(calls.envDevice, async ({ params }, ctx) => {
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
  })
  serve(calls.envRealtime, async ({ query }, ctx) => {
    const projects = projectsFor(ctx, query.projectCode)
    const { rows, total } = await findDeviceRows(ctx.db, family, projects, query, pageSlice(query))
    const { rows: counts } = await sql<{ online: number; offline: number; over: number }>`
      select count(*) filter (where l.online)::int as online, count(*) filter (where not coalesce(l.online, false))::int as offline,
        count(*) filter (where exists (select 1 from alarm a where a.device_id = d.id and a.active and a.alarm_key not in ('offline', 'constantValue')))::int as over
      from device d left join device_latest l on l.device_id = d.id
      where d.family = ${family} ${projects ? sql`and d.project_code = any (${[...projects]})` : sql``}`.execute(ctx.db)
    const n = counts[0] ?? { online: 0, offline: 0, over: 0 }
    return { list: rows.map((r) => ({ ...toDeviceNow(r), areaCode: r.areaCode })), total, ...n }
  })
  serve(calls.envLine, ({ query }, ctx) => lineOf(ctx, family, query.deviceId, query))
  serve(calls.envRecords, async ({ query }, ctx) => {
    if (query.kind === 'period') {
      const period = periodOf(query, ctx.clock.now(), dayMs, longest.readings)
      const filter = { record: 'period', projects: projectsFor(ctx, query.projectCode), deviceId: query.deviceId, period }
      const { list, total } = await findRecords(ctx.db, filter, pageSlice(query), query.sort)
      return { list: list.map((r) => ({ ...r, kind: String(r.data.kind ?? 'minute') })), total }
    }
    return query.deviceId ? readingsOf(ctx, family, query) : { list: [], total: 0 }
  })
  serve(calls.envAnalysis, async ({ query }, ctx) => {
    const projects = projectsFor(ctx, query.projectCode)
    if (query.deviceId) await getDeviceRow(ctx, query.deviceId, family)
    return environmentAnalysis(ctx.db, projects, query.deviceId, periodOf(query, ctx.clock.now(), 7 * dayMs, 100 * dayMs))
  })
  serve(calls.sprayRecords, async ({ query }, ctx) => {
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
  })
  serve(calls.switchSpray, async ({ body }, ctx) => {
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
  })
  serve(calls.openEnvDevices, async ({ query }, ctx) => {
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
  })
  serve(calls.openEnvRealtime, async ({ query }, ctx) => {
    const { rows, total } = await findDeviceRows(ctx.db, family, projectsFor(ctx, query.projectCode), query, pageSlice(query))
    return { list: rows.map((r) => ({ deviceId: r.id, name: r.name, projectCode: r.projectCode, reading: latestOf(r) })), total }
  })
  serve(calls.openEnvLine, ({ query }, ctx) =>
    query.deviceId ? lineOf(ctx, family, query.deviceId, query) : { list: [], total: 0, bucketSeconds: 0 },
  )
}

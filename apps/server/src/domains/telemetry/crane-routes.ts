import * as calls from '@zhugong/contract/telemetry/endpoints'
import { sql } from 'kysely'
import { dayMs } from '#kit/clock'
import { projectsFor } from '#kit/context'
import { pageSlice } from '#kit/list'
import type { HandlerOf, Serve } from '#kit/serve'
import { craneDays, cycleGroups, cyclesToday, neighbourhood, offlineSpans } from './cranes.ts'
import { getDeviceRow } from './devices.ts'
import { fileOf, infoOf, lineOf, readingsOf } from './family-reads.ts'
import { onlineShares } from './groups.ts'
import { longest, periodOf } from './period.ts'
import { findRecords } from './records.ts'

const family = 'towerCrane'
const usualMetrics = ['load', 'loadPercent', 'momentPercent', 'radius', 'hookHeight', 'windSpeed', 'tilt']

export function craneRoutes(serve: Serve): void {
  serve(calls.towerInfo, async ({ params }, ctx) => infoOf(ctx, await getDeviceRow(ctx, params.id, family)))
  serve(calls.towerDevice, towerDevice)
  serve(calls.towerLine, towerLine)
  serve(calls.towerRecords, towerRecords)
  serve(calls.towerOnline, towerOnline)
  serve(calls.towerCycles, towerCycles)
  serve(calls.towerVideo, towerVideo)
}

const towerDevice: HandlerOf<typeof calls.towerDevice> = async ({ params }, ctx) => {
  const row = await getDeviceRow(ctx, params.id, family)
  return { ...(await fileOf(ctx, row)), ...(await neighbourhood(ctx.db, row)) }
}

const towerLine: HandlerOf<typeof calls.towerLine> = async ({ query }, ctx) => {
  const { list, total, bucketSeconds } = await lineOf(ctx, family, query, usualMetrics)
  return { list, total, bucketSeconds }
}

const towerRecords: HandlerOf<typeof calls.towerRecords> = async ({ query }, ctx) => {
  if (query.groupBy === 'day') {
    const period = periodOf(query, ctx.clock.now(), 7 * dayMs, longest.readings)
    return craneDays(ctx.db, projectsFor(ctx, query.projectCode), query.deviceId, period, query)
  }
  return readingsOf(ctx, family, query)
}

const towerOnline: HandlerOf<typeof calls.towerOnline> = async ({ query }, ctx) => {
  const projects = projectsFor(ctx, query.projectCode)
  const period = periodOf(query, ctx.clock.now(), 7 * dayMs, longest.readings)
  if (query.groupBy) {
    const shares = await onlineShares(ctx.db, family, projects, query.deviceId, period, ctx.clock.now())
    const { limit, offset } = pageSlice(query)
    const online = shares.filter((s) => s.online).length
    return { list: shares.slice(offset, offset + limit), total: shares.length, online, offline: shares.length - online }
  }
  return offlineSpans(ctx.db, family, projects, query.deviceId, period, pageSlice(query), ctx.clock.now())
}

const towerCycles: HandlerOf<typeof calls.towerCycles> = async ({ query }, ctx) => {
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
}

const towerVideo: HandlerOf<typeof calls.towerVideo> = async ({ query }, ctx) => {
  if (!query.id) return { deviceId: null, cameras: [] }
  const row = await getDeviceRow(ctx, query.id, family)
  const { rows } = await sql<{ deviceId: string; name: string; place: string | null; online: boolean }>`
    select d.id as device_id, d.name, d.install_place as place, coalesce(l.online, false) as online
    from device d left join device_latest l on l.device_id = d.id
    where d.project_code = ${row.projectCode} and d.family = 'videoAi' and d.params ->> 'craneId' = ${row.id} order by d.name`.execute(
    ctx.db,
  )
  return { deviceId: row.id, cameras: rows }
}

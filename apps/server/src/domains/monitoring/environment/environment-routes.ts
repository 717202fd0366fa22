import { dayMs } from '@zhugong/contract/kit/time'
import * as environment from '@zhugong/contract/monitoring/environment/environment-endpoints'
import { findEnvWorks, findUnsprayed } from '@zhugong/contract/monitoring/environment/environment-lists'
import { stationRanks } from '@zhugong/contract/monitoring/environment/station-ranks'
import type { Config } from '#kit/config'
import { type Context, projectsFor } from '#kit/context'
import type { Tx } from '#kit/db'
import { pageSlice } from '#kit/list'
import type { HandlerOf, Serve } from '#kit/serve'
import { findRecords } from '../shared/device-records.ts'
import { findDeviceRows, getDeviceRow } from '../shared/devices.ts'
import { fileOf, infoOf, type LineQuery, lineOf, readingsOf } from '../shared/family-reads.ts'
import { longest, periodOf } from '../shared/period.ts'
import { environmentAnalysis, hourMeans } from './environment.ts'
import { openEnvDevices, openEnvRealtime } from './environment-open.ts'
import { stationHourPage, stationPage, stationRankPage, unsprayedPage } from './environment-pages.ts'
import { noiseLimitAt } from './noise-limit.ts'
import { sprayRecords, switchSpray } from './spray-calls.ts'
import { worksOf } from './station-works.ts'

const family = 'environment'

const usualMetrics = ['pm10', 'pm25', 'tsp', 'noise', 'leq', 'temperature', 'humidity', 'windSpeed']

export function environmentRoutes(serve: Serve, config: Pick<Config, 'ingestSocket'>): void {
  serve(environment.envInfo, envInfo)
  serve(environment.envDevice, envDevice)
  serve(environment.envRealtime, envRealtime)
  serve(environment.envLine, ({ query }, ctx) => lineOfStation(ctx, query))
  serve(environment.envRecords, envRecords)
  serve(environment.envAnalysis, envAnalysis)
  serve(stationRanks, ({ query }, ctx) => stationRankPage(ctx, query))
  serve(environment.sprayRecords, sprayRecords)
  serve(findEnvWorks, envWorks)
  serve(findUnsprayed, ({ query }, ctx) => unsprayedPage(ctx, query))
  serve(environment.switchSpray, switchSpray(config))
  serve(environment.openEnvDevices, openEnvDevices)
  serve(environment.openEnvRealtime, openEnvRealtime)
  serve(environment.openEnvLine, ({ query }, ctx) =>
    query.deviceId ? lineOfStation(ctx, { ...query, deviceId: query.deviceId }) : { list: [], total: 0, bucketSeconds: 0 },
  )
}

async function lineOfStation(ctx: Context, query: LineQuery) {
  const { list, total, bucketSeconds } = await lineOf(ctx, family, query, usualMetrics)
  return { list, total, bucketSeconds }
}

const envInfo: HandlerOf<typeof environment.envInfo> = async ({ params }, ctx) => {
  const row = await getDeviceRow(ctx, params.id, family)
  return {
    ...(await infoOf(ctx, row)),
    hour: await hourMeans(ctx.db, row.id, ctx.clock.now()),
    noiseLimit: noiseLimitAt(ctx.clock.now()),
  }
}

const envDevice: HandlerOf<typeof environment.envDevice> = async ({ params }, ctx) => {
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

const envRealtime: HandlerOf<typeof environment.envRealtime> = ({ query }, ctx) =>
  stationPage(ctx, { ...query, deviceName: query.deviceName ?? query.name })

const envRecords: HandlerOf<typeof environment.envRecords> = async ({ query }, ctx) => {
  if (query.kind === 'hour') return stationHourPage(ctx, query)
  if (query.kind === 'period') {
    const period = periodOf(query, ctx.clock.now(), dayMs, longest.readings)
    const filter = { record: 'period', projects: projectsFor(ctx, query.projectCode), deviceId: query.deviceId, period }
    const { list, total } = await findRecords(ctx.db, filter, pageSlice(query), query.sort)
    return { list: list.map((r) => ({ ...r, kind: String(r.data.kind ?? 'minute') })), total }
  }
  return readingsOf(ctx, family, query)
}

const envAnalysis: HandlerOf<typeof environment.envAnalysis> = async ({ query }, ctx) => {
  if (query.deviceId) await getDeviceRow(ctx, query.deviceId, family)
  const now = ctx.clock.now()
  const period = periodOf(query, now, 7 * dayMs, longest.analysis)
  return environmentAnalysis(ctx.db, { projects: projectsFor(ctx, query.projectCode), deviceId: query.deviceId, period }, now)
}

const envWorks: HandlerOf<typeof findEnvWorks> = async ({ query }, ctx) => {
  const { projectCode } = await getDeviceRow(ctx, query.deviceId, family)
  return worksOf(ctx.db, projectCode, periodOf(query, ctx.clock.now(), 7 * dayMs, longest.analysis), ctx.clock.now())
}

async function isProjectOf(db: Tx, projectCode: string, family: string) {
  return (await findDeviceRows(db, family, [projectCode])).rows
}

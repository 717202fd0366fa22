import { AppError } from '@zhugong/contract/kit/errors'
import { dayMs } from '@zhugong/contract/kit/time'
import * as analysis from '@zhugong/contract/monitoring/crane/crane-analysis'
import * as calls from '@zhugong/contract/monitoring/crane/crane-endpoints'
import { explainSilence } from '@zhugong/contract/monitoring/crane/crane-lists'
import { bindCraneCameras } from '@zhugong/contract/monitoring/crane/machine-cameras'
import { sql } from 'kysely'
import { projectsFor } from '#kit/context'
import type { HandlerOf, Serve } from '#kit/serve'
import { servedDriven } from '../../readings/public.ts'
import { analysisScope, splitSort } from '../cycles/scopes.ts'
import { warnRefused } from '../shared/cabin.ts'
import { getDeviceRow } from '../shared/devices.ts'
import { fileOf, infoOf, lineOf, rangesWhere, readingsOf } from '../shared/family-reads.ts'
import { onlineShares } from '../shared/groups.ts'
import { cut } from '../shared/in-memory.ts'
import { longest, periodOf } from '../shared/period.ts'
import { craneAnalysis } from './crane-analysis.ts'
import { bindCameras, towerVideo } from './crane-cameras.ts'
import { cyclesToday } from './crane-cycles.ts'
import { craneDayPage, craneRankPage, cycleGroupPage, cyclePage, offlinePage } from './crane-pages.ts'
import { neighbourhood } from './cranes.ts'
import { findOfflineEvent } from './offline-spans.ts'

const family = 'towerCrane'

const usualMetrics = ['load', 'loadPercent', 'momentPercent', 'radius', 'hookHeight', 'windSpeed', 'tilt']

export function craneRoutes(plain: Serve): void {
  const serve = servedDriven(plain)
  serve(calls.towerInfo, async ({ params }, ctx) => infoOf(ctx, await getDeviceRow(ctx, params.id, family)))
  serve(calls.towerDevice, towerDevice)
  serve(calls.towerLine, towerLine)
  serve(calls.towerRecords, towerRecords)
  serve(calls.towerOnline, towerOnline)
  serve(calls.towerCycles, towerCycles)
  serve(calls.towerVideo, towerVideo)
  serve(bindCraneCameras, bindCameras)
  serve(explainSilence, explain)
  serve(analysis.towerAnalysis, towerAnalysis)
  serve(analysis.craneRanks, ({ query }, ctx) => craneRankPage(ctx, query))
}

const towerDevice: HandlerOf<typeof calls.towerDevice> = async ({ params }, ctx) => {
  const row = await getDeviceRow(ctx, params.id, family)
  return {
    ...(await fileOf(ctx, row)),
    ...(await neighbourhood(ctx.db, row, ctx.clock.now())),
    warnRefused: warnRefused(row, '塔机', '驾驶室'),
  }
}

const towerLine: HandlerOf<typeof calls.towerLine> = async ({ query }, ctx) => {
  const { list, total, bucketSeconds } = await lineOf(ctx, family, query, usualMetrics)
  return { list, total, bucketSeconds }
}

const towerRecords: HandlerOf<typeof calls.towerRecords> = async ({ query }, ctx) => {
  const sort = splitSort(query.sort)
  if (query.groupBy === 'day') return craneDayPage(ctx, { ...query, sort: sort.ofDays })
  return readingsOf(ctx, family, { ...query, sort: sort.ofReadings }, rangesWhere(family, query))
}

const towerOnline: HandlerOf<typeof calls.towerOnline> = async ({ query }, ctx) => {
  if (!query.groupBy) return offlinePage(ctx, query)
  const period = periodOf(query, ctx.clock.now(), 7 * dayMs, longest.readings)
  const shares = await onlineShares(ctx.db, family, projectsFor(ctx, query.projectCode), query.deviceId, period, ctx.clock.now())
  const online = shares.filter((s) => s.online).length
  return { ...cut(shares, query), online, offline: shares.length - online }
}

const towerCycles: HandlerOf<typeof calls.towerCycles> = async ({ query }, ctx) => {
  const scope = { projects: projectsFor(ctx, query.projectCode), deviceId: query.deviceId }
  const today = await cyclesToday(ctx.db, scope, ctx.clock.now())
  return { ...(query.groupBy ? await cycleGroupPage(ctx, { ...query, groupBy: query.groupBy }) : await cyclePage(ctx, query)), today }
}

const towerAnalysis: HandlerOf<typeof analysis.towerAnalysis> = async ({ query }, ctx) =>
  craneAnalysis(ctx.db, await analysisScope(ctx, family, query), ctx.clock.now())

const explain: HandlerOf<typeof explainSilence> = async ({ params, query, body }, ctx) => {
  const event = await findOfflineEvent(ctx.db, params.id, projectsFor(ctx, query.projectCode))
  if (!event) throw new AppError('notFound', '离线记录不存在或已删除')
  await sql`insert into offline_note (device_id, project_code, ts, cause, remark, by_name, at)
      values (${event.deviceId}, ${event.projectCode}, ${event.ts}, ${body.cause}, ${body.remark}, ${ctx.user.name}, ${new Date(ctx.clock.now())})
      on conflict (device_id, ts) do update set cause = excluded.cause, remark = excluded.remark, by_name = excluded.by_name, at = excluded.at`.execute(
    ctx.db,
  )
  ctx.note(`填写离线原因：${body.cause}`, event.deviceId)
}

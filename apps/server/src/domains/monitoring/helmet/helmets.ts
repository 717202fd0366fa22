import { AppError } from '@zhugong/contract/kit/errors'
import { dayMs } from '@zhugong/contract/kit/time'
import * as helmetMedia from '@zhugong/contract/monitoring/helmet/helmet-media'
import * as helmetStatistics from '@zhugong/contract/monitoring/helmet/helmet-statistics'
import * as helmets from '@zhugong/contract/monitoring/helmet/helmets'
import type { HandlerOf, Serve } from '#kit/serve'
import { recordLook } from '../../access/public.ts'
import { veiledValues, veilFor } from '../../readings/public.ts'
import { getDeviceRow, latestOf, toDeviceNow } from '../shared/devices.ts'
import { infoOf } from '../shared/family-reads.ts'
import { periodOf } from '../shared/period.ts'
import { alarmLine, alarmList, alarmPie } from './helmet-alarms.ts'
import { helmetAnalysisOf } from './helmet-analysis.ts'
import { helmetSnaps, helmetVideos } from './helmet-media.ts'
import { helmetPage } from './helmet-page.ts'
import { positions } from './helmet-positions.ts'
import { getHelmetRow, helmetStatus, seesPersons, wearerOf } from './helmet-store.ts'
import { staysOfHelmet, trackOf } from './helmet-track.ts'

export function helmetRoutes(serve: Serve): void {
  serve(helmets.listHelmets, ({ query }, ctx) => helmetPage(ctx, query))
  serve(helmets.getHelmet, getHelmet)
  serve(helmetStatistics.helmetAlarms, ({ query }, ctx) => alarmList(ctx, query))
  serve(helmetStatistics.helmetAlarmLine, ({ query }, ctx) => alarmLine(ctx, query))
  serve(helmetStatistics.helmetAlarmPie, ({ query }, ctx) => alarmPie(ctx, query))
  serve(helmetStatistics.helmetAnalysis, helmetAnalysisOf)
  serve(helmetMedia.helmetSnaps, helmetSnaps)
  serve(helmetMedia.helmetVideos, helmetVideos)
  serve(helmets.helmetTrack, helmetTrack)
  serve(helmets.helmetPositions, ({ query }, ctx) => positions(ctx, query))
}

const getHelmet: HandlerOf<typeof helmets.getHelmet> = async ({ params }, ctx) => {
  const row = await getHelmetRow(ctx, params.id)
  const info = await infoOf(ctx, await getDeviceRow(ctx, params.id, row.family))
  const veil = await veilFor(ctx, [row])
  const latest = latestOf(row)
  const record = info.lastRecord
  return {
    ...info,
    ...toDeviceNow(row),
    status: helmetStatus(row, ctx.clock.now()),
    latest: latest && veiledValues(latest, veil.values(row, latest.values, 'now')),
    alarms: info.alarms.map((a) => (veil.seesMetric(row, a.metric, 'now') ? a : { ...a, peakValue: null })),
    lastRecord: record && veil.seesPerson(row) ? { ...record, data: veil.record(row, record.data) } : null,
    ...wearerOf(veil, row),
    params: veil.params(row, row.params),
  }
}

const helmetTrack: HandlerOf<typeof helmets.helmetTrack> = async ({ query }, ctx) => {
  if (!query.deviceId) return { list: [], total: 0 }
  if (!seesPersons(ctx)) throw new AppError('forbidden', '监管机构不查看个人轨迹')
  const row = await getHelmetRow(ctx, query.deviceId)
  if (!(await veilFor(ctx, [row])).seesPerson(row)) throw new AppError('forbidden', '佩戴人不是本企业人员，不能查看轨迹')
  const period = periodOf(query, ctx.clock.now(), dayMs / 2, dayMs)
  await recordLook(ctx, {
    objectId: row.id,
    summary: `查看安全帽轨迹：${row.name}${query.reason ? `（${query.reason}）` : ''}`,
    projectCode: row.projectCode,
  })
  const list = row.family === 'baseStationHelmet' ? await staysOfHelmet(ctx, row, period) : [await trackOf(ctx, row, period)]
  return { list, total: list.length }
}

import { pitSources, pitStates } from '@zhugong/contract/monitoring/machines'
import { pitDayList, pitPointList, pitReadingList } from '@zhugong/contract/monitoring/pits'
import { formatInstant } from '#kit/clock'
import { exportOf, pagesOf } from '../exports/registry.ts'
import { registerPitDaily } from './pit-daily-print.ts'
import { registerPitWeekly } from './pit-weekly-print.ts'
import { pitDayPage, pitPoints, pitReadings } from './pits.ts'
import { pitTypeName } from './points.ts'

const instant = (at: number | null) => (at === null ? null : formatInstant(at))

/** The lists of pits as files, and the daily and weekly reports. */
export function registerPitExports(): void {
  registerPitDaily()
  registerPitWeekly()
  exportOf(
    pitReadingList,
    {
      title: '基坑监测记录',
      widths: { projectName: 28, time: 20, receivedAt: 20 },
      rows: (ctx, query) => pagesOf(query, async (q) => (await pitReadings(ctx, q)).list),
      count: async (ctx, query) => (await pitReadings(ctx, { ...query, page: 1, size: 1 })).total,
    },
    {
      projectName: (r) => r.projectName,
      pitName: (r) => r.pitName,
      pointCode: (r) => r.pointCode,
      pointType: (r) => pitTypeName(r.pointType),
      time: (r) => instant(r.time),
      value: (r) => r.value,
      change: (r) => r.change,
      ratePerDay: (r) => r.ratePerDay,
      control: (r) => r.control,
      share: (r) => r.share,
      unit: (r) => r.unit,
      source: (r) => pitSources[r.source],
      quality: (r) => Object.keys(r.quality ?? {}).join('、') || null,
      receivedAt: (r) => instant(r.receivedAt),
    },
  )
  exportOf(
    pitPointList,
    {
      title: '基坑测点现状',
      widths: { projectName: 28, time: 20 },
      rows: async function* (ctx, query) {
        yield* await pitPoints(ctx, query)
      },
      count: async (ctx, query) => (await pitPoints(ctx, query)).length,
    },
    {
      projectName: (r) => r.projectName,
      pitName: (r) => r.pitName,
      pointCode: (r) => r.pointCode,
      pointType: (r) => r.pointTypeName,
      cumulative: (r) => r.cumulative,
      share: (r) => r.share,
      ratePerDay: (r) => r.ratePerDay,
      rateShare: (r) => r.rateShare,
      unit: (r) => r.unit,
      time: (r) => instant(r.time),
      state: (r) => pitStates[r.state],
    },
  )
  exportOf(
    pitDayList,
    {
      title: '基坑逐日监测',
      widths: { projectName: 28, time: 20 },
      rows: (ctx, query) => pagesOf(query, async (q) => (await pitDayPage(ctx, q)).list),
      count: async (ctx, query) => (await pitDayPage(ctx, { ...query, page: 1, size: 1 })).total,
    },
    {
      day: (r) => r.day,
      projectName: (r) => r.projectName,
      pitName: (r) => r.pitName,
      pointCode: (r) => r.pointCode,
      pointType: (r) => r.pointTypeName,
      time: (r) => instant(r.time),
      value: (r) => r.value,
      change: (r) => r.change,
      ratePerDay: (r) => r.ratePerDay,
      control: (r) => r.control,
      share: (r) => r.share,
      unit: (r) => r.unit,
      manual: (r) => (r.value === null ? '缺测' : r.manual ? '人工' : '自动'),
    },
  )
}

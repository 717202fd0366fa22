import { loadDayList, loadList, loadTeamList } from '@zhugong/contract/monitoring/unloading/unloading-lists'
import { formatInstant } from '#kit/clock'
import { byPages, exportOf } from '../../exports/registry.ts'
import { loadGroupPage, loadPage } from './platforms.ts'

const textIn = (data: Readonly<Record<string, unknown>>, key: string) => (typeof data[key] === 'string' ? (data[key] as string) : null)
const numberIn = (data: Readonly<Record<string, unknown>>, key: string) => (typeof data[key] === 'number' ? (data[key] as number) : null)
const instantIn = (data: Readonly<Record<string, unknown>>, key: string) => {
  const at = Date.parse(textIn(data, key) ?? '')
  return Number.isNaN(at) ? null : formatInstant(at)
}

type LoadQuery = Parameters<typeof loadGroupPage>[1]

/** Exports of platform loads, with the rows of their pages. */
export function registerUnloadingExports(): void {
  exportOf(
    loadList,
    {
      title: '卸料平台装卸记录',
      widths: { projectName: 28, startTime: 20, endTime: 20 },
      ...byPages(loadPage),
    },
    {
      startTime: (r) => instantIn(r.data, 'startTime'),
      endTime: (r) => instantIn(r.data, 'endTime'),
      maxWeight: (r) => numberIn(r.data, 'maxWeight'),
      maxWeightPercent: (r) => numberIn(r.data, 'maxWeightPercent'),
      durationSeconds: (r) => numberIn(r.data, 'durationSeconds'),
      overload: (r) => (r.data.overload === true ? '超载' : null),
      teamName: (r) => textIn(r.data, 'teamName'),
      source: (r) => (r.data.detectedBy === 'platform' ? '平台识别' : '设备上报'),
    },
  )
  exportOf(
    loadDayList,
    {
      title: '卸料平台逐日汇总',
      widths: { projectName: 28 },
      ...byPages((ctx, query: LoadQuery) => loadGroupPage(ctx, query, 'day')),
    },
    {},
  )
  exportOf(
    loadTeamList,
    {
      title: '卸料平台按班组汇总',
      ...byPages((ctx, query: LoadQuery) => loadGroupPage(ctx, query, 'team')),
    },
    {},
  )
}

import { pitSources, pitStates } from '@zhugong/contract/monitoring/pit/pit-live'
import { pitSurveyList, surveyStates } from '@zhugong/contract/monitoring/pit/pit-surveys'
import { pitDayList, pitPointList, pitReadingList } from '@zhugong/contract/monitoring/pit/pits'
import { formatInstant } from '#kit/clock'
import { byPages, exportOf } from '../../exports/registry.ts'
import { pitTypeName } from '../shared/points.ts'
import { registerPitDaily } from './pit-daily-print.ts'
import { registerPitWeekly } from './pit-weekly-print.ts'
import { pitDayPage, pitPoints, pitReadings } from './pits.ts'
import { surveyPage } from './survey/list.ts'

const instant = (at: number | null) => (at === null ? null : formatInstant(at))

/** Exports of pit lists, and the daily and weekly reports. */
export function registerPitExports(): void {
  registerPitDaily()
  registerPitWeekly()
  pitSurveyFile()
  pitReadingFile()
  pitPointFile()
  pitDayFile()
}

function pitSurveyFile(): void {
  exportOf(
    pitSurveyList,
    {
      title: '基坑人工监测导入记录',
      widths: { createTime: 20, projectName: 28, fileName: 32, period: 36, message: 32 },
      ...byPages(surveyPage),
    },
    {
      createTime: (r) => instant(r.createTime),
      state: (r) => surveyStates[r.state],
      period: (r) => `${formatInstant(r.firstTime)} 至 ${formatInstant(r.lastTime)}`,
    },
  )
}

function pitReadingFile(): void {
  exportOf(
    pitReadingList,
    {
      title: '基坑监测记录',
      widths: { projectName: 28, time: 20, receivedAt: 20 },
      ...byPages(pitReadings),
    },
    {
      pointType: (r) => pitTypeName(r.pointType),
      time: (r) => instant(r.time),
      source: (r) => pitSources[r.source],
      quality: (r) => Object.keys(r.quality ?? {}).join('、') || null,
      receivedAt: (r) => instant(r.receivedAt),
    },
  )
}

function pitPointFile(): void {
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
      pointType: (r) => r.pointTypeName,
      time: (r) => instant(r.time),
      state: (r) => pitStates[r.state],
    },
  )
}

function pitDayFile(): void {
  exportOf(
    pitDayList,
    {
      title: '基坑逐日监测',
      widths: { projectName: 28, time: 20 },
      ...byPages(pitDayPage),
    },
    {
      pointType: (r) => r.pointTypeName,
      time: (r) => instant(r.time),
      manual: (r) => (r.value === null ? '缺测' : r.manual ? '人工' : '自动'),
    },
  )
}

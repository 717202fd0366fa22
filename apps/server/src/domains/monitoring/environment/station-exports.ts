import { stationStates } from '@zhugong/contract/monitoring/environment/environment-endpoints'
import * as air from '@zhugong/contract/monitoring/environment/environment-lists'
import { stationRankList } from '@zhugong/contract/monitoring/environment/station-ranks'
import { familyOf } from '@zhugong/contract/telemetry/families'
import { sprayRunOf, sprayTriggers } from '@zhugong/contract/telemetry/known-records'
import { formatInstant } from '#kit/clock'
import { byPages, exportOf, shownAs } from '../../exports/registry.ts'
import { sprayDayPage, sprayRunPage, stationHourPage, stationPage, stationRankPage, unsprayedPage } from './environment-pages.ts'
import { registerStationMonth } from './station-month.ts'

const yesNo = (value: boolean) => (value ? '是' : '否')
const label = (metric: string) => familyOf('environment')?.metric(metric)?.label ?? metric
const numberIn = (values: Readonly<Record<string, unknown>> | undefined, key: string) => {
  const value = values?.[key]
  return typeof value === 'number' ? value : null
}

/** Exports of station and spray lists, with the rows of their pages. */
export function registerStationExports(): void {
  registerStationMonth()
  sprayRunFile()
  sprayDayFile()
  unsprayedFile()
  stationHourFile()
  stationFile()
  stationRankFile()
}

function sprayRunFile(): void {
  exportOf(
    air.sprayRunList,
    {
      title: '喷淋记录',
      widths: { projectName: 28, startTime: 20 },
      ...byPages(shownAs(sprayRunPage, (row) => ({ ...row, run: sprayRunOf(row) }))),
    },
    {
      startTime: (r) => formatInstant(r.run.startTime),
      durationSeconds: (r) => r.run.durationSeconds,
      trigger: (r) => (r.run.trigger === null ? null : (sprayTriggers[r.run.trigger] ?? r.run.trigger)),
      waterVolume: (r) => r.run.waterVolume,
      pm10Before: (r) => r.run.pm10Before,
      pm10After: (r) => r.run.pm10After,
      effect: (r) => r.run.effect,
    },
  )
}

function sprayDayFile(): void {
  exportOf(
    air.sprayDayList,
    {
      title: '喷淋响应汇总',
      widths: { projectName: 28 },
      ...byPages(sprayDayPage),
    },
    {
      hasSpray: (r) => (r.hasSpray ? '有' : '未安装喷淋'),
    },
  )
}

function unsprayedFile(): void {
  exportOf(
    air.unsprayedList,
    {
      title: '超标未喷淋',
      widths: { projectName: 28, startTime: 20, endTime: 20, said: 36 },
      ...byPages(unsprayedPage),
    },
    {
      startTime: (r) => formatInstant(r.startTime),
      endTime: (r) => (r.endTime === null ? '未恢复' : formatInstant(r.endTime)),
      reason: (r) => air.unsprayedReasons[r.reason],
    },
  )
}

function stationHourFile(): void {
  exportOf(
    air.stationHourList,
    {
      title: '环境小时数据',
      widths: { time: 20 },
      ...byPages(stationHourPage),
    },
    {
      time: (r) => formatInstant(r.time),
      over: (r) => r.over.map(label).join('、'),
    },
  )
}

function stationFile(): void {
  exportOf(
    air.stationList,
    {
      title: '环境监测总览',
      widths: { projectName: 28, lastTime: 20 },
      ...byPages(stationPage),
    },
    {
      state: (r) => stationStates[r.state],
      pm10: (r) => numberIn(r.latest?.values, 'pm10'),
      pm25: (r) => numberIn(r.latest?.values, 'pm25'),
      tsp: (r) => numberIn(r.latest?.values, 'tsp'),
      noise: (r) => numberIn(r.latest?.values, 'noise'),
      spraying: (r) => (r.hasSpray ? yesNo(r.spraying) : '未安装喷淋'),
      lastTime: (r) => (r.latest ? formatInstant(r.latest.time) : null),
    },
  )
}

function stationRankFile(): void {
  exportOf(
    stationRankList,
    {
      title: '监测站对比排名',
      widths: { projectName: 28 },
      ...byPages(stationRankPage),
    },
    {
      areaCode: (r) => r.areaName,
      stage: (r) => (r.stage ? (familyOf('environment')?.params.find((p) => p.key === 'stage')?.values?.[r.stage] ?? r.stage) : null),
    },
  )
}

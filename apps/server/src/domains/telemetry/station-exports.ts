import { stationRankList } from '@zhugong/contract/telemetry/analysis'
import { stationStates } from '@zhugong/contract/telemetry/environment-endpoints'
import * as air from '@zhugong/contract/telemetry/environment-lists'
import { familyOf } from '@zhugong/contract/telemetry/families'
import { sprayRunOf, sprayTriggers } from '@zhugong/contract/telemetry/known-records'
import { formatInstant } from '#kit/clock'
import { byPages, exportOf, shownAs } from '../exports/registry.ts'
import { sprayDayPage, sprayRunPage, stationHourPage, stationPage, stationRankPage, unsprayedPage } from './environment-pages.ts'
import { registerStationMonth } from './station-month.ts'

const yesNo = (value: boolean) => (value ? '是' : '否')
const label = (metric: string) => familyOf('environment')?.metric(metric)?.label ?? metric
const numberIn = (values: Readonly<Record<string, unknown>> | undefined, key: string) => {
  const value = values?.[key]
  return typeof value === 'number' ? value : null
}

/** The lists of monitoring stations and sprays as files: the rows that their pages show. */
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
      projectName: (r) => r.projectName,
      deviceName: (r) => r.deviceName,
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
      projectName: (r) => r.projectName,
      areaName: (r) => r.areaName,
      day: (r) => r.day,
      overMinutes: (r) => r.overMinutes,
      sprayedMinutes: (r) => r.sprayedMinutes,
      responsePercent: (r) => r.responsePercent,
      medianDelay: (r) => r.medianDelay,
      runs: (r) => r.runs,
      waterVolume: (r) => r.waterVolume,
      manualPercent: (r) => r.manualPercent,
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
      projectName: (r) => r.projectName,
      areaName: (r) => r.areaName,
      deviceName: (r) => r.deviceName,
      alarmLabel: (r) => r.alarmLabel,
      startTime: (r) => formatInstant(r.startTime),
      endTime: (r) => (r.endTime === null ? '未恢复' : formatInstant(r.endTime)),
      minutes: (r) => r.minutes,
      peakValue: (r) => r.peakValue,
      reason: (r) => air.unsprayedReasons[r.reason],
      said: (r) => r.said,
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
      deviceName: (r) => r.deviceName,
      time: (r) => formatInstant(r.time),
      pm10: (r) => r.pm10,
      pm10Max: (r) => r.pm10Max,
      pm25: (r) => r.pm25,
      tsp: (r) => r.tsp,
      noise: (r) => r.noise,
      windSpeed: (r) => r.windSpeed,
      windDirection: (r) => r.windDirection,
      temperature: (r) => r.temperature,
      humidity: (r) => r.humidity,
      minutes: (r) => r.minutes,
      over: (r) => r.over.map(label).join('、'),
      permitNo: (r) => r.permitNo,
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
      projectName: (r) => r.projectName,
      deviceName: (r) => r.deviceName,
      areaName: (r) => r.areaName,
      state: (r) => stationStates[r.state],
      overPercent: (r) => r.overPercent,
      pm10: (r) => numberIn(r.latest?.values, 'pm10'),
      pm25: (r) => numberIn(r.latest?.values, 'pm25'),
      tsp: (r) => numberIn(r.latest?.values, 'tsp'),
      noise: (r) => numberIn(r.latest?.values, 'noise'),
      delta: (r) => r.delta,
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
      projectName: (r) => r.projectName,
      name: (r) => r.name,
      areaCode: (r) => r.areaName,
      ownerCorpName: (r) => r.ownerCorpName,
      modelName: (r) => r.modelName,
      stage: (r) => (r.stage ? (familyOf('environment')?.params.find((p) => p.key === 'stage')?.values?.[r.stage] ?? r.stage) : null),
      pm10Mean: (r) => r.pm10Mean,
      deltaToDistrict: (r) => r.deltaToDistrict,
      overHours: (r) => r.overHours,
      nightNoiseHours: (r) => r.nightNoiseHours,
      nightPermitHours: (r) => r.nightPermitHours,
      validPercent: (r) => r.validPercent,
      frozenHours: (r) => r.frozenHours,
      offlineAtPeak: (r) => r.offlineAtPeak,
      score: (r) => r.score,
    },
  )
}

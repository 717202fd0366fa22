import { craneRankList, stationRankList } from '@zhugong/contract/telemetry/analysis'
import * as cranes from '@zhugong/contract/telemetry/crane-lists'
import { stationStates } from '@zhugong/contract/telemetry/environment-endpoints'
import * as air from '@zhugong/contract/telemetry/environment-lists'
import { familyOf } from '@zhugong/contract/telemetry/families'
import { cycleOf, type LoadPlace, sprayRunOf, sprayTriggers } from '@zhugong/contract/telemetry/known-records'
import { formatInstant } from '#kit/clock'
import { exportOf, pagesOf } from '../exports/registry.ts'
import { registerCraneMonth } from './crane-month.ts'
import { craneDayPage, craneRankPage, cycleGroupPage, cyclePage, offlinePage } from './crane-pages.ts'
import { sprayDayPage, sprayRunPage, stationHourPage, stationPage, stationRankPage, unsprayedPage } from './environment-pages.ts'
import { registerStationMonth } from './station-month.ts'

const yesNo = (value: boolean) => (value ? '是' : '否')
const label = (metric: string) => familyOf('environment')?.metric(metric)?.label ?? metric
const numberIn = (values: Readonly<Record<string, unknown>> | undefined, key: string) => {
  const value = values?.[key]
  return typeof value === 'number' ? value : null
}
const placed = ({ radius, angle, height }: LoadPlace) =>
  radius === null || angle === null ? null : `${radius} m / ${angle}°${height === null ? '' : `，高 ${height} m`}`
const one = <Q extends { page: number; size: number }>(query: Q): Q => ({ ...query, page: 1, size: 1 })

/** The lists of cranes and of air as files: the rows that their pages show. */
export function registerMachineExports(): void {
  registerCranes()
  registerAir()
  registerCraneMonth()
  registerStationMonth()
}

function registerCranes(): void {
  exportOf(
    cranes.craneCycleList,
    {
      title: '塔机吊装循环',
      widths: { projectName: 28, startTime: 20, from: 24, to: 24 },
      rows: (ctx, query) => pagesOf(query, async (q) => (await cyclePage(ctx, q)).list.map((row) => ({ ...row, cycle: cycleOf(row) }))),
      count: async (ctx, query) => (await cyclePage(ctx, one(query))).total,
    },
    {
      cycleNo: (r) => r.cycle.cycleNo,
      projectName: (r) => r.projectName,
      deviceName: (r) => r.deviceName,
      startTime: (r) => formatInstant(r.cycle.startTime),
      durationSeconds: (r) => r.cycle.durationSeconds,
      maxLoad: (r) => r.cycle.maxLoad,
      maxLoadPercent: (r) => r.cycle.maxLoadPercent,
      maxMomentPercent: (r) => r.cycle.maxMomentPercent,
      from: (r) => placed(r.cycle.from),
      to: (r) => placed(r.cycle.to),
      maxWindSpeed: (r) => r.cycle.maxWindSpeed,
      overMomentCount: (r) => r.cycle.overMomentCount,
      fall: (r) => r.cycle.fall,
      illegal: (r) => yesNo(r.cycle.illegal),
      illegalReason: (r) => r.cycle.illegalReason,
      driverName: (r) => r.cycle.driverName ?? '未识别',
      source: (r) => (r.cycle.byPlatform ? '平台识别' : '设备上报'),
    },
  )
  exportOf(
    cranes.craneCycleGroupList,
    {
      title: '多塔吊装循环',
      widths: { deviceNames: 28 },
      rows: (ctx, query) => pagesOf(query, async (q) => (await cycleGroupPage(ctx, q)).list),
      count: async (ctx, query) => (await cycleGroupPage(ctx, one(query))).total,
    },
    {
      name: (r) => r.name,
      deviceNames: (r) => r.deviceNames.join('、'),
      days: (r) => r.days,
      cycles: (r) => r.cycles,
      perHour: (r) => r.perHour,
      overMoment: (r) => r.overMoment,
      overWind: (r) => r.overWind,
      illegal: (r) => r.illegal,
      illegalPercent: (r) => r.illegalPercent,
      maxMomentPercent: (r) => r.maxMomentPercent,
      averageSeconds: (r) => r.averageSeconds,
      unrecognised: (r) => r.unrecognised,
    },
  )
  exportOf(
    cranes.craneDayList,
    {
      title: '多塔监测记录',
      widths: { projectName: 28 },
      rows: (ctx, query) => pagesOf(query, async (q) => (await craneDayPage(ctx, q)).list),
      count: async (ctx, query) => (await craneDayPage(ctx, one(query))).total,
    },
    {
      projectName: (r) => r.projectName,
      deviceName: (r) => r.deviceName,
      recordNo: (r) => r.recordNo,
      day: (r) => r.day,
      reportPercent: (r) => r.reportPercent,
      workHours: (r) => r.workHours,
      cycles: (r) => r.cycles,
      maxMomentPercent: (r) => r.maxMomentPercent,
      maxWindSpeed: (r) => r.maxWindSpeed,
      alarmCount: (r) => r.alarmCount,
      graveCount: (r) => r.graveCount,
      lateCount: (r) => r.lateCount,
      noDriverMinutes: (r) => r.noDriverMinutes,
    },
  )
  exportOf(
    cranes.craneOfflineList,
    {
      title: '塔机在线离线记录',
      widths: { projectName: 28, startTime: 20, endTime: 20 },
      rows: (ctx, query) => pagesOf(query, async (q) => (await offlinePage(ctx, q)).list),
      count: async (ctx, query) => (await offlinePage(ctx, one(query))).total,
    },
    {
      projectName: (r) => r.projectName,
      deviceName: (r) => r.deviceName,
      startTime: (r) => formatInstant(r.startTime),
      endTime: (r) => (r.endTime === null ? '未恢复' : formatInstant(r.endTime)),
      durationSeconds: (r) => r.durationSeconds,
      cause: (r) => r.cause,
      workedMeanwhile: (r) => yesNo(r.workedMeanwhile),
      backfilled: (r) => yesNo(r.backfilled),
      remark: (r) => r.remark,
      byName: (r) => r.byName,
    },
  )
  exportOf(
    craneRankList,
    {
      title: '塔机对比排名',
      widths: { projectName: 28, reason: 40 },
      rows: (ctx, query) => pagesOf(query, async (q) => (await craneRankPage(ctx, q)).list),
      count: async (ctx, query) => (await craneRankPage(ctx, one(query))).total,
    },
    {
      projectName: (r) => r.projectName,
      areaCode: (r) => r.areaName,
      deviceName: (r) => r.deviceName,
      ownerCorpName: (r) => r.ownerCorpName,
      modelName: (r) => r.modelName,
      ageYears: (r) => r.ageYears,
      utilisation: (r) => r.utilisation,
      cycles: (r) => r.cycles,
      alarmPer100: (r) => r.alarmPer100,
      level1: (r) => r.level1,
      overMoment: (r) => r.overMoment,
      handledHours: (r) => r.handledHours,
      falsePercent: (r) => r.falsePercent,
      onlinePercent: (r) => r.onlinePercent,
      coverage: (r) => r.coverage,
      dueDate: (r) => r.dueDate,
      reason: (r) => r.reason,
    },
  )
}

function registerAir(): void {
  exportOf(
    air.sprayRunList,
    {
      title: '喷淋记录',
      widths: { projectName: 28, startTime: 20 },
      rows: (ctx, query) => pagesOf(query, async (q) => (await sprayRunPage(ctx, q)).list.map((row) => ({ ...row, run: sprayRunOf(row) }))),
      count: async (ctx, query) => (await sprayRunPage(ctx, one(query))).total,
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
  exportOf(
    air.sprayDayList,
    {
      title: '喷淋响应汇总',
      widths: { projectName: 28 },
      rows: (ctx, query) => pagesOf(query, async (q) => (await sprayDayPage(ctx, q)).list),
      count: async (ctx, query) => (await sprayDayPage(ctx, one(query))).total,
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
  exportOf(
    air.unsprayedList,
    {
      title: '超标未喷淋',
      widths: { projectName: 28, startTime: 20, endTime: 20, said: 36 },
      rows: (ctx, query) => pagesOf(query, async (q) => (await unsprayedPage(ctx, q)).list),
      count: async (ctx, query) => (await unsprayedPage(ctx, one(query))).total,
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
  exportOf(
    air.stationHourList,
    {
      title: '环境小时数据',
      widths: { time: 20 },
      rows: (ctx, query) => pagesOf(query, async (q) => (await stationHourPage(ctx, q)).list),
      count: async (ctx, query) => (await stationHourPage(ctx, one(query))).total,
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
  exportOf(
    air.stationList,
    {
      title: '环境监测总览',
      widths: { projectName: 28, lastTime: 20 },
      rows: (ctx, query) => pagesOf(query, async (q) => (await stationPage(ctx, q)).list),
      count: async (ctx, query) => (await stationPage(ctx, one(query))).total,
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
  exportOf(
    stationRankList,
    {
      title: '监测站对比排名',
      widths: { projectName: 28 },
      rows: (ctx, query) => pagesOf(query, async (q) => (await stationRankPage(ctx, q)).list),
      count: async (ctx, query) => (await stationRankPage(ctx, one(query))).total,
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

import { z } from 'zod'
import { viewOf } from '../kit/endpoint.ts'
import { paged } from '../kit/fields.ts'
import { listOf, sortBy } from '../kit/list.ts'
import {
  envRealtime,
  envRecords,
  readingRow,
  sprayDay,
  sprayRecords,
  spraysBeside,
  stationHour,
  stationNow,
  stationsBeside,
} from './endpoints.ts'
import { periodQuery, recordView } from './model.ts'
import { sprayDayFilters, sprayFilters, stationFilters } from './record-filters.ts'

/** Readings of one station. */
export const findEnvReadings = viewOf(envRecords, {
  query: periodQuery.extend({ sort: sortBy('time') }),
  response: paged(readingRow),
})

/** Means of a station's hours. */
export const findStationHours = viewOf(envRecords, {
  query: periodQuery.extend({ kind: z.literal('hour'), sort: sortBy('time') }),
  response: paged(stationHour),
})
export const stationHourList = listOf(findStationHours, {
  feature: 'stationHour',
  columns: {
    deviceName: '监测站',
    time: '小时',
    pm10: 'PM10（μg/m³）',
    pm10Max: 'PM10 最大',
    pm25: 'PM2.5（μg/m³）',
    tsp: 'TSP（μg/m³）',
    noise: '等效声级（dB）',
    windSpeed: '风速（m/s）',
    windDirection: '风向（°）',
    temperature: '温度（℃）',
    humidity: '湿度（%）',
    minutes: '有效分钟',
    over: '超标指标',
  },
})

/** Runs of spray lines one by one. */
export const findSprayRuns = viewOf(sprayRecords, {
  query: periodQuery.extend({ sort: sortBy('time', 'startTime', 'durationSeconds', 'waterVolume'), ...sprayFilters }),
  response: paged(recordView).extend(spraysBeside),
})
export const sprayRunList = listOf(findSprayRuns, {
  feature: 'sprayRun',
  columns: {
    projectName: '项目',
    deviceName: '喷淋区域',
    startTime: '开始时间',
    durationSeconds: '时长（秒）',
    trigger: '触发',
    waterVolume: '用水量（m³）',
    pm10Before: '启动时 PM10',
    pm10After: '结束时 PM10',
    effect: '降幅（%）',
  },
})

/** Whether a site sprays when dust is high, day by day. */
export const findSprayDays = viewOf(sprayRecords, {
  query: periodQuery.extend({
    groupBy: z.literal('project,day'),
    sort: sortBy('responsePercent', 'day', 'overMinutes', 'waterVolume'),
    ...sprayDayFilters,
  }),
  response: paged(sprayDay).extend(spraysBeside),
})
export const sprayDayList = listOf(findSprayDays, {
  feature: 'sprayDay',
  columns: {
    projectName: '项目',
    areaName: '区划',
    day: '日期',
    overMinutes: '超标分钟',
    sprayedMinutes: '其中喷淋分钟',
    responsePercent: '响应率（%）',
    medianDelay: '启动中位用时（分）',
    runs: '次数',
    waterVolume: '用水量（m³）',
    manualPercent: '手动占比（%）',
    hasSpray: '喷淋设备',
    notice: '通知',
  },
  onScreen: ['notice'],
})

/** Stations as they are now, those furthest over their own limit first, silent ones last. */
export const findStations = viewOf(envRealtime, {
  query: periodQuery.pick({ page: true, size: true, deviceId: true, projectCode: true }).extend(stationFilters),
  response: paged(stationNow).extend(stationsBeside),
})
export const stationList = listOf(findStations, {
  feature: 'stationNow',
  columns: {
    projectName: '项目',
    deviceName: '监测站',
    areaName: '区划',
    state: '状态',
    overPercent: '超过限值（%）',
    pm10: 'PM10（μg/m³）',
    pm25: 'PM2.5（μg/m³）',
    tsp: 'TSP（μg/m³）',
    noise: '噪声（dB）',
    delta: '与区域站差值',
    spraying: '喷淋',
    lastTime: '最后数据',
    notice: '通知',
  },
  onScreen: ['notice'],
})

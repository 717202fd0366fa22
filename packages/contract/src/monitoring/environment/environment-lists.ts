import { z } from 'zod'
import { endpoint, viewOf } from '../../kit/endpoint.ts'
import { paged, ref, several, text } from '../../kit/fields.ts'
import { listOf, sortBy } from '../../kit/list.ts'
import { epoch, periodQuery, readingRow, recordView } from '../../telemetry/model.ts'
import {
  envRealtime,
  envRecords,
  sprayDay,
  sprayRecords,
  spraysBeside,
  stationHour,
  stationNow,
  stationsBeside,
} from './environment-endpoints.ts'
import { sprayDayFilters, sprayFilters, stationFilters } from './station-filters.ts'

export const findEnvReadings = viewOf(envRecords, {
  query: periodQuery.extend({ sort: sortBy('time') }),
  response: paged(readingRow),
})

/** Hourly means of a station. */
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
    permitNo: '夜间许可',
  },
})

/** Kinds of work on a site that its machines and gates reveal. */
export const workKinds = {
  earth: '渣土车进出',
  concrete: '混凝土车进出',
  vehicle: '其他车辆',
  pour: '浇筑',
  pile: '成桩',
  lift: '吊装',
} as const
export type WorkKind = keyof typeof workKinds
const workNames = Object.keys(workKinds) as [WorkKind, ...WorkKind[]]
/** Work done on the station's site: counts by weekday (0 Sunday) and hour of day, Asia/Shanghai. */
export const findEnvWorks = endpoint({
  method: 'GET',
  path: '/api/v1/iot/env/works',
  summary: '施工作业与环境数据叠加',
  needs: 'environment.view',
  query: periodQuery.pick({ startTime: true, endTime: true }).extend({ deviceId: ref('device') }),
  response: z.object({
    /** Days of the period; means are per day. */
    days: z.number().int(),
    hours: z.array(z.object({ weekday: z.number().int(), hour: z.number().int(), kind: z.enum(workNames), count: z.number().int() })),
  }),
})

/** Single runs of spray lines. */
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

/** Per site and day: whether it sprayed when dust was high. */
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

/** Why nothing was sprayed while dust was high, according to the site's records. */
export const unsprayedReasons = {
  none: '未安装喷淋',
  hold: '联锁或设备未执行',
  dry: '缺水',
  offline: '喷淋设备离线',
  unknown: '未启动',
} as const
/** Spraying is expected within this time; shorter exceedances need none. */
export const sprayWithinMinutes = 10
export const unsprayed = z.object({
  alarmId: z.string(),
  projectCode: z.string(),
  projectName: z.string(),
  areaName: z.string().nullable(),
  deviceId: z.string(),
  deviceName: z.string(),
  alarmLabel: z.string(),
  startTime: epoch,
  /** Null while the exceedance lasts. */
  endTime: epoch.nullable(),
  minutes: z.number().int(),
  peakValue: z.number().nullable(),
  reason: z.enum(Object.keys(unsprayedReasons) as [keyof typeof unsprayedReasons]),
  /** Message of the linkage: the interlock that blocked it, or the device's answer. */
  said: z.string(),
  /** Blocked by a safety interlock, missing water or a lost connection: not counted against the site. */
  excused: z.boolean(),
})
/** Dust exceedances without spraying. */
export const findUnsprayed = endpoint({
  method: 'GET',
  path: '/api/v1/iot/env/spray/unsprayed',
  summary: '超标未喷淋',
  needs: 'environment.view',
  answers: 'list',
  query: periodQuery
    .pick({ page: true, size: true, projectCode: true, startTime: true, endTime: true })
    .extend({ projectName: text(50).optional(), reason: several.optional(), sort: sortBy('startTime', 'minutes', 'peakValue') }),
  response: paged(unsprayed).extend({ counts: z.object({ unexcused: z.number().int(), minutes: z.number().int() }) }),
})
export const unsprayedList = listOf(findUnsprayed, {
  feature: 'unsprayed',
  columns: {
    projectName: '项目',
    areaName: '区划',
    deviceName: '监测站',
    alarmLabel: '超标',
    startTime: '开始',
    endTime: '结束',
    minutes: '时长（分）',
    peakValue: '峰值',
    reason: '原因',
    said: '联动记录',
    notice: '通知',
  },
  onScreen: ['notice'],
})

/** Current state of stations: highest exceedance first, offline ones last. */
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

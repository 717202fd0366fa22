import { z } from 'zod'
import { endpoint } from '../../kit/endpoint.ts'
import { paged, ref, text } from '../../kit/fields.ts'
import { sortBy } from '../../kit/list.ts'
import {
  deviceFile,
  deviceInfo,
  deviceNow,
  epoch,
  lineQuery,
  lines,
  periodQuery,
  reading,
  readingRow,
  readingsQuery,
  recordView,
} from '../../telemetry/model.ts'
import { sprayDayFilters, sprayFilters, stationFilters } from './station-filters.ts'

const byId = z.object({ id: ref('device') })

export const envInfo = endpoint({
  method: 'GET',
  path: '/api/v1/iot/data/env/info/:id',
  summary: '环境设备实时数据',
  needs: 'environment.view',
  params: byId,
  response: deviceInfo.extend({
    /** Means of the current hour by metric. */
    hour: z.record(z.string(), z.number()),
    noiseLimit: z.object({ value: z.number(), period: z.string(), until: z.number() }),
  }),
})
export const envDevice = endpoint({
  method: 'GET',
  path: '/api/v1/iot/env/device/:id',
  summary: '环境设备数据',
  needs: 'environment.view',
  params: byId,
  response: deviceFile.extend({
    sprays: z.array(z.object({ deviceId: z.string(), name: z.string(), online: z.boolean(), running: z.boolean() })),
  }),
})
/** State of a station: over a limit, normal, data in doubt (constant too long), or offline. */
export const stationStates = { over: '超标', fine: '正常', doubtful: '数据存疑', silent: '离线' } as const
export const stationNow = deviceNow.extend({
  areaCode: z.string(),
  areaName: z.string().nullable(),
  lng: z.number().nullable(),
  lat: z.number().nullable(),
  state: z.enum(Object.keys(stationStates) as [keyof typeof stationStates]),
  /** Percent by which the worst metric exceeds its limit (negative: below), and which metric that is. */
  overPercent: z.number().nullable(),
  worstMetric: z.string().nullable(),
  limits: z.record(z.string(), z.number()),
  /** PM10 minus that of the district's station. */
  delta: z.number().nullable(),
  spraying: z.boolean(),
  hasSpray: z.boolean(),
})
export const stationsBeside = {
  online: z.number().int(),
  offline: z.number().int(),
  over: z.number().int(),
  doubtful: z.number().int(),
  noiseLimit: z.object({ value: z.number(), period: z.string(), until: z.number() }),
}
export const envRealtime = endpoint({
  method: 'GET',
  path: '/api/v1/iot/env/realtime',
  summary: '环境实时数据',
  needs: 'environment.view',
  answers: 'list',
  query: periodQuery
    .pick({ page: true, size: true, deviceId: true, projectCode: true })
    .extend({ name: text(50).optional(), ...stationFilters }),
  response: paged(stationNow).extend(stationsBeside),
})
export const envLine = endpoint({
  method: 'GET',
  path: '/api/v1/iot/env/line',
  summary: '环境数据曲线',
  needs: 'environment.view',
  answers: 'list',
  query: lineQuery,
  response: lines,
})
const periodRow = recordView.extend({ kind: z.string() })
const mean = z.number().nullable()
/** Hourly means of five-minute values (noise: energy mean). `over`: metrics above the limit, judged with 45 valid minutes or more. */
export const stationHour = z.object({
  id: z.string(),
  deviceId: z.string(),
  deviceName: z.string(),
  projectName: z.string(),
  time: epoch,
  minutes: z.number().int(),
  pm10: mean,
  pm10Max: mean,
  pm25: mean,
  tsp: mean,
  noise: mean,
  windSpeed: mean,
  windDirection: mean,
  temperature: mean,
  humidity: mean,
  over: z.array(z.string()),
  /** For an hour at night: the permit that covers it. */
  permitNo: z.string().nullable(),
})
/** Readings, periods as sent by the station, or (`kind=hour`) hourly means. */
export const envRecords = endpoint({
  method: 'GET',
  path: '/api/v1/iot/env/record',
  summary: '环境监测记录',
  needs: 'environment.view',
  answers: 'list',
  query: readingsQuery.extend({ kind: z.enum(['realtime', 'period', 'hour']).default('realtime') }),
  response: paged(z.union([readingRow, periodRow, stationHour])),
})
export const analysisRow = z.object({
  key: z.string(),
  name: z.string(),
  projectName: z.string(),
  pm10Mean: z.number().nullable(),
  pm25Mean: z.number().nullable(),
  tspMean: z.number().nullable(),
  noiseMean: z.number().nullable(),
  overHours: z.number(),
  validPercent: z.number(),
  projectCode: z.string(),
  areaCode: z.string(),
  areaName: z.string().nullable(),
  stage: z.string().nullable(),
  deltaToDistrict: z.number().nullable(),
  /** Hours over the limit at night, counted separately without and with a permit. */
  nightNoiseHours: z.number(),
  nightPermitHours: z.number(),
  /** Hours in which PM10 did not change at all, which is physically implausible. */
  frozenHours: z.number(),
  /** Hours offline while half of the other stations exceeded their limit. */
  offlineAtPeak: z.number(),
  ownerCorpName: z.string().nullable(),
  modelName: z.string().nullable(),
  /** Hours over the limit per hundred valid hours, night hours without a permit counted twice. Lower is better; null while the data are doubtful. */
  score: z.number().nullable(),
})
export type StationRank = z.infer<typeof analysisRow>
export const envAnalysis = endpoint({
  method: 'GET',
  path: '/api/v1/iot/env/analysis',
  summary: '环境数据分析',
  needs: 'environment.view',
  query: periodQuery.extend({ groupBy: z.enum(['device']).optional() }),
  response: z.object({
    coverage: z.number(),
    /** Mean by weekday (0 Sunday) and hour of day, Asia/Shanghai. */
    byHour: z.array(
      z.object({
        weekday: z.number().int(),
        hour: z.number().int(),
        pm10: z.number().nullable(),
        pm25: z.number().nullable(),
        noise: z.number().nullable(),
      }),
    ),
    /** PM10 by wind direction, in sixteen sectors. */
    rose: z.array(z.object({ direction: z.number(), pm10: z.number(), n: z.number().int() })),
    overHours: z.array(z.object({ metric: z.string(), hours: z.number(), limit: z.number() })),
    /** One row per station and day, for line charts. */
    days: z.array(
      z.object({
        key: z.string(),
        day: z.string(),
        pm10: z.number().nullable(),
        pm25: z.number().nullable(),
        tsp: z.number().nullable(),
        noise: z.number().nullable(),
        overHours: z.number(),
        validPercent: z.number(),
      }),
    ),
    /** Valid hours by day and night, and those over the limit: by day, at night without a permit, at night with one. */
    noise: z.object({ day: z.number(), dayOver: z.number(), night: z.number(), nightOver: z.number(), nightPermit: z.number() }),
    /** PM10 of the district's station, if a station's record names one. */
    district: z.number().nullable(),
    devices: z.array(analysisRow),
  }),
})
export const sprayDay = z.object({
  projectCode: z.string(),
  projectName: z.string(),
  areaCode: z.string(),
  areaName: z.string().nullable(),
  day: z.string(),
  hasSpray: z.boolean(),
  /** Median minutes from the start of an exceedance to spraying; null if there was no spraying. */
  medianDelay: z.number().nullable(),
  overMinutes: z.number().int(),
  sprayedMinutes: z.number().int(),
  responsePercent: z.number().nullable(),
  runs: z.number().int(),
  manualPercent: z.number(),
  waterVolume: z.number(),
})
export const spraysBeside = {
  /** Totals of all filtered rows: runs, seconds, water in m³, mean reduction of dust in percent. */
  sums: z.object({ runs: z.number().int(), seconds: z.number(), water: z.number(), effect: z.number().nullable() }),
}
/** Runs of spray lines; with `groupBy=project,day` one row per site and day, showing whether it sprayed when dust was high. */
export const sprayRecords = endpoint({
  method: 'GET',
  path: '/api/v1/iot/env/spray/record',
  summary: '喷淋记录',
  needs: 'environment.view',
  answers: 'list',
  query: periodQuery.extend({
    sort: sortBy('time', 'startTime', 'durationSeconds', 'waterVolume', 'responsePercent', 'day', 'overMinutes'),
    groupBy: z.enum(['project,day']).optional(),
    ...sprayFilters,
    ...sprayDayFilters,
  }),
  response: paged(z.union([recordView, sprayDay])).extend(spraysBeside),
})
export const switchSpray = endpoint({
  method: 'POST',
  path: '/api/v1/iot/env/spray/switch',
  summary: '切换喷淋开关',
  needs: 'environment.spray',
  body: z.object({
    deviceId: ref('device'),
    status: z.enum(['0', '1'], { error: '状态应为 1 启动或 0 停止' }),
    minutes: z.coerce.number().min(1, '至少 1 分钟').max(120, '最多 120 分钟').default(10),
    reason: text(200).optional(),
  }),
  response: z.object({ cmdId: z.string(), result: z.number().int(), message: z.string() }),
})
export const openEnvDevices = endpoint({
  method: 'GET',
  path: '/api/v1/open/env/device',
  summary: '环境开放设备列表',
  needs: 'environment.view',
  answers: 'list',
  query: periodQuery.pick({ page: true, size: true, projectCode: true }),
  response: paged(
    z.object({
      deviceId: z.string(),
      deviceSn: z.string(),
      name: z.string(),
      projectCode: z.string(),
      projectName: z.string(),
      lng: z.number().nullable(),
      lat: z.number().nullable(),
      online: z.boolean(),
    }),
  ),
})
export const openEnvRealtime = endpoint({
  method: 'GET',
  path: '/api/v1/open/env/realtime',
  summary: '环境开放实时数据',
  needs: 'environment.view',
  answers: 'list',
  query: periodQuery.pick({ page: true, size: true, deviceId: true, projectCode: true }),
  response: paged(z.object({ deviceId: z.string(), name: z.string(), projectCode: z.string(), reading: reading.nullable() })),
})
export const openEnvLine = endpoint({
  method: 'GET',
  path: '/api/v1/open/env/line',
  summary: '环境开放曲线',
  needs: 'environment.view',
  answers: 'list',
  query: lineQuery.partial({ deviceId: true }),
  response: lines,
})

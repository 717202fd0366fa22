import { z } from 'zod'
import { endpoint } from '../../kit/endpoint.ts'
import { paged, ref } from '../../kit/fields.ts'
import { sortBy } from '../../kit/list.ts'
import { deviceFile, deviceInfo, lineQuery, lines, offlineSpan, periodQuery, reading, readingRow } from '../../telemetry/model.ts'
import { byId, cycleGroupBasis, deviceDay, markedRecord } from '../model.ts'
import { craneDayFilters, craneReadingRanges, cycleFilters, offlineFilters } from './crane-filters.ts'

export const towerInfo = endpoint({
  method: 'GET',
  path: '/api/v1/iot/data/tower/info/:id',
  summary: '塔机实时数据',
  needs: 'tower-crane.view',
  params: byId,
  response: deviceInfo,
})

const point = z.object({ x: z.number(), y: z.number() })
export const towerDevice = endpoint({
  method: 'GET',
  path: '/api/v1/iot/tower/device/:id',
  summary: '塔机设备数据',
  needs: 'tower-crane.view',
  params: byId,
  response: deviceFile.extend({
    /** All cranes of the site; `x` and `y` in metres east and north, heights in metres. */
    cranes: z.array(
      z.object({
        deviceId: z.string(),
        name: z.string(),
        x: z.number(),
        y: z.number(),
        jibLength: z.number(),
        counterJibLength: z.number(),
        jibHeight: z.number(),
        craneType: z.string(),
        angleOffset: z.number(),
        latest: reading.nullable(),
        online: z.boolean(),
      }),
    ),
    zones: z.array(z.object({ name: z.string(), kind: z.string(), marginMeters: z.number(), points: z.array(point) })),
    plan: z.object({
      fence: z.array(point),
      buildings: z.array(z.object({ name: z.string(), height: z.number(), points: z.array(point) })),
    }),
    /** Why no warning can be sent to the driver; null if it can. */
    warnRefused: z.string().nullable(),
    /** Pairs of cranes that are too close by their positions alone. */
    staticCheck: z.array(z.object({ a: z.string(), b: z.string(), kind: z.string(), meters: z.number(), text: z.string() })),
  }),
})
export const towerLine = endpoint({
  method: 'GET',
  path: '/api/v1/iot/tower/line',
  summary: '塔机数据曲线',
  needs: 'tower-crane.view',
  answers: 'list',
  query: lineQuery,
  response: lines,
})

export const craneDay = deviceDay.extend({
  cycles: z.number().int(),
  workHours: z.number(),
  maxMomentPercent: z.number().nullable(),
  maxWindSpeed: z.number().nullable(),
  /** Alarms of levels 1 and 2. */
  graveCount: z.number().int(),
  /** Cycles that arrived late. */
  lateCount: z.number().int(),
  /** Registration number at the authority. */
  recordNo: z.string().nullable(),
  /** Minutes of work without a recognised driver. */
  noDriverMinutes: z.number(),
})
export const craneDaySorts = ['reportPercent', 'day', 'cycles', 'workHours', 'maxMomentPercent', 'alarmCount', 'noDriverMinutes'] as const
/** Readings of one crane; with `groupBy=day` one row per crane and day. */
export const towerRecords = endpoint({
  method: 'GET',
  path: '/api/v1/iot/tower/mobile',
  summary: '塔机监测记录',
  needs: 'tower-crane.view',
  answers: 'list',
  query: periodQuery.extend({
    sort: sortBy('time', ...craneDaySorts),
    groupBy: z.enum(['day']).optional(),
    ...craneReadingRanges,
    ...craneDayFilters,
  }),
  response: paged(z.union([readingRow, craneDay])),
})
const onlineShare = z.object({
  deviceId: z.string(),
  deviceName: z.string(),
  projectCode: z.string(),
  projectName: z.string(),
  online: z.boolean(),
  spans: z.number().int(),
  offlineSeconds: z.number(),
  onlinePercent: z.number(),
})
export const onlineBeside = { online: z.number().int(), offline: z.number().int() }
/** When cranes were offline; with `groupBy=device` the online share of each crane. */
export const towerOnline = endpoint({
  method: 'GET',
  path: '/api/v1/iot/online/tower',
  summary: '塔机在线记录',
  needs: 'tower-crane.view',
  answers: 'list',
  query: periodQuery.extend({
    groupBy: z.enum(['device']).optional(),
    sort: sortBy('startTime', 'durationSeconds'),
    ...offlineFilters,
  }),
  response: paged(z.union([offlineSpan, onlineShare])).extend(onlineBeside),
})
/** Groupings of cycles. Key of `weekday,hour`: `3/14` is Wednesday 14 to 15; of `class`: ten percent of the rated moment. */
export const cycleGroupings = ['driver', 'device', 'hour', 'class', 'day', 'weekday,hour'] as const
export const cycleGroup = cycleGroupBasis.extend({
  cycles: z.number().int(),
  overMoment: z.number().int(),
  overWind: z.number().int(),
  maxMomentPercent: z.number().nullable(),
  /** Total time with a load on the hook. */
  workSeconds: z.number(),
  /** Cycles per clock hour in which there was at least one. */
  perHour: z.number().nullable(),
  unrecognised: z.number().int(),
})
export const cyclesBeside = {
  today: z.object({ cycles: z.number().int(), averageSeconds: z.number(), overMoment: z.number().int(), illegal: z.number().int() }),
}
export const towerCycles = endpoint({
  method: 'GET',
  path: '/api/v1/iot/tower/workingcycle',
  summary: '塔机吊装循环',
  needs: 'tower-crane.view',
  answers: 'list',
  query: periodQuery.extend({
    sort: sortBy('time', 'startTime', 'durationSeconds', 'maxLoad', 'maxMomentPercent'),
    groupBy: z.enum(cycleGroupings).optional(),
    ...cycleFilters,
  }),
  response: paged(z.union([markedRecord, cycleGroup])).extend(cyclesBeside),
})
export const towerVideo = endpoint({
  method: 'GET',
  path: '/api/v1/iot/tower/video',
  summary: '塔机视频',
  needs: ['tower-crane.view', 'tower-crane.video'],
  query: z.object({ id: ref('device').optional() }),
  response: z.object({
    deviceId: z.string().nullable(),
    cameras: z.array(z.object({ deviceId: z.string(), name: z.string(), place: z.string().nullable(), online: z.boolean() })),
  }),
})

import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { paged, ref, text } from '../kit/fields.ts'
import { sortBy } from '../kit/list.ts'
import { deviceFile, deviceInfo, familyView, lineQuery, lines, offlineSpan, periodQuery, reading, readingRow, recordView } from './model.ts'
import { craneDayFilters, craneReadingRanges, cycleFilters, offlineFilters } from './record-filters.ts'

const byId = z.object({ id: ref('device') })

/** Credentials for the live topics: read only, limited to the projects the caller sees. Renewed by a new connect. */
export const liveToken = endpoint({
  method: 'GET',
  path: '/api/v1/iot/live/token',
  summary: '获取实时推送凭证',
  needs: 'self',
  /** `url`: an address, or `:port` beside the page's own host. */
  response: z.object({ url: z.string(), clientId: z.string(), username: z.string(), password: z.string(), expiresIn: z.number() }),
})

/** What a family reports, records and warns of, by its key or code: for pages, so that they need not carry the catalogue. */
export const getFamily = endpoint({
  method: 'GET',
  path: '/api/v1/iot/family/:key',
  summary: '设备族定义',
  needs: 'self',
  params: z.object({ key: text(40) }),
  response: familyView,
})
export const listFamilies = endpoint({
  method: 'GET',
  path: '/api/v1/iot/family',
  summary: '设备族列表',
  needs: 'self',
  answers: 'list',
  response: z.object({ list: z.array(z.object({ key: z.string(), code: z.number().int(), name: z.string() })), total: z.number().int() }),
})

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
    /** Every crane of the site on its plane: metres east and north, jib at its height. */
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
    /** Why nothing can be said into the cabin; null where it can. */
    warnRefused: z.string().nullable(),
    /** Pairs that come too near to each other as they stand. */
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

export const craneDay = z.object({
  deviceId: z.string(),
  deviceName: z.string(),
  projectCode: z.string(),
  projectName: z.string(),
  day: z.string(),
  readings: z.number().int(),
  reportPercent: z.number(),
  cycles: z.number().int(),
  workHours: z.number(),
  maxMomentPercent: z.number().nullable(),
  maxWindSpeed: z.number().nullable(),
  alarmCount: z.number().int(),
  /** Of levels 1 and 2. */
  graveCount: z.number().int(),
  lateCount: z.number().int(),
  /** Number under which the crane is registered with the authority. */
  recordNo: z.string().nullable(),
  /** Lifting without a recognised driver. */
  noDriverMinutes: z.number(),
})
/** Readings of one crane; with `groupBy=day` one row per crane and day. */
export const towerRecords = endpoint({
  method: 'GET',
  path: '/api/v1/iot/tower/mobile',
  summary: '塔机监测记录',
  needs: 'tower-crane.view',
  answers: 'list',
  query: periodQuery.extend({
    sort: sortBy('time', 'reportPercent', 'day', 'cycles', 'workHours', 'maxMomentPercent', 'alarmCount', 'noDriverMinutes'),
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
/** When cranes were silent; with `groupBy=device` how much of the period each was there. */
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
/** What lifts are counted by: `weekday,hour` is `3/14` for Wednesdays from 14 to 15, `class` a tenth of the rated moment. */
export const cycleGroupings = ['driver', 'device', 'hour', 'class', 'day', 'weekday,hour'] as const
export const cycleGroup = z.object({
  key: z.string(),
  name: z.string(),
  cycles: z.number().int(),
  overMoment: z.number().int(),
  overWind: z.number().int(),
  illegal: z.number().int(),
  illegalPercent: z.number(),
  maxMomentPercent: z.number().nullable(),
  averageSeconds: z.number(),
  /** With a load on the hook, altogether. */
  workSeconds: z.number(),
  deviceNames: z.array(z.string()),
  /** Of the site it all was on; null where on several. */
  projectCode: z.string().nullable(),
  /** Days and hours of the clock in which there was a lift. */
  days: z.number().int(),
  perHour: z.number().nullable(),
  unrecognised: z.number().int(),
})
export const cyclesBeside = {
  today: z.object({ cycles: z.number().int(), averageSeconds: z.number(), overMoment: z.number().int(), illegal: z.number().int() }),
}
/** `key` names the record; `version` counts the steps by which a person blamed it or took that back. */
export const craneCycleRow = recordView.extend({ key: z.string(), version: z.number().int() })
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
  response: paged(z.union([craneCycleRow, cycleGroup])).extend(cyclesBeside),
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

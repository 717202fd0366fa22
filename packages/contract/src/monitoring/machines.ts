import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { flag, numericRange, paged, several, text } from '../kit/fields.ts'
import { sortBy } from '../kit/list.ts'
import {
  dailyAlarms,
  dailyQuery,
  deviceFile,
  deviceInfo,
  deviceNow,
  epoch,
  lineQuery,
  periodQuery,
  reading,
  readingsQuery,
  recordView,
} from '../telemetry/model.ts'
import { liftDayFilters, liftReadingRanges, liftRunFilters } from './lift-filters.ts'
import { standingStop } from './lift-stops.ts'
import { dropTestDue } from './lift-tests.ts'
import { byId, deviceDay, keyedRecord, lines, pointQuery, readingRow } from './model.ts'
import { platformMove } from './platform-moves.ts'

const lifterView = 'lifter.view'
const cage = z.object({ cage: z.string(), latest: reading.nullable() })
const due = { safetyDeviceExpiry: z.string().nullable(), expiryDays: z.number().int().nullable() }

export const liftInfo = endpoint({
  method: 'GET',
  path: '/api/v1/iot/data/lift/info/:id',
  summary: '升降机实时数据',
  needs: lifterView,
  params: byId,
  response: deviceInfo.extend({ cages: z.array(cage), ...due }),
})
export const liftDevice = endpoint({
  method: 'GET',
  path: '/api/v1/iot/lift/device/:id',
  summary: '升降机设备数据',
  needs: lifterView,
  params: byId,
  response: deviceFile.extend({
    ...due,
    ...dropTestDue.shape,
    /** Null: it is in use. */
    stop: standingStop.nullable(),
    /** Why nothing can be said to the driver; null where it can. */
    warnRefused: z.string().nullable(),
    /** The other lifts of the same building: their cages stand in the same shaft drawing. */
    siblings: z.array(
      z.object({ deviceId: z.string(), name: z.string(), cage: z.string(), online: z.boolean(), latest: reading.nullable() }),
    ),
  }),
})
export const liftLine = endpoint({
  method: 'GET',
  path: '/api/v1/iot/lift/line',
  summary: '升降机数据曲线',
  needs: lifterView,
  answers: 'list',
  query: lineQuery.extend({ cage: text(2).optional() }),
  response: lines,
})
export const liftStatus = endpoint({
  method: 'GET',
  path: '/api/v1/iot/lift/status',
  summary: '升降机状态',
  needs: lifterView,
  answers: 'list',
  query: periodQuery.pick({ page: true, size: true, deviceId: true, projectCode: true }),
  response: paged(deviceNow.extend({ cages: z.array(cage), ...due })).extend({
    running: z.number().int(),
    stopped: z.number().int(),
    offline: z.number().int(),
    dueIn30Days: z.number().int(),
    /** Drop tests past their day or failed, due within a week, and never entered. */
    dropTests: z.object({ overdue: z.number().int(), soon: z.number().int(), never: z.number().int() }),
  }),
})
export const liftDay = deviceDay.extend({
  cage: z.string(),
  runs: z.number().int(),
  persons: z.number().int(),
  overPersonRuns: z.number().int(),
  maxLoadPercent: z.number().nullable(),
  doorOpenRuns: z.number().int(),
  noDriverMinutes: z.number(),
  ...due,
})
export const liftDaySorts = ['reportPercent', 'day', 'runs', 'overPersonRuns', 'doorOpenRuns', 'maxLoadPercent', 'expiryDays'] as const
/** Readings of one lift; with `groupBy=day` one row per lift, cage and day. */
export const liftRecords = endpoint({
  method: 'GET',
  path: '/api/v1/iot/lift/mobile',
  summary: '升降机监测记录',
  needs: lifterView,
  answers: 'list',
  query: periodQuery.extend({
    sort: sortBy('time', ...liftDaySorts),
    groupBy: z.enum(['day']).optional(),
    cage: text(2).optional(),
    ...liftReadingRanges,
    ...liftDayFilters,
  }),
  response: paged(z.union([readingRow, liftDay])),
})
/** What runs are counted by; `hour,floor` is `07/12`: seven o'clock, to the twelfth floor. */
export const runGroupings = ['driver', 'device', 'hour', 'floor', 'hour,floor'] as const
export const liftRunSorts = ['startTime', 'durationSeconds', 'maxLoadPercent', 'maxPersonCount', 'maxSpeed'] as const
export const runGroup = z.object({
  key: z.string(),
  name: z.string(),
  deviceNames: z.array(z.string()),
  /** Of the site it all was on; null where on several. */
  projectCode: z.string().nullable(),
  /** Days on which there was a run. */
  days: z.number().int(),
  runs: z.number().int(),
  hours: z.number(),
  persons: z.number().int(),
  overPersonRuns: z.number().int(),
  overLoadRuns: z.number().int(),
  doorOpenRuns: z.number().int(),
  speedOver: z.number().int(),
  noRecognitionRuns: z.number().int(),
  illegal: z.number().int(),
  illegalPercent: z.number(),
  maxLoadPercent: z.number().nullable(),
  averageSeconds: z.number(),
  kilometers: z.number(),
})
export const liftsBeside = {
  today: z.object({ runs: z.number().int(), persons: z.number().int(), overPersons: z.number().int(), illegal: z.number().int() }),
}
/** `version` counts the steps by which a person blamed it or took that back. */
export const liftRunRow = keyedRecord.extend({ version: z.number().int() })
export const liftCycles = endpoint({
  method: 'GET',
  path: '/api/v1/iot/lift/workingcycle',
  summary: '升降机运行循环',
  needs: lifterView,
  answers: 'list',
  query: periodQuery.extend({
    groupBy: z.enum(runGroupings).optional(),
    sort: sortBy(...liftRunSorts),
    ...liftRunFilters,
  }),
  response: paged(z.union([liftRunRow, runGroup])).extend(liftsBeside),
})
export const liftDailyAlarms = endpoint({
  method: 'GET',
  path: '/api/v1/alarm/lift/daily',
  summary: '升降机告警日统计',
  needs: lifterView,
  answers: 'list',
  query: dailyQuery,
  response: z.object({ list: z.array(dailyAlarms), total: z.number().int() }),
})

const unloadingView = 'unloading.view'
export const unloadingInfo = endpoint({
  method: 'GET',
  path: '/api/v1/iot/data/unloading/info/:id',
  summary: '卸料平台实时数据',
  needs: unloadingView,
  params: byId,
  response: deviceInfo.extend({
    /** Null: nobody set one, and 1.5 t is judged by. */
    ratedLoad: z.number().nullable(),
    installPlace: z.string().nullable(),
    /** Since when material lies there. */
    loadedSince: epoch.nullable(),
    stayLimitSeconds: z.number(),
    /** Where it was moved last, and whether it was weighed empty since. */
    move: platformMove.pick({ id: true, movedAt: true, toPlace: true, personName: true, zeroWeight: true, zeroedAt: true }).nullable(),
    today: z.object({
      loads: z.number().int(),
      overloads: z.number().int(),
      maxWeight: z.number().nullable(),
      longestSeconds: z.number(),
    }),
  }),
})
export const unloadingLine = endpoint({
  method: 'GET',
  path: '/api/v1/iot/unloading/line',
  summary: '卸料平台数据曲线',
  needs: unloadingView,
  answers: 'list',
  query: lineQuery,
  response: lines,
})
export const loadGroup = z.object({
  key: z.string(),
  name: z.string(),
  projectName: z.string(),
  day: z.string(),
  loads: z.number().int(),
  overloads: z.number().int(),
  maxWeightPercent: z.number().nullable(),
  stayOver2h: z.number().int(),
  longestSeconds: z.number(),
  reportPercent: z.number().nullable(),
  /** Of a platform and day: how often it was moved. */
  moves: z.number().int(),
})
/** What loads are looked for by, beside platform and period. */
export const loadFilters = {
  deviceName: text(50).optional(),
  overload: z.enum(['0', '1'], { error: '应为 1 或 0' }).optional(),
  maxWeight: numericRange.optional(),
  maxWeightPercent: numericRange.optional(),
  durationSeconds: numericRange.optional(),
  overloads: numericRange.optional(),
  stayOver2h: numericRange.optional(),
}
export const loadSums = z.object({
  loads: z.number().int(),
  overloads: z.number().int(),
  maxWeight: z.number().nullable(),
  longestSeconds: z.number(),
})
/** Loads put on and taken off; `kind=reading` the readings of one platform; grouped by platform and day or by team. */
export const unloadingRecords = endpoint({
  method: 'GET',
  path: '/api/v1/iot/unloading/record',
  summary: '卸料平台监测记录',
  needs: unloadingView,
  answers: 'list',
  query: readingsQuery.extend({
    ...loadFilters,
    kind: z.enum(['load', 'reading']).default('load'),
    groupBy: z.enum(['day', 'team']).optional(),
    sort: sortBy('time', 'maxWeightPercent', 'durationSeconds', 'overloads', 'loads'),
  }),
  response: paged(z.union([readingRow, recordView, loadGroup])).extend({
    /** Of the loads looked for, all pages of them. */
    sums: loadSums.optional(),
  }),
})

const pitView = 'foundation-pit.view'
export const pitPoint = z.object({
  deviceId: z.string(),
  pointCode: z.string(),
  pointType: z.string(),
  pointTypeName: z.string(),
  projectCode: z.string(),
  projectName: z.string(),
  pitName: z.string(),
  /** Metres in the site's plane where the parameters say them, else the place of the device. */
  x: z.number().nullable(),
  y: z.number().nullable(),
  lng: z.number().nullable(),
  lat: z.number().nullable(),
  /** Design depth of the pit in metres and its safety grade, as the point's parameters say them. */
  depth: z.number().nullable(),
  grade: z.string().nullable(),
  unit: z.string(),
  time: epoch.nullable(),
  cumulative: z.number().nullable(),
  /** Null while there is no reading at least 0.75 days older to compare with. */
  ratePerDay: z.number().nullable(),
  control: z.number().nullable(),
  controlRate: z.number().nullable(),
  /** Percent of control; the worse of value and rate decides the state. */
  share: z.number().nullable(),
  rateShare: z.number().nullable(),
  state: z.enum(['fine', 'warning', 'alarm', 'over', 'unset', 'silent', 'damaged']),
  /** Out of the figures since, and why. */
  damaged: z.object({ since: epoch, reason: z.string() }).nullable(),
  online: z.boolean(),
  /** Measured by people: a survey, not a logger. */
  manual: z.boolean(),
  /** Inclinometers: depth in metres against displacement. */
  profile: z.array(z.object({ depth: z.number(), value: z.number() })),
})
export const pitStates = {
  fine: '正常',
  warning: '预警',
  alarm: '报警',
  over: '超控制值',
  unset: '未设控制值',
  silent: '失效',
  damaged: '已损坏',
} as const
export const pitSources = { device: '自动', manual: '人工', late: '补传' } as const
export const pitInfo = endpoint({
  method: 'GET',
  path: '/api/v1/iot/data/foundation/info/:id',
  summary: '基坑实时数据',
  needs: pitView,
  params: byId,
  response: deviceInfo.extend({ pitName: z.string(), points: z.array(pitPoint), params: z.record(z.string(), z.unknown()) }),
})
export const pitReading = z.object({
  id: z.string(),
  deviceId: z.string(),
  deviceName: z.string(),
  projectName: z.string(),
  pitName: z.string(),
  pointCode: z.string(),
  pointType: z.string(),
  time: epoch,
  receivedAt: epoch,
  value: z.number().nullable(),
  change: z.number().nullable(),
  cumulative: z.number().nullable(),
  ratePerDay: z.number().nullable(),
  control: z.number().nullable(),
  share: z.number().nullable(),
  unit: z.string(),
  source: z.enum(['device', 'manual', 'late']),
  quality: z.record(z.string(), z.string()).nullable(),
  profile: z.array(z.object({ depth: z.number(), value: z.number() })),
})
export const pitShare = z.object({
  projectCode: z.string(),
  projectName: z.string(),
  pitName: z.string(),
  pointType: z.string(),
  pointTypeName: z.string(),
  points: z.number().int(),
  worstShare: z.number().nullable(),
  worstPoint: z.string().nullable(),
  lastTime: epoch.nullable(),
})
/** The last reading of a point on a day in Asia/Shanghai; a day without one is a row as well, empty. */
export const pitDay = z.object({
  deviceId: z.string(),
  projectName: z.string(),
  pitName: z.string(),
  pointCode: z.string(),
  pointType: z.string(),
  pointTypeName: z.string(),
  unit: z.string(),
  day: z.string(),
  time: epoch.nullable(),
  value: z.number().nullable(),
  /** Against the day before that has a value. */
  change: z.number().nullable(),
  ratePerDay: z.number().nullable(),
  control: z.number().nullable(),
  controlRate: z.number().nullable(),
  share: z.number().nullable(),
  rateShare: z.number().nullable(),
  manual: z.boolean(),
  profile: z.array(z.object({ depth: z.number(), value: z.number() })),
})
/** Readings of a pit's points; grouped: the matrix of the worst shares over all pits, the points as they are now, or a row per point and day. */
export const pitRecords = endpoint({
  method: 'GET',
  path: '/api/v1/iot/foundation',
  summary: '基坑监测记录',
  needs: pitView,
  answers: 'list',
  query: readingsQuery.extend({
    pointCode: text(40).optional(),
    pointType: text(30).optional(),
    pitName: text(60).optional(),
    state: several.optional(),
    /** Days without a reading only. */
    missing: flag.optional(),
    groupBy: z.enum(['pit,pointType', 'point', 'day']).optional(),
  }),
  response: paged(z.union([pitReading, pitDay, pitPoint, pitShare])),
})

const formworkView = 'high-formwork.view'
const formworkPoint = z.object({
  deviceId: z.string(),
  deviceName: z.string(),
  pointCode: z.string(),
  pointType: z.string(),
  x: z.number().nullable(),
  y: z.number().nullable(),
  lng: z.number().nullable(),
  lat: z.number().nullable(),
  supportHeight: z.number().nullable(),
  span: z.number().nullable(),
  time: epoch.nullable(),
  silentSeconds: z.number().nullable(),
  axialForce: z.number().nullable(),
  axialForcePercent: z.number().nullable(),
  horizontalDisplacement: z.number().nullable(),
  settlement: z.number().nullable(),
  tilt: z.number().nullable(),
  batteryPercent: z.number().nullable(),
  designForce: z.number().nullable(),
  displacementLimit: z.number().nullable(),
  /** Percent of the limit that is nearest, and which one that is. */
  share: z.number().nullable(),
  worstMetric: z.string().nullable(),
  state: z.enum(['fine', 'warning', 'alarm', 'unset', 'silent']),
})
export const formworkInfo = endpoint({
  method: 'GET',
  path: '/api/v1/iot/data/high_formwork/info/:id',
  summary: '高支模实时数据',
  needs: formworkView,
  params: byId,
  response: deviceInfo.extend({
    bayName: z.string(),
    pouring: z.boolean(),
    verdict: z.enum(['go', 'watch', 'stop', 'idle']),
    verdictText: z.string(),
    points: z.array(formworkPoint),
    silent: z.array(z.object({ deviceId: z.string(), pointCode: z.string(), seconds: z.number() })),
  }),
})
export const formworkDevice = endpoint({
  method: 'GET',
  path: '/api/v1/iot/high_formwork/device/:id',
  summary: '高支模设备数据',
  needs: formworkView,
  params: byId,
  response: deviceFile.extend({
    bayName: z.string(),
    points: z.array(
      z.object({
        deviceId: z.string(),
        deviceName: z.string(),
        pointCode: z.string(),
        pointType: z.string(),
        online: z.boolean(),
        params: z.record(z.string(), z.unknown()),
      }),
    ),
  }),
})
export const formworkLine = endpoint({
  method: 'GET',
  path: '/api/v1/iot/high_formwork/line',
  summary: '高支模数据曲线',
  needs: formworkView,
  answers: 'list',
  query: pointQuery,
  response: lines,
})
/** A pour over its whole bay, from what the points reported of it, what was registered and which alarms there were. */
export const pourRow = z.object({
  key: z.string(),
  projectCode: z.string(),
  projectName: z.string(),
  bayName: z.string(),
  pourName: z.string(),
  deviceIds: z.array(z.string()),
  startTime: epoch,
  endTime: epoch,
  hours: z.number(),
  maxAxialForce: z.number().nullable(),
  maxAxialForcePercent: z.number().nullable(),
  worstPoint: z.string().nullable(),
  maxDisplacement: z.number().nullable(),
  maxSettlement: z.number().nullable(),
  maxTilt: z.number().nullable(),
  alarmCount: z.number().int(),
  graveCount: z.number().int(),
  /** From stopping the pump until everybody was out, where the pour was stopped. */
  stopSeconds: z.number().nullable(),
  /** Share of the five-minute spans in which its points reported. */
  dataPercent: z.number(),
  volume: z.number().nullable(),
})
export const formworkRecords = endpoint({
  method: 'GET',
  path: '/api/v1/iot/high_formwork',
  summary: '高支模监测记录',
  needs: formworkView,
  answers: 'list',
  query: readingsQuery.extend({
    kind: z.enum(['reading', 'pour']).default('reading'),
    pointCode: text(40).optional(),
    groupBy: z.enum(['pour']).optional(),
  }),
  response: paged(z.union([readingRow, recordView, pourRow])),
})

import { z } from 'zod'
import { endpoint } from '../../kit/endpoint.ts'
import { paged, text } from '../../kit/fields.ts'
import { sortBy } from '../../kit/list.ts'
import {
  dailyAlarms,
  dailyQuery,
  deviceFile,
  deviceInfo,
  deviceNow,
  lineQuery,
  lines,
  periodQuery,
  reading,
  readingRow,
} from '../../telemetry/model.ts'
import { byId, cycleGroupBasis, deviceDay, markedRecord } from '../model.ts'
import { liftDayFilters, liftReadingRanges, liftRunFilters } from './lift-filters.ts'
import { stateStop } from './lift-stops.ts'
import { dropTestDue } from './lift-tests.ts'

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
    /** Null while the lift is in use. */
    stop: stateStop.nullable(),
    /** Why no warning can be sent to the driver; null if it can. */
    warnRefused: z.string().nullable(),
    /** The other lifts of the same building, drawn in the same shaft. */
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
    /** Drop tests overdue or failed, due within a week, and never entered. */
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
/** Groupings of runs. Key of `hour,floor`: `07/12` is seven o'clock, to the twelfth floor. */
export const runGroupings = ['driver', 'device', 'hour', 'floor', 'hour,floor'] as const
export const liftRunSorts = ['startTime', 'durationSeconds', 'maxLoadPercent', 'maxPersonCount', 'maxSpeed'] as const
export const runGroup = cycleGroupBasis.extend({
  runs: z.number().int(),
  hours: z.number(),
  persons: z.number().int(),
  overPersonRuns: z.number().int(),
  overLoadRuns: z.number().int(),
  doorOpenRuns: z.number().int(),
  speedOver: z.number().int(),
  noRecognitionRuns: z.number().int(),
  maxLoadPercent: z.number().nullable(),
  kilometers: z.number(),
})
export const liftsBeside = {
  today: z.object({ runs: z.number().int(), persons: z.number().int(), overPersons: z.number().int(), illegal: z.number().int() }),
}
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
  response: paged(z.union([markedRecord, runGroup])).extend(liftsBeside),
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

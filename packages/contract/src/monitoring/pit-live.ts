import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { flag, paged, several, text } from '../kit/fields.ts'
import { deviceInfo, epoch, readingsQuery } from '../telemetry/model.ts'
import { byId } from './model.ts'

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

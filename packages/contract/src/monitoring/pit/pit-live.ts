import { z } from 'zod'
import { endpoint } from '../../kit/endpoint.ts'
import { flag, paged, several, text } from '../../kit/fields.ts'
import { deviceInfo, epoch, readingsQuery } from '../../telemetry/model.ts'
import { byId } from '../model.ts'

const pitView = 'foundation-pit.view'
export const pitPoint = z.object({
  deviceId: z.string(),
  pointCode: z.string(),
  pointType: z.string(),
  pointTypeName: z.string(),
  projectCode: z.string(),
  projectName: z.string(),
  pitName: z.string(),
  /** Metres in the site's plane if the parameters give them, else from the device's position. */
  x: z.number().nullable(),
  y: z.number().nullable(),
  lng: z.number().nullable(),
  lat: z.number().nullable(),
  /** Design depth of the pit in metres and its safety grade, from the point's parameters. */
  depth: z.number().nullable(),
  grade: z.string().nullable(),
  unit: z.string(),
  time: epoch.nullable(),
  cumulative: z.number().nullable(),
  /** Null without a reading at least 0.75 days older. */
  ratePerDay: z.number().nullable(),
  control: z.number().nullable(),
  controlRate: z.number().nullable(),
  /** Percent of the control value; the worse of value and rate determines the state. */
  share: z.number().nullable(),
  rateShare: z.number().nullable(),
  state: z.enum(['fine', 'warning', 'alarm', 'over', 'unset', 'silent', 'damaged']),
  /** Excluded from the figures since this moment, and why. */
  damaged: z.object({ since: epoch, reason: z.string() }).nullable(),
  online: z.boolean(),
  /** Measured manually: a survey, not a logger. */
  manual: z.boolean(),
  /** Inclinometers: displacement by depth in metres. */
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
/** Last reading of a point on a day, Asia/Shanghai; days without a reading have an empty row. */
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
  /** Difference from the previous day with a value. */
  change: z.number().nullable(),
  ratePerDay: z.number().nullable(),
  control: z.number().nullable(),
  controlRate: z.number().nullable(),
  share: z.number().nullable(),
  rateShare: z.number().nullable(),
  manual: z.boolean(),
  profile: z.array(z.object({ depth: z.number(), value: z.number() })),
})
/** Readings of a pit's points; grouped: matrix of the worst shares of all pits, current state of points, or a row per point and day. */
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
    /** Only days without a reading. */
    missing: flag.optional(),
    groupBy: z.enum(['pit,pointType', 'point', 'day']).optional(),
  }),
  response: paged(z.union([pitReading, pitDay, pitPoint, pitShare])),
})

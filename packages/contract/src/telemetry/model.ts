import { z } from 'zod'
import { instant, pageQuery, ref, several, text } from '../kit/fields.ts'
import { sortBy } from '../kit/list.ts'

/** Instants of telemetry are epoch milliseconds. */
export const epoch = z.number()

/** A reading; `quality` lists metrics that are not good; `flag` 1: arrived late, 2: device clock is ahead. */
export const reading = z.object({
  time: epoch,
  receivedAt: epoch,
  values: z.record(z.string(), z.unknown()),
  quality: z.record(z.string(), z.string()).nullable(),
  flag: z.number().int(),
  /** For the newest reading: metrics missing from it, with the time of their older values. */
  times: z.record(z.string(), epoch).optional(),
  /** For the newest reading: seconds since the device's previous one. */
  paceSeconds: z.number().nullable().optional(),
})
export type ReadingView = z.infer<typeof reading>

/** A limit marked on a gauge, from the rule in force. */
export const limit = z.object({
  metric: z.string(),
  alarmKey: z.string(),
  label: z.string(),
  level: z.number().int(),
  op: z.string(),
  value: z.number().nullable(),
  clearValue: z.number().nullable(),
  text: z.string(),
  ruleId: z.string(),
  version: z.number().int(),
})
export type Limit = z.infer<typeof limit>

export const openAlarm = z.object({
  id: z.string(),
  alarmKey: z.string(),
  label: z.string(),
  level: z.number().int(),
  state: z.string(),
  startTime: epoch,
  peakValue: z.number().nullable(),
  metric: z.string().nullable(),
  thresholdText: z.string(),
  stale: z.boolean(),
})

export const recordView = z.object({
  id: z.string(),
  deviceId: z.string(),
  deviceName: z.string(),
  projectCode: z.string(),
  projectName: z.string(),
  record: z.string(),
  time: epoch,
  receivedAt: epoch,
  data: z.record(z.string(), z.unknown()),
})

export type RecordView = z.infer<typeof recordView>

/** Current state of a device. */
export const deviceNow = z.object({
  deviceId: z.string(),
  deviceName: z.string(),
  deviceSn: z.string(),
  family: z.string(),
  projectCode: z.string(),
  projectName: z.string(),
  intervalSeconds: z.number(),
  online: z.boolean(),
  onlineSince: epoch.nullable(),
  /** Key of a status in the family's catalogue. */
  status: z.string(),
  latest: reading.nullable(),
  openLevel: z.number().int().nullable(),
})
export const deviceInfo = deviceNow.extend({
  alarms: z.array(openAlarm),
  limits: z.array(limit),
  lastRecord: recordView.nullable(),
  /** Server time of the answer, the reference for ages. */
  now: epoch,
})
export type DeviceInfo = z.infer<typeof deviceInfo>

export const deviceFile = z.object({
  deviceId: z.string(),
  deviceName: z.string(),
  deviceSn: z.string(),
  family: z.string(),
  projectCode: z.string(),
  projectName: z.string(),
  installPlace: z.string().nullable(),
  lng: z.number().nullable(),
  lat: z.number().nullable(),
  params: z.record(z.string(), z.unknown()),
  limits: z.array(limit),
})

/** One interval of a curve: [mean, min, max] by metric; an interval without a good value is omitted, so that gaps stay visible. */
export const linePoint = z.object({
  time: epoch,
  n: z.number().int(),
  v: z.record(z.string(), z.tuple([z.number(), z.number(), z.number()])),
})
export const readingRow = reading.extend({ deviceId: z.string(), deviceName: z.string() })
/** A curve of one device; the interval grows with the requested period. */
export const lines = z.object({ list: z.array(linePoint), total: z.number().int(), bucketSeconds: z.number() })
export type LinePoint = z.infer<typeof linePoint>

export const lineQuery = z.object({
  deviceId: ref('device'),
  startTime: instant.optional(),
  endTime: instant.optional(),
  /** Keys of the family's metrics; default: the usual ones. */
  metrics: several.optional(),
  points: z.coerce.number().int().min(10).max(2000).default(500),
})

export const periodQuery = pageQuery.extend({
  deviceId: ref('device').optional(),
  projectCode: ref('project').optional(),
  startTime: instant.optional(),
  endTime: instant.optional(),
})

/** Readings, newest first by default. */
export const readingsQuery = periodQuery.extend({ sort: sortBy('time') })

export const offlineSpan = z.object({
  id: z.string(),
  deviceId: z.string(),
  deviceName: z.string(),
  projectCode: z.string(),
  projectName: z.string(),
  startTime: epoch,
  endTime: epoch.nullable(),
  durationSeconds: z.number(),
  cause: z.string(),
  /** Remark of a person, and its author. */
  remark: z.string().nullable(),
  byName: z.string().nullable(),
  /** Working cycles of that time were uploaded afterwards. */
  workedMeanwhile: z.boolean(),
  backfilled: z.boolean(),
})

export const dailyAlarms = z.object({
  day: z.string(),
  key: z.string(),
  name: z.string(),
  level1: z.number().int(),
  level2: z.number().int(),
  level3: z.number().int(),
  level4: z.number().int(),
  total: z.number().int(),
  handled: z.number().int(),
})
export const dailyQuery = z.object({
  projectCode: ref('project').optional(),
  deviceId: ref('device').optional(),
  startTime: instant.optional(),
  endTime: instant.optional(),
  groupBy: z.enum(['day', 'device', 'project']).default('day'),
})

export const field = z.object({
  key: z.string(),
  label: z.string(),
  unit: z.string(),
  type: z.string(),
  min: z.number().optional(),
  max: z.number().optional(),
  precision: z.number().optional(),
  values: z.record(z.string(), z.string()).optional(),
  typical: z.array(z.number()).optional(),
})
export const familyView = z.object({
  key: z.string(),
  code: z.number().int(),
  name: z.string(),
  intervalSeconds: z.number(),
  offlineSeconds: z.number(),
  params: z.array(field),
  metrics: z.array(field),
  records: z.array(z.object({ key: z.string(), label: z.string(), fields: z.array(field) })),
  /** Further fields of readings and records, independent of protocol; rules and curves do not use them. */
  otherFields: z.array(field),
  /** Example messages, ready to send or paste: JSON text, or a frame as text or hexadecimal. */
  samples: z.array(z.object({ protocol: z.string(), label: z.string(), text: z.string() })),
  alarms: z.array(
    z.object({
      key: z.string(),
      label: z.string(),
      level: z.number().int(),
      text: z.string(),
      source: z.string(),
      /** False: this version cannot evaluate the condition yet. */
      expressible: z.boolean(),
    }),
  ),
  statuses: z.record(z.string(), z.string()),
})
export type FamilyView = z.infer<typeof familyView>

export const groupText = text(40)

import { z } from 'zod'
import { ref, text } from '../kit/fields.ts'
import { epoch, lineQuery, periodQuery, recordView } from '../telemetry/model.ts'

/** Schemas that the calls of several device families share. */
export const byId = z.object({ id: ref('device') })
/** A record of a device with the key that identifies it. */
export const keyedRecord = recordView.extend({ key: z.string() })
export const place = z.object({ lng: z.number(), lat: z.number() })

/** A record that users may mark; `version` counts the corrections. */
export const markedRecord = keyedRecord.extend({ version: z.number().int() })

/** Columns of every list of machine days. */
export const deviceDay = z.object({
  deviceId: z.string(),
  deviceName: z.string(),
  projectCode: z.string(),
  projectName: z.string(),
  day: z.string(),
  readings: z.number().int(),
  reportPercent: z.number(),
  alarmCount: z.number().int(),
})

/** Columns of every grouping of working cycles. */
export const cycleGroupBasis = z.object({
  key: z.string(),
  name: z.string(),
  deviceNames: z.array(z.string()),
  /** Null if the group spans several projects. */
  projectCode: z.string().nullable(),
  /** Days with at least one cycle. */
  days: z.number().int(),
  illegal: z.number().int(),
  illegalPercent: z.number(),
  averageSeconds: z.number(),
})

export const pointQuery = lineQuery.extend({ pointCode: text(40).optional() })
export const devicesQuery = periodQuery.pick({ page: true, size: true, deviceId: true, projectCode: true }).extend({
  name: text(50).optional(),
})

/** A point of a track; values that were not measured are null. */
export const trackPoint = z.object({
  time: epoch,
  lng: z.number(),
  lat: z.number(),
  speed: z.number().nullable(),
  direction: z.number().nullable(),
  accuracy: z.number().nullable(),
  /** Retransmitted after an outage. */
  late: z.boolean(),
  load: z.string().nullable(),
  cover: z.string().nullable(),
  lift: z.string().nullable(),
})
export const trackStop = place.extend({ startTime: epoch, endTime: epoch, seconds: z.number() })
export const track = z.object({
  deviceId: z.string(),
  deviceName: z.string(),
  subject: z.string().nullable(),
  /** Split where no point arrived for more than ten minutes. */
  segments: z.array(z.array(trackPoint)),
  stops: z.array(trackStop),
  distanceKm: z.number(),
  maxSpeed: z.number().nullable(),
  points: z.number().int(),
  thinnedFrom: z.number().int(),
  /** Points left out because the speed is impossible. */
  jumps: z.number().int(),
})

/** A correction of a record: who changed which fields, from what to what, and why. The values that the device sent are kept. */
export const fixStep = z.object({
  id: z.string(),
  time: epoch,
  byName: z.string(),
  reason: z.string(),
  changes: z.array(z.object({ field: z.string(), label: z.string(), from: z.string(), to: z.string() })),
})

import { z } from 'zod'
import { ref, text } from '../kit/fields.ts'
import { epoch, lineQuery, periodQuery, recordView } from '../telemetry/model.ts'

/**
 * What the calls of the device families have in common: a device now, its readings, its records, its curves. A family's file says only
 * what is its own: cages, measuring points, tickets, tracks.
 */
export const byId = z.object({ id: ref('device') })
/** A record of a device with an id of its own, by which it is opened again. */
export const keyedRecord = recordView.extend({ key: z.string() })
export const place = z.object({ lng: z.number(), lat: z.number() })

/** One figure per group, for rankings: the key opens the rows behind it. */
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

export const pointQuery = lineQuery.extend({ pointCode: text(40).optional() })
export const devicesQuery = periodQuery.pick({ page: true, size: true, deviceId: true, projectCode: true }).extend({
  name: text(50).optional(),
})

/** A point of a track: what is not measured is left out. */
export const trackPoint = z.object({
  time: epoch,
  lng: z.number(),
  lat: z.number(),
  speed: z.number().nullable(),
  direction: z.number().nullable(),
  accuracy: z.number().nullable(),
  /** Sent again after an outage. */
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
  /** Unbroken lines: more than ten minutes without a point split them. */
  segments: z.array(z.array(trackPoint)),
  stops: z.array(trackStop),
  distanceKm: z.number(),
  maxSpeed: z.number().nullable(),
  points: z.number().int(),
  thinnedFrom: z.number().int(),
  /** Points left out because nobody moves that fast. */
  jumps: z.number().int(),
})

/** A step of putting a record right: what was sent stays, what holds now lies over it, and each step says who, from what to what, and why. */
export const fixStep = z.object({
  id: z.string(),
  time: epoch,
  byName: z.string(),
  reason: z.string(),
  changes: z.array(z.object({ field: z.string(), label: z.string(), from: z.string(), to: z.string() })),
})

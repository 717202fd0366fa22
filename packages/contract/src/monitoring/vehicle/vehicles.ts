import { z } from 'zod'
import { endpoint } from '../../kit/endpoint.ts'
import { instant, paged, ref, text } from '../../kit/fields.ts'
import { epoch, periodQuery } from '../../telemetry/model.ts'
import { byId, place, track } from '../model.ts'

const vehicleTrack = 'vehicle.track'
const trip = z.object({
  startTime: epoch,
  endTime: epoch,
  startPlace: z.string(),
  endPlace: z.string(),
  distanceKm: z.number(),
  maxSpeed: z.number(),
  stops: z.number().int(),
  fullMinutes: z.number(),
  uncoveredMinutes: z.number(),
  tipped: z.number().int(),
})
/** Track of a truck over at most seven days, reduced to 5,000 points while keeping stops, tipping and alarms. */
export const truckTrack = endpoint({
  method: 'GET',
  path: '/api/v1/iot/truckMonitor/track',
  summary: '车辆轨迹',
  needs: vehicleTrack,
  answers: 'list',
  query: periodQuery
    .pick({ deviceId: true, startTime: true, endTime: true })
    .extend({ points: z.coerce.number().int().min(50).max(5000).default(5000) }),
  response: z.object({
    list: z.array(
      track.extend({
        trips: z.array(trip),
        /** `dump`: the dump site it lies in; null: neither an allowed nor a forbidden place. */
        tips: z.array(place.extend({ time: epoch, onSite: z.boolean(), dump: z.string().nullable() })),
        alarms: z.array(
          place.partial().extend({ id: z.string(), time: epoch, alarmKey: z.string(), label: z.string(), level: z.number().int() }),
        ),
      }),
    ),
    total: z.number().int(),
  }),
})

/** Longest period of a track document. */
export const evidenceHours = 24
export const truckEvidence = z.object({ deviceId: ref('device'), startTime: instant, endTime: instant })

const channel = z.object({
  channel: z.string(),
  name: z.string(),
  online: z.boolean(),
  url: z.string().nullable(),
  kind: z.string().nullable(),
  /** Why there is no picture, as a text telling what to do. */
  reason: z.string().nullable(),
})
export const truckVideo = endpoint({
  method: 'GET',
  path: '/api/v1/iot/truckMonitor/video/realtime/:id',
  summary: '车辆实时视频',
  needs: 'vehicle.video',
  params: byId,
  response: z.object({
    deviceId: z.string(),
    plateNo: z.string(),
    online: z.boolean(),
    lastTime: epoch.nullable(),
    closeAfterSeconds: z.number(),
    channels: z.array(channel),
  }),
})
export const truckClips = endpoint({
  method: 'GET',
  path: '/api/v1/iot/truckMonitor/video/history/:id',
  summary: '车辆历史视频',
  needs: 'vehicle.video',
  answers: 'list',
  params: byId,
  query: periodQuery.pick({ page: true, size: true, startTime: true, endTime: true }).extend({ channel: text(8).optional() }),
  response: paged(
    z.object({
      id: z.string(),
      channel: z.string(),
      startTime: epoch,
      endTime: epoch,
      sizeBytes: z.number(),
      alarm: z.string().nullable(),
      storage: z.string(),
      url: z.string().nullable(),
      reason: z.string().nullable(),
    }),
  ).extend({ online: z.boolean() }),
})

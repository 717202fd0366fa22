import { z } from 'zod'
import { topic } from '../kit/topic.ts'

const quality = z.record(z.string(), z.string())
/**
 * Newest reading of a device, at most once a second: `t` device time, `r` time received (epoch ms), `v` metric values, `q` metrics that are not good.
 */
export const liveSample = z.object({
  d: z.string(),
  t: z.number(),
  r: z.number(),
  v: z.record(z.string(), z.unknown()),
  q: quality.optional(),
})
export type LiveSample = z.infer<typeof liveSample>
export const liveTelemetry = topic('live/{projectCode}/{family}/{deviceId}/telemetry', liveSample)

export const liveAlarmMessage = z.object({
  id: z.string(),
  event: z.enum(['open', 'upgrade', 'downgrade', 'clear', 'handled']),
  deviceId: z.string(),
  deviceName: z.string(),
  family: z.string(),
  alarmKey: z.string(),
  label: z.string(),
  level: z.number().int(),
  time: z.number(),
  value: z.number().nullable(),
  text: z.string(),
})
export const liveAlarm = topic('live/{projectCode}/alarm', liveAlarmMessage)

export const liveDeviceState = topic('live/{projectCode}/device', z.object({ deviceId: z.string(), online: z.boolean(), time: z.number() }))

export const liveGatePass = topic(
  'live/{projectCode}/gate',
  z.object({
    eventId: z.string(),
    time: z.number(),
    direction: z.string().nullable(),
    gate: z.string(),
    workerId: z.string().nullable(),
    name: z.string(),
    teamName: z.string(),
    pass: z.boolean(),
    late: z.boolean(),
  }),
)

import { z } from 'zod'
import { filled, instant, text } from '../kit/fields.ts'
import { alarmKey, triggerRules } from './model.ts'

const moment = z.union([z.number().int().min(0).max(1e14), instant])

const values = z.record(z.string().max(64), z.unknown())

export const rehearsalSample = z.object({
  time: moment,
  receivedAt: moment.optional(),
  seq: z.number().int().min(0).optional(),
  data: values,
  /** By metric, or one value for the whole sample. */
  quality: z.union([z.record(z.string().max(64), z.string().max(20)), z.string().max(20)]).nullish(),
  params: values.optional(),
  record: text(40, '记录种类').optional(),
})

export const rehearsalTrigger = triggerRules.extend({
  family: filled(40, '设备类型'),
  alarmKey: alarmKey.optional(),
  intervalSeconds: z.number().positive().max(86_400).optional(),
  params: values.optional(),
  /** As in the alarm catalogue. */
  counting: text(100, '计数方式').nullish(),
})

export const rehearsalEvent = z.object({
  event: z.string(),
  time: z.number(),
  level: z.number().int().optional(),
  startTime: z.number().optional(),
  fireTime: z.number().optional(),
  reason: z.string().optional(),
  point: z.string().optional(),
  historical: z.boolean().optional(),
  /** For `stale`: when readings arrived again. */
  until: z.number().optional(),
  deviceId: z.string().optional(),
})

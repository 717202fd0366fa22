import { z } from 'zod'
import { endpoint } from '../../kit/endpoint.ts'
import { paged, several, text } from '../../kit/fields.ts'
import { epoch, periodQuery } from '../../telemetry/model.ts'
import { keyedRecord, place } from '../model.ts'
import { helmetView } from './helmets.ts'

/** What triggered a picture or recording: the wearer, an alarm, or a remote command. */
export const mediaTriggers = { manual: '手动', alarm: '报警', remote: '远程' } as const
const mediaTrigger = z.enum(Object.keys(mediaTriggers) as [keyof typeof mediaTriggers])
const mediaQuery = periodQuery.extend({
  trigger: several.optional(),
  name: text(30, '姓名').optional(),
})

export const helmetSnaps = endpoint({
  method: 'GET',
  path: '/api/v1/iot/helmet/snap',
  summary: '安全帽抓拍列表',
  needs: helmetView,
  answers: 'list',
  query: mediaQuery,
  response: paged(
    keyedRecord.extend({
      workerName: z.string().nullable(),
      teamName: z.string().nullable(),
      /** Uploaded long after it was taken, because the helmet was offline. */
      late: z.boolean(),
      trigger: mediaTrigger,
      /** URL of the picture, valid for some minutes; null until the helmet has uploaded it. */
      photo: z.string().nullable(),
      /** Where it was taken, if the caller may see the wearer's past positions. */
      at: place.nullable(),
      /** Alarm of the same helmet within a few minutes. */
      alarm: z.object({ id: z.string(), label: z.string(), level: z.number().int() }).nullable(),
    }),
  ),
})
export const helmetVideos = endpoint({
  method: 'GET',
  path: '/api/v1/iot/helmet/video',
  summary: '安全帽视频',
  needs: 'helmet.media',
  answers: 'list',
  query: mediaQuery,
  response: paged(
    keyedRecord.extend({
      workerName: z.string().nullable(),
      teamName: z.string().nullable(),
      startTime: epoch,
      endTime: epoch,
      sizeBytes: z.number(),
      trigger: mediaTrigger,
    }),
  ).extend({
    /** Helmets with a camera. */
    cameras: z.array(
      z.object({
        deviceId: z.string(),
        name: z.string(),
        teamName: z.string().nullable(),
        online: z.boolean(),
        /** Null until the helmet has reported it. */
        wearing: z.boolean().nullable(),
        /** Put away outside working hours: not counted as missing. */
        racked: z.boolean(),
        batteryPercent: z.number().nullable(),
        /** Modem signal level, 0 to 31. */
        signal: z.number().nullable(),
        lng: z.number().nullable(),
        lat: z.number().nullable(),
      }),
    ),
  }),
})

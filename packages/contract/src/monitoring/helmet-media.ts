import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { paged, several, text } from '../kit/fields.ts'
import { epoch, periodQuery } from '../telemetry/model.ts'
import { helmetView } from './helmets.ts'
import { keyedRecord, place } from './model.ts'

/** What made a helmet take a picture or a recording: its wearer, an alarm, or somebody far away. */
export const mediaTriggers = { manual: '手动', alarm: '报警', remote: '远程' } as const
const mediaTrigger = z.enum(Object.keys(mediaTriggers) as [keyof typeof mediaTriggers])
const mediaQuery = periodQuery.extend({
  trigger: several.optional(),
  /** Part of the wearer's name. */
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
      /** Came long after it was taken: the helmet had no line. */
      late: z.boolean(),
      trigger: mediaTrigger,
      /** Address of the picture, for some minutes; null while the helmet has not sent it. */
      photo: z.string().nullable(),
      /** Where it was taken, to whoever may know the wearer's past places. */
      at: place.nullable(),
      /** The alarm of the same helmet in the same minutes. */
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
    /** Helmets that carry a camera. */
    cameras: z.array(
      z.object({
        deviceId: z.string(),
        name: z.string(),
        teamName: z.string().nullable(),
        online: z.boolean(),
        /** Null while the helmet has not told. */
        wearing: z.boolean().nullable(),
        /** Put away for the night: nobody misses it. */
        racked: z.boolean(),
        batteryPercent: z.number().nullable(),
        /** 0 to 31, as modems tell it. */
        signal: z.number().nullable(),
        lng: z.number().nullable(),
        lat: z.number().nullable(),
      }),
    ),
  }),
})

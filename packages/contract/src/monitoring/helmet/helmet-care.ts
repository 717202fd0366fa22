import { z } from 'zod'
import { endpoint } from '../../kit/endpoint.ts'
import { filled, ofProject, paged, pageQuery, ref } from '../../kit/fields.ts'
import { warnTextMax } from '../../telemetry/commands.ts'
import { epoch } from '../../telemetry/model.ts'

/** Radius of a circle drawn by hand, m: below it is one person, above it the whole site, which has its own broadcast. */
export const radiusRange = { low: 5, high: 500 } as const
/** Most helmets per call; more would take minutes to reach. */
export const mostCalled = 200
/** A position older than this is unreliable: not counted as within the circle. */
export const placeMinutes = 10

const within = {
  lng: z.number({ error: '请在平面上画出范围' }).min(73, '经度超出范围').max(136, '经度超出范围'),
  lat: z.number({ error: '请在平面上画出范围' }).min(3, '纬度超出范围').max(54, '纬度超出范围'),
  radiusMeters: z.coerce
    .number({ error: '半径应为数字' })
    .int('半径应为整数')
    .min(radiusRange.low, `半径至少 ${radiusRange.low} 米`)
    .max(radiusRange.high, `半径最多 ${radiusRange.high} 米`),
}
const reached = z.object({
  deviceId: z.string(),
  /** Null if the caller may not see persons there. */
  name: z.string().nullable(),
  /** Result code as for commands: 0 done; null while no reply has come. */
  result: z.number().int().nullable(),
  message: z.string(),
})
const broadcast = z.object({
  id: z.string(),
  projectCode: z.string(),
  at: epoch,
  lng: z.number(),
  lat: z.number(),
  radiusMeters: z.number().int(),
  text: z.string(),
  byName: z.string(),
  people: z.array(reached),
  done: z.number().int(),
})
export type HelmetBroadcast = z.infer<typeof broadcast>
const path = '/api/v1/iot/helmet/broadcast'

export const listBroadcasts = endpoint({
  method: 'GET',
  path,
  summary: '圈选播报记录',
  needs: 'helmet.view',
  answers: 'list',
  query: pageQuery.extend(ofProject.shape),
  response: paged(broadcast),
})
/** Broadcasts one sentence to all helmets that are within a circle at the time of the call. */
export const sendBroadcast = endpoint({
  method: 'POST',
  path,
  summary: '圈选播报',
  needs: 'helmet.call',
  perMinute: 12,
  query: ofProject,
  body: z.object({ ...within, text: filled(warnTextMax, '播报内容') }),
  response: broadcast.extend({
    /** Helmets in the circle that cannot be reached: offline or with an outdated position. */
    missed: z.number().int(),
  }),
})

/** Days for which positions are kept: no longer than needed (个人信息保护法 第十九条), and long enough to investigate an accident. */
export const placeDaysRange = { low: 7, high: 90, usual: 90 } as const
const placeSetting = z.object({
  projectCode: z.string(),
  placeDays: z.number().int(),
  version: z.number().int(),
  updateBy: z.string().nullable(),
  updateTime: epoch.nullable(),
  /** Oldest position kept. */
  oldest: epoch.nullable(),
  editable: z.boolean(),
})
export const getPlaceSetting = endpoint({
  method: 'GET',
  path: '/api/v1/iot/helmet/setting',
  summary: '安全帽位置保存期',
  needs: 'helmet.view',
  query: ofProject,
  response: placeSetting,
})
export const setPlaceSetting = endpoint({
  method: 'PUT',
  path: '/api/v1/iot/helmet/setting',
  summary: '设置安全帽位置保存期',
  needs: 'helmet.group',
  body: z.object({
    projectCode: ref('project').optional(),
    placeDays: z.coerce
      .number({ error: '保存天数应为数字' })
      .int('保存天数应为整数')
      .min(placeDaysRange.low, `位置至少保存 ${placeDaysRange.low} 天`)
      .max(placeDaysRange.high, `位置最多保存 ${placeDaysRange.high} 天`),
    version: z.coerce.number().int(),
  }),
  response: placeSetting,
})

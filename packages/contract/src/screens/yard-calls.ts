import { z } from 'zod'
import { viewOf } from '../kit/endpoint.ts'
import { formworkInfo } from '../monitoring/formwork/formwork-live.ts'
import { helmetPositions } from '../monitoring/helmet/helmets.ts'
import { electricRecords } from '../monitoring/meter/meters.ts'
import { mediaToken } from '../monitoring/video/video.ts'
import { listTickets } from '../monitoring/weigh/weighing.ts'
import { epoch } from '../telemetry/model.ts'
import { project } from './call-parts.ts'

/** The wall queries for props, meters, weighbridges, helmets and cameras; `calls.ts` explains what their responses may contain. */

const formwork = viewOf(formworkInfo, {
  query: z.strictObject({}),
  response: z.object({
    deviceId: z.string(),
    bayName: z.string(),
    pouring: z.boolean(),
    verdict: z.enum(['go', 'watch', 'stop', 'idle']),
    verdictText: z.string(),
    points: z.array(
      z.object({
        deviceId: z.string(),
        pointCode: z.string(),
        time: epoch.nullable(),
        axialForce: z.number().nullable(),
        horizontalDisplacement: z.number().nullable(),
        settlement: z.number().nullable(),
        designForce: z.number().nullable(),
        displacementLimit: z.number().nullable(),
        share: z.number().nullable(),
        worstMetric: z.string().nullable(),
        state: z.enum(['fine', 'warning', 'alarm', 'unset', 'silent']),
      }),
    ),
  }),
})
/** Meter usage since a day: of the month, and of today. */
const meters = viewOf(electricRecords, {
  query: z.strictObject({
    ...project,
    groupBy: z.literal('meter,month').default('meter,month'),
    kind: z.enum(['electric', 'water']),
    startTime: z.iso.date().optional(),
    page: z.coerce.number().int().min(1).max(1).default(1),
    size: z.coerce.number().int().min(1).max(1000).default(1000),
  }),
  response: z.object({
    list: z.array(
      z.object({
        deviceId: z.string(),
        projectCode: z.string(),
        area: z.string().nullable(),
        parentId: z.string().nullable(),
        month: z.string(),
        usage: z.number(),
        quota: z.number().nullable(),
      }),
    ),
    total: z.number(),
  }),
})
/** Only materials are returned: suppliers are entered by hand and may be a person's name. */
const tickets = viewOf(listTickets, {
  query: z.strictObject({
    ...project,
    groupBy: z.literal('supplier,material').default('supplier,material'),
    startTime: z.iso.date(),
    page: z.coerce.number().int().min(1).max(1).default(1),
    size: z.coerce.number().int().min(1).max(1000).default(1000),
  }),
  response: z.object({
    list: z.array(z.object({ material: z.string(), trucks: z.number(), actualWeight: z.number(), deviation: z.number() })),
    total: z.number(),
    sums: z.object({ trucks: z.number(), actualWeight: z.number(), shortTrucks: z.number(), waiting: z.number() }),
  }),
})
/** Only counts by area: the helmets, and with them their wearers, are left out. */
const helmets = viewOf(helmetPositions, {
  query: z.strictObject({ ...project, category: z.enum(['700', '701']) }),
  response: z.object({
    total: z.number(),
    online: z.number(),
    unpositioned: z.number(),
    alarming: z.number(),
    places: z.array(
      z.object({ name: z.string(), kind: z.enum(['zone', 'building', 'yard', 'outside']), count: z.number(), alarming: z.number() }),
    ),
    areas: z.array(
      z.object({
        areaName: z.string(),
        floorName: z.string(),
        count: z.number().nullable(),
        limit: z.number().nullable(),
        known: z.boolean(),
        alarming: z.number(),
      }),
    ),
  }),
})
/** Only fixed cameras of the site: none in a cab and none on a helmet. */
const media = viewOf(
  { ...mediaToken, needs: 'video.play' },
  {
    query: z.strictObject({ deviceId: z.string().max(64), stream: z.literal('sub').default('sub') }),
    response: z.object({
      deviceId: z.string().nullable(),
      url: z.string().nullable(),
      kind: z.string().nullable(),
      codec: z.string().nullable(),
      expireAt: epoch.nullable(),
      snapshotUrl: z.string().nullable(),
      reason: z.string().nullable(),
    }),
  },
)

export const yardCalls = { formwork, meters, tickets, helmets, media } as const

import { z } from 'zod'
import { endpoint } from '../../kit/endpoint.ts'
import { paged, text } from '../../kit/fields.ts'
import { deviceFile, deviceInfo, epoch, lines, readingRow, readingsQuery, recordView } from '../../telemetry/model.ts'
import { byId, pointQuery } from '../model.ts'

const formworkView = 'high-formwork.view'
const formworkPoint = z.object({
  deviceId: z.string(),
  deviceName: z.string(),
  pointCode: z.string(),
  pointType: z.string(),
  x: z.number().nullable(),
  y: z.number().nullable(),
  lng: z.number().nullable(),
  lat: z.number().nullable(),
  supportHeight: z.number().nullable(),
  span: z.number().nullable(),
  time: epoch.nullable(),
  silentSeconds: z.number().nullable(),
  axialForce: z.number().nullable(),
  axialForcePercent: z.number().nullable(),
  horizontalDisplacement: z.number().nullable(),
  settlement: z.number().nullable(),
  tilt: z.number().nullable(),
  batteryPercent: z.number().nullable(),
  designForce: z.number().nullable(),
  displacementLimit: z.number().nullable(),
  /** Highest percentage of a limit, and the metric it belongs to. */
  share: z.number().nullable(),
  worstMetric: z.string().nullable(),
  state: z.enum(['fine', 'warning', 'alarm', 'unset', 'silent']),
})
export const formworkInfo = endpoint({
  method: 'GET',
  path: '/api/v1/iot/data/high_formwork/info/:id',
  summary: '高支模实时数据',
  needs: formworkView,
  params: byId,
  response: deviceInfo.extend({
    bayName: z.string(),
    pouring: z.boolean(),
    verdict: z.enum(['go', 'watch', 'stop', 'idle']),
    verdictText: z.string(),
    points: z.array(formworkPoint),
    silent: z.array(z.object({ deviceId: z.string(), pointCode: z.string(), seconds: z.number() })),
  }),
})
export const formworkDevice = endpoint({
  method: 'GET',
  path: '/api/v1/iot/high_formwork/device/:id',
  summary: '高支模设备数据',
  needs: formworkView,
  params: byId,
  response: deviceFile.extend({
    bayName: z.string(),
    points: z.array(
      z.object({
        deviceId: z.string(),
        deviceName: z.string(),
        pointCode: z.string(),
        pointType: z.string(),
        online: z.boolean(),
        params: z.record(z.string(), z.unknown()),
      }),
    ),
  }),
})
export const formworkLine = endpoint({
  method: 'GET',
  path: '/api/v1/iot/high_formwork/line',
  summary: '高支模数据曲线',
  needs: formworkView,
  answers: 'list',
  query: pointQuery,
  response: lines,
})
/** A pour over its whole bay, from its points' reports, the registered data and the alarms. */
export const pourRow = z.object({
  key: z.string(),
  projectCode: z.string(),
  projectName: z.string(),
  bayName: z.string(),
  pourName: z.string(),
  deviceIds: z.array(z.string()),
  startTime: epoch,
  endTime: epoch,
  hours: z.number(),
  maxAxialForce: z.number().nullable(),
  maxAxialForcePercent: z.number().nullable(),
  worstPoint: z.string().nullable(),
  maxDisplacement: z.number().nullable(),
  maxSettlement: z.number().nullable(),
  maxTilt: z.number().nullable(),
  alarmCount: z.number().int(),
  graveCount: z.number().int(),
  /** Seconds from stopping the pump until evacuation was complete, if the pour was stopped. */
  stopSeconds: z.number().nullable(),
  /** Share of five-minute intervals in which its points reported. */
  dataPercent: z.number(),
  volume: z.number().nullable(),
})
export const formworkRecords = endpoint({
  method: 'GET',
  path: '/api/v1/iot/high_formwork',
  summary: '高支模监测记录',
  needs: formworkView,
  answers: 'list',
  query: readingsQuery.extend({
    kind: z.enum(['reading', 'pour']).default('reading'),
    pointCode: text(40).optional(),
    groupBy: z.enum(['pour']).optional(),
  }),
  response: paged(z.union([readingRow, recordView, pourRow])),
})

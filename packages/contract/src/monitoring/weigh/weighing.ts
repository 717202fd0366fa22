import { z } from 'zod'
import { endpoint } from '../../kit/endpoint.ts'
import { filled, flag, instant, nullable, numericRange, ofProject, paged, ref, several, text } from '../../kit/fields.ts'
import { sortBy } from '../../kit/list.ts'
import { plateSearch, vehicleNumber } from '../../kit/plate.ts'
import { deviceInfo, epoch, periodQuery } from '../../telemetry/model.ts'
import { byId } from '../model.ts'

/**
 * Tickets of a weighbridge in the platform's terms. netWeight = gross - tare; actualWeight = netWeight - deductWeight. The device's values are never
 * overwritten: corrections overlay them and are logged.
 */
const weighView = 'weighbridge.view'
export const ticket = z.object({
  id: z.string(),
  deviceId: z.string(),
  deviceName: z.string(),
  projectCode: z.string(),
  projectName: z.string(),
  time: epoch,
  receivedAt: epoch,
  billNo: z.string(),
  plateNo: z.string(),
  weighType: z.string(),
  material: z.string(),
  spec: z.string(),
  supplier: z.string(),
  receiver: z.string(),
  grossWeight: z.number().nullable(),
  tareWeight: z.number().nullable(),
  netWeight: z.number().nullable(),
  deductWeight: z.number(),
  actualWeight: z.number().nullable(),
  billWeight: z.number().nullable(),
  deviation: z.number().nullable(),
  deviationPercent: z.number().nullable(),
  deviationState: z.enum(['short', 'over', 'normal', 'none']),
  grossTime: epoch.nullable(),
  tareTime: epoch.nullable(),
  weigher: z.string(),
  isManual: z.boolean(),
  /** 1 waiting for the second weighing, 2 complete, 3 void. */
  status: z.string(),
  overdue: z.boolean(),
  corrected: z.boolean(),
  /** A change of weights or plate awaits approval. */
  awaitingAudit: z.boolean(),
  photos: z.array(z.string()),
  version: z.number().int(),
})
export const ticketGroup = z.object({
  key: z.string(),
  supplier: z.string(),
  material: z.string(),
  trucks: z.number().int(),
  actualWeight: z.number(),
  billWeight: z.number(),
  deviation: z.number(),
  meanDeviationPercent: z.number().nullable(),
  worstId: z.string().nullable(),
  worstPercent: z.number().nullable(),
  manual: z.number().int(),
})
/** Filters of tickets, beside bridge, project and period. */
export const ticketFilters = {
  billNo: text(40).optional(),
  plateNo: plateSearch.optional(),
  supplier: text(60).optional(),
  spec: text(60).optional(),
  material: several.optional(),
  weighType: several.optional(),
  status: several.optional(),
  deviationState: several.optional(),
  isManual: flag.optional(),
  actualWeight: numericRange.optional(),
  deviationPercent: numericRange.optional(),
  /** Complete deliveries that belong to no batch of materials. */
  unlinked: flag.optional(),
  sort: sortBy('time', 'grossTime', 'actualWeight', 'deviation', 'deviationPercent', 'plateNo', 'supplier'),
}
/** Over all filtered tickets; void ones are excluded from sums. */
export const ticketSums = z.object({
  trucks: z.number().int(),
  actualWeight: z.number(),
  billWeight: z.number(),
  shortWeight: z.number(),
  shortTrucks: z.number().int(),
  waiting: z.number().int(),
  /** Of `trucks`, those entered by hand. */
  manual: z.number().int(),
})
export const listTickets = endpoint({
  method: 'GET',
  path: '/api/v1/iot/truckScale/record',
  summary: '过磅记录列表',
  needs: weighView,
  answers: 'list',
  query: periodQuery.extend({ ...ticketFilters, groupBy: z.enum(['supplier,material']).optional() }),
  response: paged(z.union([ticket, ticketGroup])).extend({ sums: ticketSums }),
})
export const change = z.object({
  id: z.string(),
  time: epoch,
  action: z.string(),
  byName: z.string(),
  reason: z.string(),
  changes: z.array(z.object({ field: z.string(), label: z.string(), from: z.string(), to: z.string() })),
})
export const getTicket = endpoint({
  method: 'GET',
  path: '/api/v1/iot/truckScale/record/:id',
  summary: '过磅记录详情',
  needs: weighView,
  params: z.object({ id: ref('deviceRecord') }),
  response: ticket.extend({
    /** Values as sent by the device, never changed. */
    device: z.record(z.string(), z.unknown()),
    pending: z.object({ changes: change.shape.changes, reason: z.string(), byName: z.string(), time: epoch }).nullable(),
    voidReason: z.string().nullable(),
    log: z.array(change),
    /** Last tare weighings of the plate, newest first. */
    lastTares: z.array(z.object({ id: z.string(), time: epoch, tareWeight: z.number() })),
    previousId: z.string().nullable(),
    nextId: z.string().nullable(),
    actions: z.array(z.enum(['save', 'approve', 'reject', 'void'])),
  }),
})
const weight = z.coerce.number({ error: '重量应为数字' }).min(0, '重量不能为负').max(200, '重量最多 200 吨')
export const correctTicket = endpoint({
  method: 'PUT',
  path: '/api/v1/iot/truckScale/record/:id',
  summary: '修改过磅记录',
  needs: ['weighbridge.edit', 'weighbridge.audit', 'weighbridge.void'],
  params: z.object({ id: ref('deviceRecord') }),
  body: z.object({
    action: z.enum(['save', 'approve', 'reject', 'void'], { error: '不支持的操作' }).default('save'),
    version: z.coerce.number().int().optional(),
    reason: filled(200, '原因'),
    plateNo: vehicleNumber.optional(),
    weighType: z.enum(['1', '2', '3'], { error: '过磅类型不正确' }).optional(),
    material: text(60, '货物').optional(),
    spec: text(60, '规格').optional(),
    supplier: text(80, '供应商').optional(),
    receiver: text(80, '收货单位').optional(),
    billWeight: weight.optional(),
    deductWeight: weight.optional(),
    grossWeight: weight.optional(),
    tareWeight: weight.optional(),
  }),
  response: ticket,
})
/** Photographs of the load and of the reason for manual weighing. */
const mostPhotos = 6
const heavy = nullable(weight.refine((n) => n > 0, '重量应大于 0'))
/** Manual weighing while the bridge is offline. As with any weight not from a bridge, a second person must approve it. */
export const manualWeighing = endpoint({
  method: 'POST',
  path: '/api/v1/oa/process/weighManual',
  summary: '手工补录过磅',
  needs: 'weighbridge.manual',
  query: ofProject,
  body: z.object({
    deviceId: ref('device'),
    plateNo: vehicleNumber,
    weighType: z.enum(['1', '2', '3'], { error: '请选择过磅类型' }),
    material: filled(60, '货物'),
    spec: nullable(text(60, '规格')),
    supplier: nullable(text(80, '供应商')),
    receiver: nullable(text(80, '收货单位')),
    billWeight: nullable(weight),
    deductWeight: nullable(weight),
    grossWeight: heavy,
    grossTime: nullable(instant),
    tareWeight: heavy,
    tareTime: nullable(instant),
    reason: filled(200, '补录原因'),
    photos: z.array(text(400, '照片'), { error: '请上传过磅照片' }).min(1, '请上传过磅照片').max(mostPhotos, `照片最多 ${mostPhotos} 张`),
  }),
  response: ticket,
})
export const ticketDay = endpoint({
  method: 'GET',
  path: '/api/v1/iot/truckScale/record/daily/:id',
  summary: '过磅日统计',
  needs: weighView,
  params: byId,
  query: periodQuery.pick({ startTime: true, endTime: true }),
  response: z.object({
    deviceId: z.string(),
    days: z.array(
      z.object({
        day: z.string(),
        trucks: z.number().int(),
        actualWeight: z.number(),
        shortTrucks: z.number().int(),
        waiting: z.number().int(),
      }),
    ),
    hours: z.array(z.object({ hour: z.number().int(), trucks: z.number().int() })),
    materials: z.array(
      z.object({
        supplier: z.string(),
        material: z.string(),
        trucks: z.number().int(),
        billWeight: z.number(),
        actualWeight: z.number(),
        deviation: z.number(),
      }),
    ),
  }),
})
export const scaleInfo = endpoint({
  method: 'GET',
  path: '/api/v1/iot/data/truckScale/info/:id',
  summary: '地磅实时数据',
  needs: weighView,
  params: byId,
  response: deviceInfo.extend({
    maxCapacity: z.number().nullable(),
    /** The truck on the platform: its last tare weighings and an unfinished delivery. */
    truck: z
      .object({ plateNo: z.string(), tares: z.array(z.number()), meanTare: z.number().nullable(), waitingId: z.string().nullable() })
      .nullable(),
    lastTicket: ticket.nullable(),
    today: z.object({ trucks: z.number().int(), actualWeight: z.number(), waiting: z.number().int(), shortTrucks: z.number().int() }),
  }),
})

import { z } from 'zod'
import { endpoint } from '../../kit/endpoint.ts'
import { filled, nullable, ofProject, paged, pageQuery, ref, text } from '../../kit/fields.ts'

/** Kinds of map drawings for trucks; the family's rules refer to them by key. */
export const vehicleFenceKinds = { route: '运输路线', dumpSites: '消纳场', forbidden: '禁行区' } as const
type Kind = keyof typeof vehicleFenceKinds
const kinds = Object.keys(vehicleFenceKinds) as [Kind, ...Kind[]]
/** A line needs two points, an area three. */
export const leastPoints: Record<Kind, number> = { route: 2, dumpSites: 3, forbidden: 3 }
/** Most points of a drawing. */
const mostPoints = 300
const dayMinutes = 1_440

const corner = z.tuple([
  z.number({ error: '坐标应为数字' }).min(73, '经度超出范围').max(136, '经度超出范围'),
  z.number({ error: '坐标应为数字' }).min(3, '纬度超出范围').max(54, '纬度超出范围'),
])
const minute = z.coerce.number({ error: '时间应为分钟数' }).int().min(0).max(dayMinutes)

const fields = z.object({
  name: filled(30, '名称'),
  kind: z.enum(kinds, { error: '类型应为运输路线、消纳场或禁行区' }),
  /** Longitude and latitude, WGS-84; a route is in the order of travel. */
  points: z.array(corner).max(mostPoints, `最多 ${mostPoints} 个点`),
  /** For a forbidden area: minutes of day between which driving there is forbidden; null = all day. */
  fromMinute: nullable(minute).default(null),
  untilMinute: nullable(minute).default(null),
  remark: nullable(text(100, '说明')).default(null),
})
const fenceBody = fields.superRefine(({ kind, points, fromMinute, untilMinute }, ctx) => {
  const least = leastPoints[kind]
  if (points.length < least)
    ctx.addIssue({ code: 'custom', path: ['points'], message: kind === 'route' ? '路线至少画两个点' : '至少画三个角点' })
  if (kind !== 'forbidden') return
  if ((fromMinute === null) !== (untilMinute === null))
    ctx.addIssue({ code: 'custom', path: ['untilMinute'], message: '开始与结束时间应同时填写' })
  if (fromMinute !== null && fromMinute === untilMinute)
    ctx.addIssue({ code: 'custom', path: ['untilMinute'], message: '开始与结束时间不能相同' })
})

export const vehicleFence = fields.extend({
  id: z.string(),
  projectCode: z.string(),
  createBy: z.string().nullable(),
  updateBy: z.string().nullable(),
  version: z.number().int(),
})
export type VehicleFence = z.infer<typeof vehicleFence>

const path = '/api/v1/oa/process/vehicleFence'
const one = z.object({ id: ref('vehicleFence') })

export const listVehicleFences = endpoint({
  method: 'GET',
  path,
  summary: '车辆围栏列表',
  needs: 'vehicle.view',
  answers: 'list',
  query: pageQuery.extend(ofProject.shape),
  response: paged(vehicleFence),
})
export const createVehicleFence = endpoint({
  method: 'POST',
  path,
  summary: '新增车辆围栏',
  needs: 'vehicle.fence',
  query: ofProject,
  body: fenceBody,
  response: vehicleFence,
})
export const updateVehicleFence = endpoint({
  method: 'PUT',
  path: `${path}/:id`,
  summary: '修改车辆围栏',
  needs: 'vehicle.fence',
  params: one,
  query: ofProject,
  body: fenceBody.safeExtend({ version: z.coerce.number().int() }),
  response: vehicleFence,
})
export const removeVehicleFence = endpoint({
  method: 'DELETE',
  path: `${path}/:id`,
  summary: '删除车辆围栏',
  needs: 'vehicle.fence',
  params: one,
  query: ofProject,
})

import { z } from 'zod'
import { endpoint } from '../../kit/endpoint.ts'
import { filled, instant, nullable, ofProject, paged, pageQuery, ref } from '../../kit/fields.ts'
import { epoch } from '../../telemetry/model.ts'

/** `forbidden`: no load may pass over the zone; the zone rules apply to these. */
export const craneZoneKinds = { forbidden: '禁吊区' } as const

/** Largest distance from the site's origin, in metres. */
const farthest = 20_000
const corner = z.tuple([
  z.number({ error: '坐标应为数字' }).min(-farthest, '坐标超出工地范围').max(farthest, '坐标超出工地范围'),
  z.number({ error: '坐标应为数字' }).min(-farthest, '坐标超出工地范围').max(farthest, '坐标超出工地范围'),
])
/** Most corners of a zone. */
const mostCorners = 60

type Corner = readonly [number, number]

/** Area of a polygon in square metres. */
export function areaOf(ring: readonly Corner[]): number {
  const twice = ring.reduce((sum, [x, y], i) => {
    const [nextX, nextY] = ring[(i + 1) % ring.length] ?? [x, y]
    return sum + x * nextY - nextX * y
  }, 0)
  return Math.abs(twice) / 2
}

const side = (a: Corner, b: Corner, c: Corner) => Math.sign((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))

/** Whether two sides of a polygon that share no corner cross each other. */
export function crossesItself(ring: readonly Corner[]): boolean {
  return ring.some((a, i) => {
    const b = ring[(i + 1) % ring.length] ?? a
    return ring.some((c, j) => {
      const apart = Math.min((j - i + ring.length) % ring.length, (i - j + ring.length) % ring.length)
      if (apart < 2) return false
      const d = ring[(j + 1) % ring.length] ?? c
      return side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0
    })
  })
}

const leastArea = 1

const zoneBody = z.object({
  name: filled(30, '名称'),
  kind: z.enum(Object.keys(craneZoneKinds) as [keyof typeof craneZoneKinds], { error: '类型应为禁吊区' }).default('forbidden'),
  marginMeters: z.coerce.number({ error: '边距应为数字' }).min(0, '边距不能为负').max(200, '边距最多 200 米').default(5),
  points: z
    .array(corner)
    .min(3, '至少画三个角点')
    .max(mostCorners, `最多 ${mostCorners} 个角点`)
    .refine((ring) => !crossesItself(ring), '边线不能互相交叉')
    .refine((ring) => ring.length < 3 || areaOf(ring) >= leastArea, '区域太小，不足 1 平方米'),
  from: nullable(instant),
  until: nullable(instant),
})

export const craneZone = z.object({
  id: z.string(),
  projectCode: z.string(),
  name: z.string(),
  kind: z.enum(Object.keys(craneZoneKinds) as [keyof typeof craneZoneKinds]),
  marginMeters: z.number(),
  points: z.array(z.tuple([z.number(), z.number()])),
  from: epoch.nullable(),
  until: epoch.nullable(),
  /** In force now: cranes are checked against it. */
  active: z.boolean(),
  createBy: z.string().nullable(),
  updateBy: z.string().nullable(),
  version: z.number().int(),
})
export type CraneZone = z.infer<typeof craneZone>

export const listCraneZones = endpoint({
  method: 'GET',
  path: '/api/v1/oa/process/craneZone',
  summary: '塔机区域列表',
  needs: 'tower-crane.view',
  answers: 'list',
  query: pageQuery.extend(ofProject.shape),
  response: paged(craneZone),
})
export const createCraneZone = endpoint({
  method: 'POST',
  path: '/api/v1/oa/process/craneZone',
  summary: '新增塔机区域',
  needs: 'tower-crane.zone',
  query: ofProject,
  body: zoneBody,
  response: craneZone,
})
export const updateCraneZone = endpoint({
  method: 'PUT',
  path: '/api/v1/oa/process/craneZone/:id',
  summary: '修改塔机区域',
  needs: 'tower-crane.zone',
  params: z.object({ id: ref('craneZone') }),
  query: ofProject,
  body: zoneBody.extend({ version: z.coerce.number().int() }),
  response: craneZone,
})
export const removeCraneZone = endpoint({
  method: 'DELETE',
  path: '/api/v1/oa/process/craneZone/:id',
  summary: '删除塔机区域',
  needs: 'tower-crane.zone',
  params: z.object({ id: ref('craneZone') }),
  query: ofProject,
})

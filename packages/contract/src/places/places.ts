import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { filled, nullable, pointsTo, ref, text } from '../kit/fields.ts'
import { placeKinds } from './kinds.ts'
import { planPicture } from './pins.ts'
import { seriesFields } from './series.ts'

/** The tree of a site: buildings with units, floors and rooms, and areas outdoors. Records say by it where something is. */

const path = '/api/v1/measure/place'
/** Whoever reads checks, notices or the site's settings reads where things are. */
export const placeViews = ['inspection.view', 'safety-management.view', 'supervision.view', 'setting.view'] as const
/** The site, its owner and general contractor maintain the tree; everybody else reads it. */
const edits = { needs: 'project.edit', groupTypes: [0, 2, 3] } as const

/** Places of one project that are in use. */
export const mostPlaces = 10_000
export const mostSiblings = 500

export const sitePlace = z.object({
  id: z.string(),
  parentId: z.string().nullable(),
  kind: z.enum(placeKinds),
  name: z.string(),
  code: z.string().nullable(),
  /** The unit works (单体工程) that a building is. */
  unitId: z.string().nullable(),
  /** The names from the building down to the place. */
  fullName: z.string(),
  /** Not offered for new records any more. */
  archived: z.boolean(),
  version: z.number().int(),
})
export type SitePlace = z.output<typeof sitePlace>

const sitePlan = planPicture.extend({ placeId: z.string(), byName: z.string(), at: z.string() })
export type SitePlan = z.output<typeof sitePlan>

export const listPlaces = endpoint({
  method: 'GET',
  path,
  summary: '测量部位列表',
  description: '项目全部部位，按上下级与次序排列；plans 为各部位现用平面图。',
  needs: placeViews,
  answers: 'list',
  query: z.object({ projectCode: pointsTo('project', text(64)) }),
  response: z.object({
    list: z.array(sitePlace),
    total: z.number().int(),
    plans: z.array(sitePlan),
  }),
})

const placeNames = {
  name: filled(50, '名称').refine((name) => !name.includes('/'), '名称不能含有 /'),
  code: nullable(text(20, '编号')),
  unitId: nullable(ref('unitProject')),
}
const made = z.object({ id: z.string(), version: z.number().int() })

export const createPlace = endpoint({
  method: 'POST',
  path,
  summary: '新增部位',
  ...edits,
  body: z.object({ projectCode: ref('project'), parentId: nullable(ref('sitePlace')), kind: z.enum(placeKinds), ...placeNames }),
  response: made,
})

/** Renames a place, or takes an archived one back into use. */
export const changePlace = endpoint({
  method: 'PUT',
  path,
  summary: '修改部位',
  ...edits,
  body: z.object({ id: ref('sitePlace'), version: z.number().int(), ...placeNames, archived: z.boolean().optional() }),
  response: made,
})

/** Removes a place with everything in it. What records name is archived instead. */
export const removePlace = endpoint({
  method: 'DELETE',
  path: `${path}/:id`,
  summary: '删除部位',
  ...edits,
  params: z.object({ id: ref('sitePlace') }),
  response: z.object({ removed: z.number().int(), archived: z.number().int() }),
})

/** Puts the places of one parent into the given order. */
export const orderPlaces = endpoint({
  method: 'PUT',
  path: `${path}/order`,
  summary: '调整部位次序',
  ...edits,
  body: z.object({
    projectCode: ref('project'),
    ids: z.array(ref('sitePlace')).min(1, '请选择部位').max(mostSiblings, `同一上级最多 ${mostSiblings} 个`),
  }),
})

/** Makes floors and rooms of a building by a pattern. What is there already stays as it is. */
export const createPlaces = endpoint({
  method: 'POST',
  path: `${path}/batch`,
  summary: '批量生成楼层与房间',
  ...edits,
  body: z.object({
    projectCode: ref('project'),
    /** The building that exists; null: a new one called `building`. */
    parentId: nullable(ref('sitePlace')),
    building: text(50, '楼栋名称').default(''),
    unitId: nullable(ref('unitProject')),
    ...seriesFields,
  }),
  response: z.object({ buildingId: z.string(), created: z.number().int(), kept: z.number().int() }),
})

/** Gives other floors the rooms of one. A room's number follows its floor: 501 becomes 601. */
export const copyRooms = endpoint({
  method: 'POST',
  path: `${path}/copy`,
  summary: '复制楼层房间',
  ...edits,
  body: z.object({
    id: ref('sitePlace'),
    to: z.array(ref('sitePlace')).min(1, '请选择楼层').max(mostSiblings, `一次最多 ${mostSiblings} 层`),
    /** The floors without a plan of their own take over its plan. */
    withPlan: z.boolean().default(false),
  }),
  response: z.object({ created: z.number().int(), kept: z.number().int(), plans: z.number().int() }),
})

/** Sets or replaces the plan of a floor or area; null removes it. Points set on a replaced plan stay on it. */
export const setPlan = endpoint({
  method: 'PUT',
  path: `${path}/plan`,
  summary: '设置部位平面图',
  ...edits,
  body: z.object({
    id: ref('sitePlace'),
    file: nullable(text(400, '平面图')),
    ratio: z.number({ error: '图片尺寸无法识别' }).min(0.1, '图片过于狭长').max(10, '图片过于狭长').default(1),
  }),
  response: z.object({ planId: z.string().nullable() }),
})

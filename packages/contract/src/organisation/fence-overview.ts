import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { numericRange, paged, pageQuery, pointsTo, ref, several, text } from '../kit/fields.ts'
import { listOf, sortBy } from '../kit/list.ts'
import { drawnFence } from './fence.ts'

/** Fences of all visible projects: which have none, an unusual one, or one that people sign in outside of. */

/** Limits for an unusual fence: area in hectares, and distance to the site's address in metres. */
export const oddFence = { hectares: 100, leastHectares: 0.05, offsetMeters: 500 } as const
/** Number of days of sign-ins for the rates below. */
export const punchDays = 30
/** From this percentage of mobile sign-ins outside on, a fence is included in the summary figure. */
export const manyOutside = 5

export const fenceStates = { odd: '异常', waiting: '待审', none: '无', fine: '生效' } as const
export const fenceTypes = { '1': '圆形', '2': '多边形' } as const

export const row = z.object({
  projectCode: z.string(),
  projectName: z.string(),
  areaCode: z.string(),
  areaName: z.string().nullable(),
  lng: z.number().nullable(),
  lat: z.number().nullable(),
  areaRule: drawnFence.nullable(),
  /** Kind of the fence; null if there is none. */
  fenceType: z.string().nullable(),
  hectares: z.number().nullable(),
  offset: z.number().nullable(),
  /** Percentage of mobile sign-ins of the last days that were outside; null without sign-ins. */
  outsideRate: z.number().nullable(),
  punchRate: z.number().nullable(),
  updateTime: z.string().nullable(),
  /** A proposal is pending, whatever else is wrong. */
  waiting: z.boolean(),
  state: z.string(),
  stateName: z.string(),
  /** Why the fence is unusual, as text. */
  why: z.string().nullable(),
})
export type FenceRow = z.infer<typeof row>

export const listFences = endpoint({
  method: 'GET',
  path: '/api/v1/oa/project/fence/list',
  summary: '电子围栏列表',
  needs: 'project.view',
  answers: 'list',
  query: pageQuery.extend({
    projectName: text(50).optional(),
    areaCode: several.optional(),
    fenceType: several.optional(),
    hectares: numericRange.optional(),
    offset: numericRange.optional(),
    outsideRate: numericRange.optional(),
    punchRate: numericRange.optional(),
    state: several.optional(),
    sort: sortBy('state', 'projectName', 'hectares', 'offset', 'outsideRate', 'punchRate', 'updateTime'),
  }),
  response: paged(row).extend({
    figures: z.object({ none: z.number().int(), waiting: z.number().int(), odd: z.number().int(), outside: z.number().int() }),
  }),
})
export const fenceList = listOf(listFences, {
  feature: 'fence',
  columns: {
    projectName: '项目',
    areaCode: '所在地',
    fenceType: '类型',
    hectares: '面积（公顷）',
    offset: '偏离地址（米）',
    outsideRate: '围栏外打卡率（%）',
    punchRate: '移动打卡占比（%）',
    updateTime: '更新时间',
    state: '状态',
  },
})

/** Recent places of mobile sign-ins, without names. */
export const fencePunches = endpoint({
  method: 'GET',
  path: '/api/v1/oa/project/fence/punches',
  summary: '围栏内外打卡',
  needs: 'attendance.view',
  query: z.object({ projectCode: pointsTo('project', text(64)).optional(), days: z.coerce.number().int().min(1).max(90).default(7) }),
  response: z.object({
    total: z.number().int(),
    outside: z.number().int(),
    /** The newest ones, at most a few hundred. */
    points: z.array(z.object({ lng: z.number(), lat: z.number(), outside: z.boolean() })),
  }),
})

/** Circles around the address for projects without a fence: a preview, or with `apply` the change. */
export const setDefaultFences = endpoint({
  method: 'POST',
  path: '/api/v1/oa/project/fence/default',
  summary: '为无围栏的项目设默认围栏',
  needs: 'project.edit',
  groupTypes: [0, 1, 2],
  body: z.object({
    radius: z.coerce.number({ error: '请填写半径' }).int('半径为整数').min(50, '半径 50-5000 米').max(5000, '半径 50-5000 米'),
    projectCodes: z.array(ref('project')).max(500, '一次最多 500 个项目').optional(),
    apply: z.boolean(),
  }),
  response: z.object({
    list: z.array(z.object({ projectCode: z.string(), name: z.string(), hectares: z.number() })),
    /** Number of projects without a location. */
    unplaced: z.number().int(),
  }),
})

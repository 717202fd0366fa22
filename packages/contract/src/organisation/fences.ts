import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { filled, ref, text } from '../kit/fields.ts'
import { drawnFence, fence } from './fence.ts'

export const getAreaRule = endpoint({
  method: 'GET',
  path: '/api/v1/oa/project/get/areaRule',
  summary: '获取项目区域规则',
  needs: 'project.view',
  query: z.object({ projectCode: ref('project').optional() }),
  response: z.object({
    projectCode: z.string(),
    name: z.string(),
    address: z.string(),
    lng: z.number().nullable(),
    lat: z.number().nullable(),
    areaRule: drawnFence.nullable(),
    /** The fence last approved by others; the site's own changes are compared with it. */
    decided: drawnFence.nullable(),
    hectares: z.number(),
    /** Metres from the project's address to its fence; 0 inside, null without one. */
    offsetMeters: z.number().nullable(),
    sitePlan: z.unknown().nullable(),
    /** Large changes by this caller need approval by others. */
    proposes: z.boolean(),
    proposal: z
      .object({
        /** Null: removes the fence. */
        areaRule: drawnFence.nullable(),
        hectares: z.number(),
        why: z.string(),
        reason: z.string(),
        filedName: z.string(),
        createTime: z.string(),
        version: z.number().int(),
      })
      .nullable(),
    /** Fences that are or were in force, and refused ones, newest first; at most twenty. */
    history: z.array(
      z.object({
        id: z.string(),
        areaRule: drawnFence.nullable(),
        hectares: z.number(),
        state: z.string(),
        reason: z.string(),
        filedName: z.string(),
        at: z.string(),
        opinion: z.string().nullable(),
      }),
    ),
    /** Version of the project. */
    version: z.number().int(),
  }),
})

export const setAreaRule = endpoint({
  method: 'POST',
  path: '/api/v1/oa/project/set/areaRule',
  summary: '设置项目区域规则',
  largeBody: 'rings of up to two hundred corners',
  needs: 'project.edit',
  body: z.object({
    projectCode: ref('project').optional(),
    /** Null: removes the fence. */
    areaRule: fence.nullable(),
    reason: filled(200, '原因').min(2, '原因至少 2 个字'),
    version: z.number().int(),
  }),
  response: z.object({ state: z.enum(['inForce', 'waiting']) }),
})

/** Approves or refuses a fence proposed by the site. An addition to the original API. */
export const auditAreaRule = endpoint({
  method: 'POST',
  path: '/api/v1/oa/project/audit/areaRule',
  summary: '审定项目围栏',
  needs: 'project.edit',
  groupTypes: [0, 1, 2],
  body: z
    .object({
      projectCode: ref('project'),
      result: z.enum(['1', '2'], { error: '请选择通过或驳回' }),
      opinion: text(200, '意见').default(''),
      /** Version of the proposal. */
      version: z.number().int(),
    })
    .refine((a) => a.result === '1' || a.opinion.length >= 2, { path: ['opinion'], message: '驳回请填写意见（至少 2 个字）' }),
})

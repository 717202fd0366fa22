import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { filled, pointsTo, ref } from '../kit/fields.ts'
import { healthAnswer, healthBody, resumeBody, resumeRow } from './career-model.ts'
import { workerParams } from './identity-model.ts'

export const workerHistory = endpoint({
  method: 'GET',
  path: '/api/v1/oa/worker/project/history/:id',
  summary: '工人项目经历',
  needs: 'personnel.view',
  answers: 'list',
  params: workerParams,
  response: z.object({
    list: z.array(resumeRow),
    total: z.number().int(),
    projects: z.number().int(),
    attendDays: z.number().int(),
    longestDays: z.number().int(),
    /** Whole months without a stay between the first entry and today. */
    idleMonths: z.number().int(),
  }),
})

/** The id identifies the record: an unknown id creates a new one. */
export const saveHistory = endpoint({
  method: 'PUT',
  path: '/api/v1/oa/worker/project/history/:id',
  summary: '修改工人项目经历',
  needs: 'personnel.edit',
  acts: 'own',
  params: z.object({ id: pointsTo('resume', filled(32).regex(/^[0-9a-f]{32}$/, '编号应为 32 位十六进制')) }),
  body: resumeBody,
})

export const removeHistory = endpoint({
  method: 'DELETE',
  path: '/api/v1/oa/worker/project/history/:id',
  summary: '删除工人项目经历',
  needs: 'personnel.edit',
  acts: 'own',
  params: z.object({ id: ref('resume') }),
})

/** Every access is logged. */
export const getHealth = endpoint({
  method: 'GET',
  path: '/api/v1/oa/worker/health/:id',
  summary: '工人健康信息',
  needs: 'personnel.health',
  params: workerParams,
  response: healthAnswer,
})

export const saveHealth = endpoint({
  method: 'PUT',
  path: '/api/v1/oa/worker/health/:id',
  summary: '修改工人健康信息',
  needs: 'personnel.health',
  acts: 'own',
  params: workerParams,
  body: healthBody,
  response: z.object({ version: z.number().int() }),
})

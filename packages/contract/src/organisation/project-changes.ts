import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { paged, pageQuery, ref, several, text } from '../kit/fields.ts'
import { projectChangeBody, projectChangeRow } from './model.ts'

export const listProjectChanges = endpoint({
  method: 'GET',
  path: '/api/v2/oa/project/change',
  summary: '登记变更申请列表',
  needs: 'project.view',
  answers: 'list',
  query: pageQuery.extend({ projectCode: ref('project').optional(), state: several.optional() }),
  response: paged(projectChangeRow),
})

export const fileProjectChange = endpoint({
  method: 'POST',
  path: '/api/v2/oa/project/change',
  summary: '申请变更项目登记',
  needs: 'project.edit',
  groupTypes: [2, 3],
  body: projectChangeBody,
  response: z.object({ id: z.string() }),
})

export const withdrawProjectChange = endpoint({
  method: 'DELETE',
  path: '/api/v2/oa/project/change/:id',
  summary: '撤回登记变更申请',
  needs: 'project.edit',
  groupTypes: [2, 3],
  params: z.object({ id: ref('projectChange') }),
})

export const auditProjectChange = endpoint({
  method: 'POST',
  path: '/api/v2/oa/project/change/audit',
  summary: '审定登记变更申请',
  needs: 'project.assign',
  groupTypes: [0, 1],
  body: z
    .object({
      id: ref('projectChange'),
      result: z.enum(['1', '2'], { error: '请选择通过或驳回' }),
      opinion: text(200, '意见').default(''),
      /** A new area usually means a new supervising government, which is set when the application is accepted. */
      superviseOrg: ref('government').optional(),
      version: z.number().int(),
    })
    .refine((a) => a.result === '1' || a.opinion.length >= 2, { path: ['opinion'], message: '驳回请填写意见（至少 2 个字）' }),
})

import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { dayRange, paged, pageQuery, pointsTo, ref, several, text } from '../kit/fields.ts'
import { badBody, badRow } from './bad-record-model.ts'
import { workerParams } from './identity-model.ts'
import { auditFields } from './papers.ts'

export const workerBadRecords = endpoint({
  method: 'GET',
  path: '/api/v1/oa/worker/project/bad/:id',
  summary: '工人项目不良记录',
  needs: 'personnel.view',
  answers: 'list',
  params: workerParams,
  response: z.object({ list: z.array(badRow), total: z.number().int() }),
})

const badQuery = pageQuery.extend({
  projectCode: pointsTo('project', text(64)).optional(),
  workerId: pointsTo('worker', text(64)).optional(),
  badRecordType: several.optional(),
  badRecordLevel: several.optional(),
  auditStatus: several.optional(),
  occurrenceDate: dayRange.optional(),
})

export const listBadRecords = endpoint({
  method: 'GET',
  path: '/api/v1/oa/workerBad',
  summary: '工人不良记录列表',
  needs: 'personnel.view',
  answers: 'list',
  query: badQuery,
  response: paged(badRow),
})

export const pickBadRecords = endpoint({
  method: 'GET',
  path: '/api/v1/oa/workerBad/part/list',
  summary: '不良记录精简列表',
  needs: 'personnel.view',
  answers: 'list',
  query: badQuery,
  response: paged(
    badRow.pick({ id: true, workerId: true, workerName: true, occurrenceDate: true, badRecordTypeName: true, badRecordLevelName: true }),
  ),
})

const badId = z.object({ id: ref('badRecord') })

export const getBadRecord = endpoint({
  method: 'GET',
  path: '/api/v1/oa/workerBad/:id',
  summary: '工人不良记录详情',
  needs: 'personnel.view',
  params: badId,
  response: badRow,
})

export const createBadRecord = endpoint({
  method: 'POST',
  path: '/api/v1/oa/workerBad',
  summary: '新增工人不良记录',
  needs: 'personnel.bad',
  acts: 'own',
  body: badBody,
  response: z.object({ id: z.string() }),
})

export const updateBadRecord = endpoint({
  method: 'PUT',
  path: '/api/v1/oa/workerBad/:id',
  summary: '修改工人不良记录',
  needs: 'personnel.bad',
  acts: 'own',
  params: badId,
  body: badBody.extend({ version: z.number().int() }),
})

export const removeBadRecord = endpoint({
  method: 'DELETE',
  path: '/api/v1/oa/workerBad/:id',
  summary: '删除工人不良记录',
  needs: 'personnel.bad',
  acts: 'own',
  params: badId,
})

export const auditBadRecord = endpoint({
  method: 'POST',
  path: '/api/v1/oa/workerBad/audit',
  summary: '审核工人不良记录',
  needs: 'personnel.badAudit',
  acts: 'review',
  body: z
    .object({ id: ref('badRecord'), ...auditFields })
    .refine((b) => b.result === '1' || b.opinion.length >= 2, { path: ['opinion'], message: '驳回请填写意见' }),
})

import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { ref, text } from '../kit/fields.ts'
import { workerParams } from './identity-model.ts'
import { certBatchBody, certBody, certRow, contractBody, contractRow } from './paper-model.ts'

export const workerCerts = endpoint({
  method: 'GET',
  path: '/api/v1/oa/worker/certs/:id',
  summary: '工人证书',
  needs: 'personnel.view',
  answers: 'list',
  params: workerParams,
  response: z.object({
    list: z.array(certRow),
    total: z.number().int(),
    /** Licences required by the trades of the current stays. */
    demands: z.array(z.object({ workTypeName: z.string(), licence: z.string(), met: z.boolean(), remark: z.string() })),
  }),
})

export const saveCert = endpoint({
  method: 'POST',
  path: '/api/v1/oa/workerCert',
  summary: '新增工人证书',
  needs: 'personnel.cert',
  acts: 'own',
  body: certBody,
  response: z.object({ id: z.string() }),
})

export const saveCerts = endpoint({
  method: 'POST',
  path: '/api/v1/oa/workerCert/batch/upsert',
  summary: '批量保存工人证书',
  needs: 'personnel.cert',
  acts: 'own',
  body: certBatchBody,
  response: z.object({ ids: z.array(z.string()) }),
})

export const removeCert = endpoint({
  method: 'DELETE',
  path: '/api/v1/oa/workerCert/:id',
  summary: '删除工人证书',
  needs: 'personnel.cert',
  acts: 'own',
  params: z.object({ id: ref('certificate') }),
})

export const auditFields = {
  result: z.enum(['1', '2'], { error: '请选择通过或驳回' }),
  opinion: text(200, '意见').default(''),
}

export const auditCert = endpoint({
  method: 'POST',
  path: '/api/v1/oa/workerCert/audit',
  summary: '审核工人证书',
  needs: 'personnel.certAudit',
  acts: 'review',
  body: z
    .object({ id: ref('certificate'), ...auditFields })
    .refine((b) => b.result === '1' || b.opinion.length >= 2, { path: ['opinion'], message: '驳回请填写意见' }),
})

export const workerContracts = endpoint({
  method: 'GET',
  path: '/api/v1/oa/worker/contract/:id',
  summary: '工人合同',
  needs: 'personnel.view',
  answers: 'list',
  params: workerParams,
  response: z.object({ list: z.array(contractRow), total: z.number().int() }),
})

export const saveContract = endpoint({
  method: 'POST',
  path: '/api/v1/oa/contract/upsert',
  summary: '保存工人合同',
  needs: 'personnel.contract',
  acts: 'own',
  body: contractBody,
  response: z.object({ id: z.string() }),
})

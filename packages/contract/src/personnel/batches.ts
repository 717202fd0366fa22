import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { day, filled, nullable, ref } from '../kit/fields.ts'
import { across, batchResult, mostStaysAtOnce, whileIncomplete } from '../labour/model.ts'
import { dict } from '../settings/dict-field.ts'
import { issuesOf } from './identity-model.ts'
import { contractFields, contractRules } from './paper-model.ts'

/** Changes for many people of a site at once. Each person succeeds or fails as a whole; refused people are returned by name. */
const ids = z.array(ref('projectWorker')).min(1, '请选择人员').max(mostStaysAtOnce, `一次最多 ${mostStaysAtOnce} 人`)

/** 调班组 for many people. No versions are required, since the request does not depend on values of the current team. */
export const moveWorkers = endpoint({
  method: 'POST',
  path: '/api/v1/oa/worker/batch/move',
  summary: '批量调班组',
  needs: ['labour.entry', 'personnel.grant'],
  acts: 'own',
  body: z.object({
    ids,
    corpCode: ref('corporation'),
    teamId: ref('team'),
    /** Omitted: each person keeps the current trade. */
    workType: dict('workerType', '工种').nullable().default(null),
  }),
  response: batchResult,
})

/** The caller declares that each person's original document was compared with the record. */
export const verifyWorkers = endpoint({
  method: 'POST',
  path: '/api/v1/oa/worker/batch/verify',
  summary: '批量实名核验',
  needs: 'personnel.edit',
  acts: 'own',
  body: z.object({ ids, seen: z.literal(true, { error: '请确认已逐人核对证件原件' }) }),
  response: batchResult,
})

/** Records the consent that each person has signed on paper. */
export const consentWorkers = endpoint({
  method: 'POST',
  path: '/api/v1/oa/worker/batch/consent',
  summary: '批量登记个人信息告知同意',
  needs: 'personnel.edit',
  acts: 'own',
  body: z.object({ ids, seen: z.literal(true, { error: '请确认已逐人收到签字的告知同意书' }) }),
  response: batchResult,
})

/** Digits of the consecutive part of a contract number, zero-padded. */
export const contractNumberDigits = 4
const mostRunning = 10 ** contractNumberDigits - 1

const { contractCode: _each, startDate: _own, ...sameFields } = contractFields
/** 批量签合同: the same terms for all, with consecutive numbers; the signed files are added to each contract later. */
export const signWorkers = endpoint({
  method: 'POST',
  path: '/api/v1/oa/worker/batch/contract',
  summary: '批量签合同',
  needs: 'personnel.contract',
  acts: 'own',
  body: z
    .object({
      ids,
      /** Prefix of the contract numbers. */
      codePrefix: filled(44, '编号前缀').regex(/^[\w\p{Script=Han}（）()〔〕[\]./-]+$/u, '编号前缀只用汉字、字母、数字和 - / . ( )'),
      codeFrom: z.coerce
        .number({ error: '请填写起始序号' })
        .int('起始序号为整数')
        .min(1, `起始序号为 1-${mostRunning}`)
        .max(mostRunning, `起始序号为 1-${mostRunning}`)
        .default(1),
      ...sameFields,
      /** Omitted: each contract starts on the person's entry date. */
      startDate: nullable(day),
    })
    .superRefine(
      across((c, context) => {
        const issue = issuesOf(context)
        contractRules({ ...c, startDate: c.startDate ?? '' }, issue)
      }),
      whileIncomplete,
    ),
  response: batchResult,
})

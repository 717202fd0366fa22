import { z } from 'zod'
import { checkBankCard, checkBankLinkNumber } from '../kit/checks.ts'
import { endpoint } from '../kit/endpoint.ts'
import { checked, day, filled, instant, normalised, nullable, ref, text } from '../kit/fields.ts'
import { normalBankCard, normalIdNumber, normalName } from '../kit/normal.ts'
import { dict } from '../settings/dict-field.ts'
import { batchResult, fileRefs, mostStaysAtOnce, stayFields, stayRules } from './model.ts'

export const enterWorker = endpoint({
  method: 'POST',
  path: '/api/v1/oa/projectWorker/entry',
  summary: '项目工人进场',
  needs: 'labour.entry',
  acts: 'own',
  body: z
    .object({
      projectCode: ref('project'),
      /** An existing person visible to the caller; otherwise the identity document is required. */
      workerId: ref('worker').optional(),
      idCardType: dict('idCardType', '证件类型').default('01'),
      idCardNumber: normalised(30, '证件号码', normalIdNumber).optional(),
      name: normalised(50, '姓名', normalName).optional(),
      ...stayFields,
    })
    .superRefine((b, context) => {
      stayRules(b, context)
      if (!b.workerId && !(b.idCardNumber && b.name))
        context.addIssue({ code: 'custom', path: ['workerId'], message: '请选择人员，或填写姓名和证件号码' })
    }),
  response: z.object({ id: z.string(), workerId: z.string() }),
})

export const exitWorkers = endpoint({
  method: 'POST',
  path: '/api/v1/oa/projectWorker/exit',
  summary: '项目工人退场',
  needs: 'labour.exit',
  acts: 'own',
  body: z.object({
    ids: z.array(ref('projectWorker')).min(1, '请选择人员').max(500, '一次最多 500 人'),
    exitTime: z.union([day, instant], { error: '退场时间格式应为 yyyy-MM-dd HH:mm:ss' }),
    exitReason: dict('exitReason', '退场原因'),
    exitAttachment: fileRefs('退场确认附件').default([]),
  }),
  response: batchResult,
})

/** Removes a registration; only 预登记 without any gate record. */
export const removeStays = endpoint({
  method: 'POST',
  path: '/api/v1/oa/projectWorker/remove',
  summary: '移除项目工人',
  needs: 'labour.entry',
  acts: 'own',
  body: z.object({ ids: z.array(ref('projectWorker')).min(1, '请选择人员').max(500, '一次最多 500 人') }),
  response: batchResult,
})

export const checkAccount = endpoint({
  method: 'GET',
  path: '/api/v1/oa/projectWorker/account/check',
  summary: '检查项目工人工资账户',
  needs: ['labour.account', 'personnel.view'],
  query: z.object({ id: ref('projectWorker') }),
  response: z.object({
    ok: z.boolean(),
    cardNumber: z.string().nullable(),
    bankCode: z.string().nullable(),
    bankName: z.string().nullable(),
    /** What to correct, as text. */
    problems: z.array(z.string()),
  }),
})

export const setAccount = endpoint({
  method: 'POST',
  path: '/api/v1/oa/projectWorker/account/set',
  summary: '设置项目工人工资账户',
  needs: 'labour.account',
  acts: 'own',
  body: z.object({
    id: ref('projectWorker'),
    payRollBankCode: dict('bankCode', '工资卡银行'),
    payRollBankName: filled(50, '开户行'),
    payRollBankCardNumber: checked(normalised(30, '工资卡号', normalBankCard).min(1, '请填写工资卡号'), checkBankCard),
    bankLinkNumber: nullable(checked(text(12, '联行号'), checkBankLinkNumber)),
  }),
})

export const setContract = endpoint({
  method: 'POST',
  path: '/api/v1/oa/projectWorker/contract/set',
  summary: '设置项目工人合同',
  needs: 'personnel.contract',
  acts: 'own',
  body: z.object({ id: ref('projectWorker'), contractId: ref('contract') }),
})

/** Sets terms of employment of one or more people; omitted fields are unchanged. */
export const setTerms = endpoint({
  method: 'POST',
  path: '/api/v1/oa/projectWorker/terms/set',
  summary: '设置项目工人用工信息',
  needs: 'labour.entry',
  acts: 'own',
  body: z
    .object({
      ids: z.array(ref('projectWorker')).min(1, '请选择人员').max(mostStaysAtOnce, `一次最多 ${mostStaysAtOnce} 人`),
      paymentType: stayFields.paymentType,
      unitPriceCents: stayFields.unitPriceCents,
      hasBuyInsurance: stayFields.hasBuyInsurance,
    })
    .refine((b) => b.paymentType !== null || b.unitPriceCents !== null || b.hasBuyInsurance !== null, {
      path: ['paymentType'],
      message: '请至少填写一项',
    }),
  response: batchResult,
})

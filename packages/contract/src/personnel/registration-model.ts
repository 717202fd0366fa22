import { z } from 'zod'
import { filled, nullable, ref } from '../kit/fields.ts'
import { across, fileRefs, stayFields, stayRules, whileIncomplete } from '../labour/model.ts'
import {
  accountFields,
  consent,
  identityFields,
  identityRules,
  idNumber,
  issuesOf,
  paperFields,
  personFields,
  personRules,
  workerName,
} from './identity-model.ts'
import { certFields, certRules, contractFields, contractRules } from './paper-model.ts'

const stayPart = z.object({ projectCode: ref('project'), ...stayFields, ...accountFields }).superRefine(
  across((s, context) => {
    stayRules(s, context)
    const issue = issuesOf(context)
    if (s.payRollBankCardNumber && !s.payRollBankCode) issue('payRollBankCode', '请选择工资卡银行')
    if (s.payRollBankCardNumber && !s.payRollBankName) issue('payRollBankName', '请填写开户行')
  }),
  whileIncomplete,
)

export const registerBody = z
  .object({
    ...identityFields,
    ...paperFields,
    ...personFields,
    consents: z.array(consent).max(10).default([]),
    /** Read by a card reader: the identity counts as verified. */
    fromCard: z.boolean().default(false),
    /** The stay to create; without it only the person is created. */
    stay: stayPart.optional(),
    contract: z
      .object({ ...contractFields, files: fileRefs('合同附件').default([]) })
      .superRefine(
        across((c, context) => contractRules(c, issuesOf(context))),
        whileIncomplete,
      )
      .optional(),
    /** The licence that a special trade requires in the form. */
    cert: z
      .object({ ...certFields, files: fileRefs('证书照片').default([]) })
      .superRefine(
        across((c, context) => certRules(c, issuesOf(context))),
        whileIncomplete,
      )
      .optional(),
  })
  .superRefine(
    across((p, context) => {
      identityRules(p, issuesOf(context))
      personRules(p, issuesOf(context))
    }),
    whileIncomplete,
  )

export type Registration = z.output<typeof registerBody>

/** Omitted encrypted fields are unchanged; the identity itself is changed by a separate call. */
export const updateBody = z
  .object({ ...paperFields, ...personFields, consents: z.array(consent).max(10).optional(), version: z.number().int() })
  .superRefine(
    across((p, context) => personRules(p, issuesOf(context))),
    whileIncomplete,
  )

export type WorkerUpdate = z.output<typeof updateBody>

/** 更正身份 and 重新核验; a reason is always required. */
export const identityBody = z
  .object({
    ...identityFields,
    idCardNumber: nullable(idNumber),
    reason: filled(200, '事由').min(2, '事由至少 2 个字'),
    version: z.number().int(),
  })
  .superRefine(
    across((p, context) => {
      if (p.idCardNumber) identityRules({ ...p, idCardNumber: p.idCardNumber }, issuesOf(context))
    }),
    whileIncomplete,
  )

/**
 * Verifies an identity. Either by reading the card again (name and number must match the record), or by the platform's operator, who states
 * result and reason. `batches.ts` marks many people as verified; nothing else sets the real-name state.
 */
export const verifyBody = z.discriminatedUnion('way', [
  z.object({
    way: z.literal('card'),
    workerId: ref('worker'),
    name: workerName,
    idCardNumber: idNumber,
    version: z.number().int(),
  }),
  z.object({
    way: z.literal('operator'),
    workerId: ref('worker'),
    state: z.enum(['1', '2', '3'], { error: '请选择核验结果' }),
    reason: filled(200, '核验依据').min(5, '核验依据至少 5 个字'),
    version: z.number().int(),
  }),
])

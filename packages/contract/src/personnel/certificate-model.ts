import { z } from 'zod'
import { dayRange, numericRange, ref, several, text } from '../kit/fields.ts'
import { certRow } from './paper-model.ts'

/** Urgency of a certificate: by its last day, or because the trade requires one that is missing. */
export const urgencies = { missing: '缺证', expired: '已过期', '30': '30 日内', '60': '60 日内', '90': '90 日内' } as const
export type Urgency = keyof typeof urgencies
/** Certificates for special operations may be renewed in the three months before their end (建质〔2008〕75号); later ends need no action. */
export const watchedDays = 90

export const dueKinds = { cert: '证书', missing: '特种工种缺证', idCard: '身份证件' } as const
/** Handling state of a certificate that expires. */
export const dueStates = { open: '待处理', reminded: '已提醒', review: '新证待审', ignored: '已忽略' } as const
export type DueState = keyof typeof dueStates

/** Filters of the two lists of certificates, in addition to those of all lists of people. */
export const certFilters = {
  certType: several.optional(),
  specialType: several.optional(),
  title: text(100).optional(),
  certNo: text(50).optional(),
  grantOrg: text(100).optional(),
  issueDate: dayRange.optional(),
  validEnd: dayRange.optional(),
  certStatus: several.optional(),
  auditStatus: several.optional(),
  urgency: several.optional(),
  dueKind: several.optional(),
  dueState: several.optional(),
  daysLeft: numericRange.optional(),
}

const holder = {
  projectWorkerId: z.string(),
  workerId: z.string(),
  name: z.string(),
  projectCode: z.string(),
  projectName: z.string().nullable(),
  corpCode: z.string(),
  corpName: z.string().nullable(),
  teamId: z.string().nullable(),
  teamName: z.string().nullable(),
  workType: z.string().nullable(),
  workTypeName: z.string().nullable(),
}
/** One certificate, with its holder's current or last stay. */
export const certStockRow = certRow.omit({ id: true, workerId: true, name: true }).extend({
  id: z.string(),
  ...holder,
  /** Name of the certificate; `name` is the person's. */
  title: z.string(),
  onSite: z.boolean(),
})
export type CertStockRow = z.infer<typeof certStockRow>
/** One expiring or missing certificate of a person on the books. */
export const certDueRow = z.object({
  /** Combination of stay and certificate. */
  id: z.string(),
  ...holder,
  subject: z.string(),
  kind: z.enum(['cert', 'missing', 'idCard']),
  certId: z.string().nullable(),
  certType: z.string().nullable(),
  specialType: z.string().nullable(),
  certTypeName: z.string().nullable(),
  title: z.string(),
  certNo: z.string().nullable(),
  validEnd: z.string().nullable(),
  /** Days until the last day; negative once expired, null if missing. */
  daysLeft: z.number().int().nullable(),
  urgency: z.enum(['missing', 'expired', '30', '60', '90']),
  /** Required by the trade or post of this stay. */
  required: z.boolean(),
  state: z.enum(['open', 'reminded', 'review', 'ignored']),
  reminded: z.array(z.string()),
  ignored: z.object({ reason: z.string(), by: z.string(), time: z.string() }).nullable(),
  lastPass: z.string().nullable(),
  attendEnabled: z.boolean(),
  formalStatus: z.string(),
})
export type CertDueRow = z.infer<typeof certDueRow>

export const dueItem = z.object({ projectWorkerId: ref('projectWorker'), subject: text(100, '事项').min(1, '请选择事项') })

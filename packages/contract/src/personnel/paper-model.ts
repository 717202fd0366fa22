import { z } from 'zod'
import { day, filled, nullable, ref, text } from '../kit/fields.ts'
import { across, fileRefs, whileIncomplete } from '../labour/model.ts'
import { dict } from '../settings/dict-field.ts'
import { fixedTerm, isPaidByOutput } from './codes.ts'
import { type Issue, issuesOf, today } from './identity-model.ts'
import { kindDictionaryOf } from './rules.ts'

export const certFields = {
  certType: dict('certType', '证书类型'),
  specialType: nullable(text(10, '类别')),
  name: filled(100, '证书名称'),
  certNo: filled(50, '证书编号'),
  level: nullable(text(10, '等级')),
  majorType: nullable(dict('practiceMajor', '专业')),
  firstIssueDate: nullable(day),
  issueDate: day,
  validStart: nullable(day),
  /** Omitted: two years from issue for licences for special operations, otherwise unlimited. */
  validEnd: nullable(day),
  grantOrg: filled(100, '发证机关'),
  status: dict('certStatus', '证书状态').default('1'),
}

interface Cert {
  certType: string
  specialType?: unknown
  level?: unknown
  issueDate: string
  firstIssueDate?: unknown
  validEnd?: unknown
}

export function certRules(c: Cert, issue: Issue) {
  const kinds = kindDictionaryOf[c.certType]
  if (kinds && !c.specialType) issue('specialType', '请选择证书类别')
  if (kinds && c.specialType) {
    const known = dict(kinds, '类别').safeParse(c.specialType)
    if (!known.success) issue('specialType', known.error.issues[0]?.message ?? '类别不正确')
  }
  if (c.certType === '1') {
    const known = dict('certLevel', '等级').safeParse(c.level ?? undefined)
    if (!known.success) issue('level', known.error.issues[0]?.message ?? '请选择等级')
  }
  if (c.issueDate > today()) issue('issueDate', '发证日期不能晚于今天')
  if (typeof c.firstIssueDate === 'string' && c.firstIssueDate > c.issueDate) issue('firstIssueDate', '初次发证日期不能晚于发证日期')
  if (typeof c.validEnd === 'string' && c.validEnd <= c.issueDate) issue('validEnd', '有效期至应晚于发证日期')
}

const certObject = z.object({
  /** Given: edits this certificate, e.g. after its renewal. */
  id: ref('certificate').optional(),
  ...certFields,
  files: fileRefs('附件').min(1, '请上传证书照片'),
})

export const certBody = z.object({ workerId: ref('worker'), ...certObject.shape }).superRefine(
  across((c, context) => certRules(c, issuesOf(context))),
  whileIncomplete,
)

export const certBatchBody = z.object({
  workerId: ref('worker'),
  list: z
    .array(
      certObject.superRefine(
        across((c, context) => certRules(c, issuesOf(context))),
        whileIncomplete,
      ),
    )
    .min(1, '请填写证书')
    .max(50, '一次最多 50 本'),
})

export const certRow = z.object({
  id: z.string(),
  workerId: z.string(),
  certType: z.string(),
  certTypeName: z.string().nullable(),
  specialType: z.string().nullable(),
  specialTypeName: z.string().nullable(),
  name: z.string(),
  certNo: z.string(),
  level: z.string().nullable(),
  levelName: z.string().nullable(),
  majorType: z.string().nullable(),
  firstIssueDate: z.string().nullable(),
  issueDate: z.string(),
  validStart: z.string().nullable(),
  validEnd: z.string().nullable(),
  grantOrg: z.string(),
  status: z.string(),
  statusName: z.string().nullable(),
  auditStatus: z.string(),
  auditStatusName: z.string().nullable(),
  files: z.array(z.string()),
  /** valid, expiring, expired, pending, or void (注销, 暂扣, 驳回). */
  state: z.enum(['valid', 'expiring', 'expired', 'pending', 'void']),
  /** The caller entered it, so another user must review it. */
  own: z.boolean(),
  createTime: z.string(),
  updateTime: z.string().nullable(),
})

export type CertRow = z.infer<typeof certRow>

export const contractFields = {
  contractCode: filled(50, '合同编号'),
  contractKind: dict('contractKind', '合同类别'),
  contractPeriodType: dict('contractType', '期限类型'),
  startDate: day,
  endDate: nullable(day),
  paymentType: dict('paymentType', '计酬方式'),
  unit: nullable(dict('workUnit', '计量单位')),
  /** Cents per unit. */
  unitPrice: nullable(z.coerce.number().int('单价以分为单位').positive('单价应大于 0').max(1e10, '单价过大')),
  /** Cents per month, day or hour. */
  salary: nullable(z.coerce.number().int('工资标准以分为单位').positive('工资标准应大于 0').max(1e10, '工资标准过大')),
  payDay: z.coerce.number({ error: '请填写约定发薪日' }).int('发薪日为 1-28').min(1, '发薪日为 1-28').max(28, '发薪日为 1-28'),
  workContent: nullable(text(200, '工作内容')),
  signDate: day,
  signMode: z.enum(['1', '2'], { error: '请选择签订方式' }).default('1'),
}

interface Contract {
  contractPeriodType: string
  startDate: string
  endDate?: unknown
  paymentType: string
  unit?: unknown
  unitPrice?: unknown
  salary?: unknown
  signDate: string
}

export function contractRules(c: Contract, issue: Issue) {
  if (c.contractPeriodType === fixedTerm && !c.endDate) issue('endDate', '固定期限合同请填写结束日期')
  if (typeof c.endDate === 'string' && c.endDate <= c.startDate) issue('endDate', '结束日期应晚于开始日期')
  if (isPaidByOutput(c.paymentType)) {
    if (!c.unit) issue('unit', '按件或按量计酬请选择计量单位')
    if (!c.unitPrice) issue('unitPrice', '按件或按量计酬请填写单价')
  } else if (['1', '2', '3'].includes(c.paymentType) && !c.salary) issue('salary', '请填写工资标准')
  if (c.signDate > today()) issue('signDate', '签订日期不能晚于今天')
}

export const contractBody = z
  .object({
    id: ref('contract').optional(),
    workerId: ref('worker'),
    projectCode: ref('project'),
    corpCode: ref('corporation'),
    ...contractFields,
    files: fileRefs('合同附件').min(1, '请上传合同附件'),
    terminateDate: nullable(day),
    terminateReason: nullable(text(200, '终止原因')),
    version: z.number().int().optional(),
  })
  .superRefine(
    across((c, context) => {
      const issue = issuesOf(context)
      contractRules(c, issue)
      if (c.terminateDate && !c.terminateReason) issue('terminateReason', '终止合同请填写原因')
      if (typeof c.terminateDate === 'string' && c.terminateDate < c.startDate) issue('terminateDate', '终止日期不能早于开始日期')
    }),
    whileIncomplete,
  )

export const contractRow = z.object({
  id: z.string(),
  workerId: z.string(),
  projectCode: z.string(),
  projectName: z.string().nullable(),
  corpCode: z.string(),
  corpName: z.string().nullable(),
  contractCode: z.string(),
  contractKind: z.string(),
  contractKindName: z.string().nullable(),
  contractPeriodType: z.string(),
  contractPeriodTypeName: z.string().nullable(),
  startDate: z.string(),
  endDate: z.string().nullable(),
  paymentType: z.string(),
  paymentTypeName: z.string().nullable(),
  unit: z.string().nullable(),
  unitName: z.string().nullable(),
  unitPrice: z.number().nullable(),
  salary: z.number().nullable(),
  payDay: z.number().int(),
  workContent: z.string().nullable(),
  signDate: z.string(),
  signMode: z.string(),
  files: z.array(z.string()),
  terminateDate: z.string().nullable(),
  terminateReason: z.string().nullable(),
  state: z.enum(['future', 'valid', 'ending', 'ended', 'terminated']),
  /** Signed more than a month after entry, or starting after it. */
  late: z.boolean(),
  version: z.number().int(),
})

export type ContractRow = z.infer<typeof contractRow>

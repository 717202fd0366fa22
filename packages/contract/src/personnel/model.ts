import { z } from 'zod'
import {
  checkAgainstIdCard,
  checkBankCard,
  checkBankLinkNumber,
  checkIdNumber,
  checkMobile,
  checkName,
  normalizeName,
} from '../kit/checks.ts'
import { checked, day, filled, nullable, ref, text } from '../kit/fields.ts'
import { blackNotice } from '../labour/black.ts'
import { across, fileRef, fileRefs, stayFields, stayRules, whileIncomplete } from '../labour/model.ts'
import { dict } from '../settings/dict-field.ts'
import { fixedTerm, isPaidByOutput } from './codes.ts'
import { kindDictionaryOf } from './rules.ts'

/**
 * People. A file (worker) stands once in the platform, whatever sites the person works on; what belongs to one site is the stay
 * (projectWorker). Registration takes little, so that sixty people fit into a morning; becoming formal takes everything.
 */

const picture = nullable(z.preprocess((v) => (Array.isArray(v) ? v[0] : v), fileRef))
const mobile = (label: string) => checked(text(20, label), (v) => checkMobile(v))
const today = () => new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 10)

export const workerName = z
  .string({ error: '请填写姓名' })
  .max(100, '姓名最多 50 个字')
  .superRefine((v, context) => {
    const problem = v.trim() === '' ? '请填写姓名' : checkName(v)
    if (problem) context.addIssue({ code: 'custom', message: problem })
  })
  .transform(normalizeName)
export const idNumber = text(30, '证件号码')
  .min(1, '请填写证件号码')
  .transform((v) => v.replace(/\s/g, '').toUpperCase())

const identityFields = {
  name: workerName,
  idCardType: dict('idCardType', '证件类型').default('01'),
  idCardNumber: idNumber,
  /** Follow from the number of a resident identity card; to be filled in for other papers. */
  gender: nullable(dict('gender', '性别')),
  birthday: nullable(day),
}
const paperFields = {
  nation: nullable(dict('nation', '民族')),
  address: nullable(text(200, '住址')),
  grantOrg: nullable(text(50, '发证机关')),
  startDate: nullable(day),
  expiryDate: nullable(day),
  headImage: picture,
  positiveIdCardImage: picture,
  negativeIdCardImage: picture,
  facePhoto: picture,
}
const personFields = {
  cellPhone: nullable(mobile('手机号码')),
  politics: nullable(dict('politics', '政治面貌')),
  cultureLevel: nullable(dict('education', '文化程度')),
  degree: nullable(dict('degree', '学位')),
  maritalStatus: nullable(dict('marriage', '婚姻状况')),
  isJoined: nullable(z.boolean()),
  joinedTime: nullable(day),
  specialty: nullable(text(200, '特长')),
  workTypeCode: nullable(dict('workerType', '当前工种')),
  workCorpName: nullable(text(200, '当前聘用企业')),
  workDate: nullable(day),
  skillLevel: nullable(dict('certLevel', '技能等级')),
  urgentLinkMan: nullable(text(50, '紧急联系人')),
  urgentLinkManPhone: nullable(mobile('紧急联系电话')),
  hasBadMedicalHistory: nullable(z.boolean()),
}
export const consent = z.object({
  kind: z.enum(['personal', 'face']),
  state: z.enum(['同意', '不同意', '已撤回']),
  version: text(20).default('1.0'),
  way: z.enum(['纸质', '手写签名', '手机确认']).default('纸质'),
  time: text(30).optional(),
})
export type ConsentInput = z.output<typeof consent>

type Issue = (field: string, message: string) => void
const issuesOf =
  (context: z.RefinementCtx): Issue =>
  (field, message) =>
    context.addIssue({ code: 'custom', path: [field], message })

interface Identity {
  idCardType?: string | undefined
  idCardNumber?: string | undefined
  gender?: unknown
  birthday?: unknown
}
/** The number itself, and what was filled in beside it. */
function identityRules(p: Identity, issue: Issue) {
  if (!p.idCardNumber) return
  const type = p.idCardType ?? '01'
  const problem = checkIdNumber(type, p.idCardNumber, { today: today() })
  if (problem) return issue('idCardNumber', problem)
  if (type === '01') {
    const gender = typeof p.gender === 'string' ? p.gender : null
    const birthday = typeof p.birthday === 'string' ? p.birthday : null
    const wrongGender = checkAgainstIdCard(p.idCardNumber, { gender })
    if (wrongGender) issue('gender', wrongGender)
    const wrongBirthday = checkAgainstIdCard(p.idCardNumber, { birthday })
    if (wrongBirthday) issue('birthday', wrongBirthday)
    return
  }
  if (!p.gender) issue('gender', '非居民身份证请选择性别')
  if (!p.birthday) issue('birthday', '非居民身份证请填写出生日期')
  else if (String(p.birthday) > today()) issue('birthday', '出生日期不能晚于今天')
}
interface Person {
  startDate?: unknown
  expiryDate?: unknown
  cellPhone?: unknown
  urgentLinkManPhone?: unknown
  isJoined?: unknown
  joinedTime?: unknown
  workDate?: unknown
  facePhoto?: unknown
  consents?: readonly { kind: string; state: string }[] | undefined
}
function personRules(p: Person, issue: Issue) {
  if (typeof p.startDate === 'string' && p.startDate > today()) issue('startDate', '证件有效期起不能晚于今天')
  if (typeof p.startDate === 'string' && typeof p.expiryDate === 'string' && p.expiryDate <= p.startDate)
    issue('expiryDate', '证件有效期止应晚于有效期起')
  if (p.urgentLinkManPhone && p.urgentLinkManPhone === p.cellPhone) issue('urgentLinkManPhone', '与本人手机相同，填联系人自己的号码')
  if (p.isJoined === true && !p.joinedTime) issue('joinedTime', '已加入工会，请填写加入时间')
  if (typeof p.workDate === 'string' && p.workDate >= today()) issue('workDate', '开始从业日期应早于今天')
  if (p.facePhoto && p.consents && !p.consents.some((c) => c.kind === 'face' && c.state === '同意'))
    issue('facePhoto', '本人未同意人脸采集，不能保存现场照片')
}

const accountFields = {
  payRollBankCode: nullable(dict('bankCode', '工资卡银行')),
  payRollBankName: nullable(text(50, '开户行')),
  payRollBankCardNumber: nullable(checked(text(30, '工资卡号'), checkBankCard)),
  bankLinkNumber: nullable(checked(text(12, '联行号'), checkBankLinkNumber)),
}

// ---- certificates

const certFields = {
  certType: dict('certType', '证书类型'),
  specialType: nullable(text(10, '类别')),
  name: filled(100, '证书名称'),
  certNo: filled(50, '证书编号'),
  level: nullable(text(10, '等级')),
  majorType: nullable(dict('practiceMajor', '专业')),
  firstIssueDate: nullable(day),
  issueDate: day,
  validStart: nullable(day),
  /** Left out: two years from issue for licences of special operations, for ever otherwise. */
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
function certRules(c: Cert, issue: Issue) {
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
  /** Given: this certificate is changed, e.g. after its renewal. */
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
  /** Wrote it himself: another must audit. */
  own: z.boolean(),
  createTime: z.string(),
  updateTime: z.string().nullable(),
})
export type CertRow = z.infer<typeof certRow>

// ---- contracts

const contractFields = {
  contractCode: filled(50, '合同编号'),
  contractKind: dict('contractKind', '合同类别'),
  contractPeriodType: dict('contractType', '期限类型'),
  startDate: day,
  endDate: nullable(day),
  paymentType: dict('paymentType', '计酬方式'),
  unit: nullable(dict('workUnit', '计量单位')),
  /** Cents a unit. */
  unitPrice: nullable(z.coerce.number().int('单价以分为单位').positive('单价应大于 0').max(1e10, '单价过大')),
  /** Cents a month, day or hour. */
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
function contractRules(c: Contract, issue: Issue) {
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
  /** Signed later than a month after entry, or starting after it. */
  late: z.boolean(),
  version: z.number().int(),
})
export type ContractRow = z.infer<typeof contractRow>

// ---- registration

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
    /** Read by a card reader: the identity counts as checked. */
    fromCard: z.boolean().default(false),
    /** The stay that begins with the registration; without it only the file is opened. */
    stay: stayPart.optional(),
    contract: z
      .object({ ...contractFields, files: fileRefs('合同附件').default([]) })
      .superRefine(
        across((c, context) => contractRules(c, issuesOf(context))),
        whileIncomplete,
      )
      .optional(),
    /** The licence a special trade opens in the form. */
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
/** Sealed fields left out stay as they are; the identity itself is corrected by the base call. */
export const updateBody = z
  .object({ ...paperFields, ...personFields, consents: z.array(consent).max(10).optional(), version: z.number().int() })
  .superRefine(
    across((p, context) => personRules(p, issuesOf(context))),
    whileIncomplete,
  )
export type WorkerUpdate = z.output<typeof updateBody>
/** 更正身份 and 重新核验: always with a reason. */
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
 * Who somebody is, checked: by his card, read again at the desk (name and number must be those on file), or by the platform's operator, who
 * says what was found and why. Nothing else sets the real-name state.
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

// ---- rows

const person = {
  workerId: z.string(),
  name: z.string(),
  gender: z.string(),
  age: z.number().int(),
  idCardNumber: z.string(),
  cellPhone: z.string().nullable(),
}
/** A stay: what /personList lists. */
export const stayRow = z.object({
  id: z.string(),
  ...person,
  projectCode: z.string(),
  projectName: z.string().nullable(),
  corpCode: z.string(),
  corpName: z.string().nullable(),
  teamId: z.string().nullable(),
  teamName: z.string().nullable(),
  workRole: z.string(),
  workType: z.string().nullable(),
  workTypeName: z.string().nullable(),
  post: z.string().nullable(),
  isTeamLeader: z.boolean(),
  entryTime: z.string(),
  exitTime: z.string().nullable(),
  exitReasonName: z.string().nullable(),
  formalStatus: z.string(),
  stationed: z.string(),
  hasContract: z.boolean(),
  attendEnabled: z.boolean(),
  certState: z.enum(['none', 'valid', 'expiring', 'expired', 'pending', 'missing']),
  certEnd: z.string().nullable(),
  /** HH:mm of today's first entry. */
  firstIn: z.string().nullable(),
  late: z.boolean(),
  lastPass: z.string().nullable(),
  /** Conditions of entry that are not met. */
  missing: z.array(z.string()),
  photo: z.string().nullable(),
  version: z.number().int(),
})
export type StayRow = z.infer<typeof stayRow>
/** A person, once: what /personnelSystem lists. */
export const fileRow = z.object({
  id: z.string(),
  ...person,
  birthPlaceName: z.string().nullable(),
  workTypeCode: z.string().nullable(),
  workTypeName: z.string().nullable(),
  workCorpName: z.string().nullable(),
  realNameState: z.string(),
  /** Tenths of the required fields that are there, and the names of those that are not. */
  completeness: z.number().int(),
  incomplete: z.array(z.string()),
  projects: z.array(z.object({ projectCode: z.string(), projectName: z.string(), stayId: z.string() })),
  badCount: z.number().int(),
  createTime: z.string(),
})
export type FileRow = z.infer<typeof fileRow>
/** A line of the paper roster on a chosen day. */
export const rosterRow = z.object({
  id: z.string(),
  ...person,
  address: z.string().nullable(),
  corpCode: z.string(),
  corpName: z.string().nullable(),
  teamId: z.string().nullable(),
  teamName: z.string().nullable(),
  workName: z.string().nullable(),
  skillLevelName: z.string().nullable(),
  isTeamLeader: z.boolean(),
  entryDate: z.string(),
  exitDate: z.string().nullable(),
  contractCode: z.string().nullable(),
  /** Bank and the last four digits. */
  payCard: z.string().nullable(),
  urgentLinkMan: z.string().nullable(),
})
export type RosterRow = z.infer<typeof rosterRow>

export const conditionState = z.object({
  code: z.string(),
  name: z.string(),
  met: z.boolean(),
  /** The evidence, or what to do. */
  remark: z.string(),
})
export type ConditionState = z.infer<typeof conditionState>

export const storedConsent = z.object({ kind: z.string(), state: z.string(), version: z.string(), way: z.string(), time: z.string() })

/** What the asker is to the person now: has him in place, keeps a file nobody else has taken over, or had him. */
export const hold = z.enum(['present', 'keeper', 'former'])

export const workerHead = z.object({
  workerId: z.string(),
  hold,
  name: z.string(),
  gender: z.string(),
  age: z.number().int(),
  nationName: z.string().nullable(),
  idCardType: z.string(),
  idCardNumber: z.string(),
  cellPhone: z.string().nullable(),
  address: z.string().nullable(),
  startDate: z.string().nullable(),
  expiryDate: z.string().nullable(),
  urgentLinkMan: z.string().nullable(),
  urgentLinkManPhone: z.string().nullable(),
  payCard: z.string().nullable(),
  photo: z.string().nullable(),
  realNameState: z.string(),
  workTypeCode: z.string().nullable(),
  workTypeName: z.string().nullable(),
  completeness: z.number().int(),
  incomplete: z.array(z.string()),
  consents: z.array(storedConsent),
  /** The present stay, or the last one. */
  stay: z
    .object({
      id: z.string(),
      projectCode: z.string(),
      projectName: z.string().nullable(),
      corpCode: z.string(),
      corpName: z.string().nullable(),
      teamName: z.string().nullable(),
      workTypeName: z.string().nullable(),
      entryTime: z.string(),
      exitTime: z.string().nullable(),
      formalStatus: z.string(),
      stationed: z.string(),
      blackHit: z.boolean(),
      /** What a list says of it. */
      black: blackNotice.nullable(),
      attendDays: z.number().int(),
      conditions: z.array(conditionState),
    })
    .nullable(),
  counts: z.object({
    history: z.number().int(),
    bad: z.number().int(),
    contracts: z.number().int(),
    certs: z.number().int(),
    certsExpired: z.number().int(),
    certsExpiring: z.number().int(),
  }),
  /** Nearest end of a licence or contract. */
  nextEnd: z.string().nullable(),
  version: z.number().int(),
})
export type WorkerHead = z.infer<typeof workerHead>

export const clearFields = ['name', 'idCardNumber', 'cellPhone', 'address', 'urgentLinkManPhone', 'payRollBankCardNumber'] as const
export type ClearField = (typeof clearFields)[number]
export const clearNames: Readonly<Record<ClearField, string>> = {
  name: '姓名',
  idCardNumber: '证件号码',
  cellPhone: '手机号码',
  address: '住址',
  urgentLinkManPhone: '紧急联系电话',
  payRollBankCardNumber: '工资卡号',
}

export const stayDetail = stayRow.extend({
  workRoleName: z.string().nullable(),
  postName: z.string().nullable(),
  paymentType: z.string().nullable(),
  paymentTypeName: z.string().nullable(),
  unitPriceCents: z.number().nullable(),
  hasBuyInsurance: z.boolean(),
  entryTrained: z.boolean(),
  cardNumber: z.string().nullable(),
  payRollBankCode: z.string().nullable(),
  payRollBankName: z.string().nullable(),
  payRollBankCardNumber: z.string().nullable(),
  bankLinkNumber: z.string().nullable(),
  conditions: z.array(conditionState),
  history: z.array(
    z.object({ id: z.string(), type: z.string(), date: z.string(), reasonName: z.string().nullable(), sourceName: z.string().nullable() }),
  ),
  trainings: z.array(
    z.object({
      id: z.string(),
      typeName: z.string().nullable(),
      trainDate: z.string(),
      hours: z.number(),
      score: z.number().nullable(),
      passed: z.boolean(),
    }),
  ),
  passes: z.array(z.object({ id: z.string(), time: z.string(), direction: z.string().nullable(), terminal: z.string() })),
  days: z.array(
    z.object({
      day: z.string(),
      firstIn: z.string().nullable(),
      lastOut: z.string().nullable(),
      hours: z.number(),
      results: z.array(z.number().int()),
    }),
  ),
})
export type StayDetail = z.infer<typeof stayDetail>

export const workerDetail = z.object({
  workerId: z.string(),
  hold,
  name: z.string(),
  idCardType: z.string(),
  idCardTypeName: z.string().nullable(),
  idCardNumber: z.string(),
  gender: z.string(),
  genderName: z.string().nullable(),
  birthday: z.string(),
  age: z.number().int(),
  birthPlaceName: z.string().nullable(),
  nation: z.string().nullable(),
  nationName: z.string().nullable(),
  address: z.string().nullable(),
  grantOrg: z.string().nullable(),
  startDate: z.string().nullable(),
  expiryDate: z.string().nullable(),
  headImage: z.string().nullable(),
  facePhoto: z.string().nullable(),
  /** Card pictures: links only with a reason; otherwise whether there is one. */
  positiveIdCardImage: z.string().nullable(),
  negativeIdCardImage: z.string().nullable(),
  cellPhone: z.string().nullable(),
  realNameState: z.string(),
  consents: z.array(storedConsent),
  politics: z.string().nullable(),
  politicsName: z.string().nullable(),
  cultureLevel: z.string().nullable(),
  cultureLevelName: z.string().nullable(),
  degree: z.string().nullable(),
  degreeName: z.string().nullable(),
  maritalStatus: z.string().nullable(),
  maritalStatusName: z.string().nullable(),
  isJoined: z.boolean().nullable(),
  joinedTime: z.string().nullable(),
  specialty: z.string().nullable(),
  workTypeCode: z.string().nullable(),
  workTypeName: z.string().nullable(),
  workCorpName: z.string().nullable(),
  workDate: z.string().nullable(),
  skillLevel: z.string().nullable(),
  skillLevelName: z.string().nullable(),
  urgentLinkMan: z.string().nullable(),
  urgentLinkManPhone: z.string().nullable(),
  hasBadMedicalHistory: z.boolean().nullable(),
  fitness: z.object({ state: z.enum(['fit', 'check', 'unfit', 'unknown']), date: z.string().nullable() }),
  incomplete: z.array(z.string()),
  version: z.number().int(),
  stay: stayDetail.nullable(),
  /** Other stays of this person at the same project. */
  otherStays: z.array(z.object({ id: z.string(), entryTime: z.string(), exitTime: z.string().nullable() })),
  /** Only when asked for with a reason. */
  plain: z.record(z.string(), z.string().nullable()).nullable(),
})
export type WorkerDetail = z.infer<typeof workerDetail>

// ---- bad records

export const badBody = z.object({
  workerId: ref('worker'),
  projectCode: ref('project'),
  badRecordType: dict('badActionType', '行为类别'),
  badRecordLevel: dict('actionLevel', '严重程度'),
  actionDegree: dict('actionDegree', '认定级别'),
  occurrenceDate: day.refine((v) => v <= today(), '发生日期不能晚于今天'),
  reason: filled(1000, '详细情况').min(10, '详细情况至少 10 个字'),
  processResult: nullable(text(500, '处理结果')),
  score: nullable(z.coerce.number().min(0, '扣分不能为负').max(99, '扣分过大')),
  files: fileRefs('证据').min(1, '请上传证据'),
})
export const badRow = z.object({
  id: z.string(),
  workerId: z.string().nullable(),
  workerName: z.string().nullable(),
  projectCode: z.string(),
  projectName: z.string().nullable(),
  corpName: z.string().nullable(),
  badRecordType: z.string(),
  badRecordTypeName: z.string().nullable(),
  badRecordLevel: z.string(),
  badRecordLevelName: z.string().nullable(),
  actionDegree: z.string(),
  actionDegreeName: z.string().nullable(),
  occurrenceDate: z.string(),
  reason: z.string(),
  processResult: z.string().nullable(),
  score: z.number().nullable(),
  files: z.array(z.string()),
  auditStatus: z.string(),
  auditStatusName: z.string().nullable(),
  validUntil: z.string().nullable(),
  /** Within its time of effect. */
  counts: z.boolean(),
  own: z.boolean(),
  createTime: z.string(),
  version: z.number().int(),
})
export type BadRow = z.infer<typeof badRow>

// ---- careers and health

export const resumeBody = z
  .object({
    workerId: ref('worker'),
    projectName: filled(200, '项目'),
    corpName: filled(200, '企业'),
    teamName: nullable(text(100, '班组')),
    workType: dict('workerType', '工种'),
    entryTime: day,
    exitTime: nullable(day),
    evaluate: nullable(text(200, '评价')),
  })
  .superRefine(
    across((h, context) => {
      if (typeof h.exitTime === 'string' && h.exitTime < h.entryTime) issuesOf(context)('exitTime', '退场日期不能早于进场日期')
      if (h.entryTime > today()) issuesOf(context)('entryTime', '进场日期不能晚于今天')
    }),
    whileIncomplete,
  )
export const resumeRow = z.object({
  id: z.string(),
  /** A stay of the platform cannot be changed here; one of another's project shows little. */
  source: z.enum(['platform', 'foreign', 'own']),
  projectName: z.string(),
  corpName: z.string().nullable(),
  teamName: z.string().nullable(),
  workTypeName: z.string().nullable(),
  workType: z.string().nullable(),
  entryTime: z.string(),
  exitTime: z.string().nullable(),
  exitReasonName: z.string().nullable(),
  attendDays: z.number().int().nullable(),
  evaluate: z.string().nullable(),
  /** Shares days with another stay. */
  overlaps: z.boolean(),
})
export type ResumeRow = z.infer<typeof resumeRow>

export const healthBody = z.object({
  healthStatus: nullable(dict('healthStatus', '健康状况')),
  bloodType: nullable(dict('bloodType', '血型')),
  contraindications: z.array(dict('medicalContraindication', '职业禁忌')).max(20).default([]),
  examDate: nullable(day.refine((v) => v <= today(), '体检日期不能晚于今天')),
  examReport: fileRefs('体检报告').default([]),
  vaccinated: z
    .array(z.object({ dose: z.coerce.number().int().min(1).max(10), date: day }))
    .max(10)
    .default([]),
  /** One new declaration or measurement, added to the list. */
  declare: nullable(
    z.object({
      temperature: nullable(z.coerce.number().min(35, '体温应在 35.0-42.0 之间').max(42, '体温应在 35.0-42.0 之间')),
      symptoms: nullable(text(200, '症状')),
      trip: nullable(text(200, '行程')),
    }),
  ),
  version: z.number().int(),
})
export type HealthBody = z.output<typeof healthBody>
export const healthAnswer = z.object({
  healthStatus: z.string().nullable(),
  bloodType: z.string().nullable(),
  contraindications: z.array(z.string()),
  examDate: z.string().nullable(),
  examReport: z.array(z.string()),
  vaccinated: z.array(z.object({ dose: z.number().int(), date: z.string() })),
  declarations: z.array(
    z.object({
      time: z.string(),
      temperature: z.number().nullable(),
      symptoms: z.string().nullable(),
      trip: z.string().nullable(),
      by: z.string(),
    }),
  ),
  /** Measured at gates in the last 30 days; newest first. */
  temperatures: z.array(z.object({ time: z.string(), value: z.number() })),
  fitness: z.object({ state: z.enum(['fit', 'check', 'unfit', 'unknown']), date: z.string().nullable() }),
  version: z.number().int(),
})
export type HealthAnswer = z.infer<typeof healthAnswer>

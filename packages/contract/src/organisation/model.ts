import { z } from 'zod'
import { checkCreditCode, checkEmail, checkIdNumber, checkMobile, checkPhone, checkUrl, normalizeCreditCode } from '../kit/checks.ts'
import { checked, clockTime, day, filled, nullable, phoneText, ref, text } from '../kit/fields.ts'
import { shanghaiOffsetMs } from '../kit/time.ts'
import { area, dict } from '../settings/dict-field.ts'
import { projectStates } from './codes.ts'
import { drawnFence, fence } from './fence.ts'

/**
 * Governments, corporations and projects. A government supervises the projects of its area, corporations take part in projects, and a
 * project is the site to which all other data belongs.
 */
const optional = <T extends z.ZodType>(schema: T) => z.preprocess((v) => (v === '' || v === null ? undefined : v), schema.optional())

export const creditCode = z
  .string({ error: '请填写统一社会信用代码' })
  .transform(normalizeCreditCode)
  .superRefine((value, context) => {
    const problem = checkCreditCode(value)
    if (problem) context.addIssue({ code: 'custom', message: problem })
  })
const phone = (label: string) => checked(phoneText(label).min(1, `请填写${label}`), checkPhone)
const money = (label: string) =>
  z.coerce
    .number({ error: `${label}应为数字` })
    .min(0, `${label}不能为负`)
    .max(1e12, `${label}过大`)

const governmentFields = {
  name: filled(100, '机构名称'),
  type: dict('govType', '机构类型'),
  level: dict('govLevel', '层级'),
  areaCode: area('管辖区划'),
  parentGovCode: nullable(ref('government')),
  creditCode: nullable(creditCode),
  disciplines: z.array(text(10)).max(20).default([]),
  linkMan: filled(50, '联系人'),
  address: nullable(text(200, '地址')),
}
export const governmentBody = z.object({ ...governmentFields, linkPhone: phone('联系电话') })
export const governmentRow = z.object({
  govCode: z.string(),
  name: z.string(),
  type: z.string(),
  typeName: z.string().nullable(),
  level: z.string(),
  levelName: z.string().nullable(),
  areaCode: z.string(),
  areaName: z.string().nullable(),
  parentGovCode: z.string().nullable(),
  parentName: z.string().nullable(),
  creditCode: z.string().nullable(),
  disciplines: z.array(z.string()),
  linkMan: z.string(),
  linkPhone: z.string().nullable(),
  address: z.string().nullable(),
  /** Projects that this government supervises itself. */
  projectCount: z.number().int(),
  /** Projects in its scope: those of its area, plus manually added and minus manually removed ones. */
  reachCount: z.number().int(),
  userCount: z.number().int(),
  adminName: z.string().nullable(),
  lastLogin: z.string().nullable(),
  enable: z.string(),
  createTime: z.string(),
  version: z.number().int(),
})
export type GovernmentRow = z.infer<typeof governmentRow>

export const corporationBody = z
  .object({
    corpCode: creditCode,
    corpName: filled(200, '企业名称').min(2, '企业名称为 2-200 字'),
    corpType: dict('corpType', '登记类型'),
    corpKind: z.array(dict('corpKind', '业务类别')).min(1, '请选择业务类别').max(11),
    licenseNum: nullable(text(50, '工商注册号')),
    areaCode: area('注册地区'),
    address: filled(200, '营业地址'),
    zipCode: nullable(z.string().regex(/^\d{6}$/, '邮政编码为 6 位数字')),
    legalMan: filled(50, '法定代表人'),
    legalManDuty: nullable(text(50, '法人职务')),
    legalManProTitle: nullable(text(50, '法人职称')),
    legalManIdCardType: dict('idCardType', '法人证件类型').default('01'),
    /** Omitted on an edit: unchanged. */
    legalManIdCardNumber: optional(text(30, '法人证件号')),
    regCapital: nullable(money('注册资本')),
    factRegCapital: nullable(money('实收资本')),
    capitalCurrencyType: dict('currency', '资本币种').default('CNY'),
    registerDate: day,
    establishDate: nullable(day),
    officePhone: nullable(checked(phoneText('办公电话', 20), checkPhone)),
    faxNumber: nullable(text(20, '传真')),
    linkMan: filled(50, '联系人'),
    linkPhone: optional(checked(phoneText('联系人电话'), (v) => checkMobile(v))),
    email: nullable(checked(text(100, '企业邮箱'), checkEmail)),
    webSite: nullable(checked(text(200, '网址'), checkUrl)),
    safetyLicenseNo: nullable(text(50, '安全生产许可证号')),
    safetyLicenseEnd: nullable(day),
    licenseFile: nullable(text(64)),
    version: z.number().int().optional(),
  })
  .superRefine((c, context) => {
    const problem = c.legalManIdCardNumber ? checkIdNumber(c.legalManIdCardType, String(c.legalManIdCardNumber)) : undefined
    if (problem) context.addIssue({ code: 'custom', path: ['legalManIdCardNumber'], message: problem })
    const today = new Date(Date.now() + shanghaiOffsetMs).toISOString().slice(0, 10)
    if (c.registerDate > today) context.addIssue({ code: 'custom', path: ['registerDate'], message: '注册日期不能晚于今天' })
    // 施工企业 (4) needs a safety production licence.
    if (c.corpKind.includes('4') && !c.safetyLicenseNo)
      context.addIssue({ code: 'custom', path: ['safetyLicenseNo'], message: '施工企业必须填写安全生产许可证号' })
    if (c.safetyLicenseNo && !c.safetyLicenseEnd)
      context.addIssue({ code: 'custom', path: ['safetyLicenseEnd'], message: '请填写安全生产许可证有效期' })
  })
export const corporationRow = z.object({
  id: z.string(),
  corpCode: z.string(),
  corpName: z.string(),
  corpType: z.string().nullable(),
  corpTypeName: z.string().nullable(),
  corpKind: z.array(z.string()),
  corpKindName: z.string(),
  areaCode: z.string(),
  areaName: z.string().nullable(),
  address: z.string(),
  legalMan: z.string().nullable(),
  linkMan: z.string(),
  linkPhone: z.string().nullable(),
  safetyLicenseNo: z.string().nullable(),
  safetyLicenseEnd: z.string().nullable(),
  creditScore: z.number(),
  projectCount: z.number().int(),
  onSite: z.number().int(),
  missing: z.array(z.string()),
  enable: z.string(),
  createTime: z.string(),
  version: z.number().int(),
})
export type CorporationRow = z.infer<typeof corporationRow>
export const corporationDetail = corporationRow.extend({
  licenseNum: z.string().nullable(),
  zipCode: z.string().nullable(),
  legalManDuty: z.string().nullable(),
  legalManProTitle: z.string().nullable(),
  legalManIdCardType: z.string().nullable(),
  legalManIdCardNumber: z.string().nullable(),
  regCapital: z.number().nullable(),
  factRegCapital: z.number().nullable(),
  capitalCurrencyType: z.string(),
  registerDate: z.string().nullable(),
  establishDate: z.string().nullable(),
  officePhone: z.string().nullable(),
  faxNumber: z.string().nullable(),
  email: z.string().nullable(),
  webSite: z.string().nullable(),
  licenseFile: z.string().nullable(),
  /** A link to the file, valid for a day. */
  licenseUrl: z.string().nullable(),
  canEdit: z.boolean(),
  parts: z.array(
    z.object({
      id: z.string(),
      projectCode: z.string(),
      projectName: z.string(),
      prjStatus: z.string(),
      corpType: z.string(),
      corpTypeName: z.string().nullable(),
      entryTime: z.string(),
      exitTime: z.string().nullable(),
      onSite: z.number().int(),
      pmName: z.string().nullable(),
    }),
  ),
  trades: z.array(z.object({ code: z.string(), name: z.string(), count: z.number().int() })),
})
export type CorporationDetail = z.infer<typeof corporationDetail>

const license = z.object({
  prjName: filled(200, '工程名称'),
  builderLicenseNum: filled(30, '施工许可证编号'),
  licenseDate: day,
  grantOrg: filled(100, '发证机关'),
})
const projectFields = z.object({
  name: filled(200, '项目名称').min(2, '项目名称为 2-200 字'),
  shortName: nullable(text(50, '项目简称')),
  contractorCorpCode: creditCode,
  buildCorpCode: creditCode,
  category: dict('projectCategory', '项目分类'),
  description: nullable(text(1000, '项目简介')),
  areaCode: area('项目所在地').refine((code) => !code.endsWith('00'), '项目所在地须选到区县'),
  address: filled(200, '项目地址'),
  lng: z.coerce.number({ error: '请填写经度' }).min(73, '经度应在 73-136 之间').max(136, '经度应在 73-136 之间'),
  lat: z.coerce.number({ error: '请填写纬度' }).min(3, '纬度应在 3-54 之间').max(54, '纬度应在 3-54 之间'),
  areaRule: nullable(fence),
  builderLicenses: z.array(license).max(20).default([]),
  investProjectCode: nullable(text(24, '投资项目代码')),
  approvalNum: nullable(text(50, '立项文号')),
  prjSize: nullable(dict('prjSize', '建设规模')),
  propertyNum: dict('propertyNum', '建设性质'),
  functionNum: nullable(dict('functionNum', '工程用途')),
  invest: z.coerce.number({ error: '请填写总投资' }).positive('总投资应大于 0').max(1e10, '总投资过大'),
  contractPrice: nullable(money('合同总价')),
  laborCostRatio: nullable(z.coerce.number().min(0, '0-100').max(100, '0-100')),
  buildingArea: nullable(money('总面积')),
  buildingLength: nullable(money('总长度')),
  structureType: nullable(dict('structureType', '结构类型')),
  floorsUp: nullable(z.coerce.number().int().min(0).max(200, '地上层数 0-200')),
  floorsDown: nullable(z.coerce.number().int().min(0).max(20, '地下层数 0-20')),
  startDate: day,
  completeDate: day,
  fundSource: nullable(dict('fundSource', '资金来源')),
  projectMode: nullable(dict('projectMode', '建设模式')),
  phase: nullable(dict('projectPhase', '形象进度')),
  linkMan: filled(50, '联系人'),
  /** Omitted on an edit: unchanged. */
  linkPhone: optional(checked(phoneText('联系人电话'), checkPhone)),
  chargeEmail: nullable(checked(text(100, '邮箱'), checkEmail)),
  superviseOrg: ref('government'),
  superviseNo: nullable(text(50, '监督登记号')),
  attendanceStartTime: clockTime.default('07:00'),
  attendanceEndTime: clockTime.default('18:00'),
  isClosedSite: z.boolean().default(true),
  version: z.number().int().optional(),
})
/**
 * Area, supervising government, owner and general contractor of a project. Set on creation; later changed only by the government of its
 * area or the platform. A project or a company must apply for a change.
 */
export const registrationFields = {
  areaCode: '项目所在地',
  superviseOrg: '监督机构',
  buildCorpCode: '建设单位',
  contractorCorpCode: '总承包单位',
} as const
export type RegistrationField = keyof typeof registrationFields
/** Other registered data of a project, which the site can change only by an application. */
export const registeredFacts = {
  name: '项目名称',
  invest: '总投资',
  contractPrice: '合同总价',
  buildingArea: '总面积',
  startDate: '开工日期',
  completeDate: '计划竣工日期',
} as const
export type RegisteredFact = keyof typeof registeredFacts
/** Fields that the site cannot write, not even when saving the complete project. */
export const siteLocks = { ...registeredFacts, builderLicenses: '施工许可证', superviseNo: '监督登记号' } as const
/** Omitted or empty: unchanged. */
const registration = z.object({
  areaCode: optional(projectFields.shape.areaCode),
  superviseOrg: optional(projectFields.shape.superviseOrg),
  buildCorpCode: optional(projectFields.shape.buildCorpCode),
  contractorCorpCode: optional(projectFields.shape.contractorCorpCode),
})
/** What an application can change; omitted or empty: unchanged. */
export const changeableFields = registration.extend({
  name: optional(projectFields.shape.name),
  invest: optional(projectFields.shape.invest),
  contractPrice: optional(money('合同总价')),
  buildingArea: optional(money('总面积')),
  startDate: optional(projectFields.shape.startDate),
  completeDate: optional(projectFields.shape.completeDate),
  address: optional(projectFields.shape.address),
  superviseNo: optional(text(50, '监督登记号')),
  /** 其他: in words; nothing in the file changes by itself. */
  matter: optional(text(500, '变更内容')),
})
type Plan = Pick<z.infer<typeof projectFields>, 'startDate' | 'completeDate' | 'category' | 'buildingArea'>
const checkPlan = (p: Plan, context: z.RefinementCtx) => {
  if (p.completeDate <= p.startDate) context.addIssue({ code: 'custom', path: ['completeDate'], message: '计划竣工日期应晚于开工日期' })
  // 房建 categories require the area, linear works the length.
  if (p.category === '01' && !p.buildingArea)
    context.addIssue({ code: 'custom', path: ['buildingArea'], message: '房屋建筑项目请填写总面积' })
}
export const projectBody = projectFields.superRefine(checkPlan)
export const projectEdit = projectFields
  // Omitted: unchanged.
  .extend({ ...registration.shape, areaRule: fence.nullable().optional() })
  .superRefine(checkPlan)

/** 快速建项: data required on the first day; the rest can follow later. */
export const fastProjectBody = projectFields.pick({
  name: true,
  areaCode: true,
  address: true,
  category: true,
  contractorCorpCode: true,
  buildCorpCode: true,
  linkMan: true,
  linkPhone: true,
})

export const projectRow = z.object({
  id: z.string(),
  projectCode: z.string(),
  name: z.string(),
  shortName: z.string().nullable(),
  areaCode: z.string(),
  areaName: z.string().nullable(),
  address: z.string(),
  lng: z.number().nullable(),
  lat: z.number().nullable(),
  category: z.string(),
  categoryName: z.string().nullable(),
  prjStatus: z.string(),
  prjStatusName: z.string().nullable(),
  superviseOrg: z.string().nullable(),
  superviseOrgName: z.string().nullable(),
  superviseNo: z.string().nullable(),
  contractorCorpCode: z.string().nullable(),
  contractorCorpName: z.string().nullable(),
  buildCorpCode: z.string().nullable(),
  buildCorpName: z.string().nullable(),
  buildingArea: z.number().nullable(),
  invest: z.number().nullable(),
  phase: z.string().nullable(),
  phaseName: z.string().nullable(),
  startDate: z.string().nullable(),
  completeDate: z.string().nullable(),
  onSite: z.number().int(),
  openAlarms: z.number().int(),
  hasFence: z.boolean(),
  enable: z.string(),
  createTime: z.string(),
  version: z.number().int(),
  actions: z.array(z.string()),
})
export type ProjectRow = z.infer<typeof projectRow>

/** The complete project, from which its form is filled. */
export const projectFill = projectRow.extend({
  description: z.string().nullable(),
  areaRule: drawnFence.nullable(),
  builderLicenses: z.array(z.record(z.string(), z.unknown())),
  investProjectCode: z.string().nullable(),
  approvalNum: z.string().nullable(),
  prjSize: z.string().nullable(),
  propertyNum: z.string().nullable(),
  functionNum: z.string().nullable(),
  contractPrice: z.number().nullable(),
  laborCostRatio: z.number().nullable(),
  buildingLength: z.number().nullable(),
  structureType: z.string().nullable(),
  floorsUp: z.number().nullable(),
  floorsDown: z.number().nullable(),
  fundSource: z.string().nullable(),
  projectMode: z.string().nullable(),
  linkMan: z.string(),
  linkPhone: z.string().nullable(),
  chargeEmail: z.string().nullable(),
  attendanceStartTime: z.string(),
  attendanceEndTime: z.string(),
  isClosedSite: z.boolean(),
  sitePlan: z.unknown().nullable(),
  /** What 确认开工 still requires, as text. */
  missingForStart: z.array(z.string()),
})

/**
 * State machine of prjStatus. An action that is not allowed in the current state is refused. Stopping, resuming and ending the supervision
 * are applications of their own (`stops/moves.ts`).
 */
export const projectActions = {
  approve: { name: '立项', from: projectStates.planned, to: projectStates.approved, needsReason: false },
  start: { name: '确认开工', from: projectStates.approved, to: projectStates.building, needsReason: false },
  complete: { name: '确认完工', from: projectStates.building, to: projectStates.finished, needsReason: false },
  accept: { name: '竣工验收登记', from: projectStates.finished, to: projectStates.accepted, needsReason: false },
  rework: { name: '返工', from: projectStates.finished, to: projectStates.building, needsReason: true },
} as const
export type ProjectAction = keyof typeof projectActions

/** Actions of earlier versions, for the names of applications that were decided then. */
export const formerActions: Readonly<Record<string, { name: string; to: string }>> = {
  stop: { name: '停工', to: projectStates.stopped },
  resume: { name: '复工', to: projectStates.building },
  endSupervision: { name: '终止监督', to: projectStates.closed },
}

import { z } from 'zod'
import { checkIdNumber, checkPhone } from '../kit/checks.ts'
import { checked, day, filled, instant, normalised, nullable, phoneText, ref, text } from '../kit/fields.ts'
import { normalIdNumber, normalPhone } from '../kit/normal.ts'
import { dict } from '../settings/dict-field.ts'

/**
 * Who works where: a unit is a company's part in a project, a team the standing group of people, a stay (projectTeam, projectWorker)
 * the time one of them spends on a project. Entry goes unit, team, person; exit goes backwards.
 */

/** The parts a project has exactly one of: 建设 and 总包. */
export const singleParts = ['008', '009'] as const
/** 监理, 建设, 总包: who answers for the project, and sees the whole of it. */
export const answeringParts = ['007', ...singleParts] as const
/** Parts that hang on another unit's contract. */
export const subcontractParts = ['001', '002', '003', '004', '005', '006'] as const
export const workRoles = { manager: '10', worker: '20' } as const

/** Rules between fields are asked although other fields are still empty or wrong: goes with `across`. */
export const whileIncomplete = { when: () => true }
/**
 * Rules between fields, given only the fields that are sound by themselves: a wrong check digit is told while it is typed, not when
 * everything else is filled in. Anything may be missing then, nothing has the wrong type.
 */
export const across =
  <T extends object>(rules: (value: T, context: z.RefinementCtx) => void) =>
  (value: T, context: z.RefinementCtx): void => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return
    const faulty = new Set(context.issues.map((issue) => String(issue.path?.[0] ?? '')))
    rules(Object.fromEntries(Object.entries(value).filter(([key]) => !faulty.has(key))) as T, context)
  }

/** An uploaded file: its id, or the address the upload answered, of which the id is kept. */
export const fileRef = z
  .string()
  .max(400, '附件地址过长')
  .transform((v) => /[?&]id=([\w-]+)/.exec(v)?.[1] ?? v)
  .refine((v) => /^[\w-]{1,64}$/.test(v), '附件不正确，请重新上传')
export const fileRefs = (label = '附件', max = 12) => z.array(fileRef).max(max, `${label}最多 ${max} 个`)
/** A stored file as it is answered: a link that holds until tomorrow. */
export const fileLinks = z.array(z.string())

const phone = (label: string) => checked(phoneText(label).min(1, `请填写${label}`), checkPhone)
const money = z.coerce.number({ error: '合同金额应为数字' }).min(0, '合同金额不能为负').max(1e10, '合同金额过大')

const unitFields = {
  parentCorpCode: nullable(ref('corporation')),
  contractNo: nullable(text(50, '分包合同编号')),
  /** 万元, with two decimals. */
  contractAmount: nullable(money),
  contractFile: fileRefs('合同附件').default([]),
  entryTime: day,
  pmName: filled(50, '项目负责人'),
  pmIdCardType: dict('idCardType', '负责人证件类型').default('01'),
  pmIdCardNumber: nullable(normalised(30, '负责人证件号', normalIdNumber)),
  pmPhone: nullable(checked(normalised(50, '负责人电话', normalPhone), checkPhone)),
  payType: nullable(dict('payChannel', '工资代发方式')),
}
function unitRules(u: { pmIdCardType: string; pmIdCardNumber: unknown }, context: z.RefinementCtx) {
  const problem = u.pmIdCardNumber ? checkIdNumber(u.pmIdCardType ?? '01', String(u.pmIdCardNumber)) : undefined
  if (problem) context.addIssue({ code: 'custom', path: ['pmIdCardNumber'], message: problem })
}
export const addUnitShape = {
  projectCode: ref('project'),
  corpCode: ref('corporation'),
  corpType: dict('projectCorpType', '参建类型'),
  ...unitFields,
  pmIdCardNumber: normalised(30, '负责人证件号', normalIdNumber).min(1, '请填写负责人证件号'),
  pmPhone: phone('负责人电话'),
}
export function addUnitRules(
  u: { corpType: string; parentCorpCode: unknown; contractNo: unknown; pmIdCardType: string; pmIdCardNumber: unknown },
  context: z.RefinementCtx,
) {
  unitRules(u, context)
  if (!(subcontractParts as readonly string[]).includes(u.corpType)) return
  if (!u.parentCorpCode) context.addIssue({ code: 'custom', path: ['parentCorpCode'], message: '分包单位请选择上级发包单位' })
  if (!u.contractNo) context.addIssue({ code: 'custom', path: ['contractNo'], message: '分包单位请填写分包合同编号' })
}
export const addUnitBody = z.object(addUnitShape).superRefine(across(addUnitRules), whileIncomplete)
/** Left-out number and telephone of the project leader stay as they are. */
export const updateUnitBody = z
  .object({ id: ref('projectCorp'), ...unitFields, version: z.number().int() })
  .superRefine(across(unitRules), whileIncomplete)

export const unitRow = z.object({
  id: z.string(),
  projectCode: z.string(),
  projectName: z.string(),
  corpCode: z.string(),
  corpName: z.string(),
  corpType: z.string(),
  corpTypeName: z.string().nullable(),
  parentCorpCode: z.string().nullable(),
  parentCorpName: z.string().nullable(),
  contractNo: z.string().nullable(),
  /** 万元. */
  contractAmount: z.number().nullable(),
  pmName: z.string().nullable(),
  pmPhone: z.string().nullable(),
  entryTime: z.string(),
  exitTime: z.string().nullable(),
  stationed: z.string(),
  payType: z.string().nullable(),
  payTypeName: z.string().nullable(),
  /** Null if the company is not in the caller's contracting line: hidden, which is not zero. */
  teamCount: z.number().int().nullable(),
  onSite: z.number().int().nullable(),
  version: z.number().int(),
})
export type UnitRow = z.infer<typeof unitRow>
export const unitFill = unitRow.extend({
  pmIdCardType: z.string().nullable(),
  pmIdCardNumber: z.string().nullable(),
  contractFile: fileLinks,
})

const teamFields = {
  teamName: filled(100, '班组名称').min(2, '班组名称为 2-100 字'),
  workType: dict('workerType', '班组工种'),
  responsiblePersonName: filled(50, '责任人姓名'),
  responsiblePersonIdCardType: dict('idCardType', '责任人证件类型').default('01'),
  /** Left out on an edit: unchanged. */
  responsiblePersonPhone: nullable(checked(normalised(50, '责任人电话', normalPhone), checkPhone)),
  responsiblePersonIdNumber: nullable(normalised(30, '责任人证件号', normalIdNumber)),
  /** A worker present in the team; named once people are in. */
  teamLeaderId: nullable(ref('worker')),
  remark: nullable(text(200, '备注')),
}
function teamRules(t: { responsiblePersonIdCardType: string; responsiblePersonIdNumber: unknown }, context: z.RefinementCtx) {
  const problem = t.responsiblePersonIdNumber
    ? checkIdNumber(t.responsiblePersonIdCardType ?? '01', String(t.responsiblePersonIdNumber))
    : undefined
  if (problem) context.addIssue({ code: 'custom', path: ['responsiblePersonIdNumber'], message: problem })
}
export const createTeamBody = z
  .object({
    projectCode: ref('project'),
    corpCode: ref('corporation'),
    entryTime: day,
    ...teamFields,
    responsiblePersonPhone: phone('责任人电话'),
    responsiblePersonIdNumber: normalised(30, '责任人证件号', normalIdNumber).min(1, '请填写责任人证件号'),
  })
  .superRefine(across(teamRules), whileIncomplete)
export const updateTeamBody = z.object({ ...teamFields, version: z.number().int() }).superRefine(across(teamRules), whileIncomplete)

export const teamRow = z.object({
  id: z.string(),
  teamSysNo: z.number().int(),
  teamName: z.string(),
  corpCode: z.string(),
  corpName: z.string().nullable(),
  workType: z.string(),
  workTypeName: z.string().nullable(),
  projectCode: z.string(),
  projectName: z.string().nullable(),
  teamLeaderId: z.string().nullable(),
  teamLeaderName: z.string().nullable(),
  headcount: z.number().int(),
  projectCount: z.number().int(),
  badCount: z.number().int(),
  /** People present for three months or more, of those who were present three months ago; null when the team is younger. */
  steadiness: z.number().nullable(),
  /** Share of the last 30 days' project days on which its people came; null without any. */
  attendRate: z.number().nullable(),
  entryTime: z.string(),
  exitTime: z.string().nullable(),
  stationed: z.string(),
  createTime: z.string(),
  version: z.number().int(),
})
export type TeamRow = z.infer<typeof teamRow>
export const stayOfTeam = z.object({
  id: z.string(),
  projectCode: z.string(),
  projectName: z.string().nullable(),
  teamId: z.string(),
  teamName: z.string(),
  corpCode: z.string(),
  corpName: z.string().nullable(),
  workType: z.string(),
  workTypeName: z.string().nullable(),
  teamLeaderName: z.string().nullable(),
  entryTime: z.string(),
  exitTime: z.string().nullable(),
  headcount: z.number().int(),
  everCount: z.number().int(),
})
export type TeamStay = z.infer<typeof stayOfTeam>
export const teamDetail = teamRow.extend({
  responsiblePersonName: z.string(),
  responsiblePersonPhone: z.string().nullable(),
  responsiblePersonIdCardType: z.string().nullable(),
  responsiblePersonIdNumber: z.string().nullable(),
  remark: z.string().nullable(),
  stays: z.array(stayOfTeam),
  people: z.array(
    z.object({
      projectWorkerId: z.string(),
      workerId: z.string(),
      name: z.string(),
      workTypeName: z.string().nullable(),
      age: z.number().int(),
      isTeamLeader: z.boolean(),
      entryTime: z.string(),
      formalStatus: z.string(),
      certState: z.string(),
    }),
  ),
  /** Head count at the end of each of the last twelve months, oldest first. */
  months: z.array(z.object({ month: z.string(), count: z.number().int() })),
})
export type TeamDetail = z.infer<typeof teamDetail>

export const stayFields = {
  corpCode: ref('corporation'),
  teamId: nullable(ref('team')),
  workRole: dict('workRole', '人员类型'),
  workType: nullable(dict('workerType', '工种')),
  post: nullable(dict('managerPost', '岗位')),
  isTeamLeader: z.boolean().default(false),
  entryTime: z.union([day, instant], { error: '进场时间格式应为 yyyy-MM-dd' }),
  cardNumber: nullable(text(30, '考勤卡号')),
  /** Null while nobody has asked. */
  hasBuyInsurance: nullable(z.boolean()),
  paymentType: nullable(dict('paymentType', '计酬方式')),
  unitPriceCents: nullable(z.coerce.number().int('工价以分为单位').min(0, '工价不能为负').max(1e9, '工价过大')),
}
/** What the kind of person asks for: a labourer a team and a trade, a manager a post. */
export function stayRules(
  s: { workRole: string; teamId: unknown; workType: unknown; post: unknown; isTeamLeader: boolean },
  context: z.RefinementCtx,
) {
  const missing = (field: string, message: string) => context.addIssue({ code: 'custom', path: [field], message })
  if (s.workRole === workRoles.worker) {
    if (!s.teamId) missing('teamId', '建筑工人请选择班组')
    if (!s.workType) missing('workType', '建筑工人请选择工种')
  } else if (s.workRole && !s.post) missing('post', '管理人员请选择岗位')
  if (s.isTeamLeader && !s.teamId) missing('isTeamLeader', '班组长须先选择班组')
}
export const stayInput = z.object({ projectCode: ref('project'), ...stayFields }).superRefine(across(stayRules), whileIncomplete)
export type StayInput = z.output<typeof stayInput>

/** People one call does something for. */
export const mostStaysAtOnce = 500

export const refusedPerson = z.object({ id: z.string(), name: z.string(), message: z.string() })
/** Acts on many people answer one by one. */
export const batchResult = z.object({ done: z.number().int(), failed: z.array(refusedPerson) })
export type BatchResult = z.infer<typeof batchResult>

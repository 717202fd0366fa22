import { z } from 'zod'
import { checkIdNumber, checkPhone } from '../kit/checks.ts'
import { checked, day, filled, instant, normalised, nullable, phoneText, ref, text } from '../kit/fields.ts'
import { normalIdNumber, normalPhone } from '../kit/normal.ts'
import { dict } from '../settings/dict-field.ts'

/**
 * Who works where. A unit is a company's part in a project, a team a permanent group of people. A stay (projectTeam, projectWorker) is the
 * time that a team or person spends on a project. Entry is in the order unit, team, person; exit in reverse.
 */

/** Parts that a project has exactly once: 建设 and 总包. */
export const singleParts = ['008', '009'] as const
/** 监理, 建设, 总包: responsible for the whole project, and allowed to see all of it. */
export const answeringParts = ['007', ...singleParts] as const
/** Parts that work under the contract of another unit. */
export const subcontractParts = ['001', '002', '003', '004', '005', '006'] as const
export const workRoles = { manager: '10', worker: '20' } as const

/** Runs rules between fields even if other fields are still empty or wrong; used with `across`. */
export const whileIncomplete = { when: () => true }
/**
 * Wraps rules between fields so that they receive only valid fields. A wrong check digit is then reported while typing, not only when the
 * form is complete. Any field may be missing in these rules, but none has the wrong type.
 */
export const across =
  <T extends object>(rules: (value: T, context: z.RefinementCtx) => void) =>
  (value: T, context: z.RefinementCtx): void => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return
    const faulty = new Set(context.issues.map((issue) => String(issue.path?.[0] ?? '')))
    rules(Object.fromEntries(Object.entries(value).filter(([key]) => !faulty.has(key))) as T, context)
  }

/** An uploaded file: its id, or the address returned by the upload, from which the id is stored. */
export const fileRef = z
  .string()
  .max(400, '附件地址过长')
  .transform((v) => /[?&]id=([\w-]+)/.exec(v)?.[1] ?? v)
  .refine((v) => /^[\w-]{1,64}$/.test(v), '附件不正确，请重新上传')
export const fileRefs = (label = '附件', max = 12) => z.array(fileRef).max(max, `${label}最多 ${max} 个`)
/** Stored files in responses: links valid until the next day. */
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
/** If the project leader's ID number and phone are omitted, they are unchanged. */
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
  /** Null if the company is not in the caller's contracting line: hidden, which differs from zero. */
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
  /** Omitted on an edit: unchanged. */
  responsiblePersonPhone: nullable(checked(normalised(50, '责任人电话', normalPhone), checkPhone)),
  responsiblePersonIdNumber: nullable(normalised(30, '责任人证件号', normalIdNumber)),
  /** A worker currently in the team; can be set once the team has members. */
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
  /** Share of people who have been present for three months, of those present three months ago; null if the team is younger. */
  steadiness: z.number().nullable(),
  /** Attendance rate of the last 30 days: days attended of days expected; null without any. */
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
  /** Null: not recorded. */
  hasBuyInsurance: nullable(z.boolean()),
  paymentType: nullable(dict('paymentType', '计酬方式')),
  unitPriceCents: nullable(z.coerce.number().int('工价以分为单位').min(0, '工价不能为负').max(1e9, '工价过大')),
}
/** Required fields by kind of person: a labourer needs a team and a trade, a manager a post. */
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

/** Maximum number of people in one request. */
export const mostStaysAtOnce = 500

export const refusedPerson = z.object({ id: z.string(), name: z.string(), message: z.string() })
/** Requests for many people return the result for each person. */
export const batchResult = z.object({ done: z.number().int(), failed: z.array(refusedPerson) })
export type BatchResult = z.infer<typeof batchResult>

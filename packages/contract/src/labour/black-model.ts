import { z } from 'zod'
import { checkIdNumber, checkName } from '../kit/checks.ts'
import { checked, day, filled, idNumberText, instant, nullable, ref } from '../kit/fields.ts'
import { area, dict } from '../settings/dict-field.ts'
import { blackMoves, blackScopes, longestYears } from './black-codes.ts'
import { across, fileLinks, fileRefs, whileIncomplete } from './model.ts'

/**
 * A black list keeps people out of sites and companies out of projects. An entry is proposed with facts. The person or company concerned is
 * notified and may answer, and somebody other than the proposer decides. It ends by expiry, repair or appeal. Groups that it applies to see
 * reason, dates and issuer. The facts are visible only to the proposer, the deciding group and the site the entry comes from.
 */

/** The project for scope 1, the area for scope 3. With scope 2 it is the company of the group. */
export const reachFields = { scopeProject: ref('project').nullish(), scopeArea: area('地区').nullish() }

const entryFields = {
  reason: filled(500, '说明').min(10, '说明至少 10 个字'),
  occurrenceDate: day,
  scope: dict('blacklistScope', '范围'),
  ...reachFields,
  sourceProject: ref('project').nullish(),
  startDate: day,
  endDate: day,
  files: fileRefs('依据材料').min(1, '请上传依据材料'),
}

/** The latest permitted last day of an entry. */
export const latestEnd = (startDate: string): string => `${Number(startDate.slice(0, 4)) + longestYears}${startDate.slice(4)}`

function entryRules(
  b: {
    startDate: string
    endDate: string
    occurrenceDate: string
    scope: string
    scopeProject?: string | null | undefined
    scopeArea?: string | null | undefined
  },
  context: z.RefinementCtx,
) {
  const wrong = (field: string, message: string) => context.addIssue({ code: 'custom', path: [field], message })
  if (b.startDate && b.endDate && b.endDate <= b.startDate) wrong('endDate', '移出日期应晚于列入日期')
  if (b.startDate && b.endDate && b.endDate > latestEnd(b.startDate)) wrong('endDate', `最长 ${longestYears} 年`)
  if (b.startDate && b.occurrenceDate > b.startDate) wrong('occurrenceDate', '发生日期不能晚于列入日期')
  if (b.scope === blackScopes.project && !b.scopeProject) wrong('scopeProject', '请选择项目')
  if (b.scope === blackScopes.area && !b.scopeArea) wrong('scopeArea', '请选择地区')
}

const personFields = {
  idCardType: dict('idCardType', '证件类型').default('01'),
  name: checked(filled(50, '姓名'), checkName),
  reasonType: dict('blacklistReason', '原因'),
  notifiedTime: instant,
  ...entryFields,
}

function personRules(b: Parameters<typeof entryRules>[0] & { idCardType: string; idCardNumber?: string | null }, context: z.RefinementCtx) {
  entryRules(b, context)
  const problem = b.idCardNumber ? checkIdNumber(b.idCardType ?? '01', b.idCardNumber) : undefined
  if (problem) context.addIssue({ code: 'custom', path: ['idCardNumber'], message: problem })
}

export const laborBlackBody = z
  .object({ ...personFields, idCardNumber: idNumberText().min(1, '请填写证件号码') })
  .superRefine(across(personRules), whileIncomplete)

/** An omitted ID number is unchanged, since the form shows it masked only. */
export const laborBlackEdit = z
  .object({ ...personFields, idCardNumber: nullable(idNumberText()), version: z.number().int() })
  .superRefine(across(personRules), whileIncomplete)

const companyFields = {
  corpCode: ref('corporation'),
  reasonType: dict('corpBlacklistReason', '原因'),
  docNo: filled(100, '处罚或裁判文号'),
  decideOrg: filled(100, '认定机关'),
  ...entryFields,
}

export const companyBlackBody = z.object(companyFields).superRefine(across(entryRules), whileIncomplete)

export const companyBlackEdit = z.object({ ...companyFields, version: z.number().int() }).superRefine(across(entryRules), whileIncomplete)

export const blackRow = z.object({
  id: z.string(),
  /** 姓名 or 企业名称; a person's name is masked if the caller may not see the facts. */
  name: z.string(),
  idCardNumber: z.string().nullable(),
  corpCode: z.string().nullable(),
  docNo: z.string().nullable(),
  decideOrg: z.string().nullable(),
  reasonType: z.string(),
  reasonTypeName: z.string().nullable(),
  scope: z.string(),
  scopeName: z.string(),
  scopeCode: z.string(),
  sourceProject: z.string().nullable(),
  sourceProjectName: z.string().nullable(),
  /** The group that proposed it, and the group that recognised it. */
  groupName: z.string(),
  issuer: z.string().nullable(),
  occurrenceDate: z.string(),
  startDate: z.string(),
  endDate: z.string(),
  notifiedTime: z.string().nullable(),
  /** Deadline for the person's answer; nothing is decided before. */
  answerUntil: z.string().nullable(),
  status: z.string(),
  statusName: z.string().nullable(),
  /** Bars people or companies today. */
  effective: z.boolean(),
  /** Refused registrations and gate passages since it was recognised. */
  hits: z.number().int(),
  lastHit: z.string().nullable(),
  /** Number of projects visible to the caller where the person or company currently is. */
  inPlace: z.number().int(),
  /** Full calendar days in the current state, not working days. */
  waitingDays: z.number().int(),
  /** The caller sees the complete entry. */
  full: z.boolean(),
  /** The caller's group proposed it. */
  own: z.boolean(),
  version: z.number().int(),
})

export type BlackRow = z.infer<typeof blackRow>

export const blackDetail = blackRow.extend({
  idCardType: z.string().nullable(),
  reason: z.string().nullable(),
  files: fileLinks,
  /** What the caller may do with it now. */
  moves: z.array(z.enum(Object.keys(blackMoves) as [keyof typeof blackMoves, ...(keyof typeof blackMoves)[]])),
  mayEdit: z.boolean(),
  mayAdjust: z.boolean(),
  /** Why deciding, appealing or repairing is not possible yet, as text. */
  holdUps: z.array(z.string()),
  log: z.array(
    z.object({
      id: z.string(),
      time: z.number(),
      action: z.string(),
      to: z.string(),
      byName: z.string(),
      groupName: z.string(),
      opinion: z.string(),
      files: fileLinks,
    }),
  ),
  /** The projects visible to the caller from which it bars, and where the person or company is now. */
  projects: z.array(z.object({ projectCode: z.string(), name: z.string(), inPlace: z.boolean() })),
  refusals: z.array(z.object({ time: z.string(), projectName: z.string(), way: z.string(), place: z.string() })),
  /** Earlier entries of the same person or company, and the person's bad records. */
  earlier: z.array(
    z.object({
      id: z.string(),
      reasonTypeName: z.string().nullable(),
      startDate: z.string(),
      endDate: z.string(),
      statusName: z.string().nullable(),
    }),
  ),
  badRecords: z.array(
    z.object({ id: z.string(), occurrenceDate: z.string(), typeName: z.string().nullable(), score: z.number().nullable() }),
  ),
  workerId: z.string().nullable(),
})

export type BlackDetail = z.infer<typeof blackDetail>

/** An entry as shown to groups that it applies to: without the facts. */
export const blackNotice = z.object({
  id: z.string(),
  reasonTypeName: z.string().nullable(),
  scopeName: z.string(),
  startDate: z.string(),
  endDate: z.string(),
  issuer: z.string(),
})

export type BlackNotice = z.infer<typeof blackNotice>

import { z } from 'zod'
import { due } from '../attendance/stats.ts'
import { checkBankLinkNumber, checkCreditCode, checkMobile } from '../kit/checks.ts'
import { endpoint } from '../kit/endpoint.ts'
import { checked, day, filled, instant, nullable, phoneText, pointsTo, ref, text } from '../kit/fields.ts'
import { area, dict } from '../settings/dict-field.ts'
import { blackNotice } from './black-model.ts'
import { exitReasonGiven } from './exits.ts'
import { across, addUnitRules, addUnitShape, batchResult, fileLinks, fileRefs, stayOfTeam, unitFill, whileIncomplete } from './model.ts'

/** A unit in its project: all details, payment data, and the stays of its teams. */

const company = z.object({
  corpCode: checked(filled(18, '统一社会信用代码'), (v) => checkCreditCode(v)),
  corpName: filled(200, '企业名称').min(2, '企业名称为 2-200 字'),
  corpKind: z.array(dict('corpKind', '业务类别')).min(1, '请选择业务类别').max(11),
  areaCode: area('注册地区'),
  address: filled(200, '营业地址'),
  legalMan: filled(50, '法定代表人'),
  linkMan: filled(50, '联系人'),
  linkPhone: checked(phoneText('联系人电话').min(1, '请填写联系人电话'), (v) => checkMobile(v)),
})
const { corpCode: _chosen, ...partShape } = addUnitShape
/** Adds a company that is not in the caller's lists: taken from the platform's by code and exact name, or entered in short form. */
export const createUnit = endpoint({
  method: 'POST',
  path: '/api/v1/oa/projectCorp/create/corp',
  summary: '新建并添加参建单位',
  needs: 'labour.unit',
  acts: 'parties',
  body: z.object({ ...partShape, company }).superRefine(across(addUnitRules), whileIncomplete),
  response: z.object({ id: z.string(), corpCode: z.string(), isNew: z.boolean() }),
})

const account = z.object({
  businessType: dict('bankAccountKind', '账户用途'),
  bankCode: dict('bankCode', '银行'),
  bankName: filled(100, '开户行'),
  /** Omitted on an edit: the stored number at this position is kept. Company accounts have no check digit. */
  bankNumber: nullable(text(40, '账号').regex(/^[\d -]{8,40}$/, '账号为 8-40 位数字')),
  bankLinkNumber: nullable(checked(text(12, '联行号'), checkBankLinkNumber)),
})
const shownAccount = z.object({
  businessType: z.string(),
  businessTypeName: z.string().nullable(),
  bankCode: z.string(),
  bankCodeName: z.string().nullable(),
  bankName: z.string(),
  /** Masked. */
  bankNumber: z.string(),
  bankLinkNumber: z.string().nullable(),
})
const insurance = z
  .object({
    kind: dict('insuranceType', '险种'),
    policyNo: filled(60, '保单号'),
    insurer: filled(100, '承保机构'),
    startDate: day,
    endDate: day,
  })
  .refine((i) => i.endDate > i.startDate, { path: ['endDate'], message: '止期应晚于起期' })
const supplement = z.object({
  date: day,
  /** Change of the contract sum in 万元; negative if reduced. */
  amount: nullable(z.coerce.number({ error: '金额应为数字' }).min(-1e10, '金额过大').max(1e10, '金额过大')),
  remark: filled(200, '变更内容'),
  files: fileRefs('附件', 6).default([]),
})

const figure = z.number().int()
export const unitInfo = unitFill.extend({
  /** False if the unit is not in the caller's contracting line: people, teams, accounts and contract are then hidden, not zero. */
  isOwnLine: z.boolean(),
  /** People by trade: name, number present, number who came today. */
  byTrade: z.array(z.object({ code: z.string(), name: z.string(), present: figure, attended: figure })),
  /** The last thirty work days, oldest first. */
  days: z.array(z.object({ day: z.string(), ...due })),
  today: z.object(due),
  /** Days on which the unit's project leader came, of those expected in the last thirty days; null if not registered here. */
  pmRate: z.number().nullable(),
  gaps: z.object({ contract: figure, training: figure, payCard: figure, blacklist: figure, realName: figure }),
  workers: figure,
  bad: figure,
  teams: z.array(stayOfTeam.extend({ today: z.object(due) })),
  moves: z.array(z.object({ date: z.string(), text: z.string() })),
  agreementFile: fileLinks,
  insurances: z.array(
    z.object({
      kind: z.string(),
      kindName: z.string().nullable(),
      policyNo: z.string(),
      insurer: z.string(),
      startDate: z.string(),
      endDate: z.string(),
      /** Days until its end; negative if it has ended. */
      left: figure,
    }),
  ),
  contractChanges: z.array(z.object({ date: z.string(), amount: z.number().nullable(), remark: z.string(), files: fileLinks })),
  remark: z.string().nullable(),
  accounts: z.array(shownAccount),
  accountChange: z.object({ accounts: z.array(shownAccount), byName: z.string(), time: z.string(), own: z.boolean() }).nullable(),
  black: blackNotice.nullable(),
})
export type UnitInfo = z.infer<typeof unitInfo>
export const getUnitInfo = endpoint({
  method: 'GET',
  path: '/api/v1/oa/projectCorp/info/corp',
  summary: '参建单位信息',
  needs: 'labour.view',
  query: z.object({ id: ref('projectCorp') }),
  response: unitInfo,
})

const unitId = { id: ref('projectCorp'), version: z.number().int() }
/** The sections of the page, each saved separately, so that an error in one does not block the others. */
export const unitParts = {
  pay: z.object({
    part: z.literal('pay'),
    ...unitId,
    payType: nullable(dict('payChannel', '工资代发方式')),
    agreementFile: fileRefs('代发协议').default([]),
  }),
  accounts: z.object({ part: z.literal('accounts'), ...unitId, accounts: z.array(account).max(6, '账户最多 6 个') }),
  confirmAccounts: z.object({ part: z.literal('confirmAccounts'), ...unitId, accept: z.boolean() }),
  contract: z.object({ part: z.literal('contract'), ...unitId, changes: z.array(supplement).max(50, '补充协议最多 50 份') }),
  insurance: z.object({ part: z.literal('insurance'), ...unitId, insurances: z.array(insurance).max(20, '保单最多 20 份') }),
  remark: z.object({ part: z.literal('remark'), ...unitId, remark: nullable(text(500, '备注')) }),
}
const { pay, accounts, confirmAccounts, contract, insurance: insurances, remark } = unitParts
/** Changed bank accounts must be approved by another user. */
export const updateUnitInfo = endpoint({
  method: 'PUT',
  path: '/api/v1/oa/projectCorp/update/corp',
  summary: '修改参建单位',
  needs: ['labour.unit', 'labour.account'],
  acts: 'parties',
  body: z.discriminatedUnion('part', [pay, accounts, confirmAccounts, contract, insurances, remark]),
})

export const stayMember = z.object({
  projectWorkerId: z.string(),
  workerId: z.string(),
  name: z.string(),
  photo: z.string().nullable(),
  workTypeName: z.string().nullable(),
  isTeamLeader: z.boolean(),
  firstIn: z.string().nullable(),
  /** Has a gate record today. */
  came: z.boolean(),
  /** Currently inside the site. */
  inside: z.boolean(),
  expected: z.boolean(),
  lastPass: z.string().nullable(),
  monthDays: z.number().int(),
  monthHours: z.number(),
  /** What the person still lacks, as text. */
  gaps: z.array(z.string()),
})
export const teamStayInfo = stayOfTeam.extend({
  teamLeaderId: z.string().nullable(),
  teamLeaderPhone: z.string().nullable(),
  responsiblePersonName: z.string(),
  responsiblePersonPhone: z.string().nullable(),
  entryAttachments: fileLinks,
  exitAttachments: fileLinks,
  remark: z.string().nullable(),
  today: z.object(due),
  insideNow: figure,
  members: z.array(stayMember),
  days: z.array(z.object({ day: z.string(), ...due })),
  moves: z.array(z.object({ date: z.string(), name: z.string(), text: z.string() })),
  unitId: z.string().nullable(),
  unitEntryTime: z.string().nullable(),
  version: z.number().int(),
})
export type TeamStayInfo = z.infer<typeof teamStayInfo>
const stayId = z.object({ id: ref('projectTeam') })
export const getTeamStay = endpoint({
  method: 'GET',
  path: '/api/v1/oa/projectTeam/:id',
  summary: '项目班组详情',
  needs: 'labour.view',
  params: stayId,
  response: teamStayInfo,
})
/** Active units and those of their teams that can enter. */
export const teamStayForm = endpoint({
  method: 'GET',
  path: '/api/v1/oa/projectTeam/form/info',
  summary: '项目班组表单信息',
  needs: 'labour.view',
  query: z.object({ projectCode: pointsTo('project', text(64)).optional() }),
  response: z.object({
    projectCode: z.string().nullable(),
    corps: z.array(
      z.object({ code: z.string(), name: z.string(), entryTime: z.string(), unitId: z.string(), teamNames: z.array(z.string()) }),
    ),
    free: z.array(
      z.object({
        id: z.string(),
        teamName: z.string(),
        corpCode: z.string(),
        teamLeaderName: z.string().nullable(),
        workTypeName: z.string().nullable(),
        lastProject: z.string().nullable(),
        exitTime: z.string().nullable(),
      }),
    ),
  }),
})
export const updateTeamStay = endpoint({
  method: 'PUT',
  path: '/api/v1/oa/projectTeam/:id',
  summary: '修改项目班组',
  needs: 'labour.team',
  acts: 'own',
  params: stayId,
  body: z.object({
    entryTime: day,
    entryAttachments: fileRefs('进场附件').default([]),
    exitAttachments: fileRefs('退场附件').default([]),
    remark: nullable(text(200, '备注')),
    teamLeaderId: nullable(ref('worker')),
    version: z.number().int(),
  }),
})
/** Removes a stay that was entered by mistake; only if nobody ever came with it. */
export const removeTeamStay = endpoint({
  method: 'DELETE',
  path: '/api/v1/oa/projectTeam/:id',
  summary: '删除项目班组',
  needs: 'labour.team',
  acts: 'own',
  params: stayId,
})
/** The team leaves, and on request everyone still in it: same day, same reason. All or none: if one person cannot leave, nobody does. */
export const leaveWithTeam = endpoint({
  method: 'POST',
  path: '/api/v1/oa/projectTeam/remove/team',
  summary: '移除项目班组',
  needs: 'labour.teamExit',
  acts: 'own',
  body: z.object({
    id: ref('projectTeam'),
    exitTime: z.union([day, instant], { error: '退场时间格式应为 yyyy-MM-dd' }),
    withPeople: z.boolean().default(false),
    exitReason: nullable(exitReasonGiven),
    exitAttachments: fileRefs('退场附件').default([]),
    remark: nullable(text(200, '备注')),
  }),
  response: batchResult.extend({ left: z.boolean() }),
})

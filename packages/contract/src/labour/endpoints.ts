import { z } from 'zod'
import { checkBankCard, checkBankLinkNumber } from '../kit/checks.ts'
import { endpoint } from '../kit/endpoint.ts'
import {
  checked,
  day,
  dayRange,
  filled,
  instant,
  nullable,
  numericRange,
  paged,
  pageQuery,
  pointsTo,
  ref,
  several,
  text,
} from '../kit/fields.ts'
import { listOf, sortBy } from '../kit/list.ts'
import { dict } from '../settings/dict-field.ts'
import {
  addUnitBody,
  batchResult,
  createTeamBody,
  fileRefs,
  stayFields,
  stayOfTeam,
  stayRules,
  teamDetail,
  teamRow,
  unitFill,
  unitRow,
  updateTeamBody,
  updateUnitBody,
} from './model.ts'

const pickItem = z.object({ code: z.string(), name: z.string() })

// ---- units (projectCorp)
export const listUnits = endpoint({
  method: 'GET',
  path: '/api/v2/oa/corporation/part/list',
  summary: '参建单位列表',
  needs: ['labour.view', 'personnel.view'],
  answers: 'list',
  query: pageQuery.extend({
    projectCode: pointsTo('project', text(64)).optional(),
    corpCode: pointsTo('corporation', text(50)).optional(),
    corpName: text(50).optional(),
    corpType: several.optional(),
    stationed: text(2).optional(),
    contractNo: several.optional(),
    pmName: text(50).optional(),
    onSite: numericRange.optional(),
    entryTime: dayRange.optional(),
    exitTime: dayRange.optional(),
    sort: sortBy('corpType', 'corpName', 'teamCount', 'onSite', 'entryTime', 'exitTime'),
  }),
  response: paged(unitRow),
})
export const unitList = listOf(listUnits, {
  feature: 'projectCorp',
  columns: {
    corpName: '单位',
    corpType: '参建类型',
    parentCorpCode: '上级发包单位',
    projectName: '项目',
    contractNo: '合同编号',
    contractAmount: '合同金额（元）',
    pmName: '负责人',
    pmPhone: '负责人电话',
    teamCount: '在场班组',
    onSite: '在场人数',
    payType: '工资代发',
    entryTime: '进场',
    exitTime: '退场',
    stationed: '状态',
  },
})
export const unitFigures = endpoint({
  method: 'GET',
  path: '/api/v1/oa/projectCorp/figures',
  summary: '参建单位概况',
  needs: ['labour.view', 'personnel.view'],
  query: z.object({ projectCode: pointsTo('project', text(64)).optional() }),
  response: z.object({
    present: z.number().int(),
    onSite: z.number().int(),
    /** Subcontractors in place without the number of a contract. */
    noContract: z.number().int(),
    /** Of one project: which of the parts it must have are there; null of several. */
    parts: z.array(z.object({ code: z.string(), name: z.string(), there: z.boolean() })).nullable(),
  }),
})
export const addUnit = endpoint({
  method: 'POST',
  path: '/api/v1/oa/projectCorp/add',
  summary: '添加项目参建单位',
  needs: 'labour.unit',
  acts: 'parties',
  body: addUnitBody,
  response: z.object({ id: z.string() }),
})
export const updateUnit = endpoint({
  method: 'PUT',
  path: '/api/v1/oa/projectCorp/update/base',
  summary: '修改参建单位基本信息',
  needs: 'labour.unit',
  acts: 'parties',
  body: updateUnitBody,
})
export const fillUnit = endpoint({
  method: 'GET',
  path: '/api/v1/oa/projectCorp/edit/fill/:id',
  summary: '参建单位编辑回填',
  needs: 'labour.view',
  params: z.object({ id: ref('projectCorp') }),
  response: unitFill,
})
/** Exit with `exitTime`; without it the entry day is corrected. Refused while teams or people are in place, naming them. */
export const setUnitTime = endpoint({
  method: 'POST',
  path: '/api/v1/oa/projectCorp/timeSet',
  summary: '设置参建单位进退场时间',
  needs: ['labour.unit', 'labour.unitExit'],
  acts: 'parties',
  body: z.object({ id: ref('projectCorp'), entryTime: day.optional(), exitTime: nullable(day) }),
})
export const removeUnit = endpoint({
  method: 'POST',
  path: '/api/v1/oa/projectCorp/remove',
  summary: '移除项目参建单位',
  needs: 'labour.unit',
  acts: 'parties',
  body: z.object({ id: ref('projectCorp') }),
})
interface TreeNode {
  id: string
  kind: 'corp' | 'team'
  name: string
  count: number
  corpCode: string
  children?: TreeNode[]
}
const treeNode: z.ZodType<TreeNode> = z.lazy(() =>
  z.object({
    id: z.string(),
    kind: z.enum(['corp', 'team']),
    name: z.string(),
    count: z.number().int(),
    corpCode: z.string(),
    children: z.array(treeNode).optional(),
  }),
)
/** Units and their teams in place, with head counts: the tree beside the list of people. */
export const teamTree = endpoint({
  method: 'GET',
  path: '/api/v1/oa/business/tree/team',
  summary: '业务树（班组）',
  needs: ['labour.view', 'personnel.view'],
  answers: 'tree',
  query: z.object({ projectCode: pointsTo('project', text(64)).optional() }),
  response: z.array(treeNode),
})

// ---- standing teams
export const listTeams = endpoint({
  method: 'GET',
  path: '/api/v1/oa/team',
  summary: '班组列表',
  needs: 'labour.view',
  answers: 'list',
  query: pageQuery.extend({
    projectCode: pointsTo('project', text(64)).optional(),
    teamName: text(50).optional(),
    teamLeaderName: text(50).optional(),
    workType: several.optional(),
    corpCode: pointsTo('corporation', text(50)).optional(),
    headcount: numericRange.optional(),
    projectCount: numericRange.optional(),
    badCount: numericRange.optional(),
    exitTime: dayRange.optional(),
    state: z.enum(['present', 'idle', 'care']).optional(),
    q: text(50).optional(),
    sort: sortBy('teamName', 'headcount', 'projectCount', 'entryTime', 'exitTime'),
  }),
  response: paged(teamRow),
})
export const teamList = listOf(listTeams, {
  feature: 'team',
  columns: {
    teamName: '班组',
    teamLeaderName: '班组长',
    workType: '工种',
    corpCode: '所属企业',
    projectName: '当前项目',
    headcount: '在场人数',
    attendRate: '近 30 日出勤率',
    steadiness: '三月稳定率',
    projectCount: '合作项目',
    badCount: '不良',
    entryTime: '进场',
    exitTime: '最近退场',
  },
})
export const teamFigures = endpoint({
  method: 'GET',
  path: '/api/v1/oa/team/figures',
  summary: '班组概况',
  needs: 'labour.view',
  query: z.object({ projectCode: pointsTo('project', text(64)).optional() }),
  response: z.object({ total: z.number().int(), present: z.number().int(), idle: z.number().int(), care: z.number().int() }),
})
export const pickTeams = endpoint({
  method: 'GET',
  path: '/api/v1/oa/team/part/list',
  summary: '班组精简列表',
  needs: ['labour.view', 'personnel.view'],
  answers: 'list',
  query: pageQuery.extend({
    projectCode: pointsTo('project', text(64)).optional(),
    corpCode: pointsTo('corporation', text(50)).optional(),
    name: text(50).optional(),
  }),
  response: paged(
    z.object({
      id: z.string(),
      teamSysNo: z.number().int(),
      teamName: z.string(),
      corpCode: z.string(),
      workType: z.string(),
      projectCode: z.string(),
    }),
  ),
})
export const getTeam = endpoint({
  method: 'GET',
  path: '/api/v1/oa/team/:id',
  summary: '班组详情',
  needs: 'labour.view',
  params: z.object({ id: ref('team') }),
  response: teamDetail,
})
/** Units that may bring a team, for the form. */
export const teamForm = endpoint({
  method: 'GET',
  path: '/api/v1/oa/team/form/info',
  summary: '班组表单信息',
  needs: 'labour.view',
  query: z.object({ projectCode: pointsTo('project', text(64)).optional() }),
  response: z.object({
    projectCode: z.string().nullable(),
    corps: z.array(pickItem.extend({ entryTime: z.string() })),
    projects: z.array(pickItem),
    people: z.array(z.object({ workerId: z.string(), name: z.string(), teamId: z.string().nullable() })),
  }),
})
export const createTeam = endpoint({
  method: 'POST',
  path: '/api/v1/oa/team',
  summary: '新增班组',
  needs: 'labour.team',
  acts: 'own',
  body: createTeamBody,
  response: z.object({ id: z.string(), teamSysNo: z.number().int() }),
})
export const updateTeam = endpoint({
  method: 'PUT',
  path: '/api/v1/oa/team/:id',
  summary: '修改班组',
  needs: 'labour.team',
  acts: 'own',
  params: z.object({ id: ref('team') }),
  body: updateTeamBody,
})
export const removeTeam = endpoint({
  method: 'DELETE',
  path: '/api/v1/oa/team/:id',
  summary: '删除班组',
  needs: 'labour.team',
  acts: 'own',
  params: z.object({ id: ref('team') }),
})

// ---- stays of teams
export const listTeamStays = endpoint({
  method: 'GET',
  path: '/api/v1/oa/projectTeam',
  summary: '项目班组列表',
  needs: 'labour.view',
  answers: 'list',
  query: pageQuery.extend({
    projectCode: pointsTo('project', text(64)).optional(),
    teamId: pointsTo('team', text(64)).optional(),
    stationed: text(2).optional(),
  }),
  response: paged(stayOfTeam),
})
/** A known team comes to another project of its company: a new stay, not a new team. */
export const addTeamStay = endpoint({
  method: 'POST',
  path: '/api/v1/oa/projectTeam',
  summary: '新增项目班组',
  needs: 'labour.team',
  acts: 'own',
  body: z.object({ projectCode: ref('project'), teamId: ref('team'), entryTime: day }),
  response: z.object({ id: z.string() }),
})
/** Exit with `exitTime`; refused while people are in place, naming them. */
export const setTeamTime = endpoint({
  method: 'POST',
  path: '/api/v1/oa/projectTeam/timeSet',
  summary: '设置项目班组进退场时间',
  needs: ['labour.team', 'labour.teamExit'],
  acts: 'own',
  body: z.object({ id: ref('projectTeam'), entryTime: day.optional(), exitTime: nullable(day) }),
})

// ---- people of a project
export const enterWorker = endpoint({
  method: 'POST',
  path: '/api/v1/oa/projectWorker/entry',
  summary: '项目工人进场',
  needs: 'labour.entry',
  acts: 'own',
  body: z
    .object({
      projectCode: ref('project'),
      /** A person of one's own files; otherwise the papers that name one. */
      workerId: ref('worker').optional(),
      idCardType: dict('idCardType', '证件类型').default('01'),
      idCardNumber: text(30, '证件号码').optional(),
      name: text(50, '姓名').optional(),
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
/** Takes back a registration: 预登记 without any passage only. */
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
    /** What to mend, in words. */
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
    payRollBankCardNumber: checked(filled(30, '工资卡号'), checkBankCard),
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

import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { dayRange, filled, flag, numericRange, paged, pageQuery, pointsTo, ref, several, text } from '../kit/fields.ts'
import { listOf, sortBy } from '../kit/list.ts'
import { drawnFence, fence } from './fence.ts'
import {
  corporationBody,
  corporationDetail,
  corporationRow,
  creditCode,
  fastProjectBody,
  governmentBody,
  governmentRow,
  type ProjectAction,
  projectActions,
  projectBody,
  projectChangeBody,
  projectChangeRow,
  projectEdit,
  projectFill,
  projectRow,
} from './model.ts'

const onOff = z.enum(['0', '1'], { error: '状态应为 0 停用或 1 启用' })
const pick = z.object({ code: z.string(), name: z.string(), areaCode: z.string() })

// ---- governments
export const listGovernments = endpoint({
  method: 'GET',
  path: '/api/v2/oa/government',
  summary: '政府机构列表',
  needs: 'government.view',
  answers: 'list',
  query: pageQuery.extend({
    name: text(50).optional(),
    govCode: pointsTo('government', text(50)).optional(),
    type: several.optional(),
    level: several.optional(),
    areaCode: several.optional(),
    enable: text(2).optional(),
    projectCount: numericRange.optional(),
    sort: sortBy('name', 'govCode', 'level', 'createTime', 'projectCount'),
  }),
  response: paged(governmentRow),
})
export const pickGovernments = endpoint({
  method: 'GET',
  path: '/api/v2/oa/government/list',
  summary: '政府机构选择列表',
  needs: 'self',
  answers: 'list',
  query: z.object({ name: text(50).optional() }),
  response: z.object({ list: z.array(pick), total: z.number().int() }),
})
export const getGovernment = endpoint({
  method: 'GET',
  path: '/api/v2/oa/government/:govCode',
  summary: '政府机构详情',
  needs: 'government.view',
  params: z.object({ govCode: ref('government') }),
  response: governmentRow,
})
export const createGovernment = endpoint({
  method: 'POST',
  path: '/api/v2/oa/government',
  summary: '新增政府机构',
  needs: 'government.create',
  acts: 'aside',
  body: governmentBody,
  response: z.object({ govCode: z.string() }),
})
export const updateGovernment = endpoint({
  method: 'PUT',
  path: '/api/v2/oa/government/:govCode',
  summary: '修改政府机构',
  needs: 'government.edit',
  acts: 'aside',
  params: z.object({ govCode: ref('government') }),
  body: governmentBody.partial({ linkPhone: true }).extend({ version: z.number().int().optional() }),
})
export const removeGovernment = endpoint({
  method: 'DELETE',
  path: '/api/v2/oa/government/:govCode',
  summary: '删除政府机构',
  needs: 'government.remove',
  acts: 'aside',
  params: z.object({ govCode: ref('government') }),
})
export const switchGovernment = endpoint({
  method: 'POST',
  path: '/api/v2/oa/government/switch/status',
  summary: '切换政府机构启停状态',
  needs: 'government.switch',
  acts: 'aside',
  body: z.object({ govCode: ref('government'), status: onOff }),
})

// ---- corporations
const corporationFilters = {
  corpName: text(50).optional(),
  corpCode: pointsTo('corporation', text(50)).optional(),
  corpKind: several.optional(),
  corpType: several.optional(),
  areaCode: several.optional(),
  safetyLicenseEnd: dayRange.optional(),
  creditScore: numericRange.optional(),
  projectCount: numericRange.optional(),
  onSite: numericRange.optional(),
  enable: text(2).optional(),
  createTime: dayRange.optional(),
  q: text(50).optional(),
  sort: sortBy('corpName', 'corpCode', 'createTime', 'creditScore', 'safetyLicenseEnd', 'projectCount', 'onSite'),
}
export const corporationQuery = pageQuery.extend(corporationFilters)
export const listCorporations = endpoint({
  method: 'GET',
  path: '/api/v2/oa/corporation',
  summary: '企业列表',
  needs: 'corporation.view',
  answers: 'list',
  query: corporationQuery,
  response: paged(corporationRow),
})
export const corporationList = listOf(listCorporations, {
  feature: 'corporation',
  columns: {
    corpName: '企业名称',
    corpCode: '统一社会信用代码',
    corpKind: '业务类别',
    corpType: '登记类型',
    areaCode: '地区',
    legalMan: '法定代表人',
    linkMan: '联系人',
    safetyLicenseEnd: '安许证至',
    projectCount: '参与项目',
    onSite: '在场人数',
    creditScore: '信用分',
    missing: '信息不全',
    enable: '启用',
    createTime: '建档时间',
  },
})
export const corporationFigures = endpoint({
  method: 'GET',
  path: '/api/v2/oa/corporation/figures',
  summary: '企业概况',
  needs: 'corporation.view',
  response: z.object({
    total: z.number().int(),
    licenceEnding: z.number().int(),
    licenceEnded: z.number().int(),
    incomplete: z.number().int(),
  }),
})
export const pickCorporations = endpoint({
  method: 'GET',
  path: '/api/v2/oa/corporation/list',
  summary: '企业选择列表',
  needs: 'self',
  answers: 'list',
  query: z.object({ name: text(50).optional() }),
  response: z.object({ list: z.array(pick), total: z.number().int() }),
})
/** By the exact code only: tells whether a company is in the library without letting anybody browse it. */
export const findCorporation = endpoint({
  method: 'GET',
  path: '/api/v2/oa/corporation/direct/search',
  summary: '企业精确查询',
  needs: 'corporation.create',
  query: z.object({ corpCode: creditCode }),
  response: z.object({ found: z.boolean(), corpCode: z.string(), corpName: z.string().nullable(), visible: z.boolean() }),
})
export const getCorporation = endpoint({
  method: 'GET',
  path: '/api/v2/oa/corporation/:corpCode',
  summary: '企业详情',
  needs: 'corporation.view',
  params: z.object({ corpCode: ref('corporation') }),
  response: corporationDetail,
})
export const createCorporation = endpoint({
  method: 'POST',
  path: '/api/v2/oa/corporation',
  summary: '新增企业',
  needs: 'corporation.create',
  acts: 'aside',
  body: corporationBody,
  response: z.object({ corpCode: z.string() }),
})
export const updateCorporation = endpoint({
  method: 'PUT',
  path: '/api/v2/oa/corporation/:corpCode',
  summary: '修改企业',
  needs: 'corporation.edit',
  acts: 'aside',
  params: z.object({ corpCode: ref('corporation') }),
  body: corporationBody,
})
export const removeCorporation = endpoint({
  method: 'DELETE',
  path: '/api/v2/oa/corporation/:corpCode',
  summary: '删除企业',
  needs: 'corporation.remove',
  acts: 'aside',
  params: z.object({ corpCode: ref('corporation') }),
})
export const switchCorporation = endpoint({
  method: 'POST',
  path: '/api/v2/oa/corporation/switch/status',
  summary: '切换企业启停状态',
  needs: 'corporation.switch',
  acts: 'aside',
  body: z.object({ corpCode: ref('corporation'), status: onOff }),
})

// ---- projects
const projectFilters = {
  name: text(50).optional(),
  projectCode: pointsTo('project', text(50)).optional(),
  areaCode: several.optional(),
  category: several.optional(),
  prjStatus: several.optional(),
  superviseOrg: several.optional(),
  superviseNo: several.optional(),
  contractorCorpName: text(50).optional(),
  buildCorpName: text(50).optional(),
  buildingArea: numericRange.optional(),
  invest: numericRange.optional(),
  phase: several.optional(),
  startDate: dayRange.optional(),
  completeDate: dayRange.optional(),
  enable: text(2).optional(),
  q: text(50).optional(),
  /** One of the chips above the list. */
  chip: z.enum(['building', 'stopped', 'toStart', 'noSuperviseNo', 'noFence', 'silent']).optional(),
  sort: sortBy(
    'createTime',
    'name',
    'projectCode',
    'startDate',
    'completeDate',
    'invest',
    'buildingArea',
    'onSite',
    'openAlarms',
    'prjStatus',
    'areaCode',
  ),
}
export const projectQuery = pageQuery.extend(projectFilters)
export const listProjects = endpoint({
  method: 'GET',
  path: '/api/v2/oa/project',
  summary: '项目列表',
  needs: 'project.view',
  answers: 'list',
  query: projectQuery,
  response: paged(projectRow),
})
export const projectList = listOf(listProjects, {
  feature: 'project',
  columns: {
    name: '项目名称',
    projectCode: '项目编码',
    prjStatus: '状态',
    areaCode: '所在地',
    category: '分类',
    superviseOrg: '监督机构',
    superviseNo: '监督登记号',
    contractorCorpName: '总承包',
    buildCorpName: '建设单位',
    onSite: '在场',
    openAlarms: '待处理告警',
    buildingArea: '面积㎡',
    invest: '投资万元',
    phase: '形象进度',
    startDate: '开工',
    completeDate: '计划竣工',
    enable: '启用',
  },
})
export const projectCounts = endpoint({
  method: 'GET',
  path: '/api/v2/oa/project/get/list/count',
  summary: '项目查询计数',
  needs: 'project.view',
  response: z.object({
    total: z.number().int(),
    building: z.number().int(),
    stopped: z.number().int(),
    toStart: z.number().int(),
    noSuperviseNo: z.number().int(),
    noFence: z.number().int(),
    silent: z.number().int(),
  }),
})
export const pickProjects = endpoint({
  method: 'GET',
  path: '/api/v2/oa/project/queryList2',
  summary: '查询项目列表',
  needs: 'self',
  answers: 'list',
  query: pageQuery.extend({ name: text(50).optional() }),
  response: paged(
    z.object({ projectCode: z.string(), name: z.string(), areaCode: z.string(), areaName: z.string().nullable(), prjStatus: z.string() }),
  ),
})
export const fillProject = endpoint({
  method: 'GET',
  path: '/api/v2/oa/project/edit/fill/:projectCode',
  summary: '项目编辑回填',
  needs: 'project.view',
  params: z.object({ projectCode: ref('project') }),
  response: projectFill,
})
export const createProject = endpoint({
  method: 'POST',
  path: '/api/v2/oa/project',
  summary: '新增项目',
  largeBody: 'the plan of a site',
  needs: 'project.create',
  acts: 'aside',
  body: projectBody,
  response: z.object({ projectCode: z.string() }),
})
export const createProjectFast = endpoint({
  method: 'POST',
  path: '/api/v2/oa/project/fast',
  summary: '快速新建项目',
  needs: 'project.create',
  acts: 'aside',
  body: fastProjectBody,
  response: z.object({ projectCode: z.string() }),
})
export const updateProject = endpoint({
  method: 'PUT',
  path: '/api/v2/oa/project/:projectCode',
  summary: '修改项目',
  largeBody: 'the plan of a site',
  needs: 'project.edit',
  params: z.object({ projectCode: ref('project') }),
  body: projectEdit,
})
export const removeProject = endpoint({
  method: 'DELETE',
  path: '/api/v2/oa/project/:projectCode',
  summary: '删除项目',
  needs: 'project.remove',
  params: z.object({ projectCode: ref('project') }),
})
export const switchProjectStatus = endpoint({
  method: 'POST',
  path: '/api/v2/oa/project/switch/status',
  summary: '切换项目启停状态',
  needs: 'project.switch',
  body: z.object({ projectCode: ref('project'), status: onOff }),
})
/** One step of the state machine, beside the contract's calls. */
export const changeProjectState = endpoint({
  method: 'POST',
  path: '/api/v2/oa/project/state',
  summary: '变更项目状态',
  needs: 'project.state',
  body: z.object({
    projectCode: ref('project'),
    action: z.enum(Object.keys(projectActions) as [ProjectAction, ...ProjectAction[]]),
    reason: text(200, '原因').default(''),
    version: z.number().int(),
  }),
  response: z.object({ prjStatus: z.string(), version: z.number().int() }),
})
export const assignSupervisor = endpoint({
  method: 'POST',
  path: '/api/v2/oa/project/assign',
  summary: '指派监督机构',
  needs: 'project.assign',
  body: z.object({ projectCodes: z.array(ref('project')).min(1, '请选择项目').max(200), govCode: ref('government') }),
})
// ---- applications for another registration, beside the contract's calls
export const listProjectChanges = endpoint({
  method: 'GET',
  path: '/api/v2/oa/project/change',
  summary: '登记变更申请列表',
  needs: 'project.view',
  answers: 'list',
  query: pageQuery.extend({ projectCode: ref('project').optional(), state: several.optional() }),
  response: paged(projectChangeRow),
})
export const fileProjectChange = endpoint({
  method: 'POST',
  path: '/api/v2/oa/project/change',
  summary: '申请变更项目登记',
  needs: 'project.edit',
  groupTypes: [2, 3],
  body: projectChangeBody,
  response: z.object({ id: z.string() }),
})
export const withdrawProjectChange = endpoint({
  method: 'DELETE',
  path: '/api/v2/oa/project/change/:id',
  summary: '撤回登记变更申请',
  needs: 'project.edit',
  groupTypes: [2, 3],
  params: z.object({ id: ref('projectChange') }),
})
export const auditProjectChange = endpoint({
  method: 'POST',
  path: '/api/v2/oa/project/change/audit',
  summary: '审定登记变更申请',
  needs: 'project.assign',
  groupTypes: [0, 1],
  body: z
    .object({
      id: ref('projectChange'),
      result: z.enum(['1', '2'], { error: '请选择通过或驳回' }),
      opinion: text(200, '意见').default(''),
      /** Another area mostly means another authority: named together with the acceptance. */
      superviseOrg: ref('government').optional(),
      version: z.number().int(),
    })
    .refine((a) => a.result === '1' || a.opinion.length >= 2, { path: ['opinion'], message: '驳回请填写意见（至少 2 个字）' }),
})
// ---- the fence
export const getAreaRule = endpoint({
  method: 'GET',
  path: '/api/v1/oa/project/get/areaRule',
  summary: '获取项目区域规则',
  needs: 'project.view',
  query: z.object({ projectCode: ref('project').optional() }),
  response: z.object({
    projectCode: z.string(),
    name: z.string(),
    address: z.string(),
    lng: z.number(),
    lat: z.number(),
    areaRule: drawnFence.nullable(),
    hectares: z.number(),
    /** Metres from the project's address to its fence; 0 inside, null without one. */
    offsetMeters: z.number().nullable(),
    sitePlan: z.unknown().nullable(),
    /** Somebody else decides over what grows or moves far. */
    proposes: z.boolean(),
    proposal: z
      .object({
        /** Null: no fence any more. */
        areaRule: drawnFence.nullable(),
        hectares: z.number(),
        why: z.string(),
        reason: z.string(),
        filedName: z.string(),
        createTime: z.string(),
        version: z.number().int(),
      })
      .nullable(),
    /** Those that are or were in force and those refused, the newest first; at most twenty. */
    history: z.array(
      z.object({
        id: z.string(),
        areaRule: drawnFence.nullable(),
        hectares: z.number(),
        state: z.string(),
        reason: z.string(),
        filedName: z.string(),
        at: z.string(),
        opinion: z.string().nullable(),
      }),
    ),
    /** Of the project. */
    version: z.number().int(),
  }),
})
export const setAreaRule = endpoint({
  method: 'POST',
  path: '/api/v1/oa/project/set/areaRule',
  summary: '设置项目区域规则',
  largeBody: 'rings of up to two hundred corners',
  needs: 'project.edit',
  body: z.object({
    projectCode: ref('project').optional(),
    /** Null: no fence any more. */
    areaRule: fence.nullable(),
    reason: filled(200, '原因').min(2, '原因至少 2 个字'),
    version: z.number().int(),
  }),
  response: z.object({ state: z.enum(['inForce', 'waiting']) }),
})
/** Over a fence that the site proposed, beside the contract's calls. */
export const auditAreaRule = endpoint({
  method: 'POST',
  path: '/api/v1/oa/project/audit/areaRule',
  summary: '审定项目围栏',
  needs: 'project.edit',
  groupTypes: [0, 1, 2],
  body: z
    .object({
      projectCode: ref('project'),
      result: z.enum(['1', '2'], { error: '请选择通过或驳回' }),
      opinion: text(200, '意见').default(''),
      /** Of the proposal. */
      version: z.number().int(),
    })
    .refine((a) => a.result === '1' || a.opinion.length >= 2, { path: ['opinion'], message: '驳回请填写意见（至少 2 个字）' }),
})
/** What a project is like today, for headers and cards. */
export const actualProject = endpoint({
  method: 'GET',
  path: '/api/v2/oa/project/actual/info',
  summary: '项目实际信息',
  needs: 'self',
  query: z.object({ projectCode: ref('project').optional() }),
  response: z.object({
    projectCode: z.string(),
    name: z.string(),
    prjStatus: z.string(),
    prjStatusName: z.string().nullable(),
    areaName: z.string().nullable(),
    address: z.string(),
    lng: z.number(),
    lat: z.number(),
    areaRule: drawnFence.nullable(),
    sitePlan: z.unknown().nullable(),
    contractorCorpName: z.string().nullable(),
    buildCorpName: z.string().nullable(),
    phaseName: z.string().nullable(),
    startDate: z.string(),
    completeDate: z.string(),
    onSite: z.number().int(),
    withDetails: flag.optional(),
  }),
})

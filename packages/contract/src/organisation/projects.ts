import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { dayRange, flag, numericRange, paged, pageQuery, pointsTo, ref, several, text } from '../kit/fields.ts'
import { listOf, sortBy } from '../kit/list.ts'
import { drawnFence } from './fence.ts'
import { onOff } from './fields.ts'
import { fastProjectBody, type ProjectAction, projectActions, projectBody, projectEdit, projectFill, projectRow } from './model.ts'

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
  /** One of the quick filters above the list. */
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

/**
 * One transition of the state machine. An addition to the original API. The owner requests it; groups that may decide alone make it
 * at once, or approve the owner's request.
 */
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
  /** `waiting`: it was requested, and the state is unchanged. */
  response: z.object({ prjStatus: z.string(), version: z.number().int(), waiting: z.boolean().optional() }),
})

export const stateApply = z.object({
  id: z.string(),
  projectCode: z.string(),
  projectName: z.string(),
  action: z.string(),
  actionName: z.string(),
  fromName: z.string().nullable(),
  toName: z.string().nullable(),
  reason: z.string(),
  /** Dictionary approvalState. */
  state: z.string(),
  stateName: z.string().nullable(),
  filedName: z.string(),
  createTime: z.string(),
  opinion: z.string().nullable(),
  decidedName: z.string().nullable(),
  decideTime: z.string().nullable(),
  itemId: z.string().nullable(),
  /** What the caller may do about it now. */
  actions: z.array(z.enum(['pass', 'reject', 'withdraw'])),
  version: z.number().int(),
})
export type StateApply = z.infer<typeof stateApply>

/** Requested and ordered changes of state, pending ones first. */
export const listStateApplies = endpoint({
  method: 'GET',
  path: '/api/v2/oa/project/state',
  summary: '项目状态申请列表',
  needs: 'project.view',
  answers: 'list',
  query: pageQuery.extend({ projectCode: ref('project').optional(), state: several.optional() }),
  response: paged(stateApply).extend({ waiting: z.number().int() }),
})

export const decideStateApply = endpoint({
  method: 'PUT',
  path: '/api/v2/oa/project/state/:id',
  summary: '办理项目状态申请',
  needs: 'project.state',
  params: z.object({ id: ref('stateApply') }),
  body: z
    .object({
      action: z.enum(['pass', 'reject', 'withdraw'], { error: '请选择同意、驳回或撤回' }),
      opinion: text(200, '意见').default(''),
      version: z.number().int(),
    })
    .refine((b) => b.action !== 'reject' || b.opinion.length >= 2, { path: ['opinion'], message: '请填写驳回原因（至少 2 个字）' }),
})

export const assignSupervisor = endpoint({
  method: 'POST',
  path: '/api/v2/oa/project/assign',
  summary: '指派监督机构',
  needs: 'project.assign',
  body: z.object({ projectCodes: z.array(ref('project')).min(1, '请选择项目').max(200), govCode: ref('government') }),
})

/** Current figures of a project, for headers and cards. */
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
    lng: z.number().nullable(),
    lat: z.number().nullable(),
    areaRule: drawnFence.nullable(),
    sitePlan: z.unknown().nullable(),
    contractorCorpName: z.string().nullable(),
    buildCorpName: z.string().nullable(),
    phaseName: z.string().nullable(),
    startDate: z.string().nullable(),
    completeDate: z.string().nullable(),
    onSite: z.number().int(),
    withDetails: flag.optional(),
  }),
})

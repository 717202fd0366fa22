import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { flag, paged, pageQuery, ref, several, text } from '../kit/fields.ts'
import { drawnFence } from './fence.ts'
import { projectBody, projectEdit, projectFill, projectRow } from './model.ts'
import { projectQuery } from './projects.ts'

/** A project by its id or its code. */
const params = z.object({ id: ref('project') })

export const listProjectsV1 = endpoint({
  method: 'GET',
  path: '/api/v1/oa/project/',
  summary: '项目（旧版）列表',
  needs: 'project.view',
  answers: 'list',
  query: projectQuery,
  response: paged(projectRow),
})
export const createProjectV1 = endpoint({
  method: 'POST',
  path: '/api/v1/oa/project/',
  summary: '新增项目（旧版）',
  largeBody: 'the plan of a site',
  needs: 'project.create',
  acts: 'aside',
  body: projectBody,
  response: z.object({ projectCode: z.string() }),
})
export const updateProjectV1 = endpoint({
  method: 'PUT',
  path: '/api/v1/oa/project/:id',
  summary: '修改项目（旧版）',
  largeBody: 'the plan of a site',
  needs: 'project.edit',
  params,
  body: projectEdit,
})
export const getProjectV1 = endpoint({
  method: 'GET',
  path: '/api/v1/oa/project/:id',
  summary: '项目（旧版）详情',
  needs: 'project.view',
  params,
  response: projectFill,
})
export const fillProjectV1 = endpoint({
  method: 'GET',
  path: '/api/v1/oa/project/edit/fill/:id',
  summary: '项目编辑回填（旧版）',
  needs: 'project.view',
  params,
  response: projectFill,
})

const beginning = z.object({
  /** Values given by the caller's group: its area, and itself as supervising government or contractor. */
  areaCode: z.string().nullable(),
  superviseOrg: z.string().nullable(),
  contractorCorpCode: z.string().nullable(),
  /** Projects of the same name in the same area; a new project must not have the same name. */
  same: z.array(z.object({ projectCode: z.string(), name: z.string(), prjStatusName: z.string().nullable() })),
})
const likeNew = z.object({ name: text(200).optional(), areaCode: text(6).optional() })
export const fastProjectInfo = endpoint({
  method: 'GET',
  path: '/api/v2/oa/project/fast',
  summary: '获取快速建项信息',
  needs: 'project.create',
  query: likeNew,
  response: beginning,
})
export const projectFormInfo = endpoint({
  method: 'GET',
  path: '/api/v1/oa/project/form/info',
  summary: '项目表单信息',
  needs: ['project.create', 'project.edit'],
  query: likeNew,
  response: beginning.extend({
    /** Fields required to create a project. */
    required: z.array(z.string()),
    /** Dictionary code of each field with a fixed set of values. */
    dictionaries: z.record(z.string(), z.string()),
  }),
})

export const findProjects = endpoint({
  method: 'GET',
  path: '/api/v2/oa/project/get/list',
  summary: '项目查询列表',
  needs: 'self',
  answers: 'list',
  query: pageQuery.extend({
    name: text(50).optional(),
    areaCode: several.optional(),
    prjStatus: several.optional(),
    /** `areaRule`: includes the fences, for a map. */
    with: z.enum(['areaRule'], { error: '只能另取 areaRule' }).optional(),
    /** Only projects with a fence, or only those without. */
    fenced: flag.optional(),
  }),
  response: paged(
    z.object({
      projectCode: z.string(),
      name: z.string(),
      areaCode: z.string(),
      areaName: z.string().nullable(),
      prjStatus: z.string(),
      prjStatusName: z.string().nullable(),
      lng: z.number().nullable(),
      lat: z.number().nullable(),
      hectares: z.number(),
      offsetMeters: z.number().nullable(),
      areaRule: drawnFence.nullable().optional(),
      openAlarms: z.number().int(),
    }),
  ),
})
/** Who currently has each key post of a project; a vacant post has no holders. */
const keyPost = z.object({ post: z.string(), name: z.string(), unit: z.string(), holders: z.array(z.string()) })
/** Summary for an inspector of a site. */
export const safetyCheckInfo = endpoint({
  method: 'GET',
  path: '/api/v1/oa/project/:id/safetyCheckInfo',
  summary: '项目安全检查信息',
  needs: 'project.view',
  params,
  response: z.object({
    projectCode: z.string(),
    name: z.string(),
    prjStatus: z.string(),
    prjStatusName: z.string().nullable(),
    contractorCorpName: z.string().nullable(),
    superviseOrgName: z.string().nullable(),
    superviseNo: z.string().nullable(),
    phaseName: z.string().nullable(),
    onSite: z.number().int(),
    machines: z.number().int(),
    /** Open alarms by risk level 1 to 4. */
    alarms: z.array(z.object({ level: z.number().int(), count: z.number().int() })),
    keyPosts: z.array(keyPost),
    /** What is missing for the start, or in the data of a running project. */
    missing: z.array(z.string()),
    /** Changes of state, newest first. */
    states: z.array(z.object({ at: z.string(), toState: z.string(), toStateName: z.string().nullable(), reason: z.string() })),
  }),
})
/** Returns the project's supervision number. If it has none, assigns the next number of its government permanently. */
export const fetchSuperviseNo = endpoint({
  method: 'POST',
  path: '/api/v1/oa/project/fetch/gdcode',
  summary: '获取监督编码',
  needs: 'project.assign',
  groupTypes: [0, 1],
  body: z.object({ projectCode: ref('project') }),
  response: z.object({ superviseNo: z.string() }),
})
export const progressByArea = endpoint({
  method: 'GET',
  path: '/api/v1/oa/progress/inHubei',
  summary: '省内进度信息',
  needs: 'project.view',
  answers: 'list',
  response: z.object({
    list: z.array(
      z.object({
        areaCode: z.string(),
        areaName: z.string(),
        projects: z.number().int(),
        building: z.number().int(),
        stopped: z.number().int(),
        finished: z.number().int(),
        /** Projects still building after their planned completion. */
        late: z.number().int(),
        /** Mean share of planned time elapsed for projects in progress, 0 to 1; null if there are none. */
        elapsed: z.number().nullable(),
        /** Projects in progress, by phase (dictionary projectPhase). */
        byPhase: z.record(z.string(), z.number().int()),
      }),
    ),
    total: z.number().int(),
  }),
})
export const projectOverview = endpoint({
  method: 'GET',
  path: '/api/v1/oa/projectData/overView',
  summary: '项目数据总览',
  needs: 'project.view',
  query: z.object({ projectCode: ref('project').optional() }),
  response: z.object({
    projectCode: z.string(),
    name: z.string(),
    units: z.number().int(),
    teams: z.number().int(),
    onSite: z.number().int(),
    machines: z.number().int(),
    openAlarms: z.number().int(),
    keyPosts: z.number().int(),
    keyPostsHeld: z.number().int(),
    /** Days since the start of works, and planned days; null before the start. */
    daysGone: z.number().int().nullable(),
    /** Null until both planned dates are known. */
    daysPlanned: z.number().int().nullable(),
  }),
})

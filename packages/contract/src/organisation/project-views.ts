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
  /** What the asker's own group settles: its area, itself as supervisor or as contractor. */
  areaCode: z.string().nullable(),
  superviseOrg: z.string().nullable(),
  contractorCorpCode: z.string().nullable(),
  /** Projects of the same name in the same area, which a new one must not be. */
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
    /** Fields without which no project is made. */
    required: z.array(z.string()),
    /** Dictionary of each field that is chosen from one. */
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
    /** `areaRule`: with the fences, for a map. */
    with: z.enum(['areaRule'], { error: '只能另取 areaRule' }).optional(),
    /** Those without a fence alone, or with one alone. */
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
/** Who holds which key post of a project now; a post nobody holds stands there empty. */
const keyPost = z.object({ post: z.string(), name: z.string(), unit: z.string(), holders: z.array(z.string()) })
/** What somebody who comes to check a site wants to know first. */
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
    /** Alarms that wait, by risk level 1 to 4. */
    alarms: z.array(z.object({ level: z.number().int(), count: z.number().int() })),
    keyPosts: z.array(keyPost),
    /** What a start lacks or the file of a running project does. */
    missing: z.array(z.string()),
    /** Changes of its state, the newest first. */
    states: z.array(z.object({ at: z.string(), toState: z.string(), toStateName: z.string().nullable(), reason: z.string() })),
  }),
})
/** The supervision number of a project: the one it has, or the next of its authority, which it keeps from then on. */
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
        /** Building past the planned day of completion. */
        late: z.number().int(),
        /** Mean share of the planned time that has passed, of those building; 0 to 1, null where none is. */
        elapsed: z.number().nullable(),
        /** Projects building, by phase (dictionary projectPhase). */
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
    /** Days since the works began and days planned; null before. */
    daysGone: z.number().int().nullable(),
    /** Null while either day of the plan is not known. */
    daysPlanned: z.number().int().nullable(),
  }),
})

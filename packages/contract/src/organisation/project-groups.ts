import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { dayRange, filled, flag, numericRange, paged, pageQuery, pointsTo, ref, several, text } from '../kit/fields.ts'
import { listOf, sortBy } from '../kit/list.ts'

/** Maximum folders per group and module: the tree is drawn completely. */
export const maxFolders = 1000
/** Maximum levels, e.g. branch, area, line of business; deeper ones do not fit beside a list. */
export const maxFolderDepth = 6
/** Maximum projects per request: as many as a user can check before confirming. */
export const maxMoved = 200

/** Modules in which projects are sorted into folders; each has its own tree. */
export const folderModules = { labor_real_name: '劳务实名制', quality_safety: '质量安全', device: '设备物联' } as const
export type FolderModule = keyof typeof folderModules
const module = z.enum(Object.keys(folderModules) as [FolderModule, ...FolderModule[]], {
  error: '模块应为 labor_real_name、quality_safety 或 device',
})

export const folder = z.object({
  id: z.string(),
  parentId: z.string().nullable(),
  name: z.string(),
  enable: z.string(),
  /** Membership id and name of the person responsible. */
  headId: z.string().nullable(),
  head: z.string().nullable(),
  /** Projects of the folder itself, and including lower folders; only those visible to the caller. */
  own: z.number().int(),
  projects: z.number().int(),
  version: z.number().int(),
})
export type Folder = z.infer<typeof folder>
export interface FolderNode extends Folder {
  children: FolderNode[]
}
const folderNode: z.ZodType<FolderNode> = folder.extend({ children: z.array(z.lazy(() => folderNode)) })

/** Views besides the folders: projects in no folder, and finished or closed ones of any folder. */
export const folderViews = ['ungrouped', 'finished'] as const

const version = z.number().int()
const projectCodes = z.array(ref('project')).min(1, '请选择项目').max(maxMoved, `一次最多 ${maxMoved} 个项目`)
const name = filled(30, '项目组名称').refine((v) => !v.includes('/'), '项目组名称不能含有“/”')
const ofModule = z.object({ module: module.default('labor_real_name') })
const params = z.object({ id: ref('projectGroup') })

export const folderTree = endpoint({
  method: 'GET',
  path: '/api/v1/oa/project/group/tree/byModule',
  summary: '按模块获取项目组树',
  needs: 'projectGroup.view',
  answers: 'tree',
  query: ofModule,
  response: z.object({
    tree: z.array(folderNode),
    figures: z.object({
      total: z.number().int(),
      ungrouped: z.number().int(),
      finished: z.number().int(),
      building: z.number().int(),
      stopped: z.number().int(),
      onSite: z.number().int(),
    }),
  }),
})
export const folderChildren = endpoint({
  method: 'GET',
  path: '/api/v1/oa/project/group/children',
  summary: '项目组下级',
  needs: 'projectGroup.view',
  answers: 'list',
  /** Without an id: the folders at the top level. */
  query: ofModule.extend({ id: ref('projectGroup').optional() }),
  response: z.object({
    list: z.array(
      folder.extend({
        /** Projects including lower folders, by state (dictionary projectState). */
        byState: z.record(z.string(), z.number().int()),
        onSite: z.number().int(),
        openAlarms: z.number().int(),
      }),
    ),
    total: z.number().int(),
  }),
})
export const listFolders = endpoint({
  method: 'GET',
  path: '/api/v1/oa/project/group',
  summary: '项目组列表',
  needs: 'projectGroup.view',
  answers: 'list',
  query: pageQuery.extend({ ...ofModule.shape, name: text(30).optional(), enable: text(2).optional() }),
  response: paged(folder.extend({ path: z.string() })),
})
export const getFolder = endpoint({
  method: 'GET',
  path: '/api/v1/oa/project/group/:id',
  summary: '项目组详情',
  needs: 'projectGroup.view',
  params,
  response: folder.extend({ module: z.string(), path: z.string() }),
})
export const createFolder = endpoint({
  method: 'POST',
  path: '/api/v1/oa/project/group',
  summary: '新增项目组',
  needs: 'projectGroup.edit',
  acts: 'aside',
  body: ofModule.extend({ parentId: ref('projectGroup').nullable(), name, headId: ref('member').nullish() }),
  response: z.object({ id: z.string() }),
})
export const updateFolder = endpoint({
  method: 'PUT',
  path: '/api/v1/oa/project/group/:id',
  summary: '修改项目组',
  needs: 'projectGroup.edit',
  acts: 'aside',
  params,
  body: z.object({
    name: name.optional(),
    /** New parent; null is the top level. */
    parentId: ref('projectGroup').nullable().optional(),
    /** Position among its siblings, starting at 0. */
    position: z.number().int().min(0).max(maxFolders).optional(),
    headId: ref('member').nullable().optional(),
    enable: z.enum(['0', '1'], { error: '状态应为 0 停用或 1 启用' }).optional(),
    version,
  }),
})
export const removeFolder = endpoint({
  method: 'DELETE',
  path: '/api/v1/oa/project/group/:id',
  summary: '删除项目组',
  needs: 'projectGroup.edit',
  acts: 'aside',
  params,
  /** `moveTo`: moves its projects and folders there before removing it (a merge). */
  query: z.object({ moveTo: ref('projectGroup').optional() }),
})
/** Moves projects into a folder of a module, or out of their current one. */
export const changeFolder = endpoint({
  method: 'PUT',
  path: '/api/v1/oa/project/group/change',
  summary: '变更项目组',
  needs: 'projectGroup.edit',
  acts: 'aside',
  body: ofModule.extend({ projectCodes, groupId: ref('projectGroup').nullable() }),
  response: z.object({ moved: z.number().int() }),
})
export const addToFolder = endpoint({
  method: 'POST',
  path: '/api/v2/oa/project/add/group',
  summary: '项目加入项目组',
  needs: 'projectGroup.edit',
  acts: 'aside',
  body: z.object({ projectCodes, groupId: ref('projectGroup') }),
  response: z.object({ moved: z.number().int() }),
})
export const removeFromFolder = endpoint({
  method: 'POST',
  path: '/api/v2/oa/project/remove/group',
  summary: '项目移出项目组',
  needs: 'projectGroup.edit',
  acts: 'aside',
  body: ofModule.extend({ projectCodes }),
  response: z.object({ moved: z.number().int() }),
})
/** Copies the tree of another module with its projects, if this module has none yet. An addition to the original API. */
export const copyFolders = endpoint({
  method: 'POST',
  path: '/api/v1/oa/project/group/copy',
  summary: '复制项目组树',
  needs: 'projectGroup.edit',
  acts: 'aside',
  body: z.object({ from: module, to: module }).refine((b) => b.from !== b.to, { path: ['from'], message: '请选择另一个模块' }),
  response: z.object({ folders: z.number().int() }),
})

export const listFolderProjects = endpoint({
  method: 'GET',
  path: '/api/v2/oa/project/queryList',
  summary: '查询项目列表（queryList）',
  needs: 'projectGroup.view',
  answers: 'list',
  query: pageQuery.extend({
    ...ofModule.shape,
    groupId: ref('projectGroup').optional(),
    /** Includes all lower folders; `0` for the folder's own projects only. */
    below: flag.optional(),
    view: z.enum(folderViews, { error: '类型应为 ungrouped 或 finished' }).optional(),
    name: text(50).optional(),
    projectCode: pointsTo('project', text(50)).optional(),
    prjStatus: several.optional(),
    areaCode: several.optional(),
    ourRole: several.optional(),
    manager: text(50).optional(),
    onSite: numericRange.optional(),
    joinTime: dayRange.optional(),
    sort: sortBy('joinTime', 'name', 'projectCode', 'prjStatus', 'onSite'),
  }),
  response: paged(
    z.object({
      projectCode: z.string(),
      name: z.string(),
      groupId: z.string().nullable(),
      /** Names from the top level, separated by `/`; null if in no folder. */
      groupPath: z.string().nullable(),
      prjStatus: z.string(),
      prjStatusName: z.string().nullable(),
      areaCode: z.string(),
      areaName: z.string().nullable(),
      manager: z.string().nullable(),
      /** Dictionary projectCorpType, for the caller's own company. */
      ourRole: z.array(z.string()),
      ourRoleName: z.string(),
      onSite: z.number().int(),
      joinTime: z.string().nullable(),
    }),
  ),
})
export const folderProjectList = listOf(listFolderProjects, {
  feature: 'folderProject',
  columns: {
    name: '项目名称',
    projectCode: '项目编码',
    groupPath: '所属项目组',
    prjStatus: '状态',
    areaCode: '地区',
    manager: '项目经理',
    ourRole: '我方角色',
    onSite: '在册人数',
    joinTime: '加入时间',
  },
})

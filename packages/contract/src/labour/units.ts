import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { day, dayRange, nullable, numericRange, paged, pageQuery, pointsTo, ref, several, text } from '../kit/fields.ts'
import { listOf, sortBy } from '../kit/list.ts'
import { addUnitBody, unitFill, unitRow, updateUnitBody } from './model.ts'

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
    contractAmount: '合同金额（万元）',
    pmName: '负责人',
    pmPhone: '负责人电话',
    teamCount: '在场班组',
    onSite: '在册人数',
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
    /** Number of distinct companies present. */
    present: z.number().int(),
    /** Number of their parts, as in the list: a company may have several, and be on several sites. */
    places: z.number().int(),
    onSite: z.number().int(),
    /** Subcontractors present without a contract number. */
    noContract: z.number().int(),
    /** For one project: which of its mandatory parts exist; null for several projects. */
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

/** Sets the exit with `exitTime`; without it the entry day is corrected. Refused, with names, while teams or people are present. */
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

/** Units and their teams present, with head counts: the tree beside the list of people. */
export const teamTree = endpoint({
  method: 'GET',
  path: '/api/v1/oa/business/tree/team',
  summary: '业务树（班组）',
  needs: ['labour.view', 'personnel.view'],
  answers: 'tree',
  query: z.object({ projectCode: pointsTo('project', text(64)).optional() }),
  response: z.array(treeNode),
})

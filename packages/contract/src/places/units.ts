import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { filled, nullable, pointsTo, ref, text } from '../kit/fields.ts'
import { dict } from '../settings/dict-field.ts'

/** 单位（单体）工程, GB 50300: a part of the works that is built and accepted separately. */

const path = '/api/v1/oa/project/setting/units'
/** A large site has several dozen. */
export const mostUnits = 100

const number = (label: string) => z.coerce.number({ error: `${label}应为数字` })
const storeys = (label: string, most: number) =>
  nullable(number(label).int(`${label}为整数`).min(0, `${label} 0-${most}`).max(most, `${label} 0-${most}`))

export const unitFields = {
  name: filled(100, '单体名称'),
  type: dict('unitProjectType', '单体类型'),
  part: dict('unitProjectPart', '施工类型'),
  structureType: nullable(dict('structureType', '结构类型')),
  foundationType: nullable(dict('foundationType', '地基类型')),
  basicType: nullable(dict('basicType', '基础类型')),
  /** m². */
  area: nullable(number('面积').min(0, '面积不能为负').max(1e8, '面积过大')),
  /** m. */
  height: nullable(number('高度').min(0, '高度不能为负').max(1_000, '高度过大')),
  floorsUp: storeys('地上层数', 200),
  floorsDown: storeys('地下层数', 20),
  phase: nullable(dict('projectPhase', '形象进度')),
  progressPercent: number('进度').min(0, '进度 0-100').max(100, '进度 0-100').default(0),
}

export const unitProject = z.object({
  id: z.string(),
  name: z.string(),
  /** Null: taken over from before the type was asked. */
  type: z.string().nullable(),
  part: z.string().nullable(),
  structureType: z.string().nullable(),
  foundationType: z.string().nullable(),
  basicType: z.string().nullable(),
  area: z.number().nullable(),
  height: z.number().nullable(),
  floorsUp: z.number().int().nullable(),
  floorsDown: z.number().int().nullable(),
  phase: z.string().nullable(),
  progressPercent: z.number(),
  /** Dictionary unitProjectState, from the project's state and the progress. */
  state: z.string(),
  stateName: z.string(),
  version: z.number().int(),
})
export type UnitProject = z.output<typeof unitProject>

export const listUnitProjects = endpoint({
  method: 'GET',
  path,
  summary: '单体工程列表',
  needs: ['setting.view', 'inspection.view', 'safety-management.view', 'supervision.view'],
  answers: 'list',
  query: z.object({ projectCode: pointsTo('project', text(64)) }),
  response: z.object({ list: z.array(unitProject), total: z.number().int() }),
})

const edits = { needs: 'project.edit', groupTypes: [0, 2, 3] } as const
const made = z.object({ id: z.string(), version: z.number().int() })

export const createUnitProject = endpoint({
  method: 'POST',
  path,
  summary: '新增单体工程',
  ...edits,
  body: z.object({ projectCode: ref('project'), ...unitFields }),
  response: made,
})
export const changeUnitProject = endpoint({
  method: 'PUT',
  path: `${path}/:id`,
  summary: '修改单体工程',
  ...edits,
  params: z.object({ id: ref('unitProject') }),
  body: z.object({ ...unitFields, version: z.number().int() }),
  response: made,
})
export const removeUnitProject = endpoint({
  method: 'DELETE',
  path: `${path}/:id`,
  summary: '删除单体工程',
  ...edits,
  params: z.object({ id: ref('unitProject') }),
})

import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { day, filled, nullable, numericRange, ofProject, paged, pageQuery, pointsTo, ref, several, text } from '../kit/fields.ts'
import { sortBy } from '../kit/list.ts'
import { dict } from '../settings/dict-field.ts'

/* The standard for civilised construction: versions that a city or company issues, and the extras of a site or company. */

export const mostExamples = 6
export const mostExtras = 60
/** Days over which it is counted where an item failed. */
export const failDays = 90

/** `standard`: the dictionary, where nobody has issued a version. */
export const civilOwners = ['standard', 'platform', 'government', 'company', 'project'] as const
export type CivilOwner = (typeof civilOwners)[number]
export const civilOwnerNames: Readonly<Record<CivilOwner, string>> = {
  standard: '标准',
  platform: '平台',
  government: '主管部门',
  company: '本企业',
  project: '本项目',
}

export const civilItem = z.object({
  id: z.string(),
  /** Null: an extra that belongs to no version. */
  versionId: z.string().nullable(),
  itemCode: z.string(),
  name: z.string(),
  area: z.string(),
  areaName: z.string(),
  /** The part of dictionary civilCheckItem it stands in. */
  partName: z.string(),
  maxScore: z.number(),
  /** How points are taken off. */
  rule: z.string().nullable(),
  requirement: z.string().nullable(),
  clause: z.string().nullable(),
  /** Dictionary projectPhase; empty: always. */
  phases: z.array(z.string()),
  phaseNames: z.array(z.string()),
  owner: z.enum(civilOwners),
  ownerName: z.string(),
  goodCount: z.number().int(),
  badCount: z.number().int(),
  enable: z.boolean(),
  revision: z.number().int(),
  /** The caller's group may change it. */
  own: z.boolean(),
  version: z.number().int(),
})
export type CivilItem = z.output<typeof civilItem>

const path = '/api/v1/oa/process/checkItem'
const view = 'inspection.view'
const edit = { needs: 'inspection.itemsEdit', acts: 'aside', query: ofProject } as const

/** Filters of the list with `library=civil`. */
export const civilItemQuery = pageQuery.extend({
  ...ofProject.shape,
  library: z.literal('civil'),
  /** Empty: the version in force. */
  versionId: pointsTo('civilVersion', text(64)).optional(),
  area: several.optional(),
  itemCode: text(32).optional(),
  name: text(50).optional(),
  maxScore: numericRange.optional(),
  rule: text(50).optional(),
  phase: several.optional(),
  owner: several.optional(),
  enable: z
    .enum(['true', 'false'])
    .transform((v) => v === 'true')
    .optional(),
  sort: sortBy('itemCode', 'maxScore'),
})
export const civilItemPage = paged(civilItem)

const itemFields = {
  name: filled(60, '检查项'),
  maxScore: z.number({ error: '分值应为数字' }).int('分值为整数').min(1, '分值至少 1 分').max(20, '分值最多 20 分'),
  rule: nullable(text(500, '扣分规则')),
  requirement: nullable(text(500, '要求')),
  clause: nullable(text(200, '条款')),
  phases: z.array(dict('projectPhase', '适用阶段')).max(7, '适用阶段过多').default([]),
}
/** Body of the creating call with `library: 'civil'`: an extra, or an item of the group's draft version. */
export const civilItemBody = z.object({
  id: pointsTo('civilItem', z.string().regex(/^[0-9a-f]{32}$/, '编号格式不正确')).optional(),
  library: z.literal('civil'),
  versionId: nullable(ref('civilVersion')),
  /** A part of dictionary civilCheckItem. */
  part: dict('civilCheckItem', '所属部分'),
  ...itemFields,
})

const picture = z.object({ photo: z.string(), good: z.boolean() })
const civilItemDetail = civilItem.extend({
  versionName: z.string().nullable(),
  /** The caller's group wrote it and may show examples, also of an issued version. */
  mayShow: z.boolean(),
  examples: z.array(picture),
  /** Earlier and later revisions, and the same code in other versions. */
  history: z.array(z.object({ id: z.string(), title: z.string(), at: z.string(), maxScore: z.number(), current: z.boolean() })),
  /** Where it failed most in 90 days, in the projects the caller sees. */
  failed: z.array(z.object({ projectCode: z.string(), projectName: z.string(), count: z.number().int() })),
  /** Pictures of checks where it failed or was right, to choose examples from with one click. */
  pictures: z.array(z.object({ photo: z.string(), checkId: z.string(), projectName: z.string(), day: z.string(), right: z.boolean() })),
})
export type CivilItemDetail = z.output<typeof civilItemDetail>

const id = z.object({ id: ref('civilItem') })

export const getCivilItem = endpoint({
  method: 'GET',
  path: `${path}/:id`,
  summary: '文明施工检查项详情',
  needs: view,
  params: id,
  query: ofProject,
  response: civilItemDetail,
})

/** Changes an own item: an extra gets a new revision; a version that is issued stays as it is. Examples can be changed at any time. */
export const changeCivilItem = endpoint({
  method: 'PUT',
  path: `${path}/:id`,
  summary: '修改文明施工检查项',
  description: 'edit 修改（自有扩展项生成新版本），enable、disable 启停，examples 替换示例照片。',
  ...edit,
  params: id,
  body: z.discriminatedUnion('action', [
    z.object({ action: z.literal('edit'), version: z.number().int(), ...itemFields }),
    z.object({ action: z.literal('enable'), version: z.number().int() }),
    z.object({ action: z.literal('disable'), version: z.number().int() }),
    z.object({
      action: z.literal('examples'),
      version: z.number().int(),
      good: z.array(text(400, '照片')).max(mostExamples, `示例最多 ${mostExamples} 张`),
      bad: z.array(text(400, '照片')).max(mostExamples, `示例最多 ${mostExamples} 张`),
    }),
  ]),
  response: z.object({ id: z.string() }),
})

export const civilVersion = z.object({
  id: z.string(),
  name: z.string(),
  owner: z.enum(civilOwners),
  groupName: z.string(),
  itemCount: z.number().int(),
  marks: z.number(),
  /** yyyy-MM-dd; null for a draft. */
  effectiveFrom: z.string().nullable(),
  issued: z.boolean(),
  /** In force today for the named project, or for the caller's own projects. */
  inForce: z.boolean(),
  /** The caller's group wrote it. */
  own: z.boolean(),
  version: z.number().int(),
})
export type CivilVersion = z.output<typeof civilVersion>

export const listCivilVersions = endpoint({
  method: 'GET',
  path: `${path}/versions`,
  summary: '文明施工检查标准版本',
  needs: view,
  answers: 'object',
  query: ofProject,
  response: z.object({ list: z.array(civilVersion) }),
})

/** Begins a version: a copy of another one, or of the dictionary. */
export const createCivilVersion = endpoint({
  method: 'POST',
  path: `${path}/versions`,
  summary: '复制文明施工检查标准版本',
  ...edit,
  groupTypes: [0, 1, 2],
  body: z.object({
    id: pointsTo('civilVersion', z.string().regex(/^[0-9a-f]{32}$/, '编号格式不正确')),
    name: filled(60, '版本名称'),
    /** An issued standard may be copied by everybody who reads it. */
    from: nullable(text(64, '来源版本')),
  }),
  response: z.object({ id: z.string() }),
})

/** From its day on walks that begin use it; walks that have begun finish on the old one. */
export const issueCivilVersion = endpoint({
  method: 'PUT',
  path: `${path}/versions/:id`,
  summary: '发布文明施工检查标准版本',
  ...edit,
  groupTypes: [0, 1, 2],
  params: z.object({ id: ref('civilVersion') }),
  body: z.object({ version: z.number().int(), effectiveFrom: day }),
})

export const removeCivilVersion = endpoint({
  method: 'DELETE',
  path: `${path}/versions/:id`,
  summary: '删除未发布的文明施工检查标准版本',
  ...edit,
  groupTypes: [0, 1, 2],
  params: z.object({ id: ref('civilVersion') }),
})

import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { day, dayRange, filled, nullable, ofProject, paged, pageQuery, pointsTo, ref, several, text } from '../kit/fields.ts'
import { listOf, sortBy } from '../kit/list.ts'
import { dict } from '../settings/dict-field.ts'
import {
  longestPolicy,
  mostPolicyFiles,
  mostReplaced,
  type PolicyCategory,
  type PolicyLevel,
  type PolicyLink,
  type PolicyValidity,
  policyCategories,
  policyLevels,
  policyLinks,
  policyValidities,
} from './model.ts'

const keysOf = <T extends string>(of: Readonly<Record<T, string>>) => Object.keys(of) as [T, ...T[]]
const level = z.enum(keysOf<PolicyLevel>(policyLevels), { error: '请选择层级' })
const category = z.enum(keysOf<PolicyCategory>(policyCategories), { error: '请选择类别' })
const validity = z.enum(keysOf<PolicyValidity>(policyValidities))
const link = z.enum(keysOf<PolicyLink>(policyLinks))

/** A text as a line of results. */
export const policyLine = z.object({
  id: z.string(),
  title: z.string(),
  docNo: z.string().nullable(),
  level,
  levelName: z.string(),
  category,
  categoryName: z.string(),
  /** Dictionary checkDiscipline; null: of no single one. */
  subject: z.string().nullable(),
  subjectName: z.string().nullable(),
  issuer: z.string(),
  issueDate: z.string(),
  effectDate: z.string(),
  /** The day it holds from has not come. */
  upcoming: z.boolean(),
  validity,
  validityName: z.string(),
  top: z.boolean(),
  /** The place in the text where the keyword stands, or the beginning of the text. */
  excerpt: z.string(),
})
export type PolicyLine = z.output<typeof policyLine>

const related = z.object({
  id: z.string(),
  title: z.string(),
  docNo: z.string().nullable(),
  link,
  since: z.string(),
  /** `earlier`: this text changes or ends it; `later`: it changes or ends this text. */
  side: z.enum(['earlier', 'later']),
})
export type RelatedPolicy = z.output<typeof related>

const policyText = policyLine.extend({
  /** Filtered HTML: headings, paragraphs, lists, tables, emphasis and links. */
  content: z.string(),
  files: z.array(z.string()),
  relations: z.array(related),
})
export type PolicyText = z.output<typeof policyText>

const facet = z.array(z.object({ value: z.string(), count: z.number().int() }))
const facets = z.object({ level: facet, category: facet, subject: facet, validity: facet, year: facet })
export type PolicyFacets = z.output<typeof facets>

const readQuery = pageQuery.extend({
  keyword: text(50).optional(),
  level: several.optional(),
  category: several.optional(),
  subject: several.optional(),
  validity: several.optional(),
  /** Years of issue. */
  year: several.optional(),
  /** One text instead of a list. */
  id: pointsTo('policy', z.string().regex(/^[\w-]{1,64}$/, '编号格式不正确')).optional(),
})
/** Results with the numbers of each facet, which leave the choice of their own facet out; `text` only where `id` is given. */
const results = paged(policyLine).extend({ facets, text: policyText.nullable() })

/** For everybody, without an account: published texts. */
export const openPolicies = endpoint({
  method: 'GET',
  path: '/api/v1/open/policy',
  summary: '政策汇编公开列表',
  needs: 'public',
  answers: 'list',
  perMinute: 120,
  query: readQuery,
  response: results,
})

const path = '/api/v1/oa/process/policy'
const view = 'documents.view'

/** The compendium inside the platform: what holds for the area of the caller's group, up and down. */
export const readPolicies = endpoint({
  method: 'GET',
  path: `${path}/compendium`,
  summary: '政策汇编',
  needs: view,
  answers: 'list',
  query: readQuery.extend(ofProject.shape),
  response: results,
})

export const policyRow = z.object({
  id: z.string(),
  title: z.string(),
  docNo: z.string().nullable(),
  level,
  levelName: z.string(),
  category,
  categoryName: z.string(),
  issuer: z.string(),
  issueDate: z.string(),
  validity,
  validityName: z.string(),
  state: z.string(),
  stateName: z.string(),
  top: z.boolean(),
  views: z.number().int(),
  updateTime: z.string(),
  version: z.number().int(),
})
export type PolicyRow = z.output<typeof policyRow>

/** The texts of the caller's group, drafts included. */
export const listPolicies = endpoint({
  method: 'GET',
  path,
  summary: '政策汇编管理列表',
  needs: 'documents.policyEdit',
  answers: 'list',
  query: pageQuery.extend({
    ...ofProject.shape,
    title: text(50).optional(),
    docNo: text(50).optional(),
    level: several.optional(),
    category: several.optional(),
    issuer: text(50).optional(),
    issueDate: dayRange.optional(),
    validity: several.optional(),
    state: several.optional(),
    updateTime: dayRange.optional(),
    sort: sortBy('title', 'issueDate', 'views', 'updateTime'),
  }),
  response: paged(policyRow).extend({
    counts: z.object({ published: z.number().int(), drafts: z.number().int(), withdrawn: z.number().int(), repealed: z.number().int() }),
  }),
})

export const policyList = listOf(listPolicies, {
  feature: 'policy',
  columns: {
    title: '标题',
    docNo: '文号',
    level: '层级',
    category: '类别',
    issuer: '发文机关',
    issueDate: '发布日期',
    validity: '效力',
    state: '状态',
    views: '阅读量',
    updateTime: '更新时间',
  },
})

const replaced = z.object({
  id: pointsTo('policy', text(64)),
  link: z.enum(keysOf<PolicyLink>(policyLinks), { error: '请选择修改或废止' }),
})
const fields = {
  title: filled(200, '标题'),
  docNo: nullable(text(60, '文号')),
  /** Of an authority: its own level, whatever is given. */
  level,
  category,
  subject: nullable(dict('checkDiscipline', '专业')),
  issuer: filled(100, '发文机关'),
  issueDate: day,
  effectDate: day,
  content: z.string({ error: '正文格式不正确' }).max(longestPolicy, '正文过长，请作为附件上传').default(''),
  files: z.array(text(400, '附件')).max(mostPolicyFiles, `附件最多 ${mostPolicyFiles} 个`).default([]),
  /** Earlier texts of the same group that this one changes or ends from its day on. */
  replaces: z.array(replaced).max(mostReplaced, `最多 ${mostReplaced} 个`).default([]),
}
const edit = { needs: 'documents.policyEdit', acts: 'aside', groupTypes: [0, 1], query: ofProject } as const

export const createPolicy = endpoint({
  method: 'POST',
  path,
  summary: '新增政策文本',
  ...edit,
  body: z.object({ id: pointsTo('policy', z.string().regex(/^[0-9a-f]{32}$/, '编号格式不正确')), ...fields }),
  response: z.object({ id: z.string() }),
})

const ofPolicy = z.object({ id: ref('policy') })

const policyDetail = policyRow.extend({
  subject: z.string().nullable(),
  effectDate: z.string(),
  content: z.string(),
  files: z.array(z.string()),
  replaces: z.array(z.object({ id: z.string(), link, title: z.string() })),
  withdrawReason: z.string().nullable(),
})
export type PolicyDetail = z.output<typeof policyDetail>

/** One text of the caller's group as the form takes it. */
export const getPolicy = endpoint({
  method: 'GET',
  path: `${path}/:id`,
  summary: '政策文本详情',
  needs: 'documents.policyEdit',
  params: ofPolicy,
  query: ofProject,
  response: policyDetail,
})

const versioned = { version: z.number().int() }
const published = { needs: 'documents.policyPublish', acts: 'aside' } as const

export const changePolicy = endpoint({
  method: 'PUT',
  path: `${path}/:id`,
  summary: '修改、发布、下架、废止政策文本',
  description: 'edit 修改，publish 发布，unpublish 下架（须写原因），repeal 标记修改或废止，top、untop 置顶。',
  ...edit,
  actions: { publish: published, unpublish: published, repeal: published, top: published, untop: published },
  params: ofPolicy,
  body: z.discriminatedUnion('action', [
    z.object({ action: z.literal('edit'), ...versioned, ...fields }),
    z.object({ action: z.literal('publish'), ...versioned }),
    z.object({ action: z.literal('unpublish'), ...versioned, reason: filled(200, '下架原因') }),
    z.object({
      action: z.literal('repeal'),
      ...versioned,
      link,
      /** The text that replaces it; null: ended without one. */
      successor: nullable(pointsTo('policy', text(64))),
      since: day,
    }),
    z.object({ action: z.literal('top'), ...versioned }),
    z.object({ action: z.literal('untop'), ...versioned }),
  ]),
})

export const removePolicy = endpoint({
  method: 'DELETE',
  path: `${path}/:id`,
  summary: '删除政策草稿',
  ...edit,
  params: ofPolicy,
})

import { z } from 'zod'
import { civilItemBody, civilItemPage, civilItemQuery } from '../civil/library.ts'
import { endpoint, viewOf } from '../kit/endpoint.ts'
import { filled, flag, nullable, numericRange, ofProject, paged, pageQuery, pointsTo, ref, several, text } from '../kit/fields.ts'
import { listOf, sortBy } from '../kit/list.ts'

/**
 * Libraries of check items. JGJ 59-2011 is the standard part of `safety` (dictionary safetyCheckItem); `civil` has versions and is described in
 * `civil/library.ts`.
 */
export const libraries = ['safety', 'civil'] as const
export type Library = (typeof libraries)[number]

/** Whose item it is: delivered with the standard, or added by the kind of group. */
export const itemOwners = ['standard', 'platform', 'government', 'company', 'project'] as const
export type ItemOwner = (typeof itemOwners)[number]
export const itemOwnerNames: Readonly<Record<ItemOwner, string>> = {
  standard: '标准',
  platform: '平台',
  government: '本机构',
  company: '本企业',
  project: '本项目',
}

export const mostPhrases = 20
export const mostOwnItems = 300
/**
 * The marks of an own item are taken from an item of the standard, so that a sheet keeps its 100 points: at most this share of it in all,
 * in whole points.
 */
export const mostTaken = 0.4
export const takableMarks = (maxScore: number): number => Math.floor(maxScore * mostTaken)
/** Days over which the lost points of an item are counted. */
export const useDays = 90

export const checkItem = z.object({
  /** Null for an item of the standard. */
  id: z.string().nullable(),
  itemCode: z.string(),
  name: z.string(),
  sheetCode: z.string(),
  sheetName: z.string(),
  categoryCode: z.string(),
  categoryName: z.string(),
  /** 保证项目. */
  guarantee: z.boolean(),
  /** Marks without those that own items have taken from it. */
  maxScore: z.number(),
  /** Marks in the standard; of an own item the same as `maxScore`. */
  standardScore: z.number(),
  owner: z.enum(itemOwners),
  ownerName: z.string(),
  /** The item of the standard from which an own item takes its marks. */
  takenFrom: z.string().nullable(),
  takenFromName: z.string().nullable(),
  clause: z.string().nullable(),
  rule: z.string().nullable(),
  phrases: z.array(z.string()),
  /** How often points were lost in submitted inspections of the last 90 days. */
  useCount: z.number().int(),
  enable: z.boolean(),
  /** Counts the changes of an own item; earlier inspections keep the revision they used. */
  revision: z.number().int(),
  version: z.number().int(),
})
export type CheckItem = z.output<typeof checkItem>

const path = '/api/v1/oa/process/checkItem'
const library = z.literal('safety', { error: '检查库应为 safety' })

const itemQuery = pageQuery.extend({
  ...ofProject.shape,
  library,
  sheet: text(8).optional(),
  itemCode: text(32).optional(),
  name: text(50).optional(),
  guarantee: flag.optional(),
  maxScore: numericRange.optional(),
  owner: several.optional(),
  useCount: numericRange.optional(),
  enable: flag.optional(),
  sort: sortBy('itemCode', 'maxScore', 'useCount'),
})

/** The items of one library, each with its own filters and rows. */
export const checkItemLists = endpoint({
  method: 'GET',
  path,
  summary: '检查项库',
  description: 'library 为 safety 时 sheet 为检查表或类别编码（字典 safetyCheckItem），含其下各项；为 civil 时按版本、区域和阶段筛选。',
  needs: 'inspection.view',
  answers: 'list',
  query: z.discriminatedUnion('library', [itemQuery, civilItemQuery], { error: '检查库应为 safety 或 civil' }),
  response: z.union([paged(checkItem), civilItemPage]),
})
export const listCheckItems = viewOf(checkItemLists, { query: itemQuery, response: paged(checkItem) })
export const listCivilItems = viewOf(checkItemLists, { query: civilItemQuery, response: civilItemPage })

export const civilItemList = listOf(listCivilItems, {
  feature: 'civilCheckItem',
  columns: {
    itemCode: '编码',
    name: '检查项',
    areaName: '区域',
    partName: '部分',
    maxScore: '分值',
    rule: '扣分规则',
    phaseNames: '适用阶段',
    owner: '来源',
    goodCount: '示例照片',
    enable: '状态',
  },
})

export const checkItemList = listOf(listCheckItems, {
  feature: 'checkItem',
  columns: {
    itemCode: '编码',
    categoryName: '类别',
    sheetName: '检查表',
    name: '检查项',
    guarantee: '保证项目',
    maxScore: '满分',
    owner: '来源',
    clause: '条款',
    rule: '扣分标准',
    phrases: '常用问题',
    useCount: '近 90 天失分',
    enable: '状态',
  },
})

/** One sheet of the library, with its marks as they are now. */
const librarySheet = z.object({
  code: z.string(),
  name: z.string(),
  itemCount: z.number().int(),
  /** Sum of the enabled items. */
  marks: z.number(),
})
/** Categories with their sheets and weights: the tree of the page, and the sheets to choose from. */
export const listCheckSheets = endpoint({
  method: 'GET',
  path: `${path}/sheets`,
  summary: '检查表目录',
  needs: 'inspection.view',
  answers: 'object',
  query: ofProject.extend({ library }),
  response: z.object({
    categories: z.array(z.object({ code: z.string(), name: z.string(), weight: z.number(), sheets: z.array(librarySheet) })),
  }),
})

const phrases = z.array(filled(100, '常用问题')).max(mostPhrases, `常用问题最多 ${mostPhrases} 条`)
const itemFields = {
  name: filled(60, '检查项'),
  maxScore: z.number({ error: '满分应为数字' }).int('满分应为整数').min(1, '满分至少 1 分').max(20, '满分最多 20 分'),
  clause: nullable(text(200, '条款')),
  rule: nullable(text(500, '扣分标准')),
  phrases: phrases.default([]),
}

export const createCheckItem = endpoint({
  method: 'POST',
  path,
  summary: '新增检查项',
  description: '自有检查项的分值从 takenFrom 所指的标准项中划出，检查表满分保持 100。',
  needs: 'inspection.itemsEdit',
  acts: 'aside',
  query: ofProject,
  body: z.discriminatedUnion(
    'library',
    [
      z.object({
        id: pointsTo('checkItem', z.string().regex(/^[0-9a-f]{32}$/, '编号格式不正确')).optional(),
        library,
        takenFrom: filled(32, '划出分值的标准项'),
        ...itemFields,
      }),
      civilItemBody,
    ],
    { error: '检查库应为 safety 或 civil' },
  ),
  response: z.object({ id: z.string(), itemCode: z.string() }),
})

/** Changes an own item (a new revision), switches it on or off, or replaces the phrases of any item. */
export const changeCheckItem = endpoint({
  method: 'PUT',
  path,
  summary: '修改检查项',
  description: 'edit 生成新版本，已做的检查保留原版本；enable、disable 启停自有项；phrases 替换某项的常用问题（标准项只能改此项）。',
  needs: 'inspection.itemsEdit',
  acts: 'aside',
  query: ofProject,
  body: z.discriminatedUnion('action', [
    z.object({ action: z.literal('edit'), id: ref('checkItem'), version: z.number().int(), ...itemFields }),
    z.object({ action: z.literal('enable'), id: ref('checkItem'), version: z.number().int() }),
    z.object({ action: z.literal('disable'), id: ref('checkItem'), version: z.number().int() }),
    z.object({ action: z.literal('phrases'), library, itemCode: filled(32, '检查项'), phrases }),
  ]),
})

import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { paged, pageQuery, ref } from '../kit/fields.ts'
import { longestLinkDays } from './links.ts'

/**
 * Groups and sites that are opened from a workbook: the rows are checked first, then opened one by one, each with a link for its
 * administrator.
 */
export const openingKinds = { district: '区监管与其工地', company: '企业与其工地', site: '工地' } as const
export type OpeningKind = keyof typeof openingKinds
export const openingStates = { checked: '0', running: '1', done: '2', partly: '3' } as const
export const openingStateNames: Readonly<Record<string, string>> = { '0': '待确认', '1': '正在开通', '2': '已完成', '3': '部分完成' }
export const openingRowStates = { faulty: '有误', ready: '可开通', done: '已开通', failed: '未成功' } as const
export type OpeningRowState = keyof typeof openingRowStates

/** Row limit of a file: the sites of a district or of a large company. Longer lists are split. */
export const mostOpeningRows = 500

export type OpeningSheet = 'groups' | 'sites'
export const openingSheets: Readonly<Record<OpeningSheet, string>> = { groups: '机构', sites: '项目' }

interface Column {
  key: string
  title: string
  required?: true
  /** Help text for the person who fills in the workbook. */
  note?: string
}
/** `adminName` becomes administrator by opening the link. */
const people: readonly Column[] = [
  { key: 'linkMan', title: '联系人', required: true },
  { key: 'linkPhone', title: '联系电话', required: true },
  { key: 'adminName', title: '管理员姓名', required: true },
  { key: 'adminPhone', title: '管理员手机' },
]
export const openingColumns: Readonly<Record<OpeningSheet, readonly Column[]>> = {
  groups: [
    { key: 'name', title: '机构名称', required: true },
    { key: 'creditCode', title: '统一社会信用代码', note: '企业必填，18 位' },
    { key: 'areaCode', title: '区划', required: true, note: '6 位代码或全称，如 420102 或 湖北省武汉市江岸区' },
    { key: 'parent', title: '上级机构', note: '监管机构填名称；最上级留空' },
    { key: 'address', title: '地址', note: '企业必填' },
    ...people,
  ],
  sites: [
    { key: 'name', title: '项目名称', required: true },
    { key: 'areaCode', title: '所在区划', required: true, note: '6 位代码或全称' },
    { key: 'address', title: '项目地址', required: true },
    { key: 'category', title: '项目类别', required: true, note: '从下拉选择' },
    { key: 'contractor', title: '总承包单位信用代码', required: true, note: '企业库中已有，或在“机构”表中' },
    { key: 'owner', title: '建设单位信用代码', required: true, note: '企业库中已有，或在“机构”表中' },
    { key: 'supervisor', title: '监督机构', note: '名称；留空则由区监管或本机构监督' },
    { key: 'lng', title: '经度', note: 'WGS-84，可留空' },
    { key: 'lat', title: '纬度' },
    ...people,
  ],
}

const kind = z.enum(Object.keys(openingKinds) as [OpeningKind, ...OpeningKind[]], { error: '请选择开通类型' })
const needs = ['projectNav.onboard', 'project.create'] as const

export const openingTemplate = endpoint({
  method: 'GET',
  path: '/api/v1/oa/opening/template',
  summary: '开通模板',
  needs,
  answers: 'blob',
  query: z.object({ kind }),
})

/** Fields of the upload besides `file`. */
export const openingFields = z.object({
  kind,
  /** The package for each type of group (1-3), as JSON; a type without one gets its default package. */
  packages: z
    .string()
    .max(500)
    .default('{}')
    .transform((given, context) => {
      try {
        return z.partialRecord(z.enum(['1', '2', '3']), z.string().max(64)).parse(JSON.parse(given))
      } catch {
        context.addIssue({ code: 'custom', message: '应用方案的写法不正确' })
        return z.NEVER
      }
    }),
  linkDays: z.coerce.number().int().min(1).max(longestLinkDays).default(7),
})

const issue = z.object({ field: z.string(), text: z.string() })
export type OpeningIssue = z.output<typeof issue>
export const opening = z.object({
  id: z.string(),
  kind,
  fileName: z.string(),
  state: z.string(),
  total: z.number().int(),
  faulty: z.number().int(),
  done: z.number().int(),
  failed: z.number().int(),
  createBy: z.string(),
  createTime: z.string(),
  version: z.number().int(),
})
export type Opening = z.output<typeof opening>
export const row = z.object({
  rowNo: z.number().int(),
  sheet: z.enum(['groups', 'sites']),
  /** Row number as in Excel. */
  line: z.number().int(),
  name: z.string(),
  /** The cells as typed; phone numbers are masked. */
  cells: z.record(z.string(), z.string()),
  issues: z.array(issue),
  state: z.enum(Object.keys(openingRowStates) as [OpeningRowState, ...OpeningRowState[]]),
  message: z.string(),
  code: z.string().nullable(),
})
export type OpeningRow = z.output<typeof row>

export const bringOpening = endpoint({
  method: 'POST',
  path: '/api/v1/oa/opening',
  summary: '上传开通表',
  needs,
  acts: 'aside',
  multipart: true,
  response: z.object({ id: z.string() }),
})
export const listOpenings = endpoint({
  method: 'GET',
  path: '/api/v1/oa/opening',
  summary: '开通记录',
  needs,
  answers: 'list',
  query: pageQuery,
  response: paged(opening),
})
export const getOpening = endpoint({
  method: 'GET',
  path: '/api/v1/oa/opening/:id',
  summary: '开通详情',
  needs,
  params: z.object({ id: ref('opening') }),
  response: opening.extend({ rows: z.array(row) }),
})
export const actOnOpening = endpoint({
  method: 'PUT',
  path: '/api/v1/oa/opening/:id',
  summary: '确认或放弃开通',
  needs,
  acts: 'aside',
  params: z.object({ id: ref('opening') }),
  /** `run` opens the rows without errors and retries failed ones. */
  body: z.object({ action: z.enum(['run', 'drop']), version: z.number().int() }),
})
/** The result with the links that are still valid. Whoever has the file can use the links, so the download is logged. */
export const openingResult = endpoint({
  method: 'POST',
  path: '/api/v1/oa/opening/:id/result',
  summary: '下载开通结果与邀请链接',
  needs,
  acts: 'aside',
  params: z.object({ id: ref('opening') }),
  /** The product's address as the caller's browser sees it; the configured public URL takes precedence. */
  body: z.object({
    origin: z
      .string()
      .max(200)
      .regex(/^https?:\/\/[\w.:[\]-]+$/, '地址不正确'),
  }),
  answers: 'blob',
})

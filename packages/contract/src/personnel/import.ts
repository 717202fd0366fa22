import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { dayRange, filled, normalised, paged, pageQuery, pointsTo, ref, several, text } from '../kit/fields.ts'
import { listOf, sortBy } from '../kit/list.ts'
import { normalCell } from '../kit/normal.ts'

/**
 * Import of people from a workbook. A file becomes rows, which are checked per cell and can be corrected here. They are registered in the
 * background, each person in a separate transaction, by the same functions as the form.
 */

/** Maximum rows per import: all people of the largest site. */
export const mostImportRows = 10_000
export const tooManyImportRows = `一次最多导入 ${mostImportRows.toLocaleString('en-US')} 行，请分成几个文件`
/** Maximum cells per request: a block pasted from a sheet. */
export const mostChangedCells = 2_000
/** Longest text of a cell: the longest field is an address of 200 characters. */
const longestCell = 300

/** The columns of the template in order. A file names them in its header row, in any order, by title or alias. */
export const importColumns = [
  { key: 'name', title: '姓名', required: true, alias: ['人员姓名', '工人姓名'] },
  { key: 'idCardType', title: '证件类型', required: false, alias: [] },
  { key: 'idCardNumber', title: '证件号码', required: true, alias: ['身份证号', '身份证号码', '证件号', '身份证'] },
  { key: 'gender', title: '性别', required: false, alias: [] },
  { key: 'nation', title: '民族', required: false, alias: [] },
  { key: 'birthday', title: '出生日期', required: false, alias: ['出生年月日', '生日'] },
  { key: 'address', title: '住址', required: false, alias: ['家庭住址', '地址', '身份证地址'] },
  { key: 'grantOrg', title: '发证机关', required: false, alias: ['签发机关'] },
  { key: 'startDate', title: '有效期起', required: false, alias: ['证件有效期起', '有效期开始'] },
  { key: 'expiryDate', title: '有效期止', required: false, alias: ['证件有效期止', '有效期结束', '有效期至'] },
  { key: 'cellPhone', title: '手机号', required: false, alias: ['手机', '手机号码', '联系电话', '电话'] },
  { key: 'corp', title: '企业', required: true, alias: ['单位', '所属企业', '所属单位', '参建单位', '企业名称'] },
  { key: 'team', title: '班组', required: false, alias: ['班组名称', '所属班组'] },
  { key: 'workType', title: '工种', required: true, alias: ['工种/岗位', '岗位', '工种或岗位'] },
  { key: 'isTeamLeader', title: '是否班组长', required: false, alias: ['班组长'] },
  { key: 'entryTime', title: '进场日期', required: true, alias: ['进场时间', '入场日期'] },
  { key: 'paymentType', title: '计酬方式', required: false, alias: ['工资形式', '计薪方式', '计酬'] },
  { key: 'hasBuyInsurance', title: '工伤或意外险', required: false, alias: ['工伤保险', '意外险', '是否参加工伤或意外险', '是否购买保险'] },
  { key: 'cultureLevel', title: '文化程度', required: false, alias: ['学历'] },
  { key: 'politics', title: '政治面貌', required: false, alias: [] },
  { key: 'bank', title: '工资卡银行', required: false, alias: ['开户行', '银行'] },
  { key: 'bankCard', title: '工资卡号', required: false, alias: ['银行卡号', '工资卡'] },
  { key: 'urgentLinkMan', title: '紧急联系人', required: false, alias: [] },
  { key: 'urgentLinkManPhone', title: '紧急联系人电话', required: false, alias: ['紧急联系电话'] },
  { key: 'hasBadMedicalHistory', title: '有无重大病史', required: false, alias: ['重大病史', '有无重大疾病史'] },
  { key: 'consent', title: '个人信息告知同意', required: false, alias: ['告知同意', '个人信息同意', '是否同意个人信息告知'] },
] as const
export type ImportField = (typeof importColumns)[number]['key']
export const importFields = importColumns.map((c) => c.key) as [ImportField, ...ImportField[]]
export const importTitle = (field: ImportField): string => importColumns.find((c) => c.key === field)?.title ?? field
/** Columns that describe a stay; they do not apply to a file without a project. */
export const stayFieldsOfImport: readonly ImportField[] = ['corp', 'team', 'isTeamLeader', 'entryTime', 'paymentType', 'hasBuyInsurance']

export const importKinds = { project: '项目人员', base: '基础档案', paste: '粘贴' } as const
export type ImportKind = keyof typeof importKinds

/** Dictionary importState. */
export const importState = {
  waiting: '0',
  checking: '1',
  faulty: '2',
  ready: '3',
  running: '4',
  done: '5',
  partly: '6',
  failed: '7',
} as const
export const importStates = {
  '0': '待校验',
  '1': '校验中',
  '2': '校验未通过',
  '3': '待确认',
  '4': '导入中',
  '5': '已完成',
  '6': '部分成功',
  '7': '失败',
} as const
export type ImportState = keyof typeof importStates

export const importRowStates = {
  new: '待校验',
  ok: '可导入',
  warning: '有提醒',
  error: '有错误',
  duplicate: '重复',
  done: '已导入',
  failed: '失败',
  skipped: '已跳过',
} as const
export type ImportRowState = keyof typeof importRowStates

/** Kinds of cell errors, for grouping in the side panel. */
export const importIssueKinds = {
  empty: '未填写',
  format: '格式不正确',
  identity: '证件号码有误',
  mismatch: '与证件号码不符',
  unknown: '名称不存在',
  place: '单位或班组不在场',
  age: '年龄不符',
  expired: '证件过期',
  twin: '文件内重复',
  present: '已在本项目在场',
  known: '已有档案',
  elsewhere: '在其他项目在场',
  black: '黑名单',
  card: '工资卡有误',
  leader: '更换班组长',
  hidden: '隐藏行',
  other: '其他',
} as const
export type ImportIssueKind = keyof typeof importIssueKinds

export const importIssue = z.object({
  field: z.enum(importFields),
  kind: z.enum(Object.keys(importIssueKinds) as [ImportIssueKind, ...ImportIssueKind[]]),
  level: z.enum(['error', 'warning']),
  text: z.string(),
  /** The original value, only for fields that name an object and contain no personal data. */
  value: z.string().optional(),
  /** The probable correct value. */
  suggest: z.string().optional(),
})
export type ImportIssue = z.infer<typeof importIssue>
export type ImportCells = Partial<Record<ImportField, string>>

/** A pasted table is normalised like a file, so that an invisible character does not refuse the whole table. */
const cell = normalised(longestCell, '内容', normalCell)
const line = z.partialRecord(z.enum(importFields), cell)
const id = z.object({ id: ref('workerImport') })

export const importRecord = z.object({
  id: z.string(),
  fileName: z.string(),
  kind: z.enum(['project', 'base', 'paste']),
  kindName: z.string(),
  projectCode: z.string().nullable(),
  projectName: z.string().nullable(),
  state: z.enum(Object.keys(importStates) as [ImportState, ...ImportState[]]),
  stateName: z.string(),
  total: z.number().int(),
  success: z.number().int(),
  fail: z.number().int(),
  message: z.string(),
  createBy: z.string(),
  createTime: z.string(),
  /** Cancelled before anything was registered. */
  cancelled: z.boolean(),
})
export type ImportRecord = z.infer<typeof importRecord>

export const listImports = endpoint({
  method: 'GET',
  path: '/api/v1/oa/workerImport',
  summary: '工人导入记录列表',
  needs: 'personnel.import',
  answers: 'list',
  query: pageQuery.extend({
    projectCode: pointsTo('project', text(64)).optional(),
    fileName: text(100).optional(),
    kind: several.optional(),
    state: several.optional(),
    createBy: text(50).optional(),
    createTime: dayRange.optional(),
    sort: sortBy('createTime', 'total'),
  }),
  response: paged(importRecord),
})
export const importList = listOf(listImports, {
  feature: 'workerImport',
  columns: {
    fileName: '文件',
    kind: '类型',
    projectName: '项目',
    state: '状态',
    progress: '进度',
    total: '总行数',
    success: '成功',
    fail: '失败',
    createBy: '操作人',
    createTime: '导入时间',
  },
  onScreen: ['progress'],
})

export const importTemplate = endpoint({
  method: 'GET',
  path: '/api/v1/oa/workerImport/project/template',
  summary: '下载项目工人导入模板',
  needs: 'personnel.import',
  query: z.object({ projectCode: pointsTo('project', text(64)).optional() }),
  answers: 'blob',
})

/** The new import, or the earlier one of the same file, for which the user must confirm a repetition. */
const begun = z.object({
  id: z.string().nullable(),
  same: z.object({ id: z.string(), fileName: z.string(), createTime: z.string(), text: z.string() }).nullable(),
})
/**
 * A form with `file`. Further fields: `projectCode` (empty: people without stays), `again=1` to import the same file again on purpose,
 * `importId` to replace an earlier import that is not confirmed yet.
 */
export const importExcel = endpoint({
  method: 'POST',
  path: '/api/v1/oa/workerImport/excel',
  summary: '表格导入工人',
  needs: 'personnel.import',
  acts: 'own',
  multipart: true,
  response: begun,
})
export const importBase = endpoint({
  method: 'POST',
  path: '/api/v1/oa/workerImport/base',
  summary: '导入工人基础信息',
  needs: 'personnel.import',
  acts: 'own',
  largeBody: 'lines pasted from a sheet',
  body: z.object({
    /** Null: people without stays. */
    projectCode: ref('project').nullable().default(null),
    rows: z.array(line).min(1, '没有可以导入的内容').max(mostImportRows, tooManyImportRows),
    again: z.boolean().default(false),
  }),
  response: begun,
})

export const importRow = z.object({
  row: z.number().int(),
  state: z.enum(Object.keys(importRowStates) as [ImportRowState, ...ImportRowState[]]),
  stateName: z.string(),
  cells: line,
  issues: z.array(importIssue),
  /** For a registered row: whether the person is new or existed already. */
  result: z.enum(['created', 'joined']).nullable(),
  workerId: z.string().nullable(),
  projectWorkerId: z.string().nullable(),
  message: z.string(),
  version: z.number().int(),
})
export type ImportRow = z.infer<typeof importRow>

const counts = z.object({
  all: z.number().int(),
  importable: z.number().int(),
  error: z.number().int(),
  warning: z.number().int(),
  duplicate: z.number().int(),
  done: z.number().int(),
  failed: z.number().int(),
  skipped: z.number().int(),
  /** Of the importable rows: new persons, and existing ones. */
  willCreate: z.number().int(),
  willJoin: z.number().int(),
})
export const rowFilters = z.object({
  rowState: several.optional(),
  issue: several.optional(),
  team: text(100).optional(),
})
export const getImport = endpoint({
  method: 'GET',
  path: '/api/v1/oa/workerImport/:id',
  summary: '工人导入详情',
  needs: 'personnel.import',
  params: id,
  query: pageQuery.extend(rowFilters.shape),
  response: importRecord.extend({
    /** Headers in the file that are not recognised. */
    unknownColumns: z.array(z.string()),
    /** Other content of the file that was ignored. */
    remarks: z.array(z.string()),
    /** The caller uploaded the file, so ID numbers are shown unmasked. */
    own: z.boolean(),
    counts,
    issues: z.array(
      z.object({
        field: z.enum(importFields),
        kind: importIssue.shape.kind,
        level: importIssue.shape.level,
        text: z.string(),
        value: z.string().nullable(),
        suggest: z.string().nullable(),
        count: z.number().int(),
      }),
    ),
    /** Names of people on the black list. */
    black: z.array(z.string()),
    teams: z.array(z.string()),
    list: z.array(importRow),
  }),
})

export const changeImport = endpoint({
  method: 'PUT',
  path: '/api/v1/oa/workerImport/:id',
  summary: '修改或确认工人导入',
  needs: 'personnel.import',
  acts: 'own',
  params: id,
  largeBody: 'a block of cells',
  body: z
    .object({
      action: z.enum(['cells', 'replace', 'confirm', 'cancel', 'resume']).default('cells'),
      /** `version`: version of the row as displayed. */
      cells: z
        .array(z.object({ row: z.number().int().min(1), field: z.enum(importFields), value: cell, version: z.number().int() }))
        .max(mostChangedCells, `一次最多修改 ${mostChangedCells} 个单元格`)
        .default([]),
      /** Replaces invalid cells of `field` with the value `from` by `to`. */
      replace: z.object({ field: z.enum(importFields), from: text(longestCell), to: filled(longestCell, '替换为') }).optional(),
      skipErrors: z.boolean().default(false),
    })
    .superRefine((b, context) => {
      if (b.action === 'cells' && b.cells.length === 0) context.addIssue({ code: 'custom', path: ['cells'], message: '没有要修改的单元格' })
      if (b.action === 'replace' && !b.replace) context.addIssue({ code: 'custom', path: ['replace'], message: '请填写替换的内容' })
    }),
  response: z.object({
    state: z.enum(Object.keys(importStates) as [ImportState, ...ImportState[]]),
    /** Validated again. */
    rows: z.array(importRow),
  }),
})

/** Not confirmed yet, and nothing of it registered. */
export const isBeforeRun = (state: ImportState): boolean => Number(state) < Number(importState.running)

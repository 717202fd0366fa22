import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { day, filled, flag, month, ofProject, paged, pageQuery, pointsTo, ref, several, text } from '../kit/fields.ts'
import { listOf, sortBy } from '../kit/list.ts'
import { allowedAction, codesOfMoves, moveBody, rightsOfMoves } from '../kit/process.ts'
import { type CellState, cellStates, columnKeys, workCodes } from './catalogue.ts'
import { paperFiles, paperMoves } from './moves.ts'

const path = '/api/v1/oa/process/document'
const view = 'documents.view'
const upload = 'documents.upload'
/** The site and the companies that run it keep its papers; an authority reads them. */
const keeps = { needs: upload, groupTypes: [2, 3] } as const
const column = z.enum(columnKeys, { error: '请选择资料类别' })
const work = z.enum(workCodes, { error: '请选择分项' })
const cellState = z.enum(Object.keys(cellStates) as [CellState, ...CellState[]])

/** Records that file themselves, each opened where it was made. */
export const recordSources = { step: '工序验收', check: '质量检查', measure: '实测实量', material: '物资批次' } as const
export type RecordSource = keyof typeof recordSources
const recordSource = z.enum(Object.keys(recordSources) as [RecordSource, ...RecordSource[]], { error: '请选择记录' })

const cell = z.object({ column, state: cellState, count: z.number().int(), late: z.number().int() })
export type PaperCell = z.output<typeof cell>

/** A lot: a work at a place. */
export const lotRow = z.object({
  id: z.string(),
  projectCode: z.string(),
  unit: z.string(),
  unitName: z.string(),
  division: z.string(),
  divisionName: z.string(),
  itemName: z.string(),
  work: z.string(),
  workName: z.string(),
  placeId: z.string(),
  placeName: z.string(),
  /** In the order of the columns. */
  cells: z.array(cell),
  gaps: z.number().int(),
})
export type LotRow = z.output<typeof lotRow>

const branch = z.object({
  unit: z.string(),
  unitName: z.string(),
  division: z.string(),
  divisionName: z.string(),
  work: z.string(),
  workName: z.string(),
  lots: z.number().int(),
  gaps: z.number().int(),
})
export type LotBranch = z.output<typeof branch>

/** The matrix of one project; `tree` is of all its lots, whatever the filters. */
export const listQuality = endpoint({
  method: 'GET',
  path: `${path}/quality`,
  summary: '质量资料',
  description: '一个项目的检验批 × 资料类别。',
  needs: view,
  answers: 'list',
  query: pageQuery.extend({
    ...ofProject.shape,
    unit: several.optional(),
    division: text(2).optional(),
    work: several.optional(),
    placeName: text(50).optional(),
    /** Lots with a paper or record of that month. */
    month: month.optional(),
    missing: flag.optional(),
    /** Cells in which something waits for 监理. */
    waiting: flag.optional(),
    /** Cells with a paper that was uploaded late. */
    late: flag.optional(),
    sort: sortBy('place', 'gaps'),
  }),
  response: paged(lotRow).extend({
    tree: z.array(branch),
    counts: z.object({ lots: z.number().int(), missing: z.number().int(), waiting: z.number().int(), late: z.number().int() }),
  }),
})

export const qualityList = listOf(listQuality, {
  feature: 'documentQuality',
  columns: {
    unitName: '单位工程',
    divisionName: '分部',
    itemName: '子分部',
    workName: '分项',
    placeName: '检验批',
    lot: '检验批验收',
    hidden: '隐蔽验收',
    retest: '材料复验',
    measure: '实测记录',
    test: '试块报告',
    photo: '影像',
    gaps: '缺项',
  },
})

const file = z.object({ url: z.string(), name: z.string() })
const entry = z.object({
  id: z.string(),
  /** Null: uploaded here. */
  source: recordSource.nullable(),
  sourceName: z.string(),
  name: z.string(),
  /** Where the record is opened; null for an uploaded paper. */
  link: z.string().nullable(),
  date: z.string().nullable(),
  signer: z.string(),
  stateName: z.string(),
  stands: z.enum(['done', 'waiting', 'noted']),
  versionNo: z.number().int(),
  late: z.boolean(),
  reason: z.string().nullable(),
  files: z.array(file),
  /** Earlier versions, the newest first. */
  earlier: z.array(z.object({ versionNo: z.number().int(), byName: z.string(), at: z.string(), files: z.array(file) })),
  /** Linked by hand: its row of the library, to be taken away again. */
  linkId: z.string().nullable(),
  version: z.number().int(),
  actions: z.array(allowedAction),
  /** The caller uploaded or linked it, and it is not accepted. */
  removable: z.boolean(),
})
export type PaperEntry = z.output<typeof entry>

const cellKey = { placeId: ref('sitePlace'), work, column }

/** Everything in one cell: papers, and records that file themselves. */
export const readQualityCell = endpoint({
  method: 'GET',
  path: `${path}/quality/cell`,
  summary: '质量资料单元',
  needs: view,
  answers: 'object',
  query: ofProject.extend(cellKey),
  response: z.object({
    placeName: z.string(),
    workName: z.string(),
    columnName: z.string(),
    state: cellState,
    list: z.array(entry),
  }),
})

/** Records of the project that may stand in a column instead of an uploaded paper. */
export const listLinkable = endpoint({
  method: 'GET',
  path: `${path}/quality/records`,
  summary: '可关联的质量记录',
  needs: upload,
  answers: 'list',
  query: ofProject.extend({ column, keyword: text(50).optional() }),
  response: paged(z.object({ source: recordSource, id: z.string(), name: z.string(), placeName: z.string(), date: z.string().nullable() })),
})

const made = z.object({ id: z.string(), version: z.number().int(), state: z.string() })

export const createQualityPaper = endpoint({
  method: 'POST',
  path: `${path}/quality`,
  summary: '上传质量资料',
  ...keeps,
  query: ofProject,
  body: z.object({
    ...cellKey,
    name: filled(100, '资料名称'),
    workDate: day,
    files: paperFiles,
    /** Also hands it to 监理. */
    submit: z.boolean().default(false),
  }),
  response: made,
})

export const linkQualityRecord = endpoint({
  method: 'POST',
  path: `${path}/quality/link`,
  summary: '关联质量记录',
  ...keeps,
  query: ofProject,
  body: z.object({ ...cellKey, source: recordSource, refId: filled(64, '记录') }),
  response: z.object({ id: z.string() }),
})

const id = z.object({ id: ref('libraryPaper') })

export const changePaper = endpoint({
  method: 'PUT',
  path: `${path}/paper/:id`,
  summary: '办理质量资料',
  description: '按 action 办理：submit、newVersion、approve、return；version 为读取时的版本。',
  needs: codesOfMoves(paperMoves),
  acts: 'review',
  actions: rightsOfMoves(paperMoves),
  params: id,
  query: ofProject,
  body: moveBody(paperMoves, {}),
  response: made,
})

/** Takes away what the caller itself uploaded or linked, unless 监理 has it or accepted it. */
export const removePaper = endpoint({
  method: 'DELETE',
  path: `${path}/paper/:id`,
  summary: '撤回资料',
  ...keeps,
  params: id,
  query: ofProject,
})

/** PDF of a division of a unit. */
export const divisionPrint = z.object({
  projectCode: pointsTo('project', filled(64, '项目')),
  unit: filled(80, '单位工程'),
  division: filled(2, '分部'),
})

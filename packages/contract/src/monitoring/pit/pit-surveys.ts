import { z } from 'zod'
import { endpoint } from '../../kit/endpoint.ts'
import { dayRange, ofProject, paged, pageQuery, text } from '../../kit/fields.ts'
import { listOf, sortBy } from '../../kit/list.ts'
import { epoch } from '../../telemetry/model.ts'

/**
 * Readings people took at the points of a pit, imported from a workbook. A file is validated cell by cell, then stored completely or not at all; its
 * readings are processed like a logger's (curves, control values, rules).
 */

/** Columns of the sheet; a file names them in its heading, in any order. */
export const surveyColumns = [
  { key: 'pitName', title: '基坑', required: false },
  { key: 'pointCode', title: '测点编号', required: true },
  { key: 'time', title: '测量时间', required: true },
  { key: 'value', title: '累计值', required: true },
  { key: 'valueY', title: '倾斜Y', required: false },
  { key: 'depth', title: '深度', required: false },
  { key: 'surveyor', title: '测量人', required: false },
] as const
export type SurveyField = (typeof surveyColumns)[number]['key']
const fields = surveyColumns.map((one) => one.key) as [SurveyField, ...SurveyField[]]

/** One week of two inclinometers metre by metre and of all points of a large pit. */
export const mostSurveyRows = 3_000
/** A change of more than this since the last reading, mm, must be confirmed: it may be a displaced prism. */
export const surveyJump = 5

export const surveyStates = { waiting: '写入中', done: '已入库', failed: '未入库' } as const
const stateKeys = Object.keys(surveyStates) as [keyof typeof surveyStates, ...(keyof typeof surveyStates)[]]

const pitSurvey = z.object({
  id: z.string(),
  projectCode: z.string(),
  projectName: z.string(),
  fileName: z.string(),
  state: z.enum(stateKeys),
  /** Lines of the sheet; `readings` and `points` count what they contain. */
  rows: z.number().int(),
  readings: z.number().int(),
  points: z.number().int(),
  /** Readings that differ from the previous one by more than `surveyJump`. */
  jumps: z.number().int(),
  /** Stored readings, and those already known. */
  stored: z.number().int(),
  doubled: z.number().int(),
  firstTime: epoch,
  lastTime: epoch,
  message: z.string(),
  createBy: z.string(),
  createTime: epoch,
})
export type PitSurvey = z.infer<typeof pitSurvey>

export const listPitSurveys = endpoint({
  method: 'GET',
  path: '/api/v1/oa/process/pitSurvey',
  summary: '基坑人工监测导入记录',
  needs: 'foundation-pit.view',
  answers: 'list',
  query: pageQuery.extend({
    ...ofProject.shape,
    createBy: text(50).optional(),
    createTime: dayRange.optional(),
    sort: sortBy('createTime'),
  }),
  response: paged(pitSurvey),
})
export const pitSurveyList = listOf(listPitSurveys, {
  feature: 'pitSurvey',
  columns: {
    createTime: '导入时间',
    projectName: '项目',
    fileName: '文件',
    state: '状态',
    period: '测量时段',
    points: '测点',
    readings: '读数',
    jumps: '突变',
    doubled: '重复',
    createBy: '导入人',
    message: '说明',
  },
})

export const surveyTemplate = endpoint({
  method: 'GET',
  path: '/api/v1/oa/process/pitSurvey/template',
  summary: '下载基坑人工监测导入模板',
  needs: 'foundation-pit.import',
  query: ofProject,
  answers: 'blob',
})

const cellFault = z.object({ column: z.enum(fields), text: z.string() })
/**
 * A form with `file` and `mode`: `check` reports errors cell by cell and stores nothing, `save` stores the whole file or, if any cell is wrong,
 * nothing.
 */
export const importSurvey = endpoint({
  method: 'POST',
  path: '/api/v1/oa/process/pitSurvey',
  summary: '导入基坑人工监测',
  needs: 'foundation-pit.import',
  multipart: true,
  perMinute: 30,
  query: ofProject,
  response: z.object({
    /** Id of the import; null after a check. */
    id: z.string().nullable(),
    rows: z.array(
      z.object({
        row: z.number().int(),
        values: z.partialRecord(z.enum(fields), z.string()),
        errors: z.array(cellFault),
        warnings: z.array(cellFault),
      }),
    ),
    counts: z.object({
      rows: z.number().int(),
      faulty: z.number().int(),
      jumps: z.number().int(),
      doubled: z.number().int(),
      points: z.number().int(),
      readings: z.number().int(),
    }),
    /** Unknown column headings. */
    unknownColumns: z.array(z.string()),
  }),
})
export type SurveyRead = NonNullable<(typeof importSurvey)['types']>['out']

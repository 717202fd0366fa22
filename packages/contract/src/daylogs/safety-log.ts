import { z } from 'zod'
import { endpoint, viewOf } from '../kit/endpoint.ts'
import { day, month, ofProject, paged, pageQuery, pointsTo, ref, several, text } from '../kit/fields.ts'
import { listOf, sortBy } from '../kit/list.ts'
import { codesOfMoves, moveBody, rightsOfMoves } from '../kit/process.ts'
import { safetyFields } from './fields.ts'
import { safetyMoves } from './moves.ts'
import { dayQuery, filters, logDetail, logRow, made, matrixRow, prefill } from './shapes.ts'

const path = '/api/v1/oa/process/safetyPLog'
const view = 'safety-management.view'
const sorts = ['day', 'workerCount', 'recorder'] as const

/** Of a month: how many days ask for a log. */
const counts = z.object({
  due: z.number().int(),
  written: z.number().int(),
  late: z.number().int(),
  unanswered: z.number().int(),
})

/** Sites of the matrix: those that owe a log today, have written it, have not, or have been silent for three days. */
export const matrixTabs = { due: '应报', written: '已报', missing: '未报', silent: '连续 3 日未报' } as const
export type MatrixTab = keyof typeof matrixTabs
const ofMatrix = {
  ...ofProject.shape,
  month: month.optional(),
  standing: z.enum(Object.keys(matrixTabs) as [MatrixTab, ...MatrixTab[]]).optional(),
  projectName: text(50).optional(),
  areaCode: several.optional(),
}
const matrixSorts = ['missing', 'projectName'] as const
const matrixCounts = z.object({
  due: z.number().int(),
  written: z.number().int(),
  missing: z.number().int(),
  silent: z.number().int(),
})
const matrix = paged(matrixRow).extend({ counts: matrixCounts, month: z.string(), today: z.string() })

/** Safety logs of sites; with `view=matrix` a month of every site in codes. */
export const safetyLogRecords = endpoint({
  method: 'GET',
  path,
  summary: '项目安全日志',
  description: 'view=matrix：各项目一个月的填写情况，每天一个代码（w 已写，l 补记，m 缺，s 停工，t 今日待写，- 不要求）。',
  needs: view,
  answers: 'list',
  query: pageQuery.extend({ ...filters, ...ofMatrix, view: z.literal('matrix').optional(), sort: sortBy(...sorts, ...matrixSorts) }),
  response: z.union([paged(logRow).extend({ counts }), matrix]),
})

export const listSafetyLogs = viewOf(safetyLogRecords, {
  query: pageQuery.extend({ ...filters, sort: sortBy(...sorts) }),
  response: paged(logRow).extend({ counts }),
})
export const safetyLogList = listOf(listSafetyLogs, {
  feature: 'safetyPLog',
  columns: {
    day: '日期',
    projectName: '项目',
    weather: '天气',
    workerCount: '现场人数',
    attendCount: '考勤人数',
    parts: '施工部位与内容',
    problemCount: '问题',
    commentCount: '批阅',
    recorder: '记录人',
    submittedAt: '提交时间',
    state: '状态',
  },
})

export const safetyLogMatrix = viewOf(safetyLogRecords, {
  query: pageQuery.extend({ ...ofMatrix, view: z.literal('matrix'), sort: sortBy(...matrixSorts) }),
  response: matrix,
})
export const safetyMatrixList = listOf(safetyLogMatrix, {
  feature: 'safetyPLogMatrix',
  columns: {
    projectName: '项目',
    areaName: '区划',
    marks: '填写情况',
    due: '应写',
    written: '已写',
    late: '其中补记',
    missing: '缺',
    stopped: '停工天数',
  },
})

const id = z.object({ id: ref('safetyLog') })

export const getSafetyLog = endpoint({
  method: 'GET',
  path: `${path}/:id`,
  summary: '项目安全日志详情',
  needs: view,
  params: id,
  query: ofProject,
  response: logDetail,
})

/** What the day has recorded: attendance, machines, checks, orders, alarms and more. */
export const prefillSafetyLog = endpoint({
  method: 'GET',
  path: `${path}/prefill`,
  summary: '安全日志的系统带入',
  needs: safetyMoves.submit.needs,
  answers: 'object',
  query: dayQuery,
  response: prefill,
})

/** Creates a draft, or submits at once. The device names the id, so that a repeated request creates nothing more. */
export const createSafetyLog = endpoint({
  method: 'POST',
  path,
  summary: '新建项目安全日志',
  needs: safetyMoves.submit.needs,
  query: ofProject,
  body: z.object({
    id: pointsTo('safetyLog', z.string().regex(/^[0-9a-f]{32}$/, '编号格式不正确')),
    action: z.enum(['save', 'submit']),
    ...safetyFields,
  }),
  response: made,
})

export const changeSafetyLog = endpoint({
  method: 'PUT',
  path: `${path}/:id`,
  summary: '办理项目安全日志',
  description: '按 action 办理：save、submit、edit、return、comment、answer、archive；version 为读取时的版本。',
  needs: codesOfMoves(safetyMoves),
  acts: 'review',
  actions: rightsOfMoves(safetyMoves),
  params: id,
  query: ofProject,
  body: moveBody(safetyMoves, {}),
  response: made,
})

export const removeSafetyLog = endpoint({
  method: 'DELETE',
  path: `${path}/:id`,
  summary: '删除项目安全日志草稿',
  needs: safetyMoves.save.needs,
  params: id,
  query: ofProject,
})

export const mostUrged = 200
/** Rights of what concerns many logs at once. */
const collective = {
  remind: { needs: safetyMoves.comment.needs, acts: 'review' },
  archiveMonth: { needs: safetyMoves.archive.needs, acts: 'review' },
} as const

/** 催报 of sites that have not written, and 归档 of a month. */
export const handleSafetyLogs = endpoint({
  method: 'PUT',
  path,
  summary: '批量催报、按月归档项目安全日志',
  needs: ['safety-management.comment', 'safety-management.archive', 'safety-management.review'],
  acts: 'review',
  actions: collective,
  query: ofProject,
  body: z.discriminatedUnion('action', [
    z.object({
      action: z.literal('remind'),
      projects: z.array(ref('project')).min(1, '请选择项目').max(mostUrged, `一次最多催报 ${mostUrged} 个项目`),
      day,
    }),
    z.object({ action: z.literal('archiveMonth'), month }),
  ]),
  response: z.object({ done: z.number().int(), skipped: z.number().int() }),
})

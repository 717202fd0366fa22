import { z } from 'zod'
import { checkProblem } from '../checks/problems.ts'
import { endpoint } from '../kit/endpoint.ts'
import { dayRange, flag, numericRange, ofProject, paged, pageQuery, pointsTo, ref, several, text } from '../kit/fields.ts'
import { listOf, sortBy } from '../kit/list.ts'
import { allowedAction, codesOfMoves, logLine, moveBody, rightsOfMoves } from '../kit/process.ts'
import { dustEvidence } from './items.ts'
import { dustFields, dustMoves } from './moves.ts'

const path = '/api/v1/dust'
const view = 'inspection.view'

export const dustRow = z.object({
  id: z.string(),
  /** Null for a draft. */
  code: z.string().nullable(),
  projectCode: z.string(),
  projectName: z.string(),
  checkTime: z.string(),
  checkers: z.array(z.string()),
  checkerGroupName: z.string(),
  responseLevel: z.string().nullable(),
  responseLevelName: z.string().nullable(),
  weather: z.string().nullable(),
  weatherName: z.string().nullable(),
  pm10: z.number().nullable(),
  /** Results by item. */
  results: z.record(z.string(), z.string()),
  /** Names of the items that failed. */
  failItems: z.array(z.string()),
  passRate: z.number().nullable(),
  /** Dictionary checkResult. */
  result: z.string().nullable(),
  resultName: z.string().nullable(),
  problemCount: z.number().int(),
  deadline: z.string().nullable(),
  overdueDays: z.number().int(),
  /** Everything fits, and yet the station raised an alarm in the same hour. */
  contradicted: z.boolean(),
  state: z.string(),
  stateName: z.string(),
  version: z.number().int(),
})
export type DustRow = z.output<typeof dustRow>

const dustDetail = dustRow.extend({
  items: z.array(
    z.object({ code: z.string(), name: z.string(), result: z.string(), note: z.string().nullable(), photos: z.array(z.string()) }),
  ),
  remark: z.string().nullable(),
  photos: z.array(z.string()),
  /** What the platform knew when the check was submitted; null for a draft. */
  evidence: dustEvidence.nullable(),
  problems: z.array(checkProblem),
  notices: z.array(
    z.object({
      id: z.string(),
      code: z.string().nullable(),
      corpName: z.string(),
      state: z.string(),
      stateName: z.string(),
      deadline: z.string(),
    }),
  ),
  /** PM10 in μg/m³ and wind in m/s by five minutes, six hours before and after; a missing value is null. Epoch milliseconds. */
  curve: z.array(z.object({ at: z.number(), pm10: z.number().nullable(), wind: z.number().nullable() })),
  sprays: z.array(z.object({ from: z.number(), to: z.number(), trigger: z.string().nullable() })),
  timeline: z.array(logLine),
  actions: z.array(allowedAction),
})
export type DustDetail = z.output<typeof dustDetail>

export const listDustChecks = endpoint({
  method: 'GET',
  path,
  summary: '扬尘检查列表',
  needs: view,
  answers: 'list',
  query: pageQuery.extend({
    ...ofProject.shape,
    tab: z.enum(['own', 'open']).optional(),
    checkTime: dayRange.optional(),
    checkers: text(50).optional(),
    responseLevel: several.optional(),
    weather: several.optional(),
    pm10: numericRange.optional(),
    failItems: several.optional(),
    passRate: numericRange.optional(),
    result: several.optional(),
    state: several.optional(),
    today: flag.optional(),
    contradicted: flag.optional(),
    sort: sortBy('checkTime', 'pm10', 'passRate', 'deadline'),
  }),
  response: paged(dustRow).extend({
    counts: z.object({
      today: z.number().int(),
      open: z.number().int(),
      contradicted: z.number().int(),
      /** Mean pass rate of the last 30 days in percent; null without checks. */
      passRate: z.number().nullable(),
    }),
  }),
})

export const dustList = listOf(listDustChecks, {
  feature: 'dust',
  columns: {
    code: '编号',
    projectName: '项目',
    checkTime: '检查时间',
    checkers: '检查人',
    responseLevel: '响应等级',
    weather: '天气',
    pm10: '现场 PM10',
    failItems: '不符合项',
    passRate: '达标率',
    result: '结论',
    deadline: '整改期限',
    state: '状态',
  },
})

const id = z.object({ id: ref('siteCheck') })
const made = z.object({ id: z.string(), code: z.string().nullable(), version: z.number().int(), state: z.string() })

export const getDustCheck = endpoint({
  method: 'GET',
  path: `${path}/:id`,
  summary: '扬尘检查详情',
  needs: view,
  params: id,
  query: ofProject,
  response: dustDetail,
})

/** What the platform itself knows of a site now, and the response that its last check named. */
export const dustNow = endpoint({
  method: 'GET',
  path: `${path}/evidence`,
  summary: '扬尘检查的平台证据',
  needs: [view, 'inspection.dustCheck'],
  answers: 'object',
  query: ofProject,
  response: z.object({ evidence: dustEvidence, responseLevel: z.string().nullable(), responseDay: z.string().nullable() }),
})

/** Creates a draft, or submits at once. The device names the id, so that a repeated request creates nothing more. */
export const createDustCheck = endpoint({
  method: 'POST',
  path,
  summary: '新增扬尘检查',
  needs: dustMoves.submit.needs,
  acts: 'review',
  query: ofProject,
  body: z.object({
    id: pointsTo('siteCheck', z.string().regex(/^[0-9a-f]{32}$/, '编号格式不正确')),
    action: z.enum(['save', 'submit']),
    ...dustFields,
  }),
  response: made,
})

export const changeDustCheck = endpoint({
  method: 'PUT',
  path,
  summary: '修改扬尘检查',
  description: '按 action 办理：save、submit；version 为读取时的版本。',
  needs: codesOfMoves(dustMoves),
  acts: 'review',
  actions: rightsOfMoves(dustMoves),
  query: ofProject,
  body: moveBody(dustMoves, { id: ref('siteCheck') }),
  response: made,
})

export const removeDustCheck = endpoint({
  method: 'DELETE',
  path: `${path}/:id`,
  summary: '删除扬尘检查草稿',
  needs: dustMoves.save.needs,
  acts: 'review',
  params: id,
  query: ofProject,
})

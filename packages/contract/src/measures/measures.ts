import { z } from 'zod'
import { seriesKinds } from '../checks/security-check.ts'
import { endpoint } from '../kit/endpoint.ts'
import { dayRange, flag, numericRange, ofProject, paged, pageQuery, pointsTo, ref, several, text } from '../kit/fields.ts'
import { listOf, sortBy } from '../kit/list.ts'
import { allowedAction, codesOfMoves, logLine, moveBody, rightsOfMoves } from '../kit/process.ts'
import { measureFields, measureMoves } from './moves.ts'

const path = '/api/v1/oa/process/safetyMeasures'
const view = 'inspection.view'

export const measureRow = z.object({
  id: z.string(),
  projectCode: z.string(),
  projectName: z.string(),
  name: z.string(),
  placeId: z.string().nullable(),
  placeName: z.string().nullable(),
  hazardSource: z.string(),
  hazardSourceName: z.string(),
  riskLevel: z.string(),
  corpCode: z.string(),
  corpName: z.string(),
  responsible: z.string(),
  startDate: z.string(),
  endDate: z.string(),
  /** Photos of the work done exist. */
  done: z.boolean(),
  /** Running, without such photos, and past its end. */
  overdueDays: z.number().int(),
  /** Cents. */
  cost: z.number().nullable(),
  /** Checks with a problem of the series that it stands against. */
  sourceCount: z.number().int(),
  authorGroupName: z.string(),
  state: z.string(),
  stateName: z.string(),
  version: z.number().int(),
})
export type MeasureRow = z.output<typeof measureRow>

const measureDetail = measureRow.extend({
  content: z.string(),
  seriesBy: z.enum(seriesKinds).nullable(),
  seriesKey: z.string().nullable(),
  /** How the series is called; null without one. */
  seriesName: z.string().nullable(),
  photos: z.array(z.string()),
  vouchers: z.array(z.string()),
  works: z.array(
    z.object({
      id: z.string(),
      note: z.string(),
      photos: z.array(z.string()),
      /** What contradicts each photograph (taken too early, off the site, used elsewhere); null: nothing. */
      photoNotes: z.array(z.string().nullable()),
      byName: z.string(),
      at: z.string(),
    }),
  ),
  /** Problems of the series in each week from eight weeks before the measure began; `week` is its Monday. */
  weeks: z.array(z.object({ week: z.string(), count: z.number().int() })),
  /** The latest problems of the series. */
  problems: z.array(
    z.object({
      id: z.string(),
      checkId: z.string(),
      checkCode: z.string().nullable(),
      checkTime: z.string(),
      part: z.string(),
      description: z.string(),
      closed: z.boolean(),
    }),
  ),
  timeline: z.array(logLine),
  actions: z.array(allowedAction),
})
export type MeasureDetail = z.output<typeof measureDetail>

export const listMeasures = endpoint({
  method: 'GET',
  path,
  summary: '安全措施列表',
  needs: view,
  answers: 'list',
  query: pageQuery.extend({
    ...ofProject.shape,
    tab: z.enum(['todo', 'running', 'archived']).optional(),
    name: text(50).optional(),
    /** The place, or a place in it. */
    place: pointsTo('sitePlace', text(64)).optional(),
    hazardSource: several.optional(),
    riskLevel: several.optional(),
    responsible: text(50).optional(),
    corpName: text(50).optional(),
    startDate: dayRange.optional(),
    endDate: dayRange.optional(),
    done: flag.optional(),
    overdue: flag.optional(),
    cost: numericRange.optional(),
    state: several.optional(),
    sort: sortBy('overdueDays', 'riskLevel', 'startDate', 'endDate', 'cost', 'hazardSource'),
  }),
  response: paged(measureRow).extend({
    counts: z.object({
      todo: z.number().int(),
      running: z.number().int(),
      overdue: z.number().int(),
      grave: z.number().int(),
    }),
    /** Of the rows that the filters select, in cents. */
    costSum: z.number(),
  }),
})

export const measureList = listOf(listMeasures, {
  feature: 'safetyMeasures',
  columns: {
    name: '措施名称',
    projectName: '项目',
    placeName: '位置',
    hazardSource: '针对危险源',
    riskLevel: '风险等级',
    corpName: '责任单位',
    responsible: '责任人',
    startDate: '开始',
    endDate: '截止',
    done: '落实',
    overdueDays: '逾期天数',
    cost: '措施费（元）',
    sourceCount: '关联检查',
    state: '状态',
  },
})

const id = z.object({ id: ref('safetyMeasure') })

export const getMeasure = endpoint({
  method: 'GET',
  path: `${path}/:id`,
  summary: '安全措施详情',
  needs: view,
  params: id,
  query: ofProject,
  response: measureDetail,
})

const made = z.object({ id: z.string(), version: z.number().int(), state: z.string() })

/** Creates a draft, or submits at once. The device names the id, so that a repeated request creates nothing more. */
export const createMeasure = endpoint({
  method: 'POST',
  path,
  summary: '新增安全措施',
  needs: measureMoves.submit.needs,
  query: ofProject,
  body: z.object({
    id: pointsTo('safetyMeasure', z.string().regex(/^[0-9a-f]{32}$/, '编号格式不正确')),
    action: z.enum(['save', 'submit']),
    ...measureFields,
  }),
  response: made,
})

export const changeMeasure = endpoint({
  method: 'PUT',
  path: `${path}/:id`,
  summary: '修改安全措施',
  description: '按 action 办理：save、submit、implement、extend、archive；version 为读取时的版本。',
  needs: codesOfMoves(measureMoves),
  acts: 'own',
  actions: rightsOfMoves(measureMoves),
  params: id,
  query: ofProject,
  body: moveBody(measureMoves, {}),
  response: made,
})

export const removeMeasure = endpoint({
  method: 'DELETE',
  path: `${path}/:id`,
  summary: '删除安全措施草稿',
  needs: measureMoves.save.needs,
  params: id,
  query: ofProject,
})

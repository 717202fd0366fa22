import { z } from 'zod'
import { endpoint, viewOf } from '../kit/endpoint.ts'
import { dayRange, flag, ofProject, paged, pageQuery, pointsTo, ref, several, text } from '../kit/fields.ts'
import { listOf, sortBy } from '../kit/list.ts'
import { allowedAction, codesOfMoves, logLine, moveBody, rightsOfMoves } from '../kit/process.ts'
import { pin, planPicture } from '../places/pins.ts'
import { hazardFields, hazardMoves } from './moves.ts'
import { permitCounts, permitFilters, permitRow, permitSorts } from './permit-rows.ts'

const path = '/api/v1/oa/process/dangerous'
const view = 'safety-management.view'

export const hazardRow = z.object({
  id: z.string(),
  projectCode: z.string(),
  projectName: z.string(),
  corpCode: z.string(),
  corpName: z.string(),
  name: z.string(),
  hazardSource: z.array(z.string()),
  hazardSourceNames: z.array(z.string()),
  part: z.string(),
  placeId: z.string().nullable(),
  placeName: z.string().nullable(),
  score: z.number(),
  riskLevel: z.string(),
  controlLevel: z.string(),
  controlLevelName: z.string(),
  responsible: z.string(),
  checkEvery: z.number().int(),
  lastCheck: z.string().nullable(),
  nextCheck: z.string().nullable(),
  /** Days since the patrol was due; 0: not overdue. */
  overdueDays: z.number().int(),
  bigProjectId: z.string().nullable(),
  bigProjectName: z.string().nullable(),
  startDate: z.string(),
  endDate: z.string().nullable(),
  state: z.string(),
  stateName: z.string(),
  version: z.number().int(),
})
export type HazardRow = z.output<typeof hazardRow>

const hazardFilters = {
  kind: z.literal('source').optional(),
  tab: z.enum(['todo', 'draft']).optional(),
  name: text(50).optional(),
  hazardSource: several.optional(),
  riskLevel: several.optional(),
  controlLevel: several.optional(),
  part: text(50).optional(),
  /** The place, or a place in it. */
  place: pointsTo('sitePlace', text(64)).optional(),
  responsible: text(50).optional(),
  lastCheck: dayRange.optional(),
  overdue: flag.optional(),
  live: flag.optional(),
  bigProjectName: text(50).optional(),
  state: several.optional(),
}
const hazardSorts = ['riskLevel', 'score', 'lastCheck', 'nextCheck', 'name'] as const
const hazardCounts = z.object({
  /** Live ones of level 1 and 2. */
  first: z.number().int(),
  second: z.number().int(),
  overdue: z.number().int(),
})
/** Sites by their live hazards of level 1, then 2. */
const rank = z.array(z.object({ projectCode: z.string(), projectName: z.string(), first: z.number().int(), second: z.number().int() }))
const hazardAnswer = paged(hazardRow).extend({ counts: hazardCounts, permits: permitCounts, rank })
const permitAnswer = paged(permitRow).extend({ counts: permitCounts })

/** Hazards of the sites, or with `kind=permit` their work permits. */
export const dangerousRecords = endpoint({
  method: 'GET',
  path,
  summary: '危险源与作业票列表',
  description: 'kind=source（默认）：危险源；kind=permit：作业票。',
  needs: view,
  answers: 'list',
  query: pageQuery.extend({
    ...ofProject.shape,
    ...hazardFilters,
    ...permitFilters,
    tab: z.enum(['todo', 'today', 'draft']).optional(),
    kind: z.enum(['source', 'permit']).optional(),
    sort: sortBy(...hazardSorts, ...permitSorts),
  }),
  response: z.union([hazardAnswer, permitAnswer]),
})

export const listHazards = viewOf(dangerousRecords, {
  query: pageQuery.extend({ ...ofProject.shape, ...hazardFilters, sort: sortBy(...hazardSorts) }),
  response: hazardAnswer,
})
export const listPermits = viewOf(dangerousRecords, {
  query: pageQuery.extend({ ...ofProject.shape, ...permitFilters, sort: sortBy(...permitSorts) }),
  response: permitAnswer,
})

export const hazardList = listOf(listHazards, {
  feature: 'dangerous',
  columns: {
    name: '危险源',
    projectName: '项目',
    hazardSource: '类型',
    part: '部位',
    placeName: '位置',
    riskLevel: '风险等级',
    score: '评价值',
    controlLevel: '管控层级',
    corpName: '责任单位',
    responsible: '责任人',
    checkEvery: '巡查频次（天）',
    lastCheck: '最近巡查',
    nextCheck: '下次巡查',
    bigProjectName: '危大工程',
    state: '状态',
  },
})
export const permitList = listOf(listPermits, {
  feature: 'workPermit',
  columns: {
    code: '编号',
    projectName: '项目',
    type: '作业类型',
    level: '级别',
    content: '作业内容',
    part: '作业部位',
    corpName: '作业单位',
    startTime: '开始',
    endTime: '结束',
    guardian: '监护人',
    workerCount: '作业人数',
    late: '超时',
    state: '状态',
  },
})

export const hazardDetail = hazardRow.extend({
  pin: pin.nullable(),
  plans: z.array(planPicture),
  likelihood: z.number(),
  exposure: z.number(),
  consequence: z.number(),
  askedLevel: z.string(),
  overScale: z.boolean(),
  levelReason: z.string().nullable(),
  measures: z.array(z.string()),
  controlNote: z.string().nullable(),
  controlPhotos: z.array(z.string()),
  controlledAt: z.string().nullable(),
  /** The newest first. */
  patrols: z.array(
    z.object({
      id: z.string(),
      at: z.string(),
      byName: z.string(),
      result: z.string(),
      note: z.string().nullable(),
      photos: z.array(z.string()),
      /** Days after it was due. */
      lateDays: z.number().int(),
    }),
  ),
  permits: z.array(permitRow),
  timeline: z.array(logLine),
  actions: z.array(allowedAction),
})
export type HazardDetail = z.output<typeof hazardDetail>

const id = z.object({ id: ref('hazardSource') })
const newId = z.string().regex(/^[0-9a-f]{32}$/, '编号格式不正确')
const made = z.object({ id: z.string(), version: z.number().int(), state: z.string() })

/** Plans of a site with its live hazards; without a plan they are only listed. */
export const hazardMap = endpoint({
  method: 'GET',
  path: `${path}/map`,
  summary: '四色图',
  needs: view,
  answers: 'object',
  query: ofProject,
  response: z.object({
    plans: z.array(planPicture),
    hazards: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        part: z.string(),
        placeName: z.string().nullable(),
        riskLevel: z.string(),
        planId: z.string().nullable(),
        x: z.number().nullable(),
        y: z.number().nullable(),
      }),
    ),
  }),
})

/** Over-scale and other works of dangerous kind, live hazards and lifting machines of a site that a new record may name. */
export const dangerousSetup = endpoint({
  method: 'GET',
  path: `${path}/setup`,
  summary: '危险源与作业票可选项',
  needs: 'safety-management.edit',
  answers: 'object',
  // The site writes; others read.
  groupTypes: [2, 3],
  query: ofProject,
  response: z.object({
    works: z.array(z.object({ id: z.string(), name: z.string(), overScale: z.boolean() })),
    hazards: z.array(z.object({ id: z.string(), name: z.string(), part: z.string(), riskLevel: z.string() })),
    machines: z.array(z.object({ id: z.string(), name: z.string() })),
    corps: z.array(z.object({ code: z.string(), name: z.string() })),
    /** Measures of the library by kind of hazard. */
    measures: z.array(z.object({ hazardSource: z.string(), text: z.string() })),
    /** Alarms of wind and heat that hold at this minute, in words. */
    weather: z.array(z.string()),
  }),
})

export const getHazard = endpoint({
  method: 'GET',
  path: `${path}/:id`,
  summary: '危险源详情',
  needs: view,
  params: id,
  query: ofProject,
  response: hazardDetail,
})

/** Creates a draft, or submits at once. The device names the id, so that a repeated request creates nothing more. */
export const createHazard = endpoint({
  method: 'POST',
  path,
  summary: '新建危险源',
  needs: hazardMoves.submit.needs,
  // The site writes; others read.
  groupTypes: [2, 3],
  query: ofProject,
  body: z.object({ id: pointsTo('hazardSource', newId), action: z.enum(['save', 'submit']), ...hazardFields }),
  response: made,
})

export const changeHazard = endpoint({
  method: 'PUT',
  path: `${path}/:id`,
  summary: '办理危险源',
  description: '按 action 办理：save、submit、change、control、patrol、lift；version 为读取时的版本。',
  needs: codesOfMoves(hazardMoves),
  acts: 'site',
  actions: rightsOfMoves(hazardMoves),
  params: id,
  query: ofProject,
  body: moveBody(hazardMoves, {}),
  response: made,
})

export const removeHazard = endpoint({
  method: 'DELETE',
  path: `${path}/:id`,
  summary: '删除危险源草稿',
  needs: hazardMoves.save.needs,
  params: id,
  query: ofProject,
})

/** The card that hangs at the place. */
export const hazardCard = z.object({ id: ref('hazardSource') })
const mostCards = 30
export const hazardCards = z.object({ ids: z.array(ref('hazardSource')).min(1, '请选择危险源').max(mostCards, `一次最多 ${mostCards} 张`) })

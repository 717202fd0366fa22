import { z } from 'zod'
import { endpoint, viewOf } from '../kit/endpoint.ts'
import { dayRange, flag, numericRange, ofProject, paged, pageQuery, pointsTo, several, text } from '../kit/fields.ts'
import { listOf, sortBy } from '../kit/list.ts'
import { planPicture } from '../places/pins.ts'

const path = '/api/v1/measure/record'

/** Filters that the three views share. */
const filters = {
  ...ofProject.shape,
  time: dayRange.optional(),
  place: pointsTo('sitePlace', text(64)).optional(),
  itemCode: several.optional(),
  deviation: numericRange.optional(),
  /** Dictionary measurePointResult, of the first measurement. */
  result: several.optional(),
  /** Measured again. */
  retest: flag.optional(),
  /** Failed and not passed in a retest. */
  open: flag.optional(),
  unitCorp: several.optional(),
  measurer: text(50).optional(),
  instrumentNo: text(50).optional(),
  task: pointsTo('measureTask', text(64)).optional(),
}

const measurePoint = z.object({
  id: z.string(),
  projectCode: z.string(),
  projectName: z.string(),
  corpCode: z.string().nullable(),
  taskId: z.string(),
  taskName: z.string(),
  time: z.string(),
  placeName: z.string(),
  itemCode: z.string(),
  itemName: z.string(),
  standardName: z.string(),
  areaNo: z.number().int(),
  pointNo: z.number().int(),
  designValue: z.number().nullable(),
  value: z.number(),
  deviation: z.number().nullable(),
  result: z.string().nullable(),
  resultName: z.string().nullable(),
  retest: z.number().nullable(),
  retestResult: z.string().nullable(),
  unitCorp: z.string().nullable(),
  measurer: z.string(),
  instrumentNo: z.string().nullable(),
  photos: z.array(z.string()),
})
export type MeasurePoint = z.output<typeof measurePoint>

/** Points as counted: first measurement, and as they stand after retests. */
const counted = {
  measured: z.number().int(),
  passed: z.number().int(),
  burst: z.number().int(),
  /** Percent; null: nothing measured. */
  firstRate: z.number().nullable(),
  passRate: z.number().nullable(),
}

const heatCell = z.object({ placeId: z.string(), ...counted })
const heatRow = z.object({
  floorId: z.string(),
  floorName: z.string(),
  cells: z.array(z.object({ id: z.string(), name: z.string() })),
})
const heatBuilding = z.object({
  id: z.string(),
  name: z.string(),
  ...counted,
  /** Floors from the top down, with their rooms. */
  floors: z.array(heatRow),
})
const heat = z.object({
  list: z.array(heatBuilding),
  total: z.number().int(),
  /** Places that were measured; every other room is not measured. */
  cells: z.array(heatCell),
})
export type Heat = z.output<typeof heat>

const matrixRow = z.object({
  itemCode: z.string(),
  itemName: z.string(),
  ...counted,
  /** First pass rates of the last eight weeks with points, oldest first. */
  trend: z.array(z.object({ week: z.string(), rate: z.number() })),
  corps: z.array(z.object({ corpCode: z.string(), ...counted })),
})
const matrix = z.object({
  list: z.array(matrixRow),
  total: z.number().int(),
  corps: z.array(z.object({ corpCode: z.string(), name: z.string(), ...counted })),
})
export type MeasureMatrix = z.output<typeof matrix>

const rankRow = z.object({ projectCode: z.string(), projectName: z.string(), tasks: z.number().int(), ...counted, open: z.number().int() })
export type MeasureRank = z.output<typeof rankRow>
const ranking = z.object({ list: z.array(rankRow), total: z.number().int() })

/** The areas of one floor on its plan, each with the worst verdict of its points. */
const onPlan = z.object({
  list: z.array(
    z.object({
      id: z.string(),
      placeName: z.string(),
      itemName: z.string(),
      areaNo: z.number().int(),
      planId: z.string(),
      x: z.number(),
      y: z.number(),
      measured: z.number().int(),
      passed: z.number().int(),
      worst: z.string().nullable(),
    }),
  ),
  total: z.number().int(),
  plans: z.array(planPicture),
})

const counts = z.object({
  measured: z.number().int(),
  passRate: z.number().nullable(),
  firstRate: z.number().nullable(),
  burst: z.number().int(),
  open: z.number().int(),
})

export const measureRecords = endpoint({
  method: 'GET',
  path,
  summary: '实测实量记录',
  description:
    'view：list 明细、heat 立面热力图、matrix 测项×分包、rank 项目排名、plan 一层的测区标点；各视图用同一组筛选。合格率 = 合格点/已测点，未测为 null。',
  needs: 'inspection.view',
  answers: 'list',
  query: pageQuery.extend({
    ...filters,
    view: z.enum(['list', 'heat', 'matrix', 'rank', 'plan']).default('list'),
    sort: sortBy('time', 'deviation', 'itemCode'),
  }),
  response: z.union([paged(measurePoint).extend({ counts }), heat, matrix, ranking, onPlan]),
})

export const findMeasurePoints = viewOf(measureRecords, {
  query: pageQuery.extend({ ...filters, sort: sortBy('time', 'deviation', 'itemCode') }),
  response: paged(measurePoint).extend({ counts }),
})
export const measurePointList = listOf(findMeasurePoints, {
  feature: 'measure',
  columns: {
    time: '时间',
    projectName: '项目',
    placeName: '部位',
    itemCode: '测项',
    areaNo: '测区',
    pointNo: '测点',
    designValue: '基准',
    value: '实测',
    deviation: '偏差',
    result: '判定',
    retest: '复测',
    unitCorp: '责任分包',
    measurer: '测量人',
    instrumentNo: '仪器编号',
    taskName: '任务',
    photos: '照片',
  },
  onScreen: ['photos'],
})
export const findMeasureHeat = viewOf(measureRecords, {
  query: z.object({ ...filters, view: z.literal('heat') }),
  response: heat,
})
export const findMeasureMatrix = viewOf(measureRecords, {
  query: z.object({ ...filters, view: z.literal('matrix') }),
  response: matrix,
})
export const findMeasureRank = viewOf(measureRecords, {
  query: z.object({ ...filters, view: z.literal('rank') }),
  response: ranking,
})
export const findMeasurePlan = viewOf(measureRecords, {
  query: z.object({ ...filters, view: z.literal('plan') }),
  response: onPlan,
})

/** 实测实量汇总 of one project, with the filters of the page. */
export const measureSummaryPrint = z.object({ ...filters })
/** Filters of all views, as a page sends them. */
export type MeasureFilters = z.input<typeof measureSummaryPrint>

import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import {
  day,
  dayRange,
  filled,
  flag,
  nullable,
  numericRange,
  ofProject,
  paged,
  pageQuery,
  pointsTo,
  ref,
  several,
  text,
} from '../kit/fields.ts'
import { listOf, sortBy } from '../kit/list.ts'
import { allowedAction, codesOfMoves, logLine, moveBody, rightsOfMoves } from '../kit/process.ts'
import { planPicture } from '../places/pins.ts'
import { taskMoves } from './moves.ts'

const path = '/api/v1/measure/task'
const view = 'inspection.view'

/** 1 企业级, 2 项目级. */
export const checkTypes: Readonly<Record<string, string>> = { 1: '企业级', 2: '项目级' }
/** Places of one task, and tasks of one assignment. */
export const mostTaskPlaces = 60
export const mostTasksAtOnce = 60

const measureTask = z.object({
  id: z.string(),
  projectCode: z.string(),
  projectName: z.string(),
  corpCode: z.string().nullable(),
  taskNo: z.string(),
  taskName: z.string(),
  checkType: z.string(),
  /** The names of its places; of several on one floor the floor. */
  placeName: z.string(),
  placeCount: z.number().int(),
  templateName: z.string(),
  unitCorp: z.string().nullable(),
  memberId: z.string(),
  memberName: z.string(),
  deadline: z.string().nullable(),
  overdueDays: z.number().int(),
  totalItems: z.number().int(),
  totalPoints: z.number().int(),
  currentPoints: z.number().int(),
  qualifiedPoints: z.number().int(),
  burstPoints: z.number().int(),
  /** Percent; null: nothing is measured. After a retest the points as they are then. */
  passRate: z.number().nullable(),
  /** The rate of the first measurement. */
  firstRate: z.number().nullable(),
  targetRate: z.number(),
  progress: z.number(),
  checkTime: z.string().nullable(),
  state: z.string(),
  stateName: z.string(),
  version: z.number().int(),
})
export type MeasureTask = z.output<typeof measureTask>

export const listMeasureTasks = endpoint({
  method: 'GET',
  path,
  summary: '实测实量任务列表',
  needs: view,
  answers: 'list',
  query: pageQuery.extend({
    ...ofProject.shape,
    /** mine: the caller measures; below: submitted and under its target; review: waits for mending or retest. */
    tab: z.enum(['mine', 'below', 'review', 'open']).optional(),
    taskNo: text(32).optional(),
    taskName: text(50).optional(),
    checkType: several.optional(),
    place: pointsTo('sitePlace', text(64)).optional(),
    template: several.optional(),
    unitCorp: text(50).optional(),
    member: text(50).optional(),
    deadline: dayRange.optional(),
    progress: numericRange.optional(),
    passRate: numericRange.optional(),
    burst: flag.optional(),
    state: several.optional(),
    /** Submitted in this month. */
    thisMonth: flag.optional(),
    sort: sortBy('deadline', 'progress', 'passRate', 'taskNo'),
  }),
  response: paged(measureTask).extend({
    counts: z.object({
      waiting: z.number().int(),
      running: z.number().int(),
      review: z.number().int(),
      month: z.number().int(),
      /** Of the points of the tasks submitted this month. */
      monthRate: z.number().nullable(),
    }),
    /** Names of templates for the filter. */
    templates: z.array(z.string()),
  }),
})

export const measureTaskList = listOf(listMeasureTasks, {
  feature: 'measureTask',
  columns: {
    taskNo: '编号',
    taskName: '名称',
    projectName: '项目',
    checkType: '层级',
    placeName: '部位',
    templateName: '模板',
    unitCorp: '责任分包',
    memberName: '测量人员',
    deadline: '要求完成',
    progress: '进度（%）',
    passRate: '合格率（%）',
    burstPoints: '爆点',
    state: '状态',
  },
})

/** An item of a task: the rule as it was when the task began. */
const taskItem = z.object({
  no: z.number().int(),
  itemCode: z.string(),
  itemName: z.string(),
  standardName: z.string(),
  baseValue: z.number().nullable(),
  judgeStart: z.number(),
  judgeEnd: z.number(),
  unit: z.string(),
  isAbsolute: z.boolean(),
  isRange: z.boolean(),
  isCustomBase: z.boolean(),
  areaCount: z.number().int(),
  pointCount: z.number().int(),
  method: z.string().nullable(),
  forbidManual: z.boolean(),
  burstFactor: z.number(),
})
export type TaskItem = z.output<typeof taskItem>

const shownPoint = z.object({
  id: z.string(),
  pointNo: z.number().int(),
  value: z.number(),
  deviation: z.number().nullable(),
  result: z.string().nullable(),
  retest: z.number().nullable(),
  retestResult: z.string().nullable(),
  photos: z.array(z.string()),
  photoNotes: z.array(z.string().nullable()),
})
const shownArea = z.object({
  placeId: z.string(),
  itemNo: z.number().int(),
  areaNo: z.number().int(),
  designValue: z.number().nullable(),
  planId: z.string().nullable(),
  x: z.number().nullable(),
  y: z.number().nullable(),
  points: z.array(shownPoint),
})
export type ShownArea = z.output<typeof shownArea>

const taskDetail = measureTask.extend({
  places: z.array(z.object({ id: z.string(), name: z.string(), fullName: z.string() })),
  items: z.array(taskItem),
  areas: z.array(shownArea),
  plans: z.array(planPicture),
  instrumentNo: z.string().nullable(),
  fixNote: z.string().nullable(),
  fixPhotos: z.array(z.string()),
  timeline: z.array(logLine),
  actions: z.array(allowedAction),
})
export type MeasureTaskDetail = z.output<typeof taskDetail>

const id = z.object({ id: ref('measureTask') })

export const getMeasureTask = endpoint({
  method: 'GET',
  path: `${path}/:id`,
  summary: '实测实量任务详情',
  needs: view,
  params: id,
  query: ofProject,
  response: taskDetail,
})

export const measureChoices = endpoint({
  method: 'GET',
  path: `${path}/choices`,
  summary: '实测实量可选的模板、分包与测量人员',
  needs: ['inspection.measureSetup', 'inspection.measureRun'],
  answers: 'object',
  query: ofProject,
  response: z.object({
    templates: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        ownerName: z.string(),
        ruleCount: z.number().int(),
        /** Of one place. */
        pointCount: z.number().int(),
      }),
    ),
    corps: z.array(z.object({ code: z.string(), name: z.string() })),
    members: z.array(z.object({ id: z.string(), name: z.string(), groupName: z.string() })),
  }),
})

const taskFields = {
  /** Made by the device; tasks of a batch take theirs from it, so that a repeated request creates nothing more. */
  id: pointsTo('measureTask', z.string().regex(/^[0-9a-f]{32}$/, '编号格式不正确')),
  taskName: filled(80, '任务名称'),
  templateId: ref('measureTemplate'),
  placeIds: z
    .array(ref('sitePlace'))
    .min(1, '请选择测量部位')
    .max(mostTaskPlaces * 20, '部位过多，请分批指派'),
  unitCorp: nullable(ref('corporation')),
  deadline: nullable(day),
}

/** `assign`: a task, or one for every floor of the places; `own`: the measurer begins one himself. */
export const createMeasureTask = endpoint({
  method: 'POST',
  path,
  summary: '新增实测实量任务',
  description: 'assign 指派（perFloor 时每层一个任务）；own 测量人自建，直接进入测量。id 由设备生成，重复请求不再新建。',
  needs: ['inspection.measureSetup', 'inspection.measureRun'],
  actions: {
    assign: { needs: 'inspection.measureSetup', acts: 'site' },
    own: { needs: 'inspection.measureRun', acts: 'site' },
  },
  query: ofProject,
  body: z.discriminatedUnion('action', [
    z.object({ action: z.literal('assign'), ...taskFields, memberId: ref('user'), perFloor: z.boolean().default(false) }),
    z.object({ action: z.literal('own'), ...taskFields }),
  ]),
  response: z.object({ ids: z.array(z.string()) }),
})

export const changeMeasureTask = endpoint({
  method: 'PUT',
  path,
  summary: '办理实测实量任务',
  description: '按 action 办理：reassign、start、saveRecords、submit、fix、retest。saveRecords 可重复发送，不改变版本。',
  needs: codesOfMoves(taskMoves),
  acts: 'own',
  actions: rightsOfMoves(taskMoves),
  largeBody: 'the measured values of a floor',
  query: ofProject,
  body: moveBody(taskMoves, { id: ref('measureTask') }),
  response: z.object({ id: z.string(), version: z.number().int(), state: z.string() }),
})

export const removeMeasureTask = endpoint({
  method: 'DELETE',
  path: `${path}/:id`,
  summary: '删除实测实量任务',
  description: '只能删除尚未开始的任务。',
  needs: 'inspection.measureSetup',
  params: id,
})

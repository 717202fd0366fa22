import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { dayRange, flag, numericRange, ofProject, paged, pageQuery, ref, several, text } from '../kit/fields.ts'
import { listOf, sortBy } from '../kit/list.ts'
import { type LabourAlarmAction, labourAlarmActions } from './codes.ts'

export const labourAlarmRow = z.object({
  id: z.string(),
  projectCode: z.string(),
  projectName: z.string().nullable(),
  workerId: z.string(),
  stayId: z.string(),
  name: z.string(),
  corpCode: z.string(),
  corpName: z.string().nullable(),
  teamName: z.string().nullable(),
  type: z.string(),
  typeName: z.string().nullable(),
  period: z.string(),
  content: z.string(),
  amount: z.number(),
  time: z.string(),
  lastTime: z.string(),
  active: z.boolean(),
  state: z.string(),
  stateName: z.string().nullable(),
  handlerName: z.string().nullable(),
  handleRemark: z.string().nullable(),
  handleTime: z.string().nullable(),
  /** Whole days since the alarm was raised, until it was handled. */
  waitedDays: z.number().int(),
  actions: z.array(z.enum(['handle', 'ignore', 'reopen'])),
  version: z.number().int(),
})
export type LabourAlarmRow = z.infer<typeof labourAlarmRow>

const needs = ['attendance.view', 'personnel.view'] as const
const filters = {
  ...ofProject.shape,
  type: several.optional(),
  name: text(50).optional(),
  content: text(100).optional(),
  time: dayRange.optional(),
  state: several.optional(),
  handlerName: text(50).optional(),
  waitedDays: numericRange.optional(),
  workerId: ref('worker').optional(),
  active: flag.optional(),
  sort: sortBy('state', 'time', 'lastTime', 'type', 'name', 'waitedDays'),
}
export const listLabourAlarms = endpoint({
  method: 'GET',
  path: '/api/v1/oa/process/laborAlarm',
  summary: '劳务预警列表',
  needs,
  answers: 'list',
  query: pageQuery.extend(filters),
  response: paged(labourAlarmRow),
})
export const labourAlarmList = listOf(listLabourAlarms, {
  feature: 'laborAlarm',
  columns: {
    type: '预警类型',
    name: '姓名',
    projectName: '项目',
    corpName: '单位',
    teamName: '班组',
    content: '内容',
    time: '发生时间',
    lastTime: '最近一次',
    state: '状态',
    waitedDays: '等待天数',
    handlerName: '处理人',
    handleRemark: '处理说明',
    handleTime: '处理时间',
  },
})

export const labourAlarmCounts = endpoint({
  method: 'GET',
  path: '/api/v1/oa/process/laborAlarm/counts',
  summary: '劳务预警汇总',
  needs,
  query: ofProject,
  response: z.object({
    open: z.number().int(),
    /** Number of people with at least one open alarm. */
    people: z.number().int(),
    /** Open for more than seven days. */
    overdue: z.number().int(),
    ignored: z.number().int(),
    handledIn30Days: z.number().int(),
    byType: z.array(
      z.object({ type: z.string(), typeName: z.string().nullable(), open: z.number().int(), raisedIn30Days: z.number().int() }),
    ),
  }),
})

const action = z.enum(Object.keys(labourAlarmActions) as [LabourAlarmAction, ...LabourAlarmAction[]], { error: '不支持的操作' })
/** Acts on one alarm, or a batch of one type. Alarms that somebody else has changed meanwhile are skipped and named in the response. */
export const actOnLabourAlarms = endpoint({
  method: 'PUT',
  path: '/api/v1/oa/process/laborAlarm',
  summary: '处理劳务预警',
  needs: 'attendance.alarm',
  acts: 'own',
  query: ofProject,
  body: z.object({
    items: z
      .array(z.object({ id: ref('labourAlarm'), version: z.coerce.number().int() }))
      .min(1, '请选择预警')
      .max(200, '一次最多处理 200 条'),
    action,
    remark: text(500, '说明').min(2, '说明至少 2 个字'),
  }),
  response: z.object({ done: z.number().int(), skipped: z.array(z.object({ id: z.string(), reason: z.string() })) }),
})

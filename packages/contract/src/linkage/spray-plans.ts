import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { clockTime, dayRange, filled, ofProject, paged, pageQuery, ref, several, text } from '../kit/fields.ts'
import { listOf, sortBy } from '../kit/list.ts'
import { epoch } from '../telemetry/model.ts'

/** Weekly schedules of sprays, independent of dust readings: for example, wetting the roads before the lorries come. */

export const weekDays = { 1: '周一', 2: '周二', 3: '周三', 4: '周四', 5: '周五', 6: '周六', 7: '周日' } as const
export const sprayRunStates = { sending: '正在启动', sent: '已启动', held: '未启动', failed: '无应答', missed: '已错过' } as const
const mostTimes = 24
const mostMinutes = 120

const sprayPlan = z.object({
  id: z.string(),
  projectCode: z.string(),
  deviceId: z.string(),
  deviceName: z.string(),
  name: z.string(),
  days: z.array(z.number().int()),
  times: z.array(z.string()),
  minutes: z.number().int(),
  enabled: z.boolean(),
  /** Time of the next run; null while the plan is disabled. */
  nextAt: epoch.nullable(),
  lastAt: epoch.nullable(),
  lastState: z.enum(Object.keys(sprayRunStates) as [SprayRunState, ...SprayRunState[]]).nullable(),
  lastMessage: z.string().nullable(),
  createBy: z.string(),
  updateBy: z.string().nullable(),
  version: z.number().int(),
})
export type SprayRunState = keyof typeof sprayRunStates
export type SprayPlan = z.infer<typeof sprayPlan>

const ofDay = clockTime.refine((time) => time !== '24:00', '零点请写 00:00')
const planBody = z.object({
  deviceId: ref('device'),
  name: filled(30, '名称'),
  days: z
    .array(z.coerce.number().int().min(1, '星期应为 1 到 7').max(7, '星期应为 1 到 7'))
    .min(1, '请选择星期')
    .transform((days) => [...new Set(days)].sort((a, b) => a - b)),
  times: z
    .array(ofDay)
    .min(1, '请填写启动时刻')
    .max(mostTimes, `一天最多 ${mostTimes} 次`)
    .transform((times) => [...new Set(times)].sort()),
  minutes: z.coerce
    .number({ error: '时长应为数字' })
    .int('时长应为整分钟')
    .min(1, '至少 1 分钟')
    .max(mostMinutes, `最多 ${mostMinutes} 分钟`),
  enabled: z.boolean().default(true),
})

export const listSprayPlans = endpoint({
  method: 'GET',
  path: '/api/v1/oa/process/sprayPlan',
  summary: '喷淋定时计划列表',
  needs: 'environment.view',
  answers: 'list',
  query: pageQuery.extend({ ...ofProject.shape, deviceId: ref('device').optional() }),
  response: paged(sprayPlan),
})
export const createSprayPlan = endpoint({
  method: 'POST',
  path: '/api/v1/oa/process/sprayPlan',
  summary: '新增喷淋定时计划',
  needs: 'environment.spray',
  query: ofProject,
  body: planBody,
  response: sprayPlan,
})
const planId = z.object({ id: ref('sprayPlan') })
export const updateSprayPlan = endpoint({
  method: 'PUT',
  path: '/api/v1/oa/process/sprayPlan/:id',
  summary: '修改喷淋定时计划',
  needs: 'environment.spray',
  params: planId,
  query: ofProject,
  body: planBody.extend({ version: z.number().int() }),
  response: sprayPlan,
})
export const removeSprayPlan = endpoint({
  method: 'DELETE',
  path: '/api/v1/oa/process/sprayPlan/:id',
  summary: '删除喷淋定时计划',
  needs: 'environment.spray',
  params: planId,
  query: ofProject,
})

const sprayPlanRun = z.object({
  id: z.string(),
  projectCode: z.string(),
  projectName: z.string(),
  deviceId: z.string(),
  deviceName: z.string(),
  planName: z.string(),
  dueAt: epoch,
  minutes: z.number().int(),
  state: z.enum(Object.keys(sprayRunStates) as [SprayRunState, ...SprayRunState[]]),
  message: z.string(),
})
export type SprayPlanRun = z.infer<typeof sprayPlanRun>
export const listSprayPlanRuns = endpoint({
  method: 'GET',
  path: '/api/v1/oa/process/sprayPlanRun',
  summary: '喷淋定时执行记录',
  needs: 'environment.view',
  answers: 'list',
  query: pageQuery.extend({
    ...ofProject.shape,
    deviceId: ref('device').optional(),
    planName: text(30).optional(),
    state: several.optional(),
    dueAt: dayRange.optional(),
    sort: sortBy('dueAt'),
  }),
  response: paged(sprayPlanRun),
})
export const sprayPlanRunList = listOf(listSprayPlanRuns, {
  feature: 'sprayPlanRun',
  columns: {
    dueAt: '计划时间',
    projectName: '项目',
    planName: '计划',
    deviceName: '喷淋区域',
    minutes: '时长（分）',
    state: '结果',
    message: '说明',
  },
})

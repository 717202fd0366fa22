import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { day, dayRange, flag, numericRange, ofProject, paged, pageQuery, ref, several, text } from '../kit/fields.ts'
import { listOf, sortBy } from '../kit/list.ts'
import { tellChannels, tellRoles } from '../notify/telling.ts'
import { outcomes, type TempAction, tempActions } from './codes.ts'

const project = { projectCode: ref('project').optional() }
const moment = z.string().nullable()
/** Null for callers who may not see health data. */
const hidden = z.number().nullable()
const tenth = (label: string, low: number, high: number) =>
  z.coerce
    .number({ error: `${label}应为数字` })
    .min(low, `${label}应在 ${low}-${high} 之间`)
    .max(high, `${label}应在 ${low}-${high} 之间`)
    .refine((n) => Math.abs(n * 10 - Math.round(n * 10)) < 1e-9, `${label}最多一位小数`)

export const tempSetting = z
  .object({
    /** Whether temperatures from gates are evaluated at all. */
    measuring: z.boolean().default(true),
    /** Epidemic mode: everybody submits declarations, and their coverage is shown. */
    mode: z.boolean().default(false),
    modeReason: text(200, '开启原因').default(''),
    modeUntil: day.nullable().default(null),
    threshold: tenth('预警体温', 36.5, 40).default(37.3),
    high: tenth('高热体温', 37.5, 42).default(38),
    /** Days for which values are kept. */
    retentionDays: z.coerce.number().int().min(30, '保存天数应在 30-365 之间').max(365, '保存天数应在 30-365 之间').default(90),
    tellRoles: tellRoles(['安全员']),
    tellChannels,
    gateOffsets: z
      .array(z.object({ terminalCode: text(50, '闸机'), offset: tenth('偏差', -2, 2) }))
      .max(100, '最多 100 台闸机')
      .default([]),
  })
  .superRefine((s, context) => {
    if (s.high <= s.threshold) context.addIssue({ code: 'custom', path: ['high'], message: '高热体温须高于预警体温' })
    if (s.mode && s.modeReason.length < 2) context.addIssue({ code: 'custom', path: ['modeReason'], message: '开启防疫模式须填写原因' })
  })
export type TempSetting = z.output<typeof tempSetting>

/** Whether the epidemic mode is on: it ends automatically after its last day (Shanghai, YYYY-MM-DD). */
export const isEpidemic = (s: Pick<TempSetting, 'mode' | 'modeUntil'>, today: string): boolean =>
  s.mode && (s.modeUntil === null || s.modeUntil >= today)

export const getTempSetting = endpoint({
  method: 'GET',
  path: '/api/v1/temperature/alarm/setting',
  summary: '获取体温预警设置',
  needs: 'attendance.view',
  query: z.object(project),
  response: z.object({
    projectCode: z.string(),
    setting: tempSetting,
    version: z.number().int(),
    updateName: moment,
    updateTime: moment,
    /** Gates with measurements in the last week, and the difference between their mean and the site's (°C). */
    gates: z.array(
      z.object({
        projectName: z.string(),
        terminalCode: z.string(),
        channel: moment,
        count: z.number().int(),
        bias: z.number().nullable(),
      }),
    ),
    /** For each temperature from 36.5 °C in steps of 0.1: people per day who reached it, over the last seven days. */
    reached: z.array(z.object({ value: z.number(), people: z.number().int() })),
  }),
})
export const saveTempSetting = endpoint({
  method: 'POST',
  path: '/api/v1/temperature/alarm/setting',
  summary: '保存体温预警设置',
  needs: 'attendance.tempSet',
  body: z.object({ ...project, setting: tempSetting, version: z.coerce.number().int() }),
  response: z.object({ version: z.number().int() }),
})

export const tempAlarmRow = z.object({
  id: z.string(),
  projectCode: z.string(),
  projectName: moment,
  workerId: z.string(),
  name: z.string(),
  corpCode: moment,
  corpName: moment,
  teamName: moment,
  workDay: z.string(),
  temperature: hidden,
  threshold: z.number(),
  level: z.string(),
  levelName: z.string(),
  count: z.number().int(),
  time: z.string(),
  lastTime: z.string(),
  terminalCode: moment,
  channel: moment,
  recheck: hidden,
  rechecked: z.boolean(),
  recheckTime: moment,
  handleState: z.string(),
  handleStateName: z.string(),
  handlerName: moment,
  handleTime: moment,
  outcome: moment,
  actions: z.array(z.enum(['take', 'recheck', 'handle', 'mistake'])),
  version: z.number().int(),
})
export type TempAlarmRow = z.infer<typeof tempAlarmRow>
export const listTempAlarms = endpoint({
  method: 'GET',
  path: '/api/v1/temperature/alarm/record',
  summary: '体温预警记录列表',
  needs: 'attendance.view',
  answers: 'list',
  query: pageQuery.extend({
    ...project,
    name: text(50).optional(),
    level: several.optional(),
    handleState: several.optional(),
    time: dayRange.optional(),
    channel: text(50).optional(),
    rechecked: flag.optional(),
    workerId: ref('worker').optional(),
    sort: sortBy('time', 'handleState', 'level', 'name'),
  }),
  response: paged(tempAlarmRow).extend({
    counts: z.object({
      open: z.number().int(),
      today: z.number().int(),
      /** Percentage of rechecks with a normal result; null without rechecks. */
      recheckNormal: z.number().nullable(),
      /** Minutes from notification to handling, averaged over 30 days. */
      meanMinutes: z.number().nullable(),
    }),
    /** Whether the caller may see values. */
    health: z.boolean(),
  }),
})
export const tempAlarmList = listOf(listTempAlarms, {
  feature: 'tempAlarm',
  columns: {
    name: '姓名',
    projectName: '项目',
    corpName: '单位',
    teamName: '班组',
    temperature: '体温 °C',
    level: '等级',
    time: '时间',
    channel: '通道',
    count: '次数',
    recheck: '复测 °C',
    handleState: '状态',
    handlerName: '处理人',
    outcome: '去向',
    handleTime: '处理时间',
  },
})

const reading = z.object({ time: z.string(), channel: moment, value: z.number() })
export const getTempAlarm = endpoint({
  method: 'GET',
  path: '/api/v1/temperature/alarm/record/:id',
  summary: '体温预警记录详情',
  needs: 'attendance.view',
  params: z.object({ id: ref('tempAlarm') }),
  response: tempAlarmRow.extend({
    offset: z.number(),
    /** Readings of the person, newest first; empty without the right to health data. */
    own: z.array(reading),
    /** Readings of the same gate within half an hour, without names: they show whether the person or the device is the cause. */
    gate: z.array(z.object({ time: z.string(), value: z.number() })),
    course: z.array(z.object({ at: z.string(), name: z.string(), action: z.string(), text: z.string() })),
    health: z.boolean(),
  }),
})
export const actOnTempAlarms = endpoint({
  method: 'PUT',
  path: '/api/v1/oa/process/tempAlarm',
  summary: '处理体温预警',
  needs: 'attendance.tempHandle',
  acts: 'own',
  query: ofProject,
  body: z.object({
    items: z
      .array(z.object({ id: ref('tempAlarm'), version: z.coerce.number().int() }))
      .min(1, '请选择记录')
      .max(200, '一次最多 200 条'),
    action: z.enum(Object.keys(tempActions) as [TempAction, ...TempAction[]], { error: '不支持的操作' }),
    value: tenth('复测体温', 35, 42).optional(),
    outcome: z.enum(outcomes, '去向不正确').optional(),
    remark: text(500, '处理说明').default(''),
  }),
  response: z.object({ done: z.number().int(), skipped: z.array(z.object({ id: z.string(), reason: z.string() })) }),
})

export const listTemperatures = endpoint({
  method: 'GET',
  path: '/api/v1/prevention/temperature',
  summary: '人员体温记录',
  needs: ['attendance.view', 'personnel.health'],
  answers: 'list',
  query: pageQuery.extend({
    ...project,
    date: day.optional(),
    name: text(50).optional(),
    temperature: numericRange.optional(),
    level: several.optional(),
    terminalCode: text(50).optional(),
    /** People who came today and were not measured. */
    unmeasured: flag.optional(),
    sort: sortBy('measureTime', 'name', 'temperature'),
  }),
  response: paged(
    z.object({
      id: z.string(),
      projectCode: z.string(),
      projectName: moment,
      workerId: z.string(),
      name: z.string(),
      corpName: moment,
      teamName: moment,
      temperature: hidden,
      /** An impossible value: the device is faulty. */
      fault: z.boolean(),
      level: z.string(),
      levelName: z.string(),
      measureTime: moment,
      channel: moment,
      terminalCode: moment,
    }),
  ).extend({
    date: z.string(),
    health: z.boolean(),
    mode: z.boolean(),
    figures: z.object({
      people: z.number().int(),
      /** Number of people who came. */
      came: z.number().int(),
      abnormal: z.number().int(),
      faults: z.number().int(),
      mean: hidden,
    }),
    /** Distribution in steps of 0.1 °C, for callers who may see values. */
    spread: z.array(z.object({ value: z.number(), count: z.number().int() })),
    gates: z.array(
      z.object({ projectName: z.string(), terminalCode: z.string(), channel: moment, count: z.number().int(), mean: hidden, bias: hidden }),
    ),
  }),
})
export const temperatureList = listOf(listTemperatures, {
  feature: 'temperature',
  columns: {
    name: '姓名',
    projectName: '项目',
    corpName: '单位',
    teamName: '班组',
    temperature: '体温 °C',
    level: '等级',
    measureTime: '测温时间',
    channel: '通道',
  },
})

const who = { workerId: z.string(), name: z.string(), corpName: moment, teamName: moment }
/** Without the right to health data, only the figures are returned. */
export const listDeclarations = endpoint({
  method: 'GET',
  path: '/api/v1/prevention/epidemic',
  summary: '疫情信息',
  needs: ['attendance.view', 'personnel.health'],
  answers: 'list',
  query: pageQuery.extend({ ...project, name: text(50).optional(), state: several.optional(), declared: dayRange.optional() }),
  response: paged(
    z.object({
      ...who,
      id: z.string(),
      time: z.string(),
      temperature: z.number().nullable(),
      symptoms: moment,
      trip: moment,
      state: z.string(),
      stateName: z.string(),
      by: z.string(),
    }),
  ).extend({
    health: z.boolean(),
    mode: z.object({ on: z.boolean(), reason: z.string(), until: moment, by: moment, since: moment }),
    figures: z.object({ due: z.number().int(), declared: z.number().int(), watch: z.number().int(), unwell: z.number().int() }),
  }),
})
export const listHealthy = endpoint({
  method: 'GET',
  path: '/api/v1/prevention/healthy',
  summary: '健康信息',
  needs: ['attendance.view', 'personnel.health'],
  answers: 'list',
  query: pageQuery.extend({
    ...project,
    name: text(50).optional(),
    healthStatus: several.optional(),
    /** People who were in a team with these people since a day: possible contacts of a case. */
    contactOf: ref('worker').optional(),
    since: day.optional(),
  }),
  response: paged(
    z.object({
      ...who,
      id: z.string(),
      healthStatus: moment,
      healthStatusName: moment,
      doses: z.number().int(),
      lastDose: moment,
      examDate: moment,
      lastDeclared: moment,
      state: moment,
      /** Work days on which both were on the site; for contacts only. */
      days: z.number().int().nullable(),
    }),
  ).extend({ health: z.boolean() }),
})

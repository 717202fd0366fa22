import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { flag, instant, paged, pageQuery, ref, several, text } from '../kit/fields.ts'
import { dailyAlarms, dailyQuery, epoch, reading } from '../telemetry/model.ts'
import { alarmActions } from './codes.ts'

export const alarmRow = z.object({
  id: z.string(),
  projectCode: z.string(),
  projectName: z.string(),
  deviceId: z.string(),
  deviceName: z.string(),
  point: z.string(),
  family: z.string(),
  familyName: z.string(),
  alarmKey: z.string(),
  alarmLabel: z.string(),
  level: z.number().int(),
  maxLevel: z.number().int(),
  state: z.string(),
  active: z.boolean(),
  stale: z.boolean(),
  flapping: z.boolean(),
  simulated: z.boolean(),
  historical: z.boolean(),
  startTime: epoch,
  fireTime: epoch,
  clearTime: epoch.nullable(),
  clearReason: z.string().nullable(),
  durationSeconds: z.number(),
  peakValue: z.number().nullable(),
  peakTime: epoch.nullable(),
  metric: z.string().nullable(),
  unit: z.string(),
  thresholdText: z.string(),
  handlerName: z.string().nullable(),
  handleTime: epoch.nullable(),
  version: z.number().int(),
})
export type AlarmRow = z.infer<typeof alarmRow>

export const alarmFilters = z.object({
  projectCode: ref('project').or(z.literal('*')).optional(),
  family: several.optional(),
  alarmKey: several.optional(),
  level: several.optional(),
  state: several.optional(),
  active: flag.optional(),
  deviceId: ref('device').optional(),
  deviceName: text(100).optional(),
  handlerName: text(50).optional(),
  startTime: instant.optional(),
  endTime: instant.optional(),
  simulated: flag.optional(),
  historical: flag.optional(),
})

const projectAlarms = z.object({
  projectCode: z.string(),
  projectName: z.string(),
  areaCode: z.string(),
  level1: z.number().int(),
  level2: z.number().int(),
  level3: z.number().int(),
  level4: z.number().int(),
  openOver24h: z.number().int(),
  ackMinutes: z.number().nullable(),
  handledPercent: z.number(),
  falsePercent: z.number(),
  onlinePercent: z.number().nullable(),
  /** Not one alarm while its devices are dark. */
  silent: z.boolean(),
})

/** Alarms of every family; with `groupBy=project` one row per project. `counts` is over the same filters without the state. */
export const listAlarms = endpoint({
  method: 'GET',
  path: '/api/v1/iot/alarm/family',
  summary: '设备告警查询',
  needs: ['alarm.view', 'tower-crane.view', 'environment.view'],
  answers: 'list',
  query: pageQuery.extend({ ...alarmFilters.shape, groupBy: z.enum(['project']).optional() }),
  response: paged(z.union([alarmRow, projectAlarms])).extend({
    counts: z.object({
      active: z.number().int(),
      todo: z.number().int(),
      /** Levels 1 and 2 nobody has taken up. */
      urgent: z.number().int(),
      overdue: z.number().int(),
      today: z.number().int(),
      byFamily: z.record(z.string(), z.number()),
    }),
    /** The newest alarm there was, for a list that is empty. */
    last: z.object({ time: epoch, deviceName: z.string(), state: z.string() }).nullable(),
  }),
})

export const getAlarm = endpoint({
  method: 'GET',
  path: '/api/v1/oa/process/alarm/:id',
  summary: '告警详情',
  needs: ['alarm.view', 'tower-crane.view', 'environment.view'],
  params: z.object({ id: ref('alarm') }),
  query: z.object({ projectCode: ref('project').or(z.literal('*')).optional(), dataState: text(10).optional() }),
  response: alarmRow.extend({
    sources: z.array(z.string()),
    reopened: z.number().int(),
    valuesUsed: z.record(z.string(), z.unknown()),
    ruleId: z.string().nullable(),
    ruleName: z.string().nullable(),
    ruleVersion: z.number().int().nullable(),
    measure: z.string().nullable(),
    photos: z.array(z.string()),
    outcome: z.string().nullable(),
    /** From 2 minutes before the breach to its end, at most 2,000 readings. */
    evidence: z.array(reading),
    clearValue: z.number().nullable(),
    limitValue: z.number().nullable(),
    log: z.array(z.object({ id: z.string(), time: epoch, event: z.string(), text: z.string(), byName: z.string().nullable() })),
    /** What this caller may do now. */
    actions: z.array(z.enum(alarmActions)),
  }),
})

export const actOnAlarm = endpoint({
  method: 'PUT',
  path: '/api/v1/oa/process/alarm/:id',
  summary: '处置告警',
  needs: ['alarm.ack', 'alarm.handle', 'alarm.false', 'alarm.close', 'alarm.urge'],
  params: z.object({ id: ref('alarm') }),
  query: z.object({ projectCode: ref('project').or(z.literal('*')).optional() }),
  body: z.object({
    action: z.enum(alarmActions, { error: '不支持的操作' }),
    version: z.coerce.number().int().optional(),
    measure: text(500, '处置措施').optional(),
    photos: z.array(text(300)).max(9, '最多 9 张照片').default([]),
    reason: text(500, '原因').optional(),
    outcome: text(200, '处置结果').optional(),
  }),
  response: alarmRow,
})

export const towerDailyAlarms = endpoint({
  method: 'GET',
  path: '/api/v1/alarm/tower/daily',
  summary: '塔机告警日统计',
  needs: 'tower-crane.view',
  answers: 'list',
  query: dailyQuery,
  response: z.object({ list: z.array(dailyAlarms), total: z.number().int() }),
})
export const envDailyAlarms = endpoint({
  method: 'GET',
  path: '/api/v1/alarm/env/daily',
  summary: '环境告警日统计',
  needs: 'environment.view',
  answers: 'list',
  query: dailyQuery,
  response: z.object({ list: z.array(dailyAlarms), total: z.number().int() }),
})

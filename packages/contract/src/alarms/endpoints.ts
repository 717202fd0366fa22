import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { flag, instant, numericRange, ofProject, paged, pageQuery, ref, several, text } from '../kit/fields.ts'
import { sortBy } from '../kit/list.ts'
import { type CauseSource, causeSources } from '../monitoring/exceed-causes.ts'
import { dailyAlarms, dailyQuery, epoch, reading } from '../telemetry/model.ts'
import { alarmActions } from './codes.ts'
import { alarmUrging } from './notices.ts'

const causeNames = Object.keys(causeSources) as [CauseSource, ...CauseSource[]]

/** An alarm of the same happening, beside the one that stands for it. */
export const episodeMember = z.object({
  id: z.string(),
  deviceName: z.string(),
  alarmLabel: z.string(),
  level: z.number().int(),
  state: z.string(),
  active: z.boolean(),
  version: z.number().int(),
})
export type EpisodeMember = z.infer<typeof episodeMember>

export const alarmRow = z.object({
  id: z.string(),
  projectCode: z.string(),
  projectName: z.string(),
  deviceId: z.string(),
  deviceName: z.string(),
  /** Whose the machine is now; null when no company calls it its own. */
  ownerCorp: z.string().nullable(),
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
  /** Of a lift that was taken out of use for it: since when, and until when where it is used again. */
  stop: z.object({ from: epoch, to: epoch.nullable() }).nullable(),
  /** The ladder's next rung, while nobody has taken the alarm up. */
  escalation: z.object({ rung: z.number().int(), name: z.string(), at: epoch }).nullable(),
  /** What a body or a company has asked of the site about it. */
  urging: alarmUrging.nullable(),
  /** Of something worn: by whom, and where on the site it opened, as far as the caller may know. */
  person: z.object({ name: z.string().nullable(), team: z.string().nullable(), place: z.string().nullable() }).nullable(),
  /** Of a crane: who drove, in which lift, and which crane or zone it was about, as far as it is known. */
  crane: z
    .object({
      driverName: z.string().nullable(),
      cycleNo: z.string().nullable(),
      otherCrane: z.string().nullable(),
      /** Metres to the other crane when it opened. */
      clearance: z.number().nullable(),
      zoneName: z.string().nullable(),
    })
    .nullable(),
  /** Of dust and noise: what the site said last about where it came from. */
  cause: z.object({ source: z.enum(causeNames), text: z.string(), byName: z.string(), at: epoch }).nullable(),
  /** Of meters, pits and supports: what was found out or decided last. */
  finding: z.object({ code: z.string(), text: z.string(), byName: z.string(), at: epoch }).nullable(),
  /** Of noise at night: the permit it falls within. Marked and counted all the same. */
  permitNo: z.string().nullable(),
  /** Of a short load: what was missing, and what it comes to where a price is known. `checked`: as somebody looked into the ticket. */
  loss: z.object({ tonnes: z.number(), price: z.number().nullable(), amount: z.number().nullable(), checked: z.boolean() }).nullable(),
  /** While it goes on and a silence covers it: until when, and who answers for that. Nothing is told of it meanwhile. */
  silenced: z.object({ until: epoch, personName: z.string() }).nullable(),
  /** The others of its happening, where the list was asked for happenings (`merged`). */
  beside: z.array(episodeMember).optional(),
})
export type AlarmRow = z.infer<typeof alarmRow>

const alarmFilters = z.object({
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
  driverName: text(50).optional(),
  otherCrane: text(100).optional(),
  zoneName: text(60).optional(),
  cycleNo: text(64).optional(),
  clearance: numericRange.optional(),
  cause: several.optional(),
  finding: several.optional(),
  /** `1`: supervised and not accepted yet; `0`: not supervised. */
  urged: flag.optional(),
  permitted: z.enum(['0', '1'], { error: '应为 1 或 0' }).optional(),
})

export const projectAlarms = z.object({
  projectCode: z.string(),
  projectName: z.string(),
  areaCode: z.string(),
  areaName: z.string(),
  contractorCorpName: z.string().nullable(),
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
export type ProjectAlarms = z.infer<typeof projectAlarms>

/** What a list of alarms may be narrowed by and sorted by. */
export const alarmQuery = pageQuery.extend({
  ...alarmFilters.shape,
  /** One row a happening (`episodes.ts`), led by its worst alarm. A file has every alarm. */
  merged: flag.optional(),
  sort: sortBy('startTime', 'level', 'clearTime', 'deviceName', 'peakValue', 'state'),
})
/** What every list of alarms says beside its rows; `counts` is over the same filters without the state. */
export const besideAlarms = {
  counts: z.object({
    active: z.number().int(),
    todo: z.number().int(),
    /** Levels 1 and 2 nobody has taken up. */
    urgent: z.number().int(),
    overdue: z.number().int(),
    /** Dealt with, and not closed yet. */
    handled: z.number().int(),
    today: z.number().int(),
    byFamily: z.record(z.string(), z.number()),
  }),
  /** The newest alarm there was, for a list that is empty. */
  last: z.object({ time: epoch, deviceName: z.string(), state: z.string() }).nullable(),
}

/** Alarms of every family; with `groupBy=project` one row per project. Whoever asks for one of the two takes its list (`lists.ts`). */
export const listAlarms = endpoint({
  method: 'GET',
  path: '/api/v1/iot/alarm/family',
  summary: '设备告警查询',
  needs: ['alarm.view', 'tower-crane.view', 'environment.view'],
  answers: 'list',
  query: alarmQuery.extend({ groupBy: z.enum(['project']).optional() }),
  response: paged(z.union([alarmRow, projectAlarms])).extend({ ...besideAlarms, alarms: z.number().int().optional() }),
})

export const getAlarm = endpoint({
  method: 'GET',
  path: '/api/v1/oa/process/alarm/:id',
  summary: '告警详情',
  needs: ['alarm.view', 'tower-crane.view', 'environment.view'],
  params: z.object({ id: ref('alarm') }),
  query: ofProject.extend({ dataState: text(10).optional() }),
  response: alarmRow.extend({
    beside: z.array(episodeMember),
    sources: z.array(z.string()),
    reopened: z.number().int(),
    valuesUsed: z.record(z.string(), z.unknown()),
    ruleId: z.string().nullable(),
    ruleName: z.string().nullable(),
    ruleVersion: z.number().int().nullable(),
    /** Of something worn, while it goes on: who is nearest. */
    near: z.array(z.object({ name: z.string(), metres: z.number() })),
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
  needs: ['alarm.ack', 'alarm.handle', 'alarm.false', 'alarm.close'],
  acts: 'machine',
  params: z.object({ id: ref('alarm') }),
  query: ofProject,
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

/** Drills of alarms, the newest first. */
export const listDrills = endpoint({
  method: 'GET',
  path: '/api/v1/iot/device/alarm/sim',
  summary: '模拟告警信息',
  needs: ['alarm.sim', 'alarm.view'],
  answers: 'list',
  query: pageQuery.extend({ projectCode: ref('project').or(z.literal('*')).optional(), deviceId: ref('device').optional() }),
  response: paged(alarmRow.extend({ notify: z.boolean(), linkage: z.boolean(), byName: z.string().nullable(), endTime: epoch })),
})
/** Raises a marked alarm that no statistics ever count, to see who is told. Never touches a real one of the same key. */
export const startDrill = endpoint({
  method: 'POST',
  path: '/api/v1/iot/device/alarm/sim',
  summary: '触发模拟告警',
  needs: 'alarm.sim',
  body: z
    .object({
      deviceId: ref('device'),
      alarmKey: text(40, '告警').optional(),
      /** A reading instead of a key: every rule of the device that speaks of it at once. */
      data: z.record(z.string().max(64), z.unknown()).optional(),
      level: z.number().int().min(1, '等级为 1 到 4').max(4, '等级为 1 到 4').optional(),
      notify: flag.default(false),
      linkage: flag.default(false),
      seconds: z.number().int().min(10, '至少 10 秒').max(3600, '最长 1 小时').default(600),
    })
    .refine((b) => b.alarmKey !== undefined || b.data !== undefined, { message: '请选择告警，或给出模拟数据', path: ['alarmKey'] }),
  response: z.object({ ids: z.array(z.string()) }),
})

const suppressRow = z.object({
  id: z.string(),
  projectCode: z.string(),
  deviceId: z.string(),
  deviceName: z.string(),
  family: z.string(),
  point: z.string(),
  alarmKeys: z.array(z.string()),
  alarmLabels: z.array(z.string()),
  kind: z.string(),
  reason: z.string(),
  personName: z.string(),
  from: epoch,
  until: epoch,
  active: z.boolean(),
  /** Dictionary approvalState: silent only once it is passed. */
  state: z.string(),
  stateName: z.string().nullable(),
  askedName: z.string().nullable(),
  opinion: z.string().nullable(),
  decidedName: z.string().nullable(),
  /** The item it is decided with; null of what was begun before there was one. */
  itemId: z.string().nullable(),
  /** What the caller may do about it now. */
  actions: z.array(z.enum(['pass', 'reject', 'withdraw'])),
  version: z.number().int(),
})
export type SuppressRow = z.infer<typeof suppressRow>
export const suppressKinds = {
  jacking: '顶升',
  dismantling: '拆除',
  calibration: '校准',
  sensorChange: '更换传感器',
  other: '其他维护',
} as const

export const listSuppressions = endpoint({
  method: 'GET',
  path: '/api/v1/oa/process/deviceSuppress',
  summary: '告警临时停用列表',
  needs: ['alarm.view', 'alarm.setting'],
  answers: 'list',
  query: pageQuery.extend({ ...ofProject.shape, deviceId: ref('device').optional(), active: flag.optional(), state: several.optional() }),
  response: paged(suppressRow),
})
/** Asks for it: nothing is silent before somebody else has agreed. */
export const startSuppression = endpoint({
  method: 'POST',
  path: '/api/v1/oa/process/deviceSuppress',
  summary: '申请告警临时停用',
  needs: ['alarm.setting', 'environment.maintain'],
  query: ofProject,
  body: z.object({
    deviceId: ref('device'),
    point: text(64, '测点').default(''),
    /** None given: every alarm of the family. */
    alarmKeys: z.array(text(40, '告警')).max(100, '最多 100 项').default([]),
    kind: z.enum(Object.keys(suppressKinds) as [keyof typeof suppressKinds], { error: '请选择停用原因' }).default('other'),
    reason: text(200, '原因').min(2, '请填写原因'),
    personName: text(50, '负责人').min(1, '请填写负责人'),
    from: instant.optional(),
    until: instant,
  }),
  response: z.object({ id: z.string(), code: z.string() }),
})
/** `end` gives the alarms back before their time; the others decide over what was asked for, or take it back. */
export const actOnSuppression = endpoint({
  method: 'PUT',
  path: '/api/v1/oa/process/deviceSuppress/:id',
  summary: '办理告警临时停用',
  needs: ['alarm.setting', 'environment.maintain'],
  params: z.object({ id: ref('suppress') }),
  query: ofProject,
  body: z
    .object({
      action: z.enum(['end', 'pass', 'reject', 'withdraw'], { error: '不支持的操作' }),
      opinion: text(200, '意见').default(''),
      version: z.coerce.number().int().optional(),
    })
    .refine((b) => b.action !== 'reject' || b.opinion.length >= 2, { path: ['opinion'], message: '请填写驳回原因（至少 2 个字）' }),
})

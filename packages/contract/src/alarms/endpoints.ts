import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { flag, instant, numericRange, ofProject, paged, pageQuery, ref, several, text } from '../kit/fields.ts'
import { sortBy } from '../kit/list.ts'
import { type CauseSource, causeSources } from '../monitoring/exceed-causes.ts'
import { dailyAlarms, dailyQuery, epoch, reading } from '../telemetry/model.ts'
import { alarmActions } from './codes.ts'
import { alarmUrging } from './notices.ts'

const causeNames = Object.keys(causeSources) as [CauseSource, ...CauseSource[]]

/** Another alarm of the same episode, beside the leading one. */
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
  /** The current owner of the machine; null if it belongs to no company. */
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
  /** For a lift taken out of use because of the alarm: from when, and until when if it is in use again. */
  stop: z.object({ from: epoch, to: epoch.nullable() }).nullable(),
  /** The next escalation step, while nobody has acknowledged the alarm. */
  escalation: z.object({ rung: z.number().int(), name: z.string(), at: epoch }).nullable(),
  /** The supervision order of a government or company about it. */
  urging: alarmUrging.nullable(),
  /** For worn devices: the wearer and the place on the site when it began, as far as the caller may see them. */
  person: z.object({ name: z.string().nullable(), team: z.string().nullable(), place: z.string().nullable() }).nullable(),
  /** For a crane: driver, lifting cycle, and the other crane or zone concerned, as far as known. */
  crane: z
    .object({
      driverName: z.string().nullable(),
      cycleNo: z.string().nullable(),
      otherCrane: z.string().nullable(),
      /** Metres to the other crane when it began. */
      clearance: z.number().nullable(),
      zoneName: z.string().nullable(),
    })
    .nullable(),
  /** For dust and noise: the site's latest statement of the cause. */
  cause: z.object({ source: z.enum(causeNames), text: z.string(), byName: z.string(), at: epoch }).nullable(),
  /** For meters, pits and supports: the latest finding or decision. */
  finding: z.object({ code: z.string(), text: z.string(), byName: z.string(), at: epoch }).nullable(),
  /** For noise at night: the permit that covers it. It is marked but still counted. */
  permitNo: z.string().nullable(),
  /** For a short load: the missing amount, and its value if a price is known. `checked`: somebody has verified the ticket. */
  loss: z.object({ tonnes: z.number(), price: z.number().nullable(), amount: z.number().nullable(), checked: z.boolean() }).nullable(),
  /** While active and suppressed: until when, and the person responsible. No notifications are sent meanwhile. */
  silenced: z.object({ until: epoch, personName: z.string() }).nullable(),
  /** The other alarms of its episode, if the list was requested by episode (`merged`). */
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
  /** No alarm at all although its devices are offline. */
  silent: z.boolean(),
})
export type ProjectAlarms = z.infer<typeof projectAlarms>

/** Filters and order of a list of alarms. */
export const alarmQuery = pageQuery.extend({
  ...alarmFilters.shape,
  /** One row per episode (`episodes.ts`), led by its worst alarm. Exports contain every alarm. */
  merged: flag.optional(),
  sort: sortBy('startTime', 'level', 'clearTime', 'deviceName', 'peakValue', 'state'),
})
/** Returned by every list of alarms beside its rows; `counts` uses the same filters except the state. */
export const besideAlarms = {
  counts: z.object({
    active: z.number().int(),
    todo: z.number().int(),
    /** Levels 1 and 2 that nobody has acknowledged. */
    urgent: z.number().int(),
    overdue: z.number().int(),
    /** Handled but not closed yet. */
    handled: z.number().int(),
    today: z.number().int(),
    byFamily: z.record(z.string(), z.number()),
  }),
  /** The latest alarm of all, for an empty list. */
  last: z.object({ time: epoch, deviceName: z.string(), state: z.string() }).nullable(),
}

/** Alarms of every family; with `groupBy=project` one row per project. Clients use one of the two views in `lists.ts`. */
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
    /** For worn devices, while active: the nearest people. */
    near: z.array(z.object({ name: z.string(), metres: z.number() })),
    measure: z.string().nullable(),
    photos: z.array(z.string()),
    outcome: z.string().nullable(),
    /** From 2 minutes before the breach to its end, at most 2,000 readings. */
    evidence: z.array(reading),
    /** For two cranes: the clearance over that time, and how many seconds ahead the rule predicts; 20 m stands for any larger distance. */
    approach: z
      .object({ otherCrane: z.string(), seconds: z.number(), points: z.array(z.object({ time: epoch, meters: z.number() })) })
      .nullable(),
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

/** Alarm drills, newest first. */
export const listDrills = endpoint({
  method: 'GET',
  path: '/api/v1/iot/device/alarm/sim',
  summary: '模拟告警信息',
  needs: ['alarm.sim', 'alarm.view'],
  answers: 'list',
  query: pageQuery.extend({ projectCode: ref('project').or(z.literal('*')).optional(), deviceId: ref('device').optional() }),
  response: paged(alarmRow.extend({ notify: z.boolean(), linkage: z.boolean(), byName: z.string().nullable(), endTime: epoch })),
})
/** Raises an alarm marked as a drill, to test who is notified. It is never counted and never affects a real alarm of the same key. */
export const startDrill = endpoint({
  method: 'POST',
  path: '/api/v1/iot/device/alarm/sim',
  summary: '触发模拟告警',
  needs: 'alarm.sim',
  body: z
    .object({
      deviceId: ref('device'),
      alarmKey: text(40, '告警').optional(),
      /** A reading instead of a key: evaluates every rule of the device for it. */
      data: z.record(z.string().max(64), z.unknown()).optional(),
      level: z.number().int().min(1, '等级为 1 到 4').max(4, '等级为 1 到 4').optional(),
      notify: flag.default(false),
      linkage: flag.default(false),
      seconds: z.number().int().min(10, '至少 10 秒').max(3600, '最长 1 小时').default(600),
    })
    .refine((b) => b.alarmKey !== undefined || b.data !== undefined, { message: '请选择告警，或给出模拟数据', path: ['alarmKey'] }),
  response: z.object({ ids: z.array(z.string()) }),
})

export const suppressRow = z.object({
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
  /** Dictionary approvalState; alarms are suppressed only once it is passed. */
  state: z.string(),
  stateName: z.string().nullable(),
  askedName: z.string().nullable(),
  opinion: z.string().nullable(),
  decidedName: z.string().nullable(),
  /** The approval item; null for records from before approvals existed. */
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
/** Requests a suppression; it takes effect only after another user has approved it. */
export const startSuppression = endpoint({
  method: 'POST',
  path: '/api/v1/oa/process/deviceSuppress',
  summary: '申请告警临时停用',
  needs: ['alarm.setting', 'environment.maintain'],
  query: ofProject,
  body: z.object({
    deviceId: ref('device'),
    point: text(64, '测点').default(''),
    /** Empty: every alarm of the family. */
    alarmKeys: z.array(text(40, '告警')).max(100, '最多 100 项').default([]),
    kind: z.enum(Object.keys(suppressKinds) as [keyof typeof suppressKinds], { error: '请选择停用原因' }).default('other'),
    reason: text(200, '原因').min(2, '请填写原因'),
    personName: text(50, '负责人').min(1, '请填写负责人'),
    from: instant.optional(),
    until: instant,
  }),
  response: z.object({ id: z.string(), code: z.string() }),
})
/** `end` ends the suppression early; the other actions decide on the request or withdraw it. */
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

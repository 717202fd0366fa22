import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { day, dayRange, filled, flag, instant, paged, pageQuery, pointsTo, ref, several, text } from '../kit/fields.ts'
import { listOf, sortBy } from '../kit/list.ts'
import { changes } from './quality.ts'

/** Other vendors' platforms are managed by the operator: no other group type sees them. */
const platform = { needs: 'device-admin.gateway', groupTypes: [0] } as const
const dockingId = z.object({ id: ref('docking') })

export const dockingRow = z.object({
  id: z.string(),
  code: z.string(),
  name: z.string(),
  vendor: z.string(),
  connType: z.string(),
  endpoint: z.string().nullable(),
  scheduleMinutes: z.number().int(),
  enable: z.string(),
  lastRun: z.string().nullable(),
  lastResult: z.string().nullable(),
  lastMessage: z.string().nullable(),
  rows: z.number().int().nullable(),
  failed24h: z.number().int(),
  matched: z.number().int(),
  unmatched: z.number().int(),
  tokenExpire: z.string().nullable(),
  createTime: z.string(),
  version: z.number().int(),
})
export type DockingRow = z.infer<typeof dockingRow>
export const listDockings = endpoint({
  ...platform,
  method: 'GET',
  path: '/api/v1/iot/gateway3rd',
  summary: '第三方网关列表',
  answers: 'list',
  query: pageQuery.extend({
    name: text(100).optional(),
    vendor: text(100).optional(),
    connType: several.optional(),
    enable: several.optional(),
    lastResult: several.optional(),
    lastRun: dayRange.optional(),
    tokenExpire: dayRange.optional(),
    sort: sortBy('name', 'vendor', 'lastRun', 'failed24h', 'unmatched', 'tokenExpire', 'enable'),
  }),
  response: paged(dockingRow).extend({
    counts: z.object({
      ok: z.number().int(),
      failed: z.number().int(),
      expiring: z.number().int(),
      unmatched: z.number().int(),
    }),
  }),
})
export const dockingList = listOf(listDockings, {
  columns: {
    name: '对接',
    vendor: '厂商',
    connType: '方式',
    endpoint: '接口',
    schedule: '间隔',
    lastRun: '最近同步',
    lastResult: '结果',
    lastMessage: '说明',
    rows: '条数',
    failed24h: '24 小时失败',
    unmatched: '未匹配',
    tokenExpire: '凭证到期',
    enable: '启用',
  },
})

const path = z
  .string()
  .trim()
  .max(100, '字段路径最多 100 个字')
  .regex(/^[\w$.[\]-]*$/, '字段路径只能用字母、数字、点和方括号')
export const mapping = z.object({
  /** Path of the item list in the response; empty if the response is the list. */
  list: path.default(''),
  externalId: path.default('id'),
  name: path.default(''),
  project: path.default(''),
  model: path.default(''),
  sn: path.default(''),
  time: path.default(''),
  values: z
    .array(
      z.object({
        from: path.min(1, '请填写来源字段'),
        metric: text(60, '指标').min(1, '请选择指标'),
        factor: z.coerce.number().default(1),
      }),
    )
    .max(100)
    .default([]),
})
export type DockingMapping = z.output<typeof mapping>

const address = z
  .string()
  .trim()
  .max(500, '地址最多 500 个字')
  .regex(/^https?:\/\/[^\s]+$/, '地址应以 http:// 或 https:// 开头')
const dockingBody = z.object({
  code: text(64, '对接编号')
    .regex(/^[\w-]*$/, '对接编号只能用字母、数字、下划线和短横线')
    .optional(),
  name: filled(100, '对接名称'),
  vendor: filled(100, '厂商'),
  connType: z.enum(['2', '3'], { error: '接入方式应为 2 HTTP 推送或 3 HTTP 拉取' }),
  endpoint: address.nullish(),
  httpMethod: z.enum(['GET', 'POST']).default('GET'),
  authKind: z.enum(['none', 'header', 'query', 'signature'], { error: '鉴权方式不正确' }).default('none'),
  authName: text(60, '鉴权参数名').nullish(),
  /** Write-only. */
  authSecret: text(500, '鉴权密钥').optional(),
  tokenExpire: day.nullish(),
  scheduleMinutes: z.coerce.number().int().min(1, '间隔至少 1 分钟').max(1440, '间隔最多一天').default(5),
  mapping: mapping.default({ list: '', externalId: 'id', name: '', project: '', model: '', sn: '', time: '', values: [] }),
  /** Maps their model names to our model ids, and their projects to our project codes. */
  modelMatch: z.record(text(100), ref('model')).default({}),
  projectMatch: z.record(text(100), ref('project')).default({}),
  sample: z.string().max(65_536, '样例最多 64 KB').nullish(),
  remark: text(500, '备注').nullish(),
})
export const getDocking = endpoint({
  ...platform,
  method: 'GET',
  path: '/api/v1/iot/gateway3rd/:id',
  summary: '第三方网关详情',
  params: dockingId,
  response: dockingRow.extend({
    httpMethod: z.string(),
    authKind: z.string(),
    authName: z.string().nullable(),
    hasSecret: z.boolean(),
    mapping,
    modelMatch: z.record(z.string(), z.string()),
    projectMatch: z.record(z.string(), z.string()),
    sample: z.string().nullable(),
    remark: z.string().nullable(),
    pushPath: z.string(),
    /** Their names seen so far that are not mapped yet. */
    openModels: z.array(z.string()),
    openProjects: z.array(z.string()),
    days: z.array(z.object({ day: z.string(), ok: z.number().int(), failed: z.number().int(), rows: z.number().int() })),
    changes,
  }),
})
export const createDocking = endpoint({
  ...platform,
  method: 'POST',
  path: '/api/v1/iot/gateway3rd',
  summary: '新增第三方网关',
  body: dockingBody.extend({ enable: z.enum(['0', '1']).default('0') }),
  /** `pushSecret`: key that signs their push requests; returned once. */
  response: z.object({ id: z.string(), pushSecret: z.string().optional() }),
})
export const updateDocking = endpoint({
  ...platform,
  method: 'PUT',
  path: '/api/v1/iot/gateway3rd/:id',
  summary: '修改第三方网关',
  params: dockingId,
  body: dockingBody.partial().extend({
    httpMethod: z.enum(['GET', 'POST']).optional(),
    authKind: z.enum(['none', 'header', 'query', 'signature']).optional(),
    scheduleMinutes: z.coerce.number().int().min(1).max(1440).optional(),
    mapping: mapping.optional(),
    modelMatch: z.record(text(100), ref('model')).optional(),
    projectMatch: z.record(text(100), ref('project')).optional(),
    version: z.coerce.number().int().optional(),
    enable: z.enum(['0', '1']).optional(),
    renewSecret: flag.optional(),
    /** Synchronises now; `from` and `to` limit the period of a pull. */
    sync: z.object({ from: instant.optional(), to: instant.optional() }).optional(),
    /** One of their devices: linked to one of ours, created here, or ignored. */
    match: z
      .object({
        externalId: text(100),
        deviceId: ref('device').optional(),
        create: z.object({ modelId: ref('model'), projectCode: ref('project'), name: text(100, '设备名称').optional() }).optional(),
        enabled: flag.optional(),
        release: flag.optional(),
      })
      .optional(),
  }),
  response: z.object({ id: z.string(), pushSecret: z.string().optional(), runId: z.string().optional(), deviceId: z.string().optional() }),
})
export const removeDocking = endpoint({
  ...platform,
  method: 'DELETE',
  path: '/api/v1/iot/gateway3rd/:id',
  summary: '删除第三方网关',
  params: dockingId,
})
export const switchDocking = endpoint({
  ...platform,
  method: 'POST',
  path: '/api/v1/iot/gateway3rd/switch/status',
  summary: '切换第三方网关启停状态',
  body: z.object({ id: ref('docking'), status: z.enum(['0', '1'], { error: '状态应为 0 停用或 1 启用' }) }),
})
export const copyDocking = endpoint({
  ...platform,
  method: 'POST',
  path: '/api/v1/iot/gateway3rd/copy/:id',
  summary: '复制第三方网关',
  params: dockingId,
  response: z.object({ id: z.string(), pushSecret: z.string().optional() }),
})

const mappedRow = z.object({
  externalId: z.string(),
  name: z.string().nullable(),
  project: z.string().nullable(),
  model: z.string().nullable(),
  time: z.number().nullable(),
  values: z.record(z.string(), z.number()),
  errors: z.array(z.string()),
})
/** Tests a mapping on a response; stores nothing. Without `sample` the address is requested once. */
export const tryDocking = endpoint({
  ...platform,
  method: 'POST',
  path: '/api/v1/iot/gateway3rd/trial',
  summary: '试拉取第三方数据',
  largeBody: 'an answer of another system',
  body: z.object({
    id: ref('docking').optional(),
    sample: z.string().max(65_536, '样例最多 64 KB').optional(),
    mapping,
    endpoint: address.optional(),
    httpMethod: z.enum(['GET', 'POST']).optional(),
    authKind: z.enum(['none', 'header', 'query', 'signature']).optional(),
    authName: text(60).optional(),
    authSecret: text(500).optional(),
  }),
  response: z.object({
    ok: z.boolean(),
    message: z.string(),
    total: z.number().int(),
    rows: z.array(mappedRow),
    fields: z.array(z.object({ path: z.string(), example: z.string() })),
    sample: z.string().nullable(),
  }),
})

export const listDockingRuns = endpoint({
  ...platform,
  method: 'GET',
  path: '/api/v1/iot/gateway3rd/:id/run',
  summary: '第三方同步记录',
  answers: 'list',
  params: dockingId,
  query: pageQuery.extend({
    result: several.optional(),
    at: dayRange.optional(),
    sort: sortBy('at', 'rows', 'rejected', 'ms'),
  }),
  response: paged(
    z.object({
      id: z.string(),
      cause: z.string(),
      at: z.string(),
      ms: z.number().nullable(),
      rows: z.number().int(),
      accepted: z.number().int(),
      duplicated: z.number().int(),
      rejected: z.number().int(),
      result: z.string(),
      message: z.string().nullable(),
      refused: z.array(z.object({ externalId: z.string(), reason: z.string(), item: z.string() })),
    }),
  ),
})

export const dockingRunList = listOf(listDockingRuns, {
  columns: {
    at: '时间',
    cause: '来由',
    result: '结果',
    rows: '条数',
    accepted: '接收',
    duplicated: '重复',
    rejected: '拒绝',
    ms: '用时',
    message: '说明',
  },
})

/** Devices of other platforms, with ours beside them. */
export const listExternalDevices = endpoint({
  ...platform,
  method: 'GET',
  path: '/api/v1/iot/gateway3rd/device',
  summary: '第三方设备列表',
  answers: 'list',
  query: pageQuery.extend({
    gatewayId: pointsTo('docking', text(64)).optional(),
    externalId: pointsTo('externalDevice', text(100)).optional(),
    externalName: text(100).optional(),
    deviceName: text(100).optional(),
    projectName: text(100).optional(),
    matchState: several.optional(),
    lastSync: dayRange.optional(),
    lastError: text(100).optional(),
    conflict: flag.optional(),
    sort: sortBy('externalId', 'externalName', 'matchState', 'lastSync', 'deviceName'),
  }),
  response: paged(
    z.object({
      id: z.string(),
      gatewayId: z.string(),
      gatewayName: z.string(),
      externalId: z.string(),
      externalName: z.string().nullable(),
      externalProject: z.string().nullable(),
      externalModel: z.string().nullable(),
      deviceSn: z.string().nullable(),
      matchState: z.string(),
      enabled: z.boolean(),
      deviceId: z.string().nullable(),
      deviceName: z.string().nullable(),
      projectName: z.string().nullable(),
      lastSync: z.string().nullable(),
      lagMinutes: z.number().nullable(),
      lastError: z.string().nullable(),
      /** Other devices of theirs with the same serial number: one device under two names. */
      conflictWith: z.array(z.object({ externalId: z.string(), gatewayName: z.string() })),
      /** One of our devices with a matching serial number or name. */
      suggestion: z.object({ deviceId: z.string(), name: z.string(), projectName: z.string() }).nullable(),
    }),
  ).extend({
    counts: z.object({
      matched: z.number().int(),
      waiting: z.number().int(),
      gone: z.number().int(),
      failed: z.number().int(),
      conflicts: z.number().int(),
    }),
  }),
})
export const externalList = listOf(listExternalDevices, {
  columns: {
    externalId: '对方标识',
    externalName: '对方名称',
    gatewayName: '对接',
    externalProject: '对方项目',
    externalModel: '对方型号',
    matchState: '匹配',
    deviceName: '平台设备',
    projectName: '项目',
    lastSync: '最近同步',
    lag: '滞后',
    lastError: '最近错误',
  },
})

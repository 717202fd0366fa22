import { z } from 'zod'
import { endpoint, type OutputFor, type ParsedFor } from '../kit/endpoint.ts'
import { day, dayRange, emptyOption, filled, numericRange, paged, pageQuery, pointsTo, ref, several, text } from '../kit/fields.ts'
import { listOf, sortBy } from '../kit/list.ts'
import { area, dict } from '../settings/dict-field.ts'
import { type AsyncStatus, type Operation, type ProgressMove, progressMoves, type UploadStatus, uploadStates } from './codes.ts'
import { objectTypes, profiles } from './standard.ts'

const count = z.number().int()
const object = z.enum(objectTypes)
const states = Object.keys(uploadStates) as [UploadStatus, ...UploadStatus[]]
const mostProjects = 500

// ---- connections -----------------------------------------------------------------------------------------------------------------------

export const dockingPlatform = z.object({
  id: z.string(),
  name: z.string(),
  level: z.string(),
  areaCode: z.string(),
  areaName: z.string(),
  profile: z.enum(Object.keys(profiles) as [keyof typeof profiles]),
  profileChecked: z.boolean(),
  /** Null to whoever only hands data up: no connection data. */
  endpoint: z.string().nullable(),
  appKey: z.string().nullable(),
  hasSecret: z.boolean(),
  objects: z.array(object),
  projects: z.array(z.object({ code: z.string(), name: z.string() })),
  progress: z.string(),
  steps: z.array(z.object({ step: z.string(), at: z.string(), by: z.string(), note: z.string() })),
  status: z.string(),
  paused: z.boolean(),
  downSince: z.string().nullable(),
  downReason: z.string().nullable(),
  probeAt: z.string().nullable(),
  lastAnswer: z.string().nullable(),
  waiting: count,
  failed: count,
  /** May be changed by the caller's group. */
  own: z.boolean(),
  updateTime: z.string(),
  version: count,
})
export type DockingPlatform = z.infer<typeof dockingPlatform>

export const listPlatforms = endpoint({
  method: 'GET',
  path: '/api/v1/docking/platform',
  summary: '对接平台列表',
  needs: 'docking.view',
  query: z.object({}),
  response: z.object({ list: z.array(dockingPlatform) }),
})

const platformFields = {
  name: filled(60, '名称'),
  level: dict('govLevel', '层级'),
  areaCode: area('行政区划'),
  profile: z.enum(Object.keys(profiles) as [keyof typeof profiles], { error: '请选择数据标准' }),
  profileChecked: z.boolean().default(false),
  endpoint: text(300, '接口地址').regex(/^https?:\/\/[^\s/$.?#][^\s]*$/i, '接口地址应以 http:// 或 https:// 开头'),
  appKey: filled(100, '接入标识'),
  /** Written, never read back; left out it stays. */
  secret: text(200, '接入密钥').optional(),
  objects: z
    .array(object)
    .min(1, '请选择上传对象')
    .transform((given) => [...new Set(given)]),
  projects: z.array(ref('project')).max(mostProjects, `最多 ${mostProjects} 个项目`).default([]),
}
const ours = { groupTypes: [0, 1], needs: 'docking.edit', acts: 'aside' } as const
const platformId = z.object({ id: ref('dockingPlatform') })

export const createPlatform = endpoint({
  ...ours,
  method: 'POST',
  path: '/api/v1/docking/platform',
  summary: '新增对接平台',
  body: z.object(platformFields),
  response: z.object({ id: z.string() }),
})
export const changePlatform = endpoint({
  ...ours,
  method: 'PUT',
  path: '/api/v1/docking/platform',
  summary: '修改对接平台',
  body: z.object({ ...platformFields, id: ref('dockingPlatform'), version: count, status: z.enum(['01', '02', '03']) }),
  response: z.object({ id: z.string(), version: count }),
})
export const pausePlatform = endpoint({
  ...ours,
  method: 'PUT',
  path: '/api/v1/docking/platform/:id/pause',
  summary: '暂停或恢复上传',
  params: platformId,
  body: z.object({ paused: z.boolean(), version: count }),
  response: z.object({ version: count }),
})
/** Asks the platform above whether it is there and knows us. */
export const testPlatform = endpoint({
  ...ours,
  method: 'POST',
  path: '/api/v1/docking/platform/:id/test',
  summary: '测试对接连接',
  params: platformId,
  perMinute: 20,
  response: z.object({ ok: z.boolean(), text: z.string(), tookMs: count }),
})
export const movePlatform = endpoint({
  ...ours,
  method: 'PUT',
  path: '/api/v1/docking/platform/:id/progress',
  summary: '推进对接进度',
  params: platformId,
  body: z.object({
    move: z.enum(Object.keys(progressMoves) as [ProgressMove, ...ProgressMove[]]),
    note: text(500, '说明').default(''),
    version: count,
  }),
  response: z.object({ progress: z.string(), version: count }),
})

const compareRow = z.object({
  day,
  objectType: object,
  /** New and changed; with deletions where the platform above does not tell them apart. */
  ours: count,
  theirs: count,
  oursRemoved: count,
  /** Null where it does not tell them apart. */
  theirsRemoved: count.nullable(),
  at: z.string(),
})
export const listCompare = endpoint({
  method: 'GET',
  path: '/api/v1/docking/platform/:id/compare',
  summary: '对账结果',
  needs: 'docking.view',
  groupTypes: [0, 1],
  params: platformId,
  query: z.object({}),
  response: z.object({ list: z.array(compareRow) }),
})
/** Asks the platform above for its counts of the last days anew. */
export const runCompare = endpoint({
  ...ours,
  method: 'POST',
  path: '/api/v1/docking/platform/:id/compare',
  summary: '立即对账',
  params: platformId,
  perMinute: 10,
  response: z.object({ days: count, different: count }),
})

// ---- mapping ---------------------------------------------------------------------------------------------------------------------------

const mappedField = z.object({
  upper: filled(60, '上级字段').regex(/^[A-Za-z]\w*$/, '上级字段只能用字母、数字和下划线'),
  label: filled(30, '名称'),
  /** Ours; empty where the value is fixed. */
  source: text(40, '本平台字段').default(''),
  fixed: text(100, '固定值').default(''),
  required: z.boolean().default(false),
  dict: text(40, '字典').default(''),
  personal: z.boolean().default(false),
  /** Ours to theirs, before the dictionary's own. */
  codes: z.record(z.string().max(20), z.string().trim().max(20, '上级码最多 20 个字')).default({}),
})
export type MappedField = z.infer<typeof mappedField>

const objectParam = z.object({ objectType: object })
const ofPlatform = z.object({ platformId: ref('dockingPlatform') })
export const getMapping = endpoint({
  method: 'GET',
  path: '/api/v1/docking/mapping/:objectType',
  summary: '字段映射',
  needs: 'docking.view',
  groupTypes: [0, 1],
  params: objectParam,
  query: ofPlatform,
  response: z.object({
    /** 0: as delivered. */
    version: count,
    updateTime: z.string().nullable(),
    updateBy: z.string().nullable(),
    editable: z.boolean(),
    fields: z.array(
      mappedField.extend({
        /** Codes of our dictionary and what becomes of each; theirs is null where there is none. */
        translation: z.array(z.object({ code: z.string(), name: z.string(), upper: z.string().nullable() })),
      }),
    ),
    /** What may stand as a source: our names with a Chinese one, and what follows from each. */
    sources: z.array(z.object({ source: z.string(), label: z.string(), dict: z.string(), personal: z.boolean() })),
    /** Sources of the fields the standard demands: their rows stay, and stay required. */
    demanded: z.array(z.string()),
    unmapped: z.array(z.object({ field: z.string(), code: z.string(), name: z.string() })),
  }),
})
export const changeMapping = endpoint({
  ...ours,
  method: 'PUT',
  path: '/api/v1/docking/mapping/:objectType',
  summary: '修改字段映射',
  largeBody: 'all fields of an object with their codes',
  params: objectParam,
  body: z.object({
    platformId: ref('dockingPlatform'),
    version: count,
    fields: z.array(mappedField).min(1, '请至少保留一个字段').max(100),
  }),
  response: z.object({
    version: count,
    /** Failed for want of a mapping, and on their way again. */
    again: count,
  }),
})
/** What a mapping would make of what waits, before it is saved. */
export const weighMapping = endpoint({
  ...ours,
  method: 'POST',
  path: '/api/v1/docking/mapping/:objectType/weigh',
  summary: '试算映射影响',
  unaudited: 'computes and changes nothing',
  largeBody: 'all fields of an object with their codes',
  params: objectParam,
  body: z.object({ platformId: ref('dockingPlatform'), fields: z.array(mappedField).min(1).max(100) }),
  response: z.object({
    /** Rows that will go by the new mapping: waiting, and failed. */
    waiting: count,
    failed: count,
    /** Put together already: they go as they are. */
    packed: count,
    /** Failed for want of a mapping; they go again when it is saved. */
    again: count,
    /** How many of them were looked at, the newest. */
    checked: count,
    /** Of those: sendable so far and not any more, by cause. */
    stopped: z.array(z.object({ text: z.string(), count })),
    /** Not sendable so far, and then sendable. */
    freed: count,
  }),
})
/** What would be sent of a real row; masked, nothing is sent. */
export const tryMapping = endpoint({
  ...ours,
  method: 'POST',
  path: '/api/v1/docking/mapping/:objectType/try',
  summary: '试转换',
  unaudited: 'computes and changes nothing',
  largeBody: 'all fields of an object with their codes',
  params: objectParam,
  body: z.object({ platformId: ref('dockingPlatform'), fields: z.array(mappedField).min(1).max(100) }),
  response: z.object({
    bizName: z.string().nullable(),
    rows: z.array(z.object({ upper: z.string(), label: z.string(), ours: z.string(), theirs: z.string(), problem: z.string().nullable() })),
  }),
})

// ---- the queue -------------------------------------------------------------------------------------------------------------------------

export const dockingRecord = z.object({
  id: z.string(),
  objectType: object,
  sourceId: z.string(),
  bizName: z.string(),
  projectCode: z.string(),
  projectName: z.string(),
  platformName: z.string(),
  op: z.enum(['1', '2', '3']),
  uploadStatus: z.enum(states),
  asyncStatus: z.enum(['0', '10', '20']).nullable(),
  attempts: count,
  errorCode: z.string().nullable(),
  errorField: z.string().nullable(),
  errorText: z.string().nullable(),
  waitFor: z.string().nullable(),
  queuedTime: z.string(),
  receiptTime: z.string().nullable(),
  receiptNo: z.string().nullable(),
})
export type DockingRecord = z.infer<typeof dockingRecord>

export const listRecords = endpoint({
  method: 'GET',
  path: '/api/v1/docking/record',
  summary: '发送队列',
  needs: 'docking.view',
  query: pageQuery.extend({
    platformId: ref('dockingPlatform').optional(),
    objectType: several.optional(),
    bizName: text(60).optional(),
    projectCode: pointsTo('project', text(64)).optional(),
    op: z.enum(['1', '2', '3']).optional(),
    uploadStatus: several.optional(),
    asyncStatus: z.enum(['0', '10', '20']).optional(),
    attempts: numericRange.optional(),
    errorText: text(60).optional(),
    errorCode: text(40).optional(),
    errorField: text(60).optional(),
    /** `-9999`: waits for nothing. */
    waitFor: z.enum(['1', emptyOption]).optional(),
    queuedTime: dayRange.optional(),
    receiptTime: dayRange.optional(),
    receiptNo: text(60).optional(),
    sort: sortBy('failed', 'queuedTime', 'attempts'),
  }),
  response: paged(dockingRecord),
})
export const recordList = listOf(listRecords, {
  feature: 'dockingRecord',
  columns: {
    objectType: '对象',
    bizName: '数据',
    projectName: '项目',
    op: '操作',
    uploadStatus: '上传状态',
    asyncStatus: '处理状态',
    attempts: '次数',
    errorText: '原因',
    waitFor: '等待前序',
    queuedTime: '排队时间',
    receiptTime: '回执时间',
    receiptNo: '回执号',
  },
})

const sent = z.object({ upper: z.string(), label: z.string(), value: z.string(), personal: z.boolean() })
export const getRecord = endpoint({
  method: 'GET',
  path: '/api/v1/docking/record/:id',
  summary: '上传记录详情',
  needs: 'docking.view',
  params: z.object({ id: ref('dockingRecord') }),
  response: dockingRecord.extend({
    mappingVersion: count.nullable(),
    mender: z.string().nullable(),
    /** Masked. */
    sent: z.array(sent),
    attempts: count,
    tries: z.array(
      z.object({
        id: z.string(),
        at: z.string(),
        tookMs: count,
        outcome: z.enum(['stored', 'duplicate', 'absent', 'locked', 'later', 'refused', 'held', 'trouble']),
        http: count.nullable(),
        /** As it came. */
        answer: z.string(),
      }),
    ),
  }),
})
/** What was sent, in clear; the look is logged with its reason. */
export const lookRecord = endpoint({
  method: 'POST',
  path: '/api/v1/docking/record/:id/look',
  summary: '查看上传明文',
  needs: 'personnel.unmask',
  acts: 'own',
  params: z.object({ id: ref('dockingRecord') }),
  body: z.object({ reason: filled(200, '事由') }),
  response: z.object({ sent: z.array(sent) }),
})

/** How what stands on a page of its own has fared: the newest row to each platform above. Empty where it is not handed up. */
export const standingOf = endpoint({
  method: 'GET',
  path: '/api/v1/docking/standing',
  summary: '数据上报状态',
  needs: 'docking.view',
  query: z.object({ objectType: object, sourceId: filled(140, '数据') }),
  response: z.object({
    list: z.array(
      dockingRecord.pick({
        id: true,
        platformName: true,
        op: true,
        uploadStatus: true,
        errorText: true,
        waitFor: true,
        queuedTime: true,
        receiptTime: true,
      }),
    ),
  }),
})
export type Standing = OutputFor<typeof standingOf>['list'][number]

/** Which rows: one, all of one cause, all failed of a project or of days of queueing. */
export const pushRecords = endpoint({
  method: 'POST',
  path: '/api/v1/docking/record/push',
  summary: '重推上报数据',
  needs: 'docking.push',
  acts: 'own',
  body: z
    .object({
      id: ref('dockingRecord').optional(),
      cause: z.object({ code: text(40), field: text(60).default('') }).optional(),
      projectCode: ref('project').optional(),
      range: z.object({ from: day, to: day }).optional(),
      /** Only counts. */
      preview: z.boolean().default(false),
    })
    .refine((b) => b.id || b.cause || b.projectCode || b.range, '请选择要重推的数据'),
  response: z.object({
    /** Pushed, or to be pushed. */
    count,
    /** Asked for and not pushed: the platform above has locked them. */
    locked: count,
  }),
})

// ---- causes ----------------------------------------------------------------------------------------------------------------------------

const cause = z.object({
  code: z.string(),
  field: z.string(),
  text: z.string(),
  mender: z.string(),
  known: z.boolean(),
  profile: z.string(),
  objectType: object,
  count,
  /** One of them, whose source is opened to be mended. */
  sampleId: z.string(),
  sampleSource: z.string(),
  since: z.string(),
})
export type DockingCause = z.infer<typeof cause>
export const listErrors = endpoint({
  method: 'GET',
  path: '/api/v1/docking/error',
  summary: '失败原因',
  needs: 'docking.view',
  query: z.object({ projectCode: pointsTo('project', text(64)).optional() }),
  response: z.object({
    list: z.array(cause),
    /** Connections that do not answer. */
    down: z.array(
      z.object({ id: z.string(), name: z.string(), since: z.string(), probeAt: z.string().nullable(), reason: z.string(), waiting: count }),
    ),
    /** What the codes mean, own words first. */
    known: z.array(
      z.object({ profile: z.string(), code: z.string(), text: z.string(), mender: z.string(), own: z.boolean(), version: count }),
    ),
  }),
})
export const translateError = endpoint({
  method: 'PUT',
  path: '/api/v1/docking/error',
  summary: '翻译上级返回码',
  needs: 'docking.edit',
  groupTypes: [0],
  acts: 'aside',
  body: z.object({
    profile: z.enum(Object.keys(profiles) as [keyof typeof profiles]),
    code: filled(40, '返回码'),
    text: filled(100, '说明'),
    mender: filled(40, '由谁处理'),
    version: count.default(0),
  }),
  response: z.object({ version: count }),
})

// ---- overview --------------------------------------------------------------------------------------------------------------------------

export const getFreshness = endpoint({
  method: 'GET',
  path: '/api/v1/docking/freshness',
  summary: '上传总览',
  needs: 'docking.view',
  query: z.object({}),
  response: z.object({
    /** Of what had an end in 30 days, in percent; null where nothing had. */
    rate: z.number().nullable(),
    waiting: count,
    failed: count,
    /** Mean of the projects. */
    freshness: z.number().nullable(),
    projects: z.array(
      z.object({
        projectCode: z.string(),
        projectName: z.string(),
        score: count,
        /** 0 to 100 each; null where nothing is held of it. */
        people: count,
        attendance: count,
        pay: z.null(),
        failedScore: count,
        waiting: count,
        failed: count,
        oldest: z.string().nullable(),
        lastAccepted: z.string().nullable(),
      }),
    ),
    objects: z.array(z.object({ objectType: object, waiting: count, accepted: count, failed: count })),
    days: z.array(z.object({ day, accepted: count, refused: count })),
    platforms: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        status: z.string(),
        paused: z.boolean(),
        downSince: z.string().nullable(),
        probeAt: z.string().nullable(),
        lastAnswer: z.string().nullable(),
        waiting: count,
        failed: count,
      }),
    ),
  }),
})

// ---- platforms below -------------------------------------------------------------------------------------------------------------------

const below = { groupTypes: [0, 1], needs: 'docking.receive' } as const
export const dockingKey = z.object({
  id: z.string(),
  name: z.string(),
  areaCode: z.string(),
  areaName: z.string(),
  keyHint: z.string(),
  received: count,
  duplicate: count,
  rejected: count,
  lastTime: z.string().nullable(),
  createTime: z.string(),
  createBy: z.string(),
  revokedTime: z.string().nullable(),
  version: count,
})
export type DockingKey = z.infer<typeof dockingKey>
export const listKeys = endpoint({
  ...below,
  method: 'GET',
  path: '/api/v1/docking/key',
  summary: '下级接入列表',
  query: z.object({}),
  response: z.object({ list: z.array(dockingKey) }),
})
/** The key is answered here and never again. */
export const issueKey = endpoint({
  ...below,
  acts: 'aside',
  method: 'POST',
  path: '/api/v1/docking/key',
  summary: '签发下级接入密钥',
  body: z.object({ name: filled(60, '下级平台'), areaCode: platformFields.areaCode }),
  response: z.object({ id: z.string(), key: z.string() }),
})
export const revokeKey = endpoint({
  ...below,
  acts: 'aside',
  method: 'PUT',
  path: '/api/v1/docking/key/:id/revoke',
  summary: '吊销下级接入密钥',
  params: z.object({ id: ref('dockingKey') }),
  body: z.object({ version: count }),
  response: z.object({}),
})
export const listRejected = endpoint({
  ...below,
  method: 'GET',
  path: '/api/v1/docking/rejected',
  summary: '下级数据拒收清单',
  query: pageQuery.extend({
    keyId: ref('dockingKey').optional(),
    platformName: text(60).optional(),
    objectType: several.optional(),
    errorText: text(60).optional(),
    at: dayRange.optional(),
    sort: sortBy('at'),
  }),
  response: paged(
    z.object({
      id: z.string(),
      platformName: z.string(),
      objectType: z.string(),
      objectName: z.string(),
      businessId: z.string(),
      errorCode: z.string(),
      errorText: z.string(),
      at: z.string(),
    }),
  ),
})
export const rejectedList = listOf(listRejected, {
  feature: 'dockingRejected',
  columns: { platformName: '下级平台', objectType: '对象', businessId: '数据', errorText: '拒收原因', errorCode: '返回码', at: '时间' },
})

export type RecordsQuery = ParsedFor<typeof listRecords>['query']
export type RejectedQuery = ParsedFor<typeof listRejected>['query']
export type Freshness = OutputFor<typeof getFreshness>
export type Mapping = OutputFor<typeof getMapping>
export type RecordDetail = OutputFor<typeof getRecord>
export type { AsyncStatus, Operation, UploadStatus }

import { z } from 'zod'
import { familyViewCodes } from '../exports/codes.ts'
import { turnedWords } from '../kit/checks.ts'
import { endpoint } from '../kit/endpoint.ts'
import {
  day,
  dayRange,
  filled,
  flag,
  instant,
  numericRange,
  paged,
  pageQuery,
  pointsTo,
  ref,
  serialText,
  several,
  text,
} from '../kit/fields.ts'
import { listOf, sortBy } from '../kit/list.ts'
import { normalText } from '../kit/normal.ts'
import { reading } from '../telemetry/model.ts'
import { type ApprovalAct, approvalActs } from '../workflow/endpoints.ts'
import { access } from './device-access.ts'
import { byId } from './fields.ts'
import { listenPorts } from './gateway-endpoints.ts'
import { changes } from './quality.ts'

export const deviceStatuses = { '0': '待审核', '1': '使用中', '2': '已驳回', '3': '已停用' } as const

export const deviceRow = z.object({
  id: z.string(),
  name: z.string(),
  deviceSn: z.string(),
  family: z.string(),
  familyName: z.string(),
  category: z.string().nullable(),
  type: z.string().nullable(),
  projectCode: z.string(),
  projectName: z.string(),
  areaCode: z.string(),
  areaName: z.string().nullable(),
  factoryName: z.string().nullable(),
  brandName: z.string().nullable(),
  modelName: z.string().nullable(),
  protocol: z.string(),
  gatewayId: z.string().nullable(),
  gatewayName: z.string().nullable(),
  installPlace: z.string().nullable(),
  installDate: z.string().nullable(),
  dueDate: z.string().nullable(),
  status: z.string(),
  online: z.boolean(),
  lastTime: z.number().nullable(),
  openLevel: z.number().int().nullable(),
  /** Share of the family's parameters that are filled in. */
  complete: z.number(),
  createTime: z.string(),
  version: z.number().int(),
  latest: reading.nullable().optional(),
  factoryId: z.string().nullable(),
  brandId: z.string().nullable(),
  modelId: z.string().nullable(),
  providerId: z.string().nullable(),
  providerName: z.string().nullable(),
  source: z.string(),
  origin: z.string(),
  specialRecordNo: z.string().nullable(),
  ownerCorp: z.string().nullable(),
  ownerCorpName: z.string().nullable(),
  applicant: z.string().nullable(),
  applyTime: z.string().nullable(),
  auditRemark: z.string().nullable(),
  auditBy: z.string().nullable(),
  auditTime: z.string().nullable(),
  /** Changes of key fields that wait for approval, as text. */
  pending: z.array(z.object({ label: z.string(), before: z.string().nullable(), after: z.string().nullable() })),
  ageYears: z.number().nullable(),
  onlinePercent30d: z.number().nullable().optional(),
  /** Connection facts; with `with=health`. */
  health: z
    .object({
      delaySeconds: z.number().nullable(),
      ratePerMin: z.number(),
      expectedPerMin: z.number(),
      badFrames24h: z.number().int(),
      clockSkewSeconds: z.number().nullable(),
      doubtful: z.array(z.string()),
    })
    .optional(),
  /** Checks for the reviewer; with `with=checks`. */
  checks: z.array(z.object({ key: z.string(), label: z.string(), ok: z.boolean(), text: z.string() })).optional(),
  /** The latest approval item of the device, and what the caller may do about it now; with `with=checks`. */
  review: z
    .object({ itemId: z.string(), actions: z.array(z.enum(Object.keys(approvalActs) as [ApprovalAct, ...ApprovalAct[]])) })
    .optional(),
})

export type DeviceRow = z.infer<typeof deviceRow>

const deviceFilters = z.object({
  projectCode: ref('project').or(z.literal('*')).optional(),
  name: text(100).optional(),
  deviceSn: pointsTo('deviceSn', serialText()).optional(),
  /** Key or code of a family; the three are the same filter under the names that clients use. */
  family: several.optional(),
  category: several.optional(),
  type: several.optional(),
  protocol: several.optional(),
  gatewayId: ref('gateway').optional(),
  status: several.optional(),
  auditState: several.optional(),
  online: flag.optional(),
  dueDate: dayRange.optional(),
  due: flag.optional(),
  createTime: dayRange.optional(),
  applyTime: dayRange.optional(),
  lastTime: dayRange.optional(),
  projectName: text(100).optional(),
  gatewayName: text(100).optional(),
  installPlace: text(100).optional(),
  applicant: text(50).optional(),
  specialRecordNo: text(50).optional(),
  openLevel: several.optional(),
  areaCode: several.optional(),
  factoryId: ref('factory').optional(),
  brandId: ref('brand').optional(),
  modelId: ref('model').optional(),
  modelName: text(100).optional(),
  providerId: ref('factory').optional(),
  source: several.optional(),
  origin: several.optional(),
  complete: numericRange.optional(),
})

export const listDevices = endpoint({
  method: 'GET',
  path: '/api/v1/iot/device',
  summary: '设备查询',
  needs: ['device-admin.view', ...familyViewCodes],
  answers: 'list',
  query: pageQuery.extend({
    ...deviceFilters.shape,
    with: several.optional(),
    badFrames24h: numericRange.optional(),
    onlinePercent30d: numericRange.optional(),
    sort: sortBy(
      'name',
      'deviceSn',
      'family',
      'projectName',
      'online',
      'lastTime',
      'openLevel',
      'dueDate',
      'status',
      'createTime',
      'applyTime',
      'auditTime',
      'gatewayName',
      'modelName',
      'badFrames24h',
      'onlinePercent30d',
    ),
  }),
  response: paged(deviceRow).extend({
    counts: z.object({
      all: z.number().int(),
      /** Enabled devices; `online` and `offline` count those among them. */
      inUse: z.number().int(),
      online: z.number().int(),
      offline: z.number().int(),
      dueSoon: z.number().int(),
      badFrames: z.number().int(),
      unregistered: z.number().int(),
      lost7d: z.number().int(),
      waiting: z.number().int(),
    }),
  }),
})

/** Devices of one site, of all sites, and of the connection page: three pages, one list. */
export const deviceList = listOf(listDevices, {
  feature: 'device',
  columns: {
    name: '设备',
    deviceSn: '序列号',
    family: '类别',
    projectName: '项目',
    areaCode: '地区',
    modelName: '型号',
    brandName: '品牌',
    factoryName: '厂家',
    protocol: '接入',
    gatewayName: '网关',
    installPlace: '位置',
    status: '状态',
    online: '在线',
    onlinePercent30d: '30 日在线',
    lastTime: '最后数据',
    openLevel: '告警',
    dueDate: '服务到期',
    providerName: '供应商',
    specialRecordNo: '产权备案编号',
    ageYears: '使用年限',
    complete: '完整度',
    delay: '延迟',
    rate: '每分钟',
    badFrames24h: '错误帧',
    clockSkew: '时钟偏差',
    quality: '异常项',
  },
})

/** For selection fields: short rows of all devices. */
export const pickDevices = endpoint({
  method: 'GET',
  path: '/api/v1/iot/device/list',
  summary: '设备选择列表',
  needs: 'self',
  answers: 'list',
  query: z.object({
    projectCode: ref('project').or(z.literal('*')).optional(),
    family: several.optional(),
    category: several.optional(),
    name: text(100).optional(),
    page: z.coerce.number().int().optional(),
    size: z.coerce.number().int().optional(),
  }),
  response: z.object({
    list: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        deviceSn: z.string(),
        family: z.string(),
        projectCode: z.string(),
        online: z.boolean(),
      }),
    ),
    total: z.number().int(),
  }),
})

/** Hours for which registration can stay open: from a one-hour visit to a week of installation. */
export const registrationHours = { least: 1, most: 168, usual: 24 } as const

const terminalRegistration = z.object({
  open: z.object({ openedAt: z.string(), openUntil: z.string(), byName: z.string(), replaces: z.boolean() }).nullable(),
  bound: z
    .object({ terminalId: z.string(), maker: z.string(), model: z.string(), plate: z.string(), registeredAt: z.string().nullable() })
    .nullable(),
})

export const getDevice = endpoint({
  method: 'GET',
  path: '/api/v1/iot/device/:id',
  summary: '设备详情',
  needs: ['device-admin.view', ...familyViewCodes],
  params: byId('device'),
  response: deviceRow.extend({
    access: z.record(z.string(), z.unknown()),
    params: z.record(z.string(), z.unknown()),
    ports: listenPorts,
    intervalSeconds: z.number(),
    offlineSeconds: z.number(),
    lng: z.number().nullable(),
    lat: z.number().nullable(),
    leader: z.string().nullable(),
    missing: z.array(z.string()),
    alarmCount: z.number().int(),
    recordCount: z.number().int(),
    updateTime: z.string().nullable(),
    files: z.array(z.string()),
    dues: z.array(z.object({ id: z.string(), kind: z.string(), dueDate: z.string(), noticeState: z.string() })),
    moves: z.array(
      z.object({ at: z.string(), fromName: z.string(), toName: z.string(), since: z.string(), byName: z.string(), reason: z.string() }),
    ),
    changes,
    /** Checks along the path from socket to page: the first one that fails says what to do. */
    selfCheck: z.array(z.object({ key: z.string(), label: z.string(), state: z.enum(['ok', 'bad', 'waiting']), text: z.string() })),
    hourly: z.array(z.object({ hour: z.number(), readings: z.number().int(), late: z.number().int(), doubtful: z.number().int() })),
    repairOpen: z.number().int(),
    /** For a JT/T 808 terminal: whether it may register now, and which terminal is bound. */
    registration: terminalRegistration.nullable(),
    /** Refused senders that claimed to be the device, newest first. */
    warnings: z.array(z.object({ kind: z.string(), text: z.string(), count: z.number().int(), address: z.string(), lastTime: z.string() })),
  }),
})

const deviceBody = z.object({
  name: filled(100, '设备名称'),
  deviceSn: z
    .string({ error: '请填写设备序列号' })
    .overwrite(normalText)
    .regex(/^[\w.:-]{3,64}$/, '设备序列号应为 3～64 位字母、数字、点、冒号、下划线或短横线'),
  projectCode: ref('project'),
  /** Key or code of the family. `category` and `type` are accepted for older clients. */
  family: text(40).optional(),
  category: text(40).optional(),
  type: text(40).optional(),
  access: access.optional(),
  factoryName: text(100).nullish(),
  brandName: text(100).nullish(),
  modelName: text(100).nullish(),
  /** A model of the library: sets manufacturer, brand and names. */
  modelId: ref('model').nullish(),
  providerId: ref('factory').nullish(),
  specialRecordNo: text(50, '产权备案编号').nullish(),
  /** 产权单位: a company that takes part in the project. */
  ownerCorp: ref('corporation').nullish(),
  files: z.array(text(500, '文件地址')).max(20, '最多 20 个文件').optional(),
  params: z.record(z.string(), z.unknown()).default({}),
  intervalSeconds: z.coerce.number().min(0.1, '上报间隔至少 0.1 秒').max(86_400, '上报间隔最多一天').optional(),
  // If a point is outside the country but inside after swapping, longitude and latitude were exchanged.
  lng: z.coerce
    .number()
    .min(-180)
    .max(180)
    .refine((n) => !(n >= 3 && n <= 54), turnedWords)
    .nullish(),
  lat: z.coerce
    .number()
    .min(-90)
    .max(90)
    .refine((n) => n < 73, turnedWords)
    .nullish(),
  installPlace: text(200, '安装位置').nullish(),
  installDate: day.nullish(),
  dueDate: day.nullish(),
  leader: text(50, '负责人').nullish(),
})

export const createDevice = endpoint({
  method: 'POST',
  path: '/api/v1/iot/device',
  summary: '新增设备',
  largeBody: 'fences and the plan of a site',
  needs: 'device-admin.create',
  acts: 'machine',
  body: deviceBody.extend({
    /** The unregistered device that becomes this device. */
    adopts: text(128).optional(),
  }),
  /** `password`: for an HJ 212 station if none was given; returned once. */
  response: z.object({ id: z.string(), status: z.string(), password: z.string().optional() }),
})

export const updateDevice = endpoint({
  method: 'PUT',
  path: '/api/v1/iot/device/:id',
  summary: '修改设备',
  largeBody: 'fences and the plan of a site',
  needs: ['device-admin.edit', 'device-admin.audit'],
  acts: 'machine',
  params: byId('device'),
  body: deviceBody.partial().extend({
    version: z.coerce.number().int().optional(),
    auditState: z.enum(['1', '2']).optional(),
    auditRemark: text(200).optional(),
    status: z.enum(['1', '3']).optional(),
    params: z.record(z.string(), z.unknown()).optional(),
    /** With a new `projectCode`: date and reason of the move. */
    transfer: z.object({ since: instant.optional(), reason: text(200, '原因').default('') }).optional(),
    /** For an HJ 212 station: creates a new password, returned once. */
    renewSecret: flag.optional(),
  }),
  response: z.object({ id: z.string(), password: z.string().optional(), pending: z.boolean().optional() }),
})

/**
 * Lets the terminal of a JT/T 808 device register, until it has or the time is over. `replaces`: allows a terminal other than the bound
 * one.
 */
export const openRegistration = endpoint({
  method: 'POST',
  path: '/api/v1/iot/device/:id/registration',
  summary: '开放终端注册',
  needs: 'device-admin.edit',
  params: byId('device'),
  body: z.object({
    hours: z.coerce
      .number({ error: '开放时长应为整数小时' })
      .int('开放时长应为整数小时')
      .min(registrationHours.least, `至少开放 ${registrationHours.least} 小时`)
      .max(registrationHours.most, `最多开放 ${registrationHours.most} 小时`)
      .default(registrationHours.usual),
    replaces: flag.default(false),
  }),
  response: terminalRegistration,
})

export const closeRegistration = endpoint({
  method: 'DELETE',
  path: '/api/v1/iot/device/:id/registration',
  summary: '关闭终端注册',
  needs: 'device-admin.edit',
  params: byId('device'),
  response: terminalRegistration,
})

export const removeDevice = endpoint({
  method: 'DELETE',
  path: '/api/v1/iot/device/:id',
  summary: '删除设备',
  needs: 'device-admin.delete',
  acts: 'machine',
  params: byId('device'),
})

export const removeDevices = endpoint({
  method: 'DELETE',
  path: '/api/v1/iot/device/batch',
  summary: '批量删除设备',
  needs: 'device-admin.delete',
  acts: 'machine',
  body: z.object({ ids: z.array(ref('device')).min(1, '请选择设备').max(200, '一次最多删除 200 台') }),
})

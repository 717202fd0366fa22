import { z } from 'zod'
import { familyViewCodes } from '../exports/codes.ts'
import { endpoint } from '../kit/endpoint.ts'
import { flag, paged, pageQuery, pointsTo, ref, serialText, several, text } from '../kit/fields.ts'
import { listOf, sortBy } from '../kit/list.ts'

const verdict = z.object({
  ok: z.boolean(),
  checks: z.array(z.object({ key: z.string(), label: z.string(), ok: z.boolean(), text: z.string() })),
})

/**
 * Validates a device before it is saved or accepted, without storing anything. `rows` validates an import, `frame` decodes a pasted frame.
 */
export const verifyDevice = endpoint({
  method: 'POST',
  path: '/api/v1/iot/device/verify',
  summary: '设备校验',
  needs: ['device-admin.create', 'device-admin.edit', 'device-admin.view'],
  unaudited: 'changes nothing',
  body: z.object({
    id: ref('device').optional(),
    deviceSn: pointsTo('deviceSn', serialText()).optional(),
    projectCode: ref('project').optional(),
    family: text(40).optional(),
    gatewayId: ref('gateway').optional(),
    mn: text(40).optional(),
    params: z.record(z.string(), z.unknown()).optional(),
    frame: z.string().max(8192, '报文过长').optional(),
    /** For a pasted frame of an unnamed device. */
    protocol: text(20).optional(),
    rows: z.array(z.record(z.string(), z.unknown())).max(1000).optional(),
  }),
  response: verdict.extend({
    rows: z.array(z.object({ index: z.number().int(), ok: z.boolean(), errors: z.array(z.string()) })).optional(),
    decoded: z.unknown().optional(),
    /** The pasted frame tried as every format the platform reads, fitting ones first. */
    dialects: z.array(z.object({ key: z.string(), name: z.string(), fits: z.boolean(), why: z.string().nullable() })).optional(),
  }),
})

export const deviceStatistics = endpoint({
  method: 'GET',
  path: '/api/v1/iot/device/group/stat',
  summary: '设备分组统计',
  needs: ['device-admin.view', ...familyViewCodes],
  query: z.object({
    projectCode: ref('project').or(z.literal('*')).optional(),
    /** project, category, brand, factory, provider, model: one or several, separated by commas; default: the family. */
    groupBy: text(60).optional(),
    brandId: ref('brand').optional(),
    factoryId: ref('factory').optional(),
    modelId: ref('model').optional(),
    providerId: ref('factory').optional(),
  }),
  response: z.object({
    all: z.number().int(),
    /** Enabled devices; `online` counts those among them. */
    inUse: z.number().int(),
    online: z.number().int(),
    /** Required monitoring devices that a site lacks. */
    gaps: z.array(
      z.object({ projectCode: z.string(), projectName: z.string(), family: z.string(), familyName: z.string(), why: z.string() }),
    ),
    groups: z.array(
      z.object({
        key: z.string(),
        name: z.string(),
        family: z.string(),
        familyName: z.string(),
        projectCode: z.string().nullable(),
        projectName: z.string().nullable(),
        all: z.number().int(),
        inUse: z.number().int(),
        online: z.number().int(),
        alarming: z.number().int(),
      }),
    ),
  }),
})

export const ownDeviceTypes = endpoint({
  method: 'GET',
  path: '/api/v1/iot/device/own/types',
  summary: '拥有的设备类型',
  needs: 'self',
  answers: 'list',
  query: z.object({ projectCode: ref('project').or(z.literal('*')).optional() }),
  response: z.object({
    list: z.array(z.object({ family: z.string(), code: z.number().int(), name: z.string(), count: z.number().int() })),
    total: z.number().int(),
  }),
})

export const ownDeviceModels = endpoint({
  method: 'GET',
  path: '/api/v1/iot/device/own/models',
  summary: '拥有的设备型号',
  needs: 'self',
  answers: 'list',
  query: z.object({ projectCode: ref('project').or(z.literal('*')).optional(), family: several.optional() }),
  response: z.object({
    list: z.array(
      z.object({
        factoryName: z.string().nullable(),
        brandName: z.string().nullable(),
        modelName: z.string().nullable(),
        family: z.string(),
        count: z.number().int(),
      }),
    ),
    total: z.number().int(),
  }),
})

export const listUnregistered = endpoint({
  method: 'GET',
  path: '/api/v1/iot/device/unregistered',
  summary: '未登记设备',
  needs: 'device-admin.view',
  answers: 'list',
  query: pageQuery.extend({
    identifier: text(128).optional(),
    protocol: several.optional(),
    reason: several.optional(),
    gatewayId: ref('gateway').optional(),
    ignored: flag.optional(),
    sort: sortBy('lastTime', 'firstTime', 'count', 'identifier'),
  }),
  response: paged(
    z.object({
      /** One row per reason for which a device is refused. */
      id: z.string(),
      identifier: z.string(),
      protocol: z.string(),
      address: z.string(),
      gatewayId: z.string().nullable(),
      gatewayName: z.string().nullable(),
      reason: z.string(),
      reasonText: z.string(),
      count: z.number().int(),
      firstTime: z.string(),
      lastTime: z.string(),
      sample: z.string().nullable(),
      guess: z.string().nullable(),
      ignored: z.boolean(),
    }),
  ),
})

/** Unknown devices that try to connect. */
export const strangerList = listOf(listUnregistered, {
  columns: {
    identifier: '标识',
    protocol: '协议',
    address: '来源地址',
    gatewayName: '网关',
    reason: '拒绝原因',
    count: '次数',
    firstTime: '首次',
    lastTime: '最近',
    guess: '识别为',
  },
})

export const ignoreUnregistered = endpoint({
  method: 'PUT',
  path: '/api/v1/iot/device/unregistered/:identifier',
  summary: '忽略未登记设备',
  needs: 'device-admin.create',
  acts: 'aside',
  groupTypes: [0],
  params: z.object({ identifier: text(128) }),
  body: z.object({ ignored: flag }),
})

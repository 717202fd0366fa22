import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { day, dayRange, filled, flag, paged, pageQuery, ref, several, text } from '../kit/fields.ts'
import { reading } from '../telemetry/model.ts'

const byId = (subject: 'device' | 'gateway') => z.object({ id: ref(subject) })
const onOff = z.enum(['0', '1'], { error: '状态应为 0 停用或 1 启用' })

// ---- gateways
export const connectionTypes = { mqtt: 'MQTT（签名口令）', mqttPlain: 'MQTT（固定口令）' } as const
const connectionType = z.enum(['mqtt', 'mqttPlain'], { error: '接入方式应为 mqtt 或 mqttPlain' })

export const gatewayRow = z.object({
  id: z.string(),
  code: z.string().nullable(),
  name: z.string(),
  connectionType: z.string(),
  projectCode: z.string(),
  projectName: z.string(),
  status: z.string(),
  online: z.boolean(),
  ip: z.string().nullable(),
  lastSeen: z.string().nullable(),
  devices: z.number().int(),
  devicesOnline: z.number().int(),
  refused24h: z.number().int(),
  remark: z.string().nullable(),
  createTime: z.string(),
  version: z.number().int(),
})

const gatewayBody = z.object({
  name: filled(100, '网关名称'),
  code: text(64, '网关编号')
    .regex(/^[\w-]*$/, '网关编号只能用字母、数字、下划线和短横线')
    .optional(),
  projectCode: ref('project'),
  connectionType: connectionType.default('mqtt'),
  remark: text(500, '备注').nullish(),
})
/** The one time a secret is told. */
const newSecret = z.object({ id: z.string(), secret: z.string() })

export const listGateways = endpoint({
  method: 'GET',
  path: '/api/v1/iot/gateway',
  summary: '网关列表',
  needs: ['device-admin.gateway', 'device-admin.view'],
  answers: 'list',
  query: pageQuery.extend({
    name: text(50).optional(),
    code: text(64).optional(),
    projectCode: ref('project').or(z.literal('*')).optional(),
    connectionType: several.optional(),
    status: several.optional(),
    online: flag.optional(),
  }),
  response: paged(gatewayRow).extend({
    counts: z.object({ online: z.number().int(), offline: z.number().int(), disabled: z.number().int() }),
  }),
})
export const getGateway = endpoint({
  method: 'GET',
  path: '/api/v1/iot/gateway/:id',
  summary: '网关详情',
  needs: ['device-admin.gateway', 'device-admin.view'],
  params: byId('gateway'),
  response: gatewayRow.extend({
    topics: z.object({ up: z.string(), down: z.string() }),
    clientId: z.string(),
    deviceList: z.array(z.object({ id: z.string(), name: z.string(), deviceSn: z.string(), family: z.string(), online: z.boolean() })),
  }),
})
export const createGateway = endpoint({
  method: 'POST',
  path: '/api/v1/iot/gateway',
  summary: '新增网关',
  needs: 'device-admin.gateway',
  body: gatewayBody,
  response: newSecret,
})
/** `renewSecret` answers a new secret, once. */
export const updateGateway = endpoint({
  method: 'PUT',
  path: '/api/v1/iot/gateway/:id',
  summary: '修改网关',
  needs: 'device-admin.gateway',
  params: byId('gateway'),
  body: gatewayBody.partial().extend({ version: z.coerce.number().int().optional(), renewSecret: flag.optional() }),
  response: z.object({ id: z.string(), secret: z.string().optional() }),
})
export const removeGateway = endpoint({
  method: 'DELETE',
  path: '/api/v1/iot/gateway/:id',
  summary: '删除网关',
  needs: 'device-admin.gateway',
  params: byId('gateway'),
})
export const switchGateway = endpoint({
  method: 'POST',
  path: '/api/v1/iot/gateway/switch/status',
  summary: '切换网关启停状态',
  needs: 'device-admin.gateway',
  body: z.object({ id: ref('gateway'), status: onOff }),
})
export const copyGateway = endpoint({
  method: 'POST',
  path: '/api/v1/iot/gateway/copy/:id',
  summary: '复制网关',
  needs: 'device-admin.gateway',
  params: byId('gateway'),
  response: newSecret,
})

// ---- devices
const unit = z.enum(['ug', 'mg'], { error: '单位应为 ug 或 mg' })
export const access = z.discriminatedUnion(
  'protocol',
  [
    z.object({ protocol: z.literal('mqtt'), gatewayId: ref('gateway') }),
    z.object({
      protocol: z.literal('hj212'),
      mn: z.string().regex(/^\w{5,40}$/, 'MN 应为 5～40 位字母、数字或下划线'),
      password: z
        .string()
        .min(6, '密码至少 6 位')
        .max(32, '密码最多 32 位')
        .regex(/^[\x21-\x3a\x3c-\x7e]+$/, '密码不能含空格、分号或中文')
        .optional(),
      units: z.record(z.string(), unit).optional(),
      crcMode: z.enum(['standard', 'modbus']).default('standard'),
    }),
    z.object({ protocol: z.literal('jt808'), phone: z.string().regex(/^\d{10,20}$/, '终端手机号应为 10～20 位数字') }),
    z.object({ protocol: z.literal('http'), appId: text(64).optional() }),
  ],
  { error: '请选择接入方式' },
)

export type AccessInput = z.input<typeof access>

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
})
export type DeviceRow = z.infer<typeof deviceRow>

export const deviceFilters = z.object({
  projectCode: ref('project').or(z.literal('*')).optional(),
  name: text(100).optional(),
  deviceSn: text(64).optional(),
  /** Key or code of a family; the three are the same filter under the names that callers use. */
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
})

export const listDevices = endpoint({
  method: 'GET',
  path: '/api/v1/iot/device',
  summary: '设备查询',
  needs: ['device-admin.view', 'tower-crane.view', 'environment.view'],
  answers: 'list',
  query: pageQuery.extend({ ...deviceFilters.shape, with: several.optional() }),
  response: paged(deviceRow).extend({
    counts: z.object({ all: z.number().int(), online: z.number().int(), offline: z.number().int(), dueSoon: z.number().int() }),
  }),
})
/** For pickers: short rows, as many as there are. */
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
export const getDevice = endpoint({
  method: 'GET',
  path: '/api/v1/iot/device/:id',
  summary: '设备详情',
  needs: ['device-admin.view', 'tower-crane.view', 'environment.view'],
  params: byId('device'),
  response: deviceRow.extend({
    access: z.record(z.string(), z.unknown()),
    params: z.record(z.string(), z.unknown()),
    intervalSeconds: z.number(),
    offlineSeconds: z.number(),
    lng: z.number().nullable(),
    lat: z.number().nullable(),
    leader: z.string().nullable(),
    missing: z.array(z.string()),
    alarmCount: z.number().int(),
    recordCount: z.number().int(),
    updateTime: z.string().nullable(),
  }),
})

const deviceBody = z.object({
  name: filled(100, '设备名称'),
  deviceSn: z
    .string({ error: '请填写设备序列号' })
    .trim()
    .regex(/^[\w.:-]{3,64}$/, '设备序列号应为 3～64 位字母、数字、点、冒号、下划线或短横线'),
  projectCode: ref('project'),
  /** Key or code of the family. `category` and `type` are accepted for it, as older callers send them. */
  family: text(40).optional(),
  category: text(40).optional(),
  type: text(40).optional(),
  access: access.optional(),
  factoryName: text(100).nullish(),
  brandName: text(100).nullish(),
  modelName: text(100).nullish(),
  params: z.record(z.string(), z.unknown()).default({}),
  intervalSeconds: z.coerce.number().min(0.1, '上报间隔至少 0.1 秒').max(86_400, '上报间隔最多一天').optional(),
  lng: z.coerce.number().min(-180).max(180).nullish(),
  lat: z.coerce.number().min(-90).max(90).nullish(),
  installPlace: text(200, '安装位置').nullish(),
  installDate: day.nullish(),
  dueDate: day.nullish(),
  leader: text(50, '负责人').nullish(),
})
export const createDevice = endpoint({
  method: 'POST',
  path: '/api/v1/iot/device',
  summary: '新增设备',
  needs: 'device-admin.create',
  body: deviceBody,
  /** `password`: of an HJ 212 station when none was given; told once. */
  response: z.object({ id: z.string(), status: z.string(), password: z.string().optional() }),
})
export const updateDevice = endpoint({
  method: 'PUT',
  path: '/api/v1/iot/device/:id',
  summary: '修改设备',
  needs: ['device-admin.edit', 'device-admin.audit'],
  params: byId('device'),
  body: deviceBody.partial().extend({
    version: z.coerce.number().int().optional(),
    auditState: z.enum(['1', '2']).optional(),
    auditRemark: text(200).optional(),
    status: z.enum(['1', '3']).optional(),
    params: z.record(z.string(), z.unknown()).optional(),
  }),
  response: z.object({ id: z.string() }),
})
export const removeDevice = endpoint({
  method: 'DELETE',
  path: '/api/v1/iot/device/:id',
  summary: '删除设备',
  needs: 'device-admin.delete',
  params: byId('device'),
})
export const removeDevices = endpoint({
  method: 'DELETE',
  path: '/api/v1/iot/device/batch',
  summary: '批量删除设备',
  needs: 'device-admin.delete',
  body: z.object({ ids: z.array(ref('device')).min(1, '请选择设备').max(200, '一次最多删除 200 台') }),
})

const verdict = z.object({
  ok: z.boolean(),
  checks: z.array(z.object({ key: z.string(), label: z.string(), ok: z.boolean(), text: z.string() })),
})
/** Looks a device over before it is saved or let in; stores nothing. `rows` does it for an import, `frame` decodes what was pasted. */
export const verifyDevice = endpoint({
  method: 'POST',
  path: '/api/v1/iot/device/verify',
  summary: '设备校验',
  needs: ['device-admin.create', 'device-admin.edit', 'device-admin.view'],
  unaudited: 'changes nothing',
  body: z.object({
    id: ref('device').optional(),
    deviceSn: text(64).optional(),
    projectCode: ref('project').optional(),
    family: text(40).optional(),
    gatewayId: ref('gateway').optional(),
    mn: text(40).optional(),
    params: z.record(z.string(), z.unknown()).optional(),
    frame: z.string().max(8192, '报文过长').optional(),
    rows: z.array(z.record(z.string(), z.unknown())).max(1000).optional(),
  }),
  response: verdict.extend({
    rows: z.array(z.object({ index: z.number().int(), ok: z.boolean(), errors: z.array(z.string()) })).optional(),
    decoded: z.unknown().optional(),
  }),
})

export const deviceStatistics = endpoint({
  method: 'GET',
  path: '/api/v1/iot/device/group/stat',
  summary: '设备分组统计',
  needs: ['device-admin.view', 'tower-crane.view', 'environment.view'],
  query: z.object({ projectCode: ref('project').or(z.literal('*')).optional(), groupBy: text(60).optional() }),
  response: z.object({
    all: z.number().int(),
    online: z.number().int(),
    groups: z.array(
      z.object({
        family: z.string(),
        familyName: z.string(),
        projectCode: z.string().nullable(),
        projectName: z.string().nullable(),
        all: z.number().int(),
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
  }),
  response: paged(
    z.object({
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
export const ignoreUnregistered = endpoint({
  method: 'PUT',
  path: '/api/v1/iot/device/unregistered/:identifier',
  summary: '忽略未登记设备',
  needs: 'device-admin.create',
  groupTypes: [0],
  params: z.object({ identifier: text(128) }),
  body: z.object({ ignored: flag }),
})

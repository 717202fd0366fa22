import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { day, dayRange, filled, flag, instant, numericRange, paged, pageQuery, pointsTo, ref, several, text } from '../kit/fields.ts'
import { listOf, sortBy } from '../kit/list.ts'
import { reading } from '../telemetry/model.ts'
import { changes } from './library-endpoints.ts'

const byId = (subject: 'device' | 'gateway') => z.object({ id: ref(subject) })
const onOff = z.enum(['0', '1'], { error: '状态应为 0 停用或 1 启用' })

// ---- gateways
export const connectionTypes = {
  mqtt: 'MQTT（签名口令）',
  mqttPlain: 'MQTT（固定口令）',
  modbusTcp: 'Modbus TCP（平台轮询）',
  modbusRtu: 'Modbus RTU（透传轮询）',
  dlt645: 'DL/T 645 电表（透传轮询）',
  cjt188: 'CJ/T 188 水表（透传轮询）',
} as const
/** The platform asks these; the others call in. */
export const pollTypes = ['modbusTcp', 'modbusRtu', 'dlt645', 'cjt188'] as const
const connectionType = z.enum(['mqtt', 'mqttPlain', ...pollTypes], { error: '接入方式不正确' })

/** Dictionary gatewayConnectionType, by our own names. */
export const connTypeCodes: Readonly<Record<string, string>> = {
  mqtt: '1',
  mqttPlain: '1',
  dlt645: '4',
  cjt188: '4',
  hj212: '6',
  modbusTcp: '10',
  modbusRtu: '11',
}

/** An HJ 212 station seen as a gateway of its own. */
const station = z.object({
  mn: z.string(),
  edition: z.string().nullable(),
  crcMode: z.string(),
  /** Longest data segment it may send, in bytes; 1024 by the standard. */
  maxLength: z.number().int(),
  /** Particulate metrics whose unit nobody has confirmed: stored, not evaluated. */
  unitsMissing: z.array(z.string()),
  units: z.record(z.string(), z.string()),
  modelId: z.string().nullable(),
  modelName: z.string().nullable(),
  intervalSeconds: z.number(),
  badFrames24h: z.number().int(),
  unknownCodes: z.number().int(),
})

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
  connType: z.string(),
  msgPerMin: z.number().nullable(),
  station: station.optional(),
})
export type GatewayRow = z.infer<typeof gatewayRow>

const host = z
  .string()
  .trim()
  .max(200, '地址最多 200 个字')
  .regex(/^[\w.:-]+$/, '地址应为域名或 IP')
/** Where this deployment listens for devices; a proxy in front may have others. */
const listenPorts = z.object({ mqtt: z.number().int(), hj212: z.number().int(), jt808: z.number().int() })

/** HJ 212: the standard's 1024 bytes, or what a station with many factors needs. */
export const segmentLimits = { standard: 1024, most: 4096 } as const
const maxLength = z
  .number({ error: '最大长度应为整数' })
  .int('最大长度应为整数')
  .min(segmentLimits.standard, `最大长度至少 ${segmentLimits.standard} 字节`)
  .max(segmentLimits.most, `最大长度最多 ${segmentLimits.most} 字节`)

const gatewayBody = z.object({
  name: filled(100, '网关名称'),
  code: text(64, '网关编号')
    .regex(/^[\w-]*$/, '网关编号只能用字母、数字、下划线和短横线')
    .optional(),
  projectCode: ref('project'),
  connectionType: connectionType.default('mqtt'),
  /** Where a polled gateway is reached. */
  poll: z
    .object({
      host,
      port: z.coerce.number().int().min(1, '端口应为 1～65535').max(65_535, '端口应为 1～65535'),
      intervalSeconds: z.coerce.number().min(1, '轮询间隔至少 1 秒').max(86_400, '轮询间隔最多一天').default(60),
      timeoutMs: z.coerce.number().int().min(200, '超时至少 200 毫秒').max(60_000, '超时最多 60 秒').default(3000),
    })
    .optional(),
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
    /** Codes of dictionary gatewayConnectionType; 6 lists the HJ 212 stations. */
    connType: several.optional(),
    projectName: text(100).optional(),
    mn: text(40).optional(),
    edition: several.optional(),
    crcMode: several.optional(),
    unit: several.optional(),
    modelName: text(100).optional(),
    badFrames24h: numericRange.optional(),
    refused24h: numericRange.optional(),
    lastSeen: dayRange.optional(),
    status: several.optional(),
    enable: several.optional(),
    online: flag.optional(),
    sort: sortBy('name', 'code', 'projectName', 'online', 'status', 'lastSeen', 'createTime'),
  }),
  response: paged(gatewayRow).extend({
    counts: z.object({
      online: z.number().int(),
      offline: z.number().int(),
      disabled: z.number().int(),
      refused: z.number().int(),
      unmatched: z.number().int(),
      unitsMissing: z.number().int(),
      badFrames: z.number().int(),
    }),
  }),
})
/** Our own gateways. */
export const gatewayList = listOf(listGateways, {
  columns: {
    name: '网关',
    code: '编号',
    connectionType: '接入方式',
    projectName: '项目',
    devices: '下挂设备',
    online: '连接',
    lastSeen: '最近活动',
    msgPerMin: '每分钟消息',
    ip: '来源地址',
    refused24h: '24 小时拒绝',
    status: '启用',
    createTime: '新增时间',
  },
})
/** The stations of HJ 212, by the same call with `connType=6`. */
export const stationList = listOf(listGateways, {
  columns: {
    mn: 'MN',
    name: '名称',
    edition: '版本',
    crcMode: '校验',
    unit: '粉尘单位',
    modelName: '型号',
    projectName: '项目',
    online: '在线',
    lastSeen: '最后数据',
    interval: '间隔',
    badFrames24h: '错误帧',
    enable: '启用',
  },
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
    deviceList: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        deviceSn: z.string(),
        family: z.string(),
        online: z.boolean(),
        lastTime: z.number().nullable(),
      }),
    ),
    ports: listenPorts,
    poll: z
      .object({
        host: z.string(),
        port: z.number().int(),
        intervalSeconds: z.number(),
        timeoutMs: z.number().int(),
        lastOk: z.string().nullable(),
        lastError: z.string().nullable(),
      })
      .nullable(),
    /** Readings of the devices behind it, hour by hour over seven days. */
    hours: z.array(z.object({ hour: z.number(), readings: z.number().int(), devices: z.number().int() })),
    changes,
    match: z
      .object({
        codes: z.array(
          z.object({
            code: z.string(),
            metric: z.string().nullable(),
            factor: z.number(),
            /** standard | own | none */
            by: z.string(),
            lastValue: z.string().nullable(),
            count: z.number().int(),
            lastTime: z.number().nullable(),
          }),
        ),
        since: z.string().nullable(),
        metrics: z.array(
          z.object({ key: z.string(), label: z.string(), unit: z.string(), min: z.number().nullable(), max: z.number().nullable() }),
        ),
        lng: z.number().nullable(),
        lat: z.number().nullable(),
        projectLng: z.number().nullable(),
        projectLat: z.number().nullable(),
        /** Rings of the project's fence. */
        fence: z.array(z.array(z.tuple([z.number(), z.number()]))),
        /** Metres outside the fence; 0 inside, null where either is unknown. */
        outsideMeters: z.number().nullable(),
        moves: z.array(
          z.object({ projectName: z.string(), from: z.string(), to: z.string().nullable(), byName: z.string(), reason: z.string() }),
        ),
        hasKey: z.boolean(),
        firstActions: z.record(z.string(), z.unknown()),
      })
      .optional(),
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
  body: gatewayBody.partial().extend({
    // A default would change what the caller leaves out.
    connectionType: connectionType.optional(),
    version: z.coerce.number().int().optional(),
    renewSecret: flag.optional(),
    /** Of an HJ 212 station. */
    station: z
      .object({
        mn: z.string().regex(/^\w{5,40}$/, 'MN 应为 5～40 位字母、数字或下划线'),
        units: z.record(z.string(), z.enum(['ug', 'mg'], { error: '单位应为 ug 或 mg' })),
        crcMode: z.enum(['standard', 'modbus']),
        maxLength,
        intervalSeconds: z.coerce.number().min(1, '上报间隔至少 1 秒').max(86_400, '上报间隔最多一天'),
        sm4Key: z.string().regex(/^[0-9A-Fa-f]{32}$/, 'SM4 密钥应为 32 位十六进制'),
        firstActions: z.record(z.string(), z.unknown()),
      })
      .partial()
      .optional(),
    /** Station's code to metric and factor, from now on. */
    modelMatch: z
      .object({
        modelId: ref('model').nullish(),
        codes: z.record(
          text(40),
          z.object({
            metric: text(60),
            factor: z.coerce
              .number()
              .refine((n) => n !== 0, '系数不能为 0')
              .default(1),
          }),
        ),
      })
      .optional(),
    /** Another site from a moment on. */
    projectMatch: z.object({ projectCode: ref('project'), since: instant.optional(), reason: text(200, '原因').default('') }).optional(),
  }),
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
        .max(9, '密码最多 9 位（HJ 212-2017 的 PW 字段）')
        .regex(/^[\x21-\x3a\x3c-\x7e]+$/, '密码不能含空格、分号或中文')
        .optional(),
      units: z.record(z.string(), unit).optional(),
      crcMode: z.enum(['standard', 'modbus']).default('standard'),
      maxLength: maxLength.optional(),
    }),
    z.object({
      protocol: z.literal('jt808'),
      phone: z.string().regex(/^\d{10,20}$/, '终端手机号应为 10～20 位数字'),
      /** As printed on the terminal; left out, the first one that registers in an open window is bound. */
      terminalId: z
        .string()
        .trim()
        .regex(/^[\w.-]{1,30}$/, '终端 ID 最多 30 位字母、数字、点、下划线或短横线')
        .optional(),
    }),
    z.object({ protocol: z.literal('http'), appId: pointsTo('openApp', text(64)).optional() }),
    z.object({
      protocol: z.literal('poll'),
      gatewayId: ref('gateway'),
      /** Unit of Modbus (1 to 247), or the meter's address. */
      address: z.string().regex(/^\d{1,14}$/, '地址应为从站号或表号（数字）'),
    }),
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
  /** Changes of key fields that wait for the review, in words. */
  pending: z.array(z.object({ label: z.string(), before: z.string().nullable(), after: z.string().nullable() })),
  ageYears: z.number().nullable(),
  onlinePercent30d: z.number().nullable().optional(),
  /** Facts of the wire; with `with=health`. */
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
  /** What a reviewer looks at first; with `with=checks`. */
  checks: z.array(z.object({ key: z.string(), label: z.string(), ok: z.boolean(), text: z.string() })).optional(),
})
export type DeviceRow = z.infer<typeof deviceRow>

const deviceFilters = z.object({
  projectCode: ref('project').or(z.literal('*')).optional(),
  name: text(100).optional(),
  deviceSn: pointsTo('deviceSn', text(64)).optional(),
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
  needs: ['device-admin.view', 'tower-crane.view', 'environment.view'],
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
      /** Those that are enabled; `online` and `offline` are of them. */
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
/** The devices of a site, of all sites and of the wire: three pages, one list. */
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
/** Hours a terminal may register in: from a visit of an hour to a week of installing. */
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
  needs: ['device-admin.view', 'tower-crane.view', 'environment.view'],
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
    /** The way in, from the socket to the page: the first one that fails says what to do. */
    selfCheck: z.array(z.object({ key: z.string(), label: z.string(), state: z.enum(['ok', 'bad', 'waiting']), text: z.string() })),
    hourly: z.array(z.object({ hour: z.number(), readings: z.number().int(), late: z.number().int(), doubtful: z.number().int() })),
    repairOpen: z.number().int(),
    /** Of a JT/T 808 terminal: whether it may register now, and which terminal is bound. */
    registration: terminalRegistration.nullable(),
    /** Who spoke for the device and was refused, newest first. */
    warnings: z.array(z.object({ kind: z.string(), text: z.string(), count: z.number().int(), address: z.string(), lastTime: z.string() })),
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
  /** From the library: fills maker, brand and the names. */
  modelId: ref('model').nullish(),
  providerId: ref('factory').nullish(),
  specialRecordNo: text(50, '产权备案编号').nullish(),
  /** 产权单位: a company that takes part in the project. */
  ownerCorp: ref('corporation').nullish(),
  files: z.array(text(500, '文件地址')).max(20, '最多 20 个文件').optional(),
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
  largeBody: 'fences and the plan of a site',
  needs: 'device-admin.create',
  acts: 'machine',
  body: deviceBody.extend({
    /** The stranger that becomes this device. */
    adopts: text(128).optional(),
  }),
  /** `password`: of an HJ 212 station when none was given; told once. */
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
    /** With another `projectCode`: since when and why it stands there. */
    transfer: z.object({ since: instant.optional(), reason: text(200, '原因').default('') }).optional(),
    /** Of an HJ 212 station: a new password, told once. */
    renewSecret: flag.optional(),
  }),
  response: z.object({ id: z.string(), password: z.string().optional(), pending: z.boolean().optional() }),
})
/** Lets the terminal of a JT/T 808 device register, until it has or the hours are over. `replaces`: another terminal than the bound one. */
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
    deviceSn: pointsTo('deviceSn', text(64)).optional(),
    projectCode: ref('project').optional(),
    family: text(40).optional(),
    gatewayId: ref('gateway').optional(),
    mn: text(40).optional(),
    params: z.record(z.string(), z.unknown()).optional(),
    frame: z.string().max(8192, '报文过长').optional(),
    /** Of a pasted frame whose device is not named. */
    protocol: text(20).optional(),
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
  query: z.object({
    projectCode: ref('project').or(z.literal('*')).optional(),
    /** project, category, brand, factory, provider, model: one or several by comma; the family when none is given. */
    groupBy: text(60).optional(),
    brandId: ref('brand').optional(),
    factoryId: ref('factory').optional(),
    modelId: ref('model').optional(),
    providerId: ref('factory').optional(),
  }),
  response: z.object({
    all: z.number().int(),
    /** Those that are enabled; `online` is of them. */
    inUse: z.number().int(),
    online: z.number().int(),
    /** Monitors that must stand on a site and do not. */
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
/** Who knocks and is not known. */
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

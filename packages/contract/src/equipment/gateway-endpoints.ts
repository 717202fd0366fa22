import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { dayRange, filled, flag, instant, numericRange, paged, pageQuery, ref, several, text } from '../kit/fields.ts'
import { listOf, sortBy } from '../kit/list.ts'
import { type ListeningProtocol, listeningProtocols, protocolKeys, protocolOf } from '../protocols/catalogue.ts'
import { crcModeField, maxLength } from '../protocols/hj212.ts'
import { byId, onOff } from './fields.ts'
import { changes } from './quality.ts'

export const connectionTypes = {
  mqtt: 'MQTT（签名口令）',
  mqttPlain: 'MQTT（固定口令）',
  modbusTcp: 'Modbus TCP（平台轮询）',
  modbusRtu: 'Modbus RTU（透传轮询）',
  dlt645: 'DL/T 645 电表（透传轮询）',
  cjt188: 'CJ/T 188 水表（透传轮询）',
} as const

/** The platform polls these; the others connect to the platform. */
export const pollTypes = ['modbusTcp', 'modbusRtu', 'dlt645', 'cjt188'] as const

const connectionType = z.enum(['mqtt', 'mqttPlain', ...pollTypes], { error: '接入方式不正确' })

/** Dictionary gatewayConnectionType, by our own names. */
export const connTypeCodes: Readonly<Record<string, string>> = {
  mqtt: '1',
  mqttPlain: '1',
  dlt645: '4',
  cjt188: '4',
  modbusTcp: '10',
  modbusRtu: '11',
  ...Object.fromEntries(protocolKeys.flatMap((key) => (protocolOf(key)?.connType ? [[key, protocolOf(key)?.connType ?? '']] : []))),
}

/** An HJ 212 station, shown as a gateway. */
const station = z.object({
  mn: z.string(),
  edition: z.string().nullable(),
  crcMode: crcModeField,
  /** Longest data segment it may send, in bytes; 1024 by the standard. */
  maxLength: z.number().int(),
  /** Particulate metrics whose unit is not confirmed: stored, but not evaluated. */
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

/** Ports on which this deployment listens for devices; a proxy in front may use others. */
export const listenPorts = z.object({
  ...(Object.fromEntries(listeningProtocols.map((key) => [key, z.number().int()])) as Record<ListeningProtocol, z.ZodNumber>),
  /** The external broker for devices; null if the built-in one is used. */
  broker: z.object({ host: z.string(), port: z.number().int(), tls: z.boolean() }).nullable(),
})
export type ListenPorts = z.infer<typeof listenPorts>

const gatewayBody = z.object({
  name: filled(100, '网关名称'),
  code: text(64, '网关编号')
    .regex(/^[\w-]*$/, '网关编号只能用字母、数字、下划线和短横线')
    .optional(),
  projectCode: ref('project'),
  connectionType: connectionType.default('mqtt'),
  /** Address of a polled gateway. */
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

/** The only response that contains the secret. */
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

/** Gateways other than HJ 212 stations. */
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

/** HJ 212 stations, by the same call with `connType=6`. */
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
    /** Readings of its devices per hour over seven days. */
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
        /** Metres outside the fence; 0 inside, null if either is unknown. */
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

/** `renewSecret` returns a new secret, once. */
export const updateGateway = endpoint({
  method: 'PUT',
  path: '/api/v1/iot/gateway/:id',
  summary: '修改网关',
  needs: 'device-admin.gateway',
  params: byId('gateway'),
  body: gatewayBody.partial().extend({
    // A default would overwrite fields that the caller omits.
    connectionType: connectionType.optional(),
    version: z.coerce.number().int().optional(),
    renewSecret: flag.optional(),
    /** For an HJ 212 station. */
    station: z
      .object({
        mn: z.string().regex(/^\w{5,40}$/, 'MN 应为 5～40 位字母、数字或下划线'),
        units: z.record(z.string(), z.enum(['ug', 'mg'], { error: '单位应为 ug 或 mg' })),
        crcMode: crcModeField,
        maxLength,
        intervalSeconds: z.coerce.number().min(1, '上报间隔至少 1 秒').max(86_400, '上报间隔最多一天'),
        sm4Key: z.string().regex(/^[0-9A-Fa-f]{32}$/, 'SM4 密钥应为 32 位十六进制'),
        firstActions: z.record(z.string(), z.unknown()),
      })
      .partial()
      .optional(),
    /** Maps the station's code to metric and factor, for future data. */
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
    /** Moves it to another site from a given time on. */
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

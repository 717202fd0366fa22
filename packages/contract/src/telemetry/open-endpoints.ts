import { z } from 'zod'
import { type Endpoint, endpoint } from '../kit/endpoint.ts'
import { text } from '../kit/fields.ts'

/**
 * Calls of other platforms, signed by an application: X-App-Id, X-Timestamp (ms), X-Nonce (16-64 characters), X-Sign = hex
 * HMAC-SHA256(secret, METHOD \n path?sorted-query \n timestamp \n nonce \n hex SHA-256(body)).
 */
const deviceSn = text(64, '设备序列号').min(1, '请填写设备序列号')
const item = z.object({
  time: z.union([z.number(), z.string()]),
  seq: z.number().int().optional(),
  data: z.record(z.string(), z.unknown()),
  quality: z.record(z.string(), z.string()).optional(),
})
export const openResult = z.object({
  accepted: z.number().int(),
  duplicated: z.number().int(),
  rejected: z.array(z.object({ index: z.number().int(), key: z.string().optional(), reason: z.string() })),
})
export type OpenResult = z.infer<typeof openResult>

const signed = { needs: 'public', signed: true } as const

export const openTime = endpoint({
  method: 'GET',
  path: '/api/v1/open/time',
  summary: '服务器时间',
  needs: 'public',
  response: z.object({ time: z.number() }),
})
export const openRegister = endpoint({
  ...signed,
  method: 'POST',
  path: '/api/v1/open/device/register',
  summary: '开放接口登记设备',
  body: z.object({
    deviceSn: z.string().regex(/^[\w.:-]{3,64}$/, '设备序列号应为 3～64 位字母、数字、点、冒号、下划线或短横线'),
    family: text(40),
    model: text(100).optional(),
    name: text(100, '设备名称').min(1, '请填写设备名称'),
    projectCode: text(64),
    params: z.record(z.string(), z.unknown()).default({}),
  }),
  response: z.object({ id: z.string(), status: z.string() }),
})
export const openData = endpoint({
  ...signed,
  method: 'POST',
  path: '/api/v1/open/device/data',
  summary: '开放接口上报数据',
  body: z.object({ deviceSn, items: z.array(item).max(1000) }),
  response: openResult,
})
export const openEvent = endpoint({
  ...signed,
  method: 'POST',
  path: '/api/v1/open/device/event',
  summary: '开放接口上报事件',
  body: z.object({
    deviceSn,
    type: text(40),
    state: z.enum(['start', 'end']).optional(),
    value: z.number().optional(),
    time: z.union([z.number(), z.string()]),
  }),
  response: openResult,
})
export const openRecord = endpoint({
  ...signed,
  method: 'POST',
  path: '/api/v1/open/device/record',
  summary: '开放接口上报记录',
  body: z.object({ deviceSn, record: text(40), items: z.array(item).max(1000) }),
  response: openResult,
})
export const openParams = endpoint({
  ...signed,
  method: 'POST',
  path: '/api/v1/open/device/params',
  summary: '开放接口上报参数',
  body: z.object({ deviceSn, params: z.record(z.string(), z.unknown()) }),
  /** `pending`: what differs waits for the site's review and is in force after it. */
  response: z.object({ id: z.string(), pending: z.boolean() }),
})
export const openHeartbeat = endpoint({
  ...signed,
  method: 'POST',
  path: '/api/v1/open/device/heartbeat',
  summary: '开放接口心跳',
  body: z.object({ deviceSn: z.union([deviceSn, z.array(deviceSn).max(1000)]) }),
  response: openResult,
})
export const openDevice = endpoint({
  ...signed,
  method: 'GET',
  path: '/api/v1/open/device/:sn',
  summary: '开放接口设备状态',
  params: z.object({ sn: text(64) }),
  response: z.object({
    id: z.string(),
    deviceSn: z.string(),
    name: z.string(),
    family: z.string(),
    status: z.string(),
    online: z.boolean(),
    lastTime: z.number().nullable(),
    lastReceived: z.number().nullable(),
    /** What was refused last, within a day. */
    lastError: z.object({ time: z.number(), reason: z.string() }).nullable(),
  }),
})
/** A picture to be named in records: JPG, PNG or WebP of at most 10 MiB, as the part `file`; `deviceSn` says whose it is. */
export const openFile = endpoint({
  ...signed,
  method: 'POST',
  path: '/api/v1/open/file',
  summary: '开放接口上传图片',
  multipart: true,
  response: z.object({ id: z.string(), url: z.string(), mime: z.string(), size: z.number(), sha256: z.string() }),
})
/** Gates push here under a key of their own: the path is the signature, since they can send no other. */
export const pushGate = endpoint({
  method: 'POST',
  path: '/api/v1/open/gate/:adapter/:key',
  summary: '人脸闸机推送',
  needs: 'public',
  perMinute: 1_200,
  params: z.object({ adapter: z.enum(['event', 'callback', 'generic']), key: text(128) }),
  response: z.record(z.string(), z.unknown()),
})
/** Bytes a call may bring; the others 1 MiB. */
export const openBodyBytes: ReadonlyMap<Endpoint, number> = new Map<Endpoint, number>([
  [openFile, 10 * 1024 * 1024 + 8 * 1024],
  [pushGate, 4 * 1024 * 1024],
])

export const openCalls: readonly Endpoint[] = [
  openTime,
  openRegister,
  openData,
  openEvent,
  openRecord,
  openParams,
  openHeartbeat,
  openDevice,
  openFile,
  pushGate,
]

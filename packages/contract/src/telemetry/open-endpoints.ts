import { z } from 'zod'
import { type Endpoint, endpoint } from '../kit/endpoint.ts'
import { text } from '../kit/fields.ts'
import { gateDialectKeys } from './gate-dialects.ts'

/** Signature scheme of other platforms' calls, for the OpenAPI document. */
export const signature = {
  appId: '应用编号，在 设备管理 → 网关管理 → 开放应用 中新增应用时得到',
  timestamp: '毫秒时间戳，与平台相差不超过 5 分钟；GET /api/v1/open/time 给出平台时间',
  nonce: '16～64 个可见字符的随机串，每次请求不同，重发也要换',
  sign: [
    '签名：hex( HMAC-SHA256( 应用密钥, 签名串 ) )。签名串为下列五行，以换行符 \\n 连接，末尾没有换行：',
    '1. 请求方法，大写，如 POST',
    '2. 路径；有查询参数时加 ? 与按字典序排列的 名=值，以 & 连接，保持原来的编码',
    '3. X-Timestamp 的值',
    '4. X-Nonce 的值',
    '5. 请求体字节的 SHA-256，小写十六进制；没有请求体时为空串的 SHA-256',
    '签名不符时应答 401，data.stringToSign 是平台使用的签名串，可逐行对照。',
  ].join('\n'),
} as const

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
  description: '首次登记为待审核，审核通过后才接收数据；重复登记返回同一编号。family 为设备类型的键，见 GET /api/v1/iot/family。',
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
  description:
    'items 每项是一个时刻的读数：time 为毫秒时间戳或 yyyy-MM-dd HH:mm:ss（北京时间），data 的键为型号指标。一次最多 1000 项；rejected 逐项给出没有存入的原因，其余已经落库。',
  body: z.object({ deviceSn, items: z.array(item).max(1000) }),
  response: openResult,
})
export const openEvent = endpoint({
  ...signed,
  method: 'POST',
  path: '/api/v1/open/device/event',
  summary: '开放接口上报事件',
  description: '设备侧报警的开始与结束，state 为 start 或 end。',
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
  description: '工作循环、过磅、通行等记录，record 为记录种类。',
  body: z.object({ deviceSn, record: text(40), items: z.array(item).max(1000) }),
  response: openResult,
})
export const openParams = endpoint({
  ...signed,
  method: 'POST',
  path: '/api/v1/open/device/params',
  summary: '开放接口上报参数',
  description: '起重臂长、额定载荷等静态参数；规则所依据的参数须经审核后生效。',
  body: z.object({ deviceSn, params: z.record(z.string(), z.unknown()) }),
  /** `pending`: changed values await the site's approval. */
  response: z.object({ id: z.string(), pending: z.boolean() }),
})
export const openHeartbeat = endpoint({
  ...signed,
  method: 'POST',
  path: '/api/v1/open/device/heartbeat',
  summary: '开放接口心跳',
  description: '设备没有读数时表示在线。',
  body: z.object({ deviceSn: z.union([deviceSn, z.array(deviceSn).max(1000)]) }),
  response: openResult,
})
export const openDevice = endpoint({
  ...signed,
  method: 'GET',
  path: '/api/v1/open/device/:sn',
  summary: '开放接口设备状态',
  description: '设备的状态、最后数据时间与一天内最后一次被拒绝的原因。',
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
    /** Latest refusal within a day. */
    lastError: z.object({ time: z.number(), reason: z.string() }).nullable(),
  }),
})
/** Uploads a picture that records refer to: JPG, PNG or WebP of at most 10 MiB, as the part `file`; `deviceSn` names the device. */
export const openFile = endpoint({
  ...signed,
  method: 'POST',
  path: '/api/v1/open/file',
  summary: '开放接口上传图片',
  description: 'multipart 表单：file 为 10 MiB 以内的 JPG、PNG 或 WebP，deviceSn 为设备序列号；返回的 id 填入记录的图片字段。',
  multipart: true,
  response: z.object({ id: z.string(), url: z.string(), mime: z.string(), size: z.number(), sha256: z.string() }),
})
/** Gates push here with a key of their own in the path, because they cannot sign requests. */
export const pushGate = endpoint({
  method: 'POST',
  path: '/api/v1/open/gate/:adapter/:key',
  summary: '人脸闸机推送',
  description: '人脸闸机推送通行记录的地址，在设备详情的 接入 中生成。路径中的 key 就是凭证，请勿外传；不需要其他请求头。',
  needs: 'public',
  perMinute: 1_200,
  params: z.object({ adapter: z.enum(gateDialectKeys), key: text(128) }),
  response: z.record(z.string(), z.unknown()),
})
/** Largest request body by call, bytes; default 1 MiB. */
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

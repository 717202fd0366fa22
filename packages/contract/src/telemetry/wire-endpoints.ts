import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { instant, paged, pageQuery, ref, several, text } from '../kit/fields.ts'
import { deviceCommandNames } from './commands.ts'

/** What goes over the wire: frames as they came, commands down, and how devices are reached that must be asked. */
export const frameRow = z.object({
  id: z.string(),
  time: z.number(),
  direction: z.enum(['up', 'down']),
  /** HJ 212: the command number; JT/T 808: the message id; MQTT and HTTP: telemetry, record, event... */
  kind: z.string(),
  result: z.string(),
  resultText: z.string(),
  length: z.number().int(),
  /** The head of it, at most 1 KiB; `text` for protocols of text, always `hex`. Secrets are blanked. */
  text: z.string().nullable(),
  hex: z.string(),
  decoded: z.record(z.string(), z.unknown()).nullable(),
  answer: z.string().nullable(),
  delayMs: z.number().int().nullable(),
  protocol: z.string(),
  identifier: z.string(),
  address: z.string(),
  deviceId: z.string().nullable(),
  gatewayId: z.string().nullable(),
})
export type FrameRow = z.infer<typeof frameRow>

/** Frames of the last day, newest first. A live tail asks again with `startTime` of the newest it has and leaves out ids it knows. */
export const listFrames = endpoint({
  method: 'GET',
  path: '/api/v1/iot/device/frame',
  summary: '设备报文日志',
  needs: 'device-admin.frame',
  answers: 'list',
  query: pageQuery.pick({ page: true, size: true }).extend({
    deviceId: ref('device').optional(),
    identifier: text(128).optional(),
    gatewayId: ref('gateway').optional(),
    startTime: instant.optional(),
    endTime: instant.optional(),
    direction: several.optional(),
    kind: several.optional(),
    result: several.optional(),
  }),
  response: paged(frameRow),
})

const commandStep = z.object({ at: z.number(), step: z.string(), text: z.string() })
export const commandRow = z.object({
  id: z.string(),
  cmd: z.string(),
  cmdText: z.string(),
  params: z.record(z.string(), z.unknown()),
  byName: z.string().nullable(),
  sentAt: z.number(),
  expireAt: z.number().nullable(),
  answeredAt: z.number().nullable(),
  result: z.number().int().nullable(),
  message: z.string(),
  steps: z.array(commandStep),
  data: z.record(z.string(), z.unknown()).nullable(),
})

/** Waits up to ten seconds for the answer; -3 says that it is still waited for, and the list of commands will have it. */
export const sendCommand = endpoint({
  method: 'POST',
  path: '/api/v1/iot/device/:id/command',
  summary: '下发设备指令',
  needs: 'device-admin.command',
  params: z.object({ id: ref('device') }),
  body: z.object({
    cmd: z.enum(deviceCommandNames, { error: '不支持的指令' }),
    params: z
      .record(z.string().max(64), z.unknown())
      .refine((v) => JSON.stringify(v).length <= 8192, '指令参数过长')
      .default({}),
    /** After that many seconds it must not be carried out any more. */
    expireSeconds: z.coerce.number().int().min(5, '有效期至少 5 秒').max(86_400, '有效期最多一天').default(60),
  }),
  response: z.object({
    cmdId: z.string(),
    result: z.number().int(),
    message: z.string(),
    steps: z.array(commandStep).optional(),
    data: z.record(z.string(), z.unknown()).optional(),
  }),
})
export const listCommands = endpoint({
  method: 'GET',
  path: '/api/v1/iot/device/:id/command',
  summary: '设备指令记录',
  needs: ['device-admin.command', 'device-admin.frame'],
  answers: 'list',
  params: z.object({ id: ref('device') }),
  query: pageQuery.pick({ page: true, size: true }),
  response: paged(commandRow),
})

const register = z.object({
  metric: z.string().regex(/^\w{1,40}$/, '指标名不正确'),
  address: z.coerce.number().int().min(0, '寄存器地址从 0 开始').max(65_535, '寄存器地址最大 65535'),
  table: z.enum(['holding', 'input'], { error: '寄存器区应为 holding 或 input' }).default('holding'),
  type: z.enum(['u16', 'i16', 'u32', 'u32cdab', 'i32', 'i32cdab', 'f32', 'f32cdab'], { error: '寄存器类型不支持' }),
  scale: z.coerce.number().default(1),
  offset: z.coerce.number().default(0),
})
export type PolledRegister = z.infer<typeof register>
const polledDevice = z.object({
  deviceId: ref('device'),
  /** Modbus: the unit; meters: their address. */
  address: z.string().regex(/^\d{1,14}$/, '站号或表号应为 1～14 位数字'),
  registers: z.array(register).max(200, '寄存器最多 200 个').default([]),
})
export const pollProtocols = {
  modbusTcp: 'Modbus TCP',
  modbusRtu: 'Modbus RTU（透传）',
  dlt645: 'DL/T 645-2007（透传）',
  cjt188: 'CJ/T 188（透传）',
} as const
const polling = z.object({
  protocol: z.enum(['modbusTcp', 'modbusRtu', 'dlt645', 'cjt188'], { error: '采集协议不支持' }),
  host: z.string().regex(/^[\w.-]{1,253}$/, '地址应为域名或 IP'),
  port: z.coerce.number().int().min(1, '端口应在 1～65535 之间').max(65_535, '端口应在 1～65535 之间'),
  intervalSeconds: z.coerce.number().min(1, '采集间隔至少 1 秒').max(86_400, '采集间隔最多一天').default(60),
  timeoutMs: z.coerce.number().int().min(100, '超时至少 100 毫秒').max(30_000, '超时最多 30 秒').default(3_000),
  enabled: z.boolean().default(true),
  devices: z.array(polledDevice).max(250, '一个网关最多 250 台').default([]),
})
/** Devices that do not send by themselves: the gateway's address and what is asked behind it. */
export const getPolling = endpoint({
  method: 'GET',
  path: '/api/v1/iot/gateway/:id/polling',
  summary: '网关采集设置',
  needs: ['device-admin.gateway', 'device-admin.view'],
  params: z.object({ id: ref('gateway') }),
  response: z.object({
    polling: polling.nullable(),
    lastOk: z.number().nullable(),
    lastError: z.string().nullable(),
  }),
})
export const savePolling = endpoint({
  method: 'PUT',
  path: '/api/v1/iot/gateway/:id/polling',
  summary: '设置网关采集',
  needs: 'device-admin.gateway',
  params: z.object({ id: ref('gateway') }),
  body: polling,
})

/** What an HJ 212 station needs beside its access. The key is never shown again. */
export const getStation = endpoint({
  method: 'GET',
  path: '/api/v1/iot/device/:id/station',
  summary: '环境站接入设置',
  needs: ['device-admin.gateway', 'device-admin.view'],
  params: z.object({ id: ref('device') }),
  response: z.object({
    edition: z.number().int().nullable(),
    hasKey: z.boolean(),
    firstActions: z.record(z.string(), z.unknown()),
  }),
})
export const saveStation = endpoint({
  method: 'PUT',
  path: '/api/v1/iot/device/:id/station',
  summary: '设置环境站接入',
  needs: 'device-admin.gateway',
  params: z.object({ id: ref('device') }),
  body: z.object({
    /** SM4, 32 hexadecimal digits; empty takes it away, absent leaves it. */
    sm4Key: z
      .string()
      .regex(/^([0-9a-f]{32})?$/i, '密钥应为 32 位十六进制')
      .optional(),
    firstActions: z
      .object({
        time: z.boolean().optional(),
        overTimeSeconds: z.coerce.number().int().min(1).max(300).optional(),
        repeats: z.coerce.number().int().min(0).max(20).optional(),
        intervalSeconds: z.coerce.number().int().min(30, '间隔应为 30～3600 秒').max(3600, '间隔应为 30～3600 秒').optional(),
        minutes: z.coerce.number().int().min(1).max(60).optional(),
        start: z.boolean().optional(),
      })
      .optional(),
  }),
})

/** The address a gate pushes to; its key is told once. Asking again makes a new one. */
export const createGatePush = endpoint({
  method: 'POST',
  path: '/api/v1/iot/gate/push/:id',
  summary: '生成闸机推送地址',
  needs: 'device-admin.secret',
  params: z.object({ id: ref('device') }),
  body: z.object({ adapter: z.enum(['event', 'callback', 'generic'], { error: '推送方式不支持' }) }),
  response: z.object({ path: z.string() }),
})

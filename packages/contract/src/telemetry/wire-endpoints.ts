import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { instant, paged, pageQuery, ref, several, text } from '../kit/fields.ts'
import { commandCodes, deviceCommandNames } from './commands.ts'
import { gateDialectKeys } from './gate-dialects.ts'

/** Wire level: received frames, commands to devices, and connections of polled devices. */
export const frameRow = z.object({
  id: z.string(),
  time: z.number(),
  direction: z.enum(['up', 'down']),
  /** HJ 212: command number; JT/T 808: message id; MQTT and HTTP: telemetry, record, event... */
  kind: z.string(),
  result: z.string(),
  resultText: z.string(),
  length: z.number().int(),
  /** First 1 KiB of the frame: `hex` always, `text` for text protocols. Secrets are masked. */
  text: z.string().nullable(),
  hex: z.string(),
  decoded: z.record(z.string(), z.unknown()).nullable(),
  answer: z.string().nullable(),
  delayMs: z.number().int().nullable(),
  /** Advice for people: what was expected, what was received, what to change. */
  hint: z.string().nullable(),
  protocol: z.string(),
  identifier: z.string(),
  address: z.string(),
  deviceId: z.string().nullable(),
  gatewayId: z.string().nullable(),
})
export type FrameRow = z.infer<typeof frameRow>

/** Frames of the last day, newest first. To tail, request again with `startTime` of the newest frame and skip known ids. */
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

/** Waits up to ten seconds for the answer; -3 means that it is still pending and will appear in the list of commands. */
export const sendCommand = endpoint({
  method: 'POST',
  path: '/api/v1/iot/device/:id/command',
  summary: '下发设备指令',
  needs: ['device-admin.command', ...new Set(Object.values(commandCodes).flatMap((byFamily) => Object.values(byFamily)))],
  params: z.object({ id: ref('device') }),
  body: z.object({
    cmd: z.enum(deviceCommandNames, { error: '不支持的指令' }),
    params: z
      .record(z.string().max(64), z.unknown())
      .refine((v) => JSON.stringify(v).length <= 8192, '指令参数过长')
      .default({}),
    /** The device must not execute the command after this many seconds. */
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

/** Creates the address a gate pushes to. Its key is returned only once; another call creates a new one. */
export const createGatePush = endpoint({
  method: 'POST',
  path: '/api/v1/iot/gate/push/:id',
  summary: '生成闸机推送地址',
  needs: 'device-admin.secret',
  params: z.object({ id: ref('device') }),
  body: z.object({ adapter: z.enum(gateDialectKeys, { error: '推送方式不支持' }) }),
  response: z.object({ path: z.string() }),
})

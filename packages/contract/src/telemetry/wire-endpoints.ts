import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { instant, paged, pageQuery, ref, several, text } from '../kit/fields.ts'
import { commandCodes, deviceCommandNames } from './commands.ts'

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
  /** For people: what was expected, what came, what to change. */
  hint: z.string().nullable(),
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
  needs: ['device-admin.command', ...new Set(Object.values(commandCodes).flatMap((byFamily) => Object.values(byFamily)))],
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

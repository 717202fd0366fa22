import { z } from 'zod'
import { clockTime, filled, flag, ref, text } from '../kit/fields.ts'
import { noticeChannels } from '../notify/codes.ts'
import { type DeviceCommand, deviceCommandNames } from '../telemetry/commands.ts'

export const minutes = z
  .number()
  .min(0, '不能为负')
  .max(7 * 1440, '最长 7 天')

export const roles = z.array(filled(40, '角色')).max(20, '最多 20 个角色')

/** A channel that the product can send over; the other codes of the dictionary are refused. */
export const channel = z
  .enum(['1', '2', '3', '4', '5'], { error: '推送渠道不正确' })
  .refine((c) => c in noticeChannels, { error: '该渠道未接入' })

export const interlocks = { frost: '低于 2 ℃', rain: '降雨', wind: '风速 12 m/s', lowWater: '低水压' } as const

const notifyPart = z.object({
  roles: roles.default([]),
  userIds: z.array(ref('user')).max(100, '最多 100 人').default([]),
  onDuty: flag.default(false),
  channels: z.array(channel).min(1, '请选择推送渠道'),
  text: text(500, '通知内容').optional(),
  repeatMinutes: minutes.optional(),
  quietHours: z.object({ from: clockTime, to: clockTime }).nullish(),
  escalation: z
    .array(z.object({ afterMinutes: minutes, roles: roles.min(1, '请选择升级对象'), channels: z.array(channel).optional() }))
    .max(8, '最多 8 级升级')
    .default([]),
})

/**
 * Commands that the server may send automatically, the device families that accept them, and the command that ends each. An announcement or
 * a picture ends by itself. Safety-critical outputs are not among them: the machine's own limiter stops it, never the server.
 */
export const linkageCommands = {
  'spray.start': { families: ['sprayController'], stop: 'spray.stop' },
  'crane.warn': { families: ['towerCrane'], stop: null },
  'camera.snapshot': { families: ['videoAi', 'smartHelmet', 'truckMonitor'], stop: null },
  'helmet.call': { families: ['smartHelmet'], stop: null },
  'helmet.text': { families: ['smartHelmet'], stop: null },
  'device.text': { families: ['truckMonitor'], stop: null },
  'meter.valve': { families: ['waterMeter'], stop: 'meter.valve' },
} as const satisfies Partial<Record<DeviceCommand, { families: readonly string[]; stop: DeviceCommand | null }>>

export type LinkageCommand = keyof typeof linkageCommands

const safetyCritical = '安全关键动作不由云端执行'

const mayRun = (command: string): command is LinkageCommand => command in linkageCommands

const stopOf = (command: string) => (mayRun(command) ? linkageCommands[command].stop : null)

const familiesOf = (command: string): readonly string[] => (mayRun(command) ? linkageCommands[command].families : [])

const runSeconds = z.number().int('应为整数').min(0, '不能为负').max(86_400, '最长一天')

const commandParams = z.record(z.string().max(40), z.union([z.string().max(500), z.number(), z.boolean()])).default({})

export const linkagePart = z
  .object({
    command: z
      .enum(deviceCommandNames, { error: '请选择联动命令' })
      .refine(mayRun, safetyCritical)
      .transform((c) => c as LinkageCommand),
    selector: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('sameArea') }),
      z.object({ kind: z.literal('bound') }),
      z.object({ kind: z.literal('list'), deviceIds: z.array(ref('device')).min(1, '请选择设备').max(100) }),
    ]),
    family: text(40, '设备类型').optional(),
    params: commandParams,
    stopCommand: z.enum(deviceCommandNames, { error: '停止命令不正确' }).optional(),
    stopParams: commandParams,
    minRunSeconds: runSeconds.default(0),
    maxRunSeconds: runSeconds.min(1, '请填写最长运行时间'),
    cooldownSeconds: runSeconds.default(0),
    interlocks: z.array(z.enum(Object.keys(interlocks) as [keyof typeof interlocks], { error: '联锁条件不正确' })).default([]),
    confirm: z.enum(['none', 'person']).default('none'),
  })
  .refine((l) => l.minRunSeconds <= l.maxRunSeconds, { message: '最短运行时间不能超过最长运行时间', path: ['minRunSeconds'] })
  // A command that keeps running must be ended by its own stop command.
  .refine((l) => stopOf(l.command) === null || l.stopCommand !== undefined, { message: '请选择停止命令', path: ['stopCommand'] })
  .refine((l) => l.stopCommand === undefined || l.stopCommand === stopOf(l.command), {
    error: (issue) => ((issue.input as { stopCommand?: string }).stopCommand === 'lift.lock' ? safetyCritical : '停止命令与联动命令不对应'),
    path: ['stopCommand'],
  })
  .refine((l) => l.stopCommand !== l.command || JSON.stringify(l.stopParams) !== JSON.stringify(l.params), {
    message: '停止参数不能与启动参数相同',
    path: ['stopParams'],
  })
  .refine((l) => l.family === undefined || l.family === '' || familiesOf(l.command).includes(l.family), {
    message: '该类设备不执行此命令',
    path: ['family'],
  })

export type Linkage = z.output<typeof linkagePart>

const webhookPart = z.object({
  url: z
    .string({ error: '请填写地址' })
    .trim()
    .max(500, '地址过长')
    .regex(/^https:\/\/[^\s/@]+(\/\S*)?$/, '地址须以 https:// 开头，不含账号口令'),
  secret: text(200, '密钥').optional(),
})

export const longestRectifyDays = 30
/** Orders rectification: a notice to the machine's owner on the site, or to the general contractor. An authority's action only drafts it. */
export const rectifyPart = z.object({
  /** Dictionary rectifyCategory. */
  category: filled(2, '整改类别'),
  requirement: text(500, '整改要求').min(5, '整改要求至少 5 个字'),
  days: z.coerce.number({ error: '请填写整改天数' }).int().min(1, '至少 1 天').max(longestRectifyDays, `至多 ${longestRectifyDays} 天`),
  /** Only alarms of this level or graver (1 is the gravest). */
  fromLevel: z.coerce.number().int().min(1).max(4).default(2),
})
export type RectifyPart = z.output<typeof rectifyPart>

export const execKinds = { notify: '通知', linkage: '联动', rectify: '整改', webhook: 'Webhook' } as const
const execKind = z.enum(['notify', 'linkage', 'rectify', 'webhook'], { error: '请选择动作类型' })

export const execBody = z
  .object({
    name: filled(100, '动作名称'),
    kind: execKind,
    projectCode: ref('project').optional(),
    enabled: flag.default(true),
    notify: notifyPart.optional(),
    linkage: linkagePart.optional(),
    rectify: rectifyPart.optional(),
    webhook: webhookPart.optional(),
    version: z.coerce.number().int().optional(),
  })
  .refine((e) => e[e.kind] !== undefined, { message: '请填写动作内容', path: ['kind'] })
  .refine((e) => e.kind !== 'notify' || !e.notify || e.notify.roles.length + e.notify.userIds.length > 0 || e.notify.onDuty, {
    message: '请选择通知对象',
    path: ['notify', 'roles'],
  })

export const execRow = z.object({
  id: z.string(),
  version: z.number().int(),
  name: z.string(),
  kind: execKind,
  kindName: z.string(),
  projectCode: z.string().nullable(),
  projectName: z.string().nullable(),
  enabled: z.boolean(),
  notify: z.looseObject({}).nullable(),
  linkage: z.looseObject({}).nullable(),
  rectify: rectifyPart.nullable(),
  webhook: z.looseObject({ url: z.string(), hasSecret: z.boolean() }).nullable(),
  usedBy: z.number().int(),
  /** The newest message or start of the action, and the number of failures in thirty days, in the projects that the caller sees. */
  lastRun: z.string().nullable(),
  failed30d: z.number().int(),
  updateTime: z.string(),
})

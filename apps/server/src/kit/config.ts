import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { cidrOf } from './outgoing-nets.ts'
import { type NamedPorts, requireFolder } from './start-fault.ts'

export type Mode = 'demo' | 'serve' | 'test'

export interface Config {
  mode: Mode
  host: string
  port: number
  mqttPort: number
  mqttWsPort: number
  hj212Port: number
  jt808Port: number
  dataDir: string
  /** Undefined: the embedded database is used (demonstration only). */
  databaseUrl: string | undefined
  /** Whose the tables are: migrates, backs up, restores. Undefined: the same login as `databaseUrl`. */
  databaseOwnerUrl: string | undefined
  /** Undefined: the embedded broker is used. */
  mqttUrl: string | undefined
  secretKey: string
  demo: boolean
  /** Unix socket on which api and ingest speak to each other. */
  ingestSocket: string
  logLevel: string
  /** Answers are checked against their schema (tests and development). */
  checkAnswers: boolean
  /** Undefined: no mail is sent, and whoever chose it is told so. */
  smtpUrl: string | undefined
  smtpFrom: string
  /** Undefined: no text messages are sent. */
  smsUrl: string | undefined
  smsSecret: string | undefined
  /** Networks inside the house, as CIDR, that pollers, dockings and webhooks may reach. */
  outgoingInside: readonly string[]
  /** Whether webhooks may reach private networks that are not listed; older than the list. */
  webhookInside: boolean
  /** Proxies in front, from whose right end of X-Forwarded-For a caller's address is read; 0: nobody's word is taken. */
  trustProxy: number
  /** Bearer of /metrics. Undefined: nobody outside this machine's demonstration reads it. */
  metricsToken: string | undefined
  /** How the world reaches this deployment; undefined: as whoever asks did. */
  publicUrl: string | undefined
}

const portWords = '应为 0～65535 的整数'
const port = (fallback: number) =>
  z.coerce.number({ error: portWords }).int(portWords).min(0, portWords).max(65535, portWords).default(fallback)
const environment = z.object({
  HOST: z.string().min(1).default('127.0.0.1'),
  PORT: port(8080),
  MQTT_PORT: port(1883),
  MQTT_WS_PORT: port(8083),
  HJ212_PORT: port(8212),
  JT808_PORT: port(8808),
  DATA_DIR: z.string().min(1).default('./data'),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, '应以 postgres:// 开头')
    .optional(),
  DATABASE_OWNER_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, '应以 postgres:// 开头')
    .optional(),
  MQTT_URL: z
    .string()
    .regex(/^(mqtts?|wss?|tcp):\/\//, '应以 mqtt:// 或 mqtts:// 开头')
    .optional(),
  SECRET_KEY: z.string().min(32, '至少 32 个字符').optional(),
  DEMO: z.enum(['0', '1', 'true', 'false', '']).optional(),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\//, '应以 smtp:// 或 smtps:// 开头')
    .optional(),
  SMTP_FROM: z.string().max(200).default('筑工 <zhugong@localhost>'),
  SMS_URL: z
    .string()
    .regex(/^https?:\/\//, '应以 http:// 或 https:// 开头')
    .optional(),
  SMS_SECRET: z.string().min(8, '至少 8 个字符').optional(),
  OUTGOING_INSIDE: z
    .string()
    .transform((text) => text.split(/[,\s]+/).filter(Boolean))
    .refine((list) => list.every((one) => cidrOf(one) !== undefined), '应为网段，以逗号分隔，例如 10.20.0.0/16,192.168.5.7')
    .default([]),
  WEBHOOK_INSIDE: z.enum(['0', '1', '']).optional(),
  ZHUGONG_CHECK_ANSWERS: z.string().optional(),
  TRUST_PROXY: z.coerce
    .number({ error: '应为 0～10 的整数' })
    .int('应为 0～10 的整数')
    .min(0, '应为 0～10')
    .max(10, '应为 0～10')
    .default(0),
  METRICS_TOKEN: z.string().min(16, '至少 16 个字符').optional(),
  PUBLIC_URL: z.url({ protocol: /^https?$/, error: '应以 http:// 或 https:// 开头' }).optional(),
})

/** A bad or missing variable. The message names it. */
export class ConfigError extends Error {}

/** Reads the environment. In `serve` nothing is assumed: DATABASE_URL and SECRET_KEY must be given. Throws ConfigError by name. */
export function readConfig(mode: Mode, env: NodeJS.ProcessEnv = process.env): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, v]) => v !== ''))
  const parsed = environment.safeParse(given)
  if (!parsed.success) {
    throw new ConfigError(parsed.error.issues.map((i) => `环境变量 ${i.path.join('.')} 不正确：${i.message}`).join('\n'))
  }
  const e = parsed.data
  const missing = mode === 'serve' ? (['DATABASE_URL', 'SECRET_KEY'] as const).filter((name) => !e[name]) : []
  if (missing.length) throw new ConfigError(`缺少环境变量：${missing.join('、')}（生产运行不使用默认值）`)
  const dataDir = resolve(e.DATA_DIR)
  requireFolder(dataDir)
  return {
    mode,
    host: e.HOST,
    port: e.PORT,
    mqttPort: e.MQTT_PORT,
    mqttWsPort: e.MQTT_WS_PORT,
    hj212Port: e.HJ212_PORT,
    jt808Port: e.JT808_PORT,
    dataDir,
    databaseUrl: e.DATABASE_URL,
    databaseOwnerUrl: e.DATABASE_OWNER_URL ?? e.DATABASE_URL,
    mqttUrl: e.MQTT_URL,
    secretKey: e.SECRET_KEY ?? installedSecret(dataDir),
    demo: mode === 'demo' || e.DEMO === '1' || e.DEMO === 'true',
    ingestSocket: shortSocket(dataDir),
    logLevel: e.LOG_LEVEL,
    smtpUrl: e.SMTP_URL,
    smtpFrom: e.SMTP_FROM,
    smsUrl: e.SMS_URL,
    smsSecret: e.SMS_SECRET,
    outgoingInside: e.OUTGOING_INSIDE,
    webhookInside: e.WEBHOOK_INSIDE === '1',
    checkAnswers: e.ZHUGONG_CHECK_ANSWERS === '1',
    trustProxy: e.TRUST_PROXY,
    metricsToken: e.METRICS_TOKEN,
    publicUrl: e.PUBLIC_URL?.replace(/\/+$/, ''),
  }
}

/** The ports the product opens, by the variables that name them. */
export const portsOf = (config: Config): NamedPorts => ({
  PORT: config.port,
  MQTT_PORT: config.mqttPort,
  MQTT_WS_PORT: config.mqttWsPort,
  HJ212_PORT: config.hj212Port,
  JT808_PORT: config.jt808Port,
})

/** A demonstration makes its own key once and keeps it beside its data, readable by the owner only. */
function installedSecret(dataDir: string): string {
  const file = join(dataDir, 'secret.key')
  if (!existsSync(file)) writeFileSync(file, randomBytes(32).toString('hex'), { mode: 0o600, flag: 'wx' })
  return readFileSync(file, 'utf8').trim()
}

/** Unix socket paths end at 107 bytes; a deep data folder gets a name in the system's temporary folder instead. */
function shortSocket(dataDir: string): string {
  const near = join(dataDir, 'ingest.sock')
  if (Buffer.byteLength(near) < 100) return near
  let hash = 0
  for (const c of dataDir) hash = (Math.imul(hash, 31) + c.charCodeAt(0)) | 0
  return `/tmp/zhugong-ingest-${(hash >>> 0).toString(36)}.sock`
}

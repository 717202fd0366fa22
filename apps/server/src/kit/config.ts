import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type ListeningProtocol, listeningProtocols, protocols } from '@zhugong/contract/protocols/catalogue'
import { z } from 'zod'
import { cidrOf } from './outgoing-nets.ts'
import { type NamedPorts, requireFolder } from './start-fault.ts'

export type Mode = 'demo' | 'serve' | 'test'

/** Ports of the protocols that listen, called `mqttPort` and so on. */
export type DevicePorts = { [Key in ListeningProtocol as `${Key}Port`]: number }

export interface Config extends DevicePorts {
  mode: Mode
  host: string
  port: number
  mqttWsPort: number
  dataDir: string
  /** Undefined: the embedded database is used (demonstration only). */
  databaseUrl: string | undefined
  /** Login that owns the tables; used to migrate, back up and restore. Undefined: the same login as `databaseUrl`. */
  databaseOwnerUrl: string | undefined
  /** Undefined: the embedded broker is used. */
  mqttUrl: string | undefined
  secretKey: string
  demo: boolean
  /** Unix socket over which api and ingest communicate. */
  ingestSocket: string
  logLevel: string
  /** Answers are checked against their schema (tests and development). */
  checkAnswers: boolean
  /** Undefined: no mail is sent, and users who chose mail are informed. */
  smtpUrl: string | undefined
  smtpFrom: string
  /** Undefined: no text messages are sent. */
  smsUrl: string | undefined
  smsSecret: string | undefined
  /** Internal networks, as CIDR, that pollers, dockings and webhooks may reach. */
  outgoingInside: readonly string[]
  /** Whether webhooks may reach private networks that `outgoingInside` does not list; kept for older installations. */
  webhookInside: boolean
  /**
   * Number of trusted reverse proxies: the client's address is read that many entries from the right end of X-Forwarded-For. 0: the header
   * is ignored.
   */
  trustProxy: number
  /** Bearer token of /metrics. Undefined: /metrics is readable only in a demonstration, from this machine. */
  metricsToken: string | undefined
  /** Public URL of this deployment. Undefined: taken from the request. */
  publicUrl: string | undefined
}

const portWords = '应为 0～65535 的整数'
const port = (fallback: number) =>
  z.coerce.number({ error: portWords }).int(portWords).min(0, portWords).max(65535, portWords).default(fallback)
const environment = z.object({
  HOST: z.string().min(1).default('127.0.0.1'),
  PORT: port(8080),
  MQTT_WS_PORT: port(8083),
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

const portVariable = (protocol: ListeningProtocol) => `${protocol.toUpperCase()}_PORT`
const portVariables = z.object(
  Object.fromEntries(listeningProtocols.map((key) => [portVariable(key), port(protocols[key].usualPort)] as const)),
)

/** Ports of the protocols that listen, by protocol. */
export const devicePortsOf = (config: DevicePorts) =>
  Object.fromEntries(listeningProtocols.map((key) => [key, config[`${key}Port`]])) as Record<ListeningProtocol, number>

/** A bad or missing variable. The message names it. */
export class ConfigError extends Error {}

/**
 * Reads the environment. In `serve` mode DATABASE_URL and SECRET_KEY have no default.
 * @throws ConfigError naming the variable that is missing or invalid
 */
export function readConfig(mode: Mode, env: NodeJS.ProcessEnv = process.env): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, v]) => v !== ''))
  const parsed = environment.safeParse(given)
  const ports = portVariables.safeParse(given)
  if (!parsed.success || !ports.success) {
    const issues = [...(parsed.error?.issues ?? []), ...(ports.error?.issues ?? [])]
    throw new ConfigError(issues.map((i) => `环境变量 ${i.path.join('.')} 不正确：${i.message}`).join('\n'))
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
    mqttWsPort: e.MQTT_WS_PORT,
    ...(Object.fromEntries(listeningProtocols.map((key) => [`${key}Port`, ports.data[portVariable(key)]])) as DevicePorts),
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

/** The ports that the product opens, keyed by environment variable. */
export const portsOf = (config: Config): NamedPorts => ({
  PORT: config.port,
  MQTT_WS_PORT: config.mqttWsPort,
  ...Object.fromEntries(listeningProtocols.map((key) => [portVariable(key), config[`${key}Port`]])),
})

/** Creates the demonstration's secret key once and stores it in the data folder, readable by the owner only. */
function installedSecret(dataDir: string): string {
  const file = join(dataDir, 'secret.key')
  if (!existsSync(file)) writeFileSync(file, randomBytes(32).toString('hex'), { mode: 0o600, flag: 'wx' })
  return readFileSync(file, 'utf8').trim()
}

/** Unix socket paths are limited to 107 bytes: with a long data folder the socket is placed in /tmp. */
function shortSocket(dataDir: string): string {
  const near = join(dataDir, 'ingest.sock')
  if (Buffer.byteLength(near) < 100) return near
  let hash = 0
  for (const c of dataDir) hash = (Math.imul(hash, 31) + c.charCodeAt(0)) | 0
  return `/tmp/zhugong-ingest-${(hash >>> 0).toString(36)}.sock`
}

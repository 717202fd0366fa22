import { lookup as systemLookup } from 'node:dns/promises'
import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { connect, type Socket } from 'node:net'
import { networkInterfaces } from 'node:os'
import type { Config } from './config.ts'
import { refuseInTransaction } from './inside-transaction.ts'
import { bareAddress, isInside, isLoopback, isNever, loopbackNets, netsOf, privateNets } from './outgoing-nets.ts'

/** Why nobody was asked, or what came of it, in Chinese. */
export class OutgoingError extends Error {}
/** The address is one that must not be spoken to: waiting or asking again changes nothing. */
export class ForbiddenAddressError extends OutgoingError {}

export interface Asked {
  url: string
  method: string
  headers: Record<string, string>
  body?: string
}

/** Who calls out: each has its own list of networks it may reach. */
export type Purpose = 'poll' | 'docking' | 'upward' | 'webhook' | 'operator' | 'media'

export interface Target {
  address: string
  family: 4 | 6
}

export type Lookup = (host: string) => Promise<readonly { address: string; family: number }[]>

const maxBytes = 4 * 1024 * 1024

/** How long others may take. */
export interface Patience {
  /** Without a byte. */
  silentMs: number
  /** From the connection to the last byte of the answer. */
  totalMs: number
  /** Until a name is known. */
  lookupMs: number
}
/** Four megabytes within half a minute are a line of one megabit a second. */
export const usualPatience: Patience = { silentMs: 20_000, totalMs: 30_000, lookupMs: 5_000 }

const insideText = '地址指向内网或本机，不允许访问；确需访问的网段由运维在 OUTGOING_INSIDE 中列出'

/**
 * The one door by which the product calls out. A name is looked up once, all its addresses are judged in their bare form, and the very
 * address that was judged is connected to: a name cannot be turned to something inside between the check and the call.
 */
export interface Outgoing {
  /** Throws ForbiddenAddressError, or OutgoingError when the name is not known. */
  target(host: string, port: number): Promise<Target>
  /** A line that is being opened, to the judged address. Throws like `target`; failures of the line are events of the socket. */
  connect(host: string, port: number): Promise<Socket>
  /** The body of the answer as text. Redirects are not followed. Throws OutgoingError. */
  ask(asked: Asked): Promise<string>
}

type Settings = Pick<
  Config,
  'outgoingInside' | 'webhookInside' | 'demo' | 'port' | 'mqttPort' | 'mqttWsPort' | 'hj212Port' | 'jt808Port' | 'databaseUrl' | 'mqttUrl'
>

export function createOutgoing(
  config: Settings,
  purpose: Purpose,
  lookup: Lookup = (host) => systemLookup(host, { all: true }),
  patience = usualPatience,
): Outgoing {
  const allowed = netsOf(netsFor(config, purpose))
  const ownPorts = portsOf(config)

  function isForbidden(address: string, port: number): boolean {
    const bare = bareAddress(address)
    if (!bare || isNever(bare)) return true
    const isHere = isLoopback(bare) || ownAddresses().has(bare.text)
    // What the product itself listens on takes commands from its own side: no list opens it.
    if (isHere && ownPorts.has(port)) return true
    return (isHere || isInside(bare)) && !allowed.has(bare)
  }

  async function target(host: string, port: number): Promise<Target> {
    refuseInTransaction('another server')
    const name = plainHost(host)
    const found = await knownWithin(lookup(name), patience.lookupMs)
    const [first] = found
    if (!first) throw new OutgoingError(`域名 ${name} 无法解析`)
    if (found.some((one) => isForbidden(one.address, port))) throw new ForbiddenAddressError(insideText)
    return { address: first.address, family: first.family === 6 ? 6 : 4 }
  }

  return {
    target,
    connect: async (host, port) => connect({ host: (await target(host, port)).address, port }),
    async ask(asked) {
      const url = new URL(asked.url)
      if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new OutgoingError('地址应以 http:// 或 https:// 开头')
      const judged = await target(url.hostname, Number(url.port) || (url.protocol === 'https:' ? 443 : 80))
      return send(url, asked, judged, patience)
    },
  }
}

/** Nothing where the name is unknown, or the server that knows it is silent. */
async function knownWithin(asked: ReturnType<Lookup>, ms: number): ReturnType<Lookup> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<[]>((resolve) => {
    timer = setTimeout(() => resolve([]), ms)
  })
  return Promise.race([asked.catch(() => []), late]).finally(() => clearTimeout(timer))
}

function netsFor(config: Settings, purpose: Purpose): readonly string[] {
  // The operator's own gateway for text messages is named in the environment; nobody who uses the product chooses it.
  if (purpose === 'operator') return ['0.0.0.0/0', '::/0']
  const more =
    purpose === 'webhook' && config.webhookInside
      ? privateNets
      : (purpose === 'poll' || purpose === 'upward') && config.demo
        ? loopbackNets
        : []
  return [...config.outgoingInside, ...more]
}

function portsOf(config: Settings): ReadonlySet<number> {
  const ofUrl = (url: string | undefined, usual: number) => (url && URL.canParse(url) ? Number(new URL(url).port) || usual : 0)
  const { port, mqttPort, mqttWsPort, hj212Port, jt808Port, databaseUrl, mqttUrl } = config
  return new Set([port, mqttPort, mqttWsPort, hj212Port, jt808Port, ofUrl(databaseUrl, 5432), ofUrl(mqttUrl, 1883)].filter(Boolean))
}

/** The machine's addresses may change while it runs. */
const ownAddresses = () =>
  new Set(
    Object.values(networkInterfaces())
      .flat()
      .map((one) => one && bareAddress(one.address)?.text),
  )

/** `2130706433`, `0177.1` and `0x7f.1` are ways to write an address that name services understand, each a little differently. */
function plainHost(host: string): string {
  const bare = host.replace(/^\[|\]$/g, '')
  if (bare.includes(':')) return bare
  return URL.canParse(`http://${bare}/`) ? new URL(`http://${bare}/`).hostname : bare
}

function send(url: URL, asked: Asked, target: Target, { silentMs, totalMs }: Patience): Promise<string> {
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      {
        method: asked.method,
        headers: asked.headers,
        timeout: silentMs,
        // A kept connection belongs to a name, and may have been opened by somebody with another list.
        agent: false,
        lookup: (_host, options, done) => {
          if (options.all) (done as (e: null, a: Target[]) => void)(null, [target])
          else done(null, target.address, target.family)
        },
      },
      (response) => {
        const parts: Buffer[] = []
        let bytes = 0
        response.on('data', (part: Buffer) => {
          bytes += part.length
          if (bytes > maxBytes) sent.destroy(new OutgoingError('返回内容超过 4 MB'))
          else parts.push(part)
        })
        response.on('error', (error) => reject(error instanceof OutgoingError ? error : new OutgoingError('连接中断')))
        response.on('end', () => {
          const problem = problemOf(response.statusCode ?? 0)
          if (problem) reject(new OutgoingError(problem))
          else resolve(Buffer.concat(parts).toString('utf8'))
        })
      },
    )
    // Whoever sends a byte now and then is never silent, and never ready.
    const whole = setTimeout(() => {
      const why = new OutgoingError(`对方 ${totalMs / 1_000} 秒内没有应答完`)
      reject(why)
      sent.destroy(why)
    }, totalMs)
    sent.on('close', () => {
      clearTimeout(whole)
      reject(new OutgoingError('连接中断'))
    })
    sent.on('timeout', () => sent.destroy(new OutgoingError(`对方 ${silentMs / 1_000} 秒内没有应答`)))
    sent.on('error', (error) => reject(error instanceof OutgoingError ? error : new OutgoingError('无法连接对方地址')))
    sent.end(asked.body)
  })
}

function problemOf(code: number): string | undefined {
  if (code >= 300 && code < 400) return `对方要求跳转（HTTP ${code}），请填写最终地址`
  if (code === 401 || code === 403) return `对方拒绝了凭证（HTTP ${code}）`
  return code >= 400 ? `对方返回 HTTP ${code}` : undefined
}

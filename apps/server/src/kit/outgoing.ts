import { lookup as systemLookup } from 'node:dns/promises'
import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { connect, type Socket } from 'node:net'
import { networkInterfaces } from 'node:os'
import { type Config, type DevicePorts, devicePortsOf } from './config.ts'
import { refuseInTransaction } from './inside-transaction.ts'
import { bareAddress, isInside, isLoopback, isNever, loopbackNets, netsOf, privateNets } from './outgoing-nets.ts'

/** An outgoing request that was refused or failed; the message is in Chinese. */
export class OutgoingError extends Error {}
/** The address must not be connected to; a retry changes nothing. */
export class ForbiddenAddressError extends OutgoingError {}

export interface OutgoingRequest {
  url: string
  method: string
  headers: Record<string, string>
  body?: string
}

/** Purpose of an outgoing call: each has its own list of allowed networks. */
export type Purpose = 'poll' | 'docking' | 'upward' | 'webhook' | 'operator' | 'media'

export interface Target {
  address: string
  family: 4 | 6
}

export type Lookup = (host: string) => Promise<readonly { address: string; family: number }[]>

const maxBytes = 4 * 1024 * 1024

/** Timeouts of outgoing requests. */
export interface Patience {
  /** Longest time without receiving a byte. */
  silentMs: number
  /** From the connection to the last byte of the answer. */
  totalMs: number
  /** Longest time to resolve a host name. */
  lookupMs: number
}
/** Default timeouts. Four megabytes within half a minute correspond to a line of one megabit per second. */
export const usualPatience: Patience = { silentMs: 20_000, totalMs: 30_000, lookupMs: 5_000 }

const insideText = '地址指向内网或本机，不允许访问；确需访问的网段由运维在 OUTGOING_INSIDE 中列出'

/**
 * All outgoing connections of the product go through this interface. It resolves a name once, checks all its addresses in their bare form,
 * and connects to the checked address. A DNS change between check and connection therefore cannot redirect it to an internal address.
 */
export interface Outgoing {
  /**
   * Resolves and checks a host.
   * @throws ForbiddenAddressError; OutgoingError when the name cannot be resolved
   */
  target(host: string, port: number): Promise<Target>
  /**
   * Starts a TCP connection to the checked address. Connection failures are events of the socket.
   * @throws like `target`
   */
  connect(host: string, port: number): Promise<Socket>
  /**
   * Sends a request and returns the response body as text. Redirects are not followed.
   * @throws OutgoingError
   */
  ask(request: OutgoingRequest): Promise<string>
}

type Settings = DevicePorts & Pick<Config, 'outgoingInside' | 'webhookInside' | 'demo' | 'port' | 'mqttWsPort' | 'databaseUrl' | 'mqttUrl'>

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
    // The product's own ports accept commands from the product itself: no list opens them.
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
    async ask(requested) {
      const url = new URL(requested.url)
      if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new OutgoingError('地址应以 http:// 或 https:// 开头')
      const judged = await target(url.hostname, Number(url.port) || (url.protocol === 'https:' ? 443 : 80))
      return send(url, requested, judged, patience)
    },
  }
}

/** Empty when the name cannot be resolved or the DNS server does not respond in time. */
async function knownWithin(requested: ReturnType<Lookup>, ms: number): ReturnType<Lookup> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<[]>((resolve) => {
    timer = setTimeout(() => resolve([]), ms)
  })
  return Promise.race([requested.catch(() => []), late]).finally(() => clearTimeout(timer))
}

function netsFor(config: Settings, purpose: Purpose): readonly string[] {
  // The operator names the SMS gateway in the environment; users of the product cannot choose it.
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
  const { port, mqttWsPort, databaseUrl, mqttUrl } = config
  return new Set(
    [port, mqttWsPort, ...Object.values(devicePortsOf(config)), ofUrl(databaseUrl, 5432), ofUrl(mqttUrl, 1883)].filter(Boolean),
  )
}

/** Read on each call: the machine's addresses may change while it runs. */
const ownAddresses = () =>
  new Set(
    Object.values(networkInterfaces())
      .flat()
      .map((one) => one && bareAddress(one.address)?.text),
  )

/** Normalizes a host name. `2130706433`, `0177.1` and `0x7f.1` are other spellings of an address, which resolvers interpret differently. */
function plainHost(host: string): string {
  const bare = host.replace(/^\[|\]$/g, '')
  if (bare.includes(':')) return bare
  return URL.canParse(`http://${bare}/`) ? new URL(`http://${bare}/`).hostname : bare
}

function send(url: URL, requested: OutgoingRequest, target: Target, { silentMs, totalMs }: Patience): Promise<string> {
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      {
        method: requested.method,
        headers: requested.headers,
        timeout: silentMs,
        // Do not reuse connections: they are keyed by name, and another purpose with another list may have opened one.
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
    // A server that sends a byte now and then never triggers the idle timeout, so limit the total time too.
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
    sent.end(requested.body)
  })
}

function problemOf(code: number): string | undefined {
  if (code >= 300 && code < 400) return `对方要求跳转（HTTP ${code}），请填写最终地址`
  if (code === 401 || code === 403) return `对方拒绝了凭证（HTTP ${code}）`
  return code >= 400 ? `对方返回 HTTP ${code}` : undefined
}

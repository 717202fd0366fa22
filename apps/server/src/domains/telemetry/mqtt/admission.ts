import { createHmac, timingSafeEqual } from 'node:crypto'
import { ConnectRefused, type Peer, refusals } from '#kit/mqtt/broker'
import type { Secrets } from '#kit/secret'
import type { Fleet, FleetGateway, Strangers } from '../../equipment/public.ts'
import { TokenBucket } from '../bucket.ts'
import type { Counters } from '../counters.ts'
import type { FrameLog } from '../frame-log.ts'
import type { Pipeline } from '../pipeline.ts'

export interface GatewayPeer extends Peer {
  kind: 'device'
  gatewayId: string
  /** The encrypted secret used to connect; the connection is closed when it changes. */
  sealedSecret: Buffer
  bucket: TokenBucket
}

export const messagesPerSecond = 20
export const burst = 100
const passwordWindowMs = 5 * 60_000
export interface AdmissionDependencies {
  fleet: Fleet
  strangers: Strangers
  secrets: Secrets
  pipeline: Pick<Pipeline, 'isFlowing'>
  counters: Counters
  frames: FrameLog
  now(): number
}

/** Credentials of a connecting gateway. */
interface Credentials {
  clientId: string
  username: string
  password: string
  address: string
}

const freeId = (username: string) => `free:${username}:`
/** A client id other than `gw:{gateway}` is prefixed with the user name, so that no client takes over the connection of another's. */
export const clientIdFor = (clientId: string, username: string): string =>
  clientId === `gw:${username}` || username === 'live' ? clientId : `${freeId(username)}${clientId}`
const givenClientId = ({ clientId, username }: Credentials): string =>
  clientId.startsWith(freeId(username)) ? clientId.slice(freeId(username).length) : clientId

const equal = (a: string, b: string) => {
  const left = createHmac('sha256', 'compare').update(a).digest()
  const right = createHmac('sha256', 'compare').update(b).digest()
  return timingSafeEqual(left, right)
}

/**
 * Checks a gateway's password: hex HMAC-SHA256(secret, `{clientId}|{timestamp}`) | timestamp; or the secret itself for connection type
 * `mqttPlain`.
 * Returns undefined if it is correct, otherwise the reason and, for users, a hint.
 */
function passwordFault(
  gateway: Pick<FleetGateway, 'connectionType'>,
  secret: string,
  clientId: string,
  password: string,
  now: number,
): { reason: 'wrongPassword' | 'expired'; hint?: string } | undefined {
  // A secret that can no longer be decrypted matches no password.
  if (!secret) return { reason: 'wrongPassword' }
  if (gateway.connectionType === 'mqttPlain') return equal(password, secret) ? undefined : { reason: 'wrongPassword' }
  const [signature = '', stamp = ''] = password.split('|')
  if (!/^\d{12,14}$/.test(stamp)) return { reason: 'wrongPassword', hint: stampless }
  // The signature is checked first: a client without the secret learns nothing about its clock.
  if (!equal(signature.toLowerCase(), createHmac('sha256', secret).update(`${clientId}|${stamp}`).digest('hex')))
    return { reason: 'wrongPassword' }
  const ahead = Number(stamp) - now
  if (Math.abs(ahead) <= passwordWindowMs) return undefined
  const seconds = Math.round(Math.abs(ahead) / 1000)
  return { reason: 'expired', hint: `密码里的时间戳比平台${ahead > 0 ? '快' : '慢'} ${seconds} 秒，超出 5 分钟的允许范围：请给网关校时` }
}

const stampless = '密码应为“签名|毫秒时间戳”：签名是 HMAC-SHA256(密钥, "客户端标识|时间戳") 的十六进制'

/**
 * Authenticates a gateway.
 * @throws ConnectRefused when it is refused; the refusal is logged.
 */
export async function admitGateway(deps: AdmissionDependencies, credentials: Credentials): Promise<GatewayPeer> {
  const { fleet, secrets, pipeline, now } = deps
  // While nothing can be stored, new connections are refused, so that memory stays bounded.
  if (!pipeline.isFlowing) throw new ConnectRefused(refusals.unavailable, 'database away')
  const gateway = /^[\w-]{1,64}$/.test(credentials.username) ? await fleet.seekGateway(credentials.username) : undefined
  const refuse = (code: number, reason: string, hint?: string): never => {
    noteRefusal(deps, credentials, gateway, reason, hint)
    throw new ConnectRefused(code, reason)
  }
  if (!gateway) return refuse(refusals.wrongPassword, 'unknownGateway')
  // Devices that connect with a fixed password often cannot choose their client id.
  if (credentials.clientId !== `gw:${gateway.id}` && gateway.connectionType !== 'mqttPlain')
    return refuse(refusals.notAllowed, 'wrongClientId', `客户端标识应为 gw:${gateway.id}，收到 ${givenClientId(credentials).slice(0, 64)}`)
  const secret = secrets.open(gateway.sealedSecret) ?? ''
  const fault = passwordFault(gateway, secret, credentials.clientId, credentials.password, now())
  if (fault) return refuse(refusals.wrongPassword, fault.reason, fault.hint)
  if (!gateway.enabled) return refuse(refusals.notAllowed, 'switchedOff')
  return {
    kind: 'device',
    gatewayId: gateway.id,
    sealedSecret: gateway.sealedSecret,
    bucket: new TokenBucket(messagesPerSecond, burst, now()),
  }
}

/**
 * Lists the refused client among the unknown devices and logs it for the gateway it named, because the device only sees a closed
 * connection.
 */
function noteRefusal(
  { strangers, counters, frames, now }: AdmissionDependencies,
  credentials: Credentials,
  gateway: FleetGateway | undefined,
  reason: string,
  hint: string | undefined,
): void {
  counters.refused('credentials')
  const identifier = credentials.username || givenClientId(credentials)
  strangers.note({ identifier, protocol: 'mqtt', address: credentials.address, gatewayId: gateway?.id, reason }, now())
  const text = `client id ${givenClientId(credentials).slice(0, 64)}, user ${credentials.username.slice(0, 64)}`
  frames.note({
    time: now(),
    gatewayId: gateway?.id,
    projectCode: gateway?.projectCode,
    identifier: identifier.slice(0, 64),
    protocol: 'mqtt',
    address: credentials.address,
    direction: 'up',
    kind: 'connect',
    result: reason,
    length: Buffer.byteLength(text),
    body: Buffer.from(text),
    isText: true,
    hint,
  })
}

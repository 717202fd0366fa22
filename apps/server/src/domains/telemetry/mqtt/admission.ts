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
  /** The sealed secret it came in with: another one ends the connection. */
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

/** What a box connects with. */
interface Asked {
  clientId: string
  username: string
  password: string
  address: string
}

const equal = (a: string, b: string) => {
  const left = createHmac('sha256', 'compare').update(a).digest()
  const right = createHmac('sha256', 'compare').update(b).digest()
  return timingSafeEqual(left, right)
}

/**
 * hex HMAC-SHA256(secret, `{clientId}|{timestamp}`) | timestamp; or the secret itself where the gateway's connection type says so.
 * Undefined when it fits, else what is wrong with it and, for people, by how much.
 */
function passwordFault(
  gateway: Pick<FleetGateway, 'connectionType'>,
  secret: string,
  clientId: string,
  password: string,
  now: number,
): { reason: 'wrongPassword' | 'expired'; hint?: string } | undefined {
  // A secret that cannot be opened any more fits nothing.
  if (!secret) return { reason: 'wrongPassword' }
  if (gateway.connectionType === 'mqttPlain') return equal(password, secret) ? undefined : { reason: 'wrongPassword' }
  const [signature = '', stamp = ''] = password.split('|')
  if (!/^\d{12,14}$/.test(stamp)) return { reason: 'wrongPassword', hint: stampless }
  // The signature first: whoever does not know the secret is told nothing but that.
  if (!equal(signature.toLowerCase(), createHmac('sha256', secret).update(`${clientId}|${stamp}`).digest('hex')))
    return { reason: 'wrongPassword' }
  const ahead = Number(stamp) - now
  if (Math.abs(ahead) <= passwordWindowMs) return undefined
  const seconds = Math.round(Math.abs(ahead) / 1000)
  return { reason: 'expired', hint: `密码里的时间戳比平台${ahead > 0 ? '快' : '慢'} ${seconds} 秒，超出 5 分钟的允许范围：请给网关校时` }
}

const stampless = '密码应为“签名|毫秒时间戳”：签名是 HMAC-SHA256(密钥, "客户端标识|时间戳") 的十六进制'

/** Who connects, or why not: then it is on record, and ConnectRefused is thrown. */
export async function admitGateway(deps: AdmissionDependencies, asked: Asked): Promise<GatewayPeer> {
  const { fleet, secrets, pipeline, now } = deps
  // While nothing can be stored nobody new is let in: what waits in memory stays bounded.
  if (!pipeline.isFlowing) throw new ConnectRefused(refusals.unavailable, 'database away')
  const gateway = /^[\w-]{1,64}$/.test(asked.username) ? await fleet.seekGateway(asked.username) : undefined
  const refuse = (code: number, reason: string, hint?: string): never => {
    noteRefusal(deps, asked, gateway, reason, hint)
    throw new ConnectRefused(code, reason)
  }
  if (!gateway) return refuse(refusals.wrongPassword, 'unknownGateway')
  if (asked.clientId !== `gw:${gateway.id}`)
    return refuse(refusals.notAllowed, 'wrongClientId', `客户端标识应为 gw:${gateway.id}，收到 ${asked.clientId.slice(0, 64)}`)
  const secret = secrets.open(gateway.sealedSecret) ?? ''
  const fault = passwordFault(gateway, secret, asked.clientId, asked.password, now())
  if (fault) return refuse(refusals.wrongPassword, fault.reason, fault.hint)
  if (!gateway.enabled) return refuse(refusals.notAllowed, 'switchedOff')
  return {
    kind: 'device',
    gatewayId: gateway.id,
    sealedSecret: gateway.sealedSecret,
    bucket: new TokenBucket(messagesPerSecond, burst, now()),
  }
}

/** Who was not let in stands in the list of strangers, and in the log of the gateway it named: the box itself shows nothing but a closed line. */
function noteRefusal(
  { strangers, counters, frames, now }: AdmissionDependencies,
  asked: Asked,
  gateway: FleetGateway | undefined,
  reason: string,
  hint: string | undefined,
): void {
  counters.refused('credentials')
  const identifier = asked.username || asked.clientId
  strangers.note({ identifier, protocol: 'mqtt', address: asked.address, gatewayId: gateway?.id, reason }, now())
  const text = `client id ${asked.clientId.slice(0, 64)}, user ${asked.username.slice(0, 64)}`
  frames.note({
    time: now(),
    gatewayId: gateway?.id,
    projectCode: gateway?.projectCode,
    identifier: identifier.slice(0, 64),
    protocol: 'mqtt',
    address: asked.address,
    direction: 'up',
    kind: 'connect',
    result: reason,
    length: Buffer.byteLength(text),
    body: Buffer.from(text),
    isText: true,
    hint,
  })
}

import { hj212 } from './hj212.ts'
import { http } from './http.ts'
import { jt808 } from './jt808.ts'
import { mqtt } from './mqtt.ts'
import { poll } from './poll.ts'
import type { Protocol } from './protocol.ts'

/** All protocols, in the order in which they are offered. */
export const protocols = { mqtt, hj212, jt808, http, poll } as const
export const accessSchemas = [mqtt.access, hj212.access, jt808.access, http.access, poll.access] as const

type Protocols = typeof protocols
export type ProtocolKey = keyof Protocols
export const protocolKeys = Object.keys(protocols) as ProtocolKey[]

/** An entry of the catalogue; undefined for an unknown protocol. */
export const protocolOf = (key: string | undefined): Protocol | undefined =>
  key !== undefined && Object.hasOwn(protocols, key) ? protocols[key as ProtocolKey] : undefined

/** Protocols with a port of their own. */
export type ListeningProtocol = { [K in ProtocolKey]: Protocols[K]['usualPort'] extends number ? K : never }[ProtocolKey]
export const listeningProtocols = protocolKeys.filter((key) => protocols[key].usualPort !== null) as ListeningProtocol[]

type Intersection<Union> = (Union extends unknown ? (each: Union) => void : never) extends (all: infer All) => void ? All : never
/** Commands of all protocols, with their names. */
export const protocolCommands = Object.assign({}, ...protocolKeys.map((key) => protocols[key].commands)) as Intersection<
  Protocols[ProtocolKey]['commands']
>

/** A value per protocol. */
export const byProtocol = <Value>(pick: (entry: Protocol) => Value) =>
  Object.fromEntries(protocolKeys.map((key) => [key, pick(protocols[key])])) as Record<ProtocolKey, Value>

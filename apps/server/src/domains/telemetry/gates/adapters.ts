import { type GateDialectKey, gateDialectKeys } from '@zhugong/contract/telemetry/gate-dialects'
import { adms } from './dialects/adms.ts'
import { callback } from './dialects/callback.ts'
import { dahua } from './dialects/dahua.ts'
import { event } from './dialects/event.ts'
import { generic } from './dialects/generic.ts'
import { operator } from './dialects/operator.ts'
import { uniview } from './dialects/uniview.ts'
import type { GateReader, GateRequest, Pushed } from './passage.ts'
import { withTimes } from './take.ts'

/** The parser of each format of the contract's `gateDialects`. */
export const gateReaders: Readonly<Record<GateDialectKey, GateReader>> = { event, dahua, uniview, operator, adms, callback, generic }

export const isDialect = (name: string): name is GateDialectKey => (gateDialectKeys as string[]).includes(name)

/** Parses a push of a gate; undefined if it does not have the format. */
export function readPush(dialect: GateDialectKey, request: GateRequest): Pushed | undefined {
  const pushed = gateReaders[dialect].read(request)
  return pushed && withTimes(pushed)
}

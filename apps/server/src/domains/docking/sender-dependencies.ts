import type { Clock } from '#kit/clock'
import type { Database } from '#kit/db'
import type { Log } from '#kit/log'
import type { Outgoing } from '#kit/outgoing'
import type { Secrets } from '#kit/secret'

export interface SenderDependencies {
  database: Database
  clock: Clock
  secrets: Secrets
  log: Log
  outgoing: Outgoing
  /** Records per second and connection; unlimited if undefined. */
  perSecond?: number | undefined
  /** Interval of polling for delayed results. */
  askAgainMs?: number | undefined
  /** Interval of retrying a connection that does not respond. */
  probeMs?: number | undefined
  /** Delays after the first, second ... transient failure of a record. */
  retryMs?: readonly number[] | undefined
}

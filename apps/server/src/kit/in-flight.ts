import type { Log } from './log.ts'

export interface FlightLimits {
  /** Concurrent tasks per key (tenant): a tenant with a slow server delays only itself. */
  perKey: number
  inAll: number
}

/** How long `stop` waits when a process ends. Unfinished work is claimed again by another process when its lease expires. */
const lastWordMs = 2_000

/**
 * Runs work that waits for other servers, while the loop that starts it looks for more. A slow server of one tenant delays only that
 * tenant. The rows are claimed under a lease, so that no work is lost when the process ends.
 */
export class InFlight {
  private readonly limits: FlightLimits
  private readonly log: Log
  /** Called whenever another task may start. */
  private readonly onRoom: () => void
  private readonly running = new Map<string, number>()
  private readonly works = new Set<Promise<void>>()

  constructor(limits: FlightLimits, log: Log, onRoom: () => void = () => undefined) {
    this.limits = limits
    this.log = log
    this.onRoom = onRoom
  }

  /** How many more tasks of a key may start. */
  roomOf(key: string): number {
    return Math.min(this.limits.perKey - (this.running.get(key) ?? 0), this.limits.inAll - this.works.size)
  }

  /** How many tasks of each key may start together: one of each key before a second of any, in the order of `keys`. */
  share(keys: readonly string[]): Map<string, number> {
    const shares = new Map<string, number>()
    let left = this.limits.inAll - this.works.size
    for (let round = 1; round <= this.limits.perKey && left > 0; round++)
      for (const key of keys)
        if (left > 0 && round <= this.limits.perKey - (this.running.get(key) ?? 0)) {
          shares.set(key, round)
          left--
        }
    return shares
  }

  /** Starts work without waiting for it; errors are logged. */
  start(key: string, work: () => Promise<void>): void {
    this.running.set(key, (this.running.get(key) ?? 0) + 1)
    const one = work()
      .catch((error: unknown) => this.log.warn({ err: error }, 'in flight'))
      .then(() => {
        this.works.delete(one)
        const left = (this.running.get(key) ?? 1) - 1
        if (left > 0) this.running.set(key, left)
        else this.running.delete(key)
        this.onRoom()
      })
    this.works.add(one)
  }

  async settled(): Promise<void> {
    while (this.works.size > 0) await Promise.all(this.works)
  }

  /** Waits for running work, at most `lastWordMs`: a server that does not answer must not keep the process alive. */
  async stop(): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, lastWordMs)
    })
    await Promise.race([this.settled(), late]).finally(() => clearTimeout(timer))
  }
}

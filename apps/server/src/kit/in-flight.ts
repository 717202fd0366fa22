import type { Log } from './log.ts'

export interface FlightLimits {
  /** Of one tenant at the same time: whoever's end is slow waits for himself. */
  perKey: number
  inAll: number
}

/** What `stop` waits for when a process ends; what is not over by then is taken up again by whoever comes next. */
const lastWordMs = 2_000

/**
 * Work that waits for other servers, going on by itself while its loop looks for more: what one tenant's end holds up is that tenant's
 * alone. The rows it is about are claimed under a lease, so that nothing is lost with a process.
 */
export class InFlight {
  private readonly limits: FlightLimits
  private readonly log: Log
  /** Told whenever there is room again. */
  private readonly onRoom: () => void
  private readonly running = new Map<string, number>()
  private readonly works = new Set<Promise<void>>()

  constructor(limits: FlightLimits, log: Log, onRoom: () => void = () => undefined) {
    this.limits = limits
    this.log = log
    this.onRoom = onRoom
  }

  /** How many more may be begun of a key. */
  roomOf(key: string): number {
    return Math.min(this.limits.perKey - (this.running.get(key) ?? 0), this.limits.inAll - this.works.size)
  }

  /** How many of each key may be begun together, one of each before a second of any; in the order of the keys. */
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

  /** Begins without waiting; what is thrown is logged. */
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

  /** Waits for a moment only: an end that hangs does not keep the process. */
  async stop(): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, lastWordMs)
    })
    await Promise.race([this.settled(), late]).finally(() => clearTimeout(timer))
  }
}

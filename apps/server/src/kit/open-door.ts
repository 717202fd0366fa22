import { minuteMs } from '@zhugong/contract/kit/time'

/**
 * Who is heard before his signature can be checked, which needs the whole body. An address whose requests are refused one after another is
 * answered nothing more for a while; an application that has signed rightly from there is heard all the same, since a site has one address
 * for all its boxes.
 */
const refusalsPerMinute = 120
/** An application is trusted at an address for so long after its last right signature. */
const trustedMs = 10 * minuteMs
/** Addresses and pairs remembered: some megabytes at most, the oldest go first. */
const mostRemembered = 20_000
/** From whoever names no application of ours: enough to be told what is wrong. */
export const strangerBytes = 16 * 1024

export class OpenDoor {
  private readonly refused = new Map<string, { count: number; since: number }>()
  private readonly trusted = new Map<string, number>()
  private readonly now: () => number

  constructor(now: () => number) {
    this.now = now
  }

  isTrusted(address: string, appId: string): boolean {
    const at = this.trusted.get(`${address} ${appId}`)
    return at !== undefined && at > this.now() - trustedMs
  }

  /** Seconds to wait; 0 when the request may be read. */
  waitSeconds(address: string, appId: string): number {
    const entry = this.refused.get(address)
    if (!entry || entry.count < refusalsPerMinute || this.isTrusted(address, appId)) return 0
    return Math.max(0, Math.ceil((entry.since + minuteMs - this.now()) / 1000))
  }

  /** What became of a request: `http` of its answer. */
  note(address: string, appId: string, http: number): void {
    const now = this.now()
    if (http === 401) {
      const entry = this.refused.get(address)
      if (entry && now - entry.since < minuteMs) entry.count++
      else remember(this.refused, address, { count: 1, since: now })
    } else if (appId && http < 500 && http !== 429) remember(this.trusted, `${address} ${appId}`, now)
  }
}

/** Newest last, so that the first is the oldest. */
function remember<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key)
  map.set(key, value)
  if (map.size > mostRemembered) map.delete(map.keys().next().value as string)
}

import { minuteMs } from '@zhugong/contract/kit/time'

/**
 * Limits clients of signed calls before their signature is checked, which needs the whole body. An address with too many refused requests
 * gets no response for a while. An application that signed correctly from that address is still served, because all devices of a site share
 * one address.
 */
const refusalsPerMinute = 120
/** How long an application is trusted at an address after its last valid signature. */
const trustedMs = 10 * minuteMs
/** Maximum number of remembered addresses, and of pairs of address and application: some megabytes. The oldest are removed first. */
const mostRemembered = 20_000
/** Body limit for requests without a known application id: enough to report what is wrong. */
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

  /** Records the result of a request; `http` is the status of its response. */
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

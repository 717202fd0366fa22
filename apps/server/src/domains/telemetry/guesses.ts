/** Wrong secrets per device without a delay: typing errors, or a station configured with an old secret. */
const freeTries = 5
/** The same per address. An address may be a carrier's NAT with hundreds of terminals. */
const freeTriesOfPlace = 20
/**
 * The same per device at its known address. It exceeds the limit of one connection, so that one attacker there does not delay the device.
 */
const freeTriesAtKnownPlace = 20
/** Failures of one device that count for its address. A single misconfigured station does not lock out others at the address. */
const mostOfDeviceAtPlace = 4
const firstWaitMs = 2_000
/** Longest delay. A corrected station reconnects within it; an attacker has at most 288 tries a day. */
const longestWaitMs = 300_000
/** Longest delay at an address where the device has authenticated before. */
const knownPlaceWaitMs = 5_000
/** Failures are forgotten after this time without another one. */
const forgetMs = 3_600_000
/** Maximum number of entries, about 100 bytes each; the least recently used is dropped first. */
const mostRemembered = 20_000
/** From this number of wrong secrets on, the device's administrator gets a warning. */
export const reportedAfter = 10
/** Wrong secrets allowed on one connection; after that it is closed without further checks. */
export const triesOfConnection = 3

interface Failures {
  count: number
  at: number
  freeAt: number
}

/** Hint for users while secrets are not checked. */
export const waitHint = (waitMs: number): string => `错误次数过多，${Math.ceil(waitMs / 1000)} 秒后再核对`

/** Normalises an address. IPv6 addresses are cheap to obtain, so a /64 network counts as one address. */
export function placeOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '')
  if (!plain.includes(':')) return plain
  const [head = '', tail] = plain.split('%')[0]?.split('::') ?? []
  const left = head === '' ? [] : head.split(':')
  const right = tail ? tail.split(':') : []
  const missing = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length)
  const groups = [...left, ...Array.from({ length: missing }, () => '0'), ...right]
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group || '0', 16).toString(16))
    .join(':')}::/64`
}

/**
 * Rate limit for secret guessing. After a few wrong secrets of a device, or from an address, checks are suspended for a time that doubles.
 * The delay of a device does not apply at its known address, so guessing elsewhere cannot lock it out. Pure: the caller passes the clock.
 */
export class Guesses {
  private readonly failures = new Map<string, Failures>()

  get size(): number {
    return this.failures.size
  }

  /** Milliseconds until a secret of the device from this address is checked again; 0 = now. */
  waitMs(device: string, address: string, isKnownPlace: boolean, now: number): number {
    const place = placeOf(address)
    const keys = isKnownPlace ? [`at/${device}/${place}`] : [`of/${device}`, `from/${place}`]
    return Math.max(0, ...keys.map((key) => (this.failures.get(key)?.freeAt ?? 0) - now))
  }

  /** Records a failure and returns the total failures of the device. */
  failed(device: string, address: string, isKnownPlace: boolean, now: number): number {
    const place = placeOf(address)
    if (isKnownPlace) {
      this.count(`at/${device}/${place}`, now, knownPlaceWaitMs, freeTriesAtKnownPlace)
      return this.count(`all/${device}`, now, 0)
    }
    const ofDevice = this.count(`of/${device}`, now, longestWaitMs)
    if (ofDevice <= mostOfDeviceAtPlace) this.count(`from/${place}`, now, longestWaitMs, freeTriesOfPlace)
    return this.count(`all/${device}`, now, 0)
  }

  /** Clears the failures of a device after it authenticated from `address`, or after its secret changed. */
  forgive(device: string, address?: string): void {
    for (const key of [`of/${device}`, `all/${device}`]) this.failures.delete(key)
    if (address !== undefined) this.failures.delete(`at/${device}/${placeOf(address)}`)
  }

  private count(key: string, now: number, mostMs: number, free = freeTries): number {
    const before = this.failures.get(key)
    const count = (before && now - before.at < forgetMs ? before.count : 0) + 1
    const waitMs = count < free ? 0 : Math.min(mostMs, firstWaitMs * 2 ** Math.min(20, count - free))
    this.failures.delete(key)
    this.failures.set(key, { count, at: now, freeAt: now + waitMs })
    if (this.failures.size > mostRemembered) {
      const [oldest] = this.failures.keys()
      if (oldest !== undefined) this.failures.delete(oldest)
    }
    return count
  }
}

/** Wrong secrets of one device that cost nothing: somebody types, or a station was set up with an old one. */
const freeTries = 5
/** Of all devices behind one address, which may be a carrier's for hundreds of terminals. */
const freeTriesOfPlace = 20
/** At the place a device is known from: more than a connection may try, so that somebody's trying there does not hold the device up. */
const freeTriesAtKnownPlace = 20
/** What one device adds to its address: a single station that is set up wrongly shuts nobody out beside it. */
const mostOfDeviceAtPlace = 4
const firstWaitMs = 2_000
/** Longest time nothing is compared for. An honest station that was put right is back within it; a guesser has 288 tries a day. */
const longestWaitMs = 300_000
/** Where the device has shown who it is before nobody is shut out: a try in this time is always compared. */
const knownPlaceWaitMs = 5_000
/** Quiet for so long, all is forgotten. */
const forgetMs = 3_600_000
/** Devices and addresses remembered at a time, a hundred bytes each; the one that has been quiet longest goes first. */
const mostRemembered = 20_000
/** So many wrong secrets of a device are no mistyping any more: whoever answers for it is told. */
export const toldAfter = 10
/** Wrong secrets on one connection; nothing more is compared there, and it ends. */
export const triesOfConnection = 3

interface Failures {
  count: number
  at: number
  freeAt: number
}

/** What people are told while nothing is compared. */
export const waitHint = (waitMs: number): string => `错误次数过多，${Math.ceil(waitMs / 1000)} 秒后再核对`

/** Addresses of IPv6 are cheap: a whole network of 64 bits counts as one. */
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
 * Holds guessing back: after a few wrong secrets of a device, or from an address, nothing is compared for a time that doubles. A device's
 * own waiting does not hold at the place it is known from, so that nobody shuts it out by guessing elsewhere. Pure: the clock is handed in.
 */
export class Guesses {
  private readonly failures = new Map<string, Failures>()

  get size(): number {
    return this.failures.size
  }

  /** Milliseconds until a secret of the device is compared again that comes from there; 0 = now. */
  waitMs(device: string, address: string, isKnownPlace: boolean, now: number): number {
    const place = placeOf(address)
    const keys = isKnownPlace ? [`at/${device}/${place}`] : [`of/${device}`, `from/${place}`]
    return Math.max(0, ...keys.map((key) => (this.failures.get(key)?.freeAt ?? 0) - now))
  }

  /** Answers how many there have been of the device, all together. */
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

  /** The right secret has come from there, or another one holds from now on. */
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

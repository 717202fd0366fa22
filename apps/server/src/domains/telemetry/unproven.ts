import { placeOf } from './guesses.ts'

/** Unauthenticated connections allowed per address. A NAT or proxy address may reconnect hundreds of devices at once. */
export const mostUnproven = 500
/** Unauthenticated connections are closed after this time. */
export const provenWithinMs = 300_000

/** Counts the unauthenticated connections of each address. */
export class Unproven {
  private readonly counts = new Map<string, number>()

  /** Registers a connection; undefined if there are too many. Call the returned function once it has authenticated or closed. */
  enter(address: string): (() => void) | undefined {
    const place = placeOf(address)
    const count = this.counts.get(place) ?? 0
    if (count >= mostUnproven) return undefined
    this.counts.set(place, count + 1)
    let isIn = true
    return () => {
      if (!isIn) return
      isIn = false
      const left = (this.counts.get(place) ?? 1) - 1
      if (left > 0) this.counts.set(place, left)
      else this.counts.delete(place)
    }
  }
}

import { placeOf } from './guesses.ts'

/** Connections from one address that have not shown who they are: a carrier's or a proxy's address may bring hundreds back at once. */
export const mostUnproven = 500
/** After that long a connection that has not shown who it is ends; an honest device comes again. */
export const provenWithinMs = 300_000

/** Counts the connections of each address that have not shown who they are. */
export class Unproven {
  private readonly counts = new Map<string, number>()

  /** Undefined when there are too many already; else what is to be called once, when the connection has proven itself or is over. */
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

import { distanceM, type LngLat } from '#kit/geo.ts'

interface Stop {
  lng: number
  lat: number
  /** The officers are there. */
  begun: boolean
}
const at = ({ lng, lat }: Pick<Stop, 'lng' | 'lat'>): LngLat => [lng, lat]

/** An order in which to visit places: from where a check goes on (or the first place) always to the nearest that is left. */
export function visitOrder<T extends Stop>(stops: readonly T[]): T[] {
  const left = [...stops]
  const first = left.findIndex((one) => one.begun)
  const [start] = left.splice(Math.max(first, 0), 1)
  const route = start ? [start] : []
  for (let here = start; here && left.length > 0; ) {
    const from = at(here)
    const nearest = left.reduce((best, one, i) => (distanceM(from, at(one)) < distanceM(from, at(left[best] as T)) ? i : best), 0)
    ;[here] = left.splice(nearest, 1)
    if (here) route.push(here)
  }
  return route
}

/** Metres along a route. */
export const lengthOf = (route: readonly Pick<Stop, 'lng' | 'lat'>[]): number =>
  route.slice(1).reduce((sum, one, i) => sum + distanceM(at(route[i] as Stop), at(one)), 0)

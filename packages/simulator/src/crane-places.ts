import type { City, Device, SitePlan } from './city-types.ts'
import { type CraneParams, craneParams } from './crane-params.ts'
import { bearing, inside, reach } from './geo.ts'
import type { Random } from './random.ts'

/** Material yard and target places of a crane, as bearing and radius. */
export function workPlaces(
  params: CraneParams,
  plan: SitePlan | undefined,
  random: Random,
  lower: Neighbour[],
): { yard: [number, number]; places: [number, number][] } {
  const here: [number, number] = [params.x, params.y]
  const allowed = ([x, y]: [number, number]) => {
    const distance = Math.hypot(x - here[0], y - here[1])
    if (distance < params.minRadius + 2 || distance > params.maxRadius - 1) return false
    const at = bearing(here, [x, y])
    if (params.forbidden && at > params.forbidden[0] - 6 && at < params.forbidden[1] + 6) return false
    if (lower.some((one) => Math.hypot(x - one.x, y - one.y) < one.jib + 4)) return false
    if (!plan) return true
    return inside(plan.fence, x, y) && !plan.zones.some((zone) => inside(zone.points, x, y))
  }
  const polar = (point: [number, number]): [number, number] => [bearing(here, point), Math.hypot(point[0] - here[0], point[1] - here[1])]
  const places: [number, number][] = []
  const outside: [number, number][] = []
  for (let tries = 0; tries < 600 && (places.length < 9 || outside.length < 4); tries++) {
    const point = reach(here, random.float(0, 360), random.float(params.minRadius + 3, params.maxRadius - 2))
    if (!allowed(point)) continue
    const built = plan?.buildings.some((building) => inside(building.points, point[0], point[1])) ?? true
    if (built && places.length < 9) places.push(polar(point))
    if (!built && outside.length < 4) outside.push(polar(point))
  }
  const fallback: [number, number] = [20, params.maxRadius * 0.6]
  return { yard: outside[0] ?? places[0] ?? fallback, places: places.length ? places : outside.length ? outside : [fallback] }
}

export interface Neighbour {
  x: number
  y: number
  jib: number
  distance: number
}

/** Cranes whose jib can pass below this crane's; its rope must stay out of their reach. */
export function lowerNeighbours(city: City, device: Device, params: CraneParams): Neighbour[] {
  return city.devices
    .filter(
      (other) =>
        other.family === 'towerCrane' && other.projectCode === device.projectCode && other !== device && other.behaviour !== 'notActivated',
    )
    .map((other) => ({ other, own: craneParams(other), distance: Math.hypot(other.x - device.x, other.y - device.y) }))
    .filter(({ own, distance }) => own.towerHeight < params.towerHeight && distance < own.jibLength + params.jibLength)
    .map(({ other, own, distance }) => ({ x: other.x, y: other.y, jib: own.jibLength, distance }))
}

import type { Point } from './city-types.ts'
import { round } from './random.ts'

/** Converts site metres to WGS-84. A site is small enough for a plane with one scale per axis; the error is millimetres. */
export function toWgs84(origin: Point, x: number, y: number): Point {
  return { lng: round(origin.lng + x / (111_320 * Math.cos((origin.lat * Math.PI) / 180)), 6), lat: round(origin.lat + y / 110_574, 6) }
}

/** Bearing from north, clockwise, in [0, 360). */
export function bearing(from: [number, number], to: [number, number]): number {
  return ((Math.atan2(to[0] - from[0], to[1] - from[1]) * 180) / Math.PI + 360) % 360
}

/** The point at a bearing and distance. */
export function reach(from: [number, number], degrees: number, distance: number): [number, number] {
  const angle = (degrees * Math.PI) / 180
  return [from[0] + distance * Math.sin(angle), from[1] + distance * Math.cos(angle)]
}

export function inside(polygon: [number, number][], x: number, y: number): boolean {
  let within = false
  for (let i = 0, j = polygon.length - 1; i < polygon.length; j = i++) {
    const [xi, yi] = polygon[i]!
    const [xj, yj] = polygon[j]!
    if (yi > y !== yj > y && x < ((xj - xi) * (y - yi)) / (yj - yi) + xi) within = !within
  }
  return within
}

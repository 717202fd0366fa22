import type { LoadPlace } from '@zhugong/contract/telemetry/known-records'
import { type Point, reach } from '../crane-geometry.ts'

export interface PathStep {
  time: number
  at: Point
  height: number | null
}

/** Positions of the hook on the site's plane, one per reading, in metres east and north. */
export function pathOfLoad(
  readings: readonly { time: number; values: Readonly<Record<string, unknown>> }[],
  mast: { x: number; y: number },
): PathStep[] {
  return readings.flatMap(({ time, values }): PathStep[] => {
    const { slewAngle, radius, hookHeight } = values
    if (typeof slewAngle !== 'number' || typeof radius !== 'number') return []
    return [{ time, at: reach(mast, slewAngle, radius), height: typeof hookHeight === 'number' ? hookHeight : null }]
  })
}

/** Start and end of a cycle, for when its readings are past their retention. */
export const endsOfLoad = (from: LoadPlace, to: LoadPlace, mast: { x: number; y: number }): Point[] =>
  [from, to].flatMap((one) => (one.angle === null || one.radius === null ? [] : [reach(mast, one.angle, one.radius)]))

/** Whether a point lies in a polygon, by the number of crossings of a ray to the east. */
export function inside(ring: readonly Point[], [x, y]: Point): boolean {
  let odd = false
  for (const [i, [ax, ay]] of ring.entries()) {
    const [bx, by] = ring[(i + ring.length - 1) % ring.length] ?? [ax, ay]
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) odd = !odd
  }
  return odd
}

const stepMetres = 1

/** Whether a path crosses a polygon, also between its points. */
export function crosses(path: readonly Point[], ring: readonly Point[]): boolean {
  if (ring.length < 3) return false
  return path.some((point, i) => {
    const last = path[i - 1] ?? point
    const steps = Math.max(1, Math.ceil(Math.hypot(point[0] - last[0], point[1] - last[1]) / stepMetres))
    return Array.from({ length: steps + 1 }, (_, n): Point => {
      const share = n / steps
      return [last[0] + (point[0] - last[0]) * share, last[1] + (point[1] - last[1]) * share]
    }).some((each) => inside(ring, each))
  })
}

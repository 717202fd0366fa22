import type { Point } from './crane-geometry.ts'

export interface Bounds {
  left: number
  right: number
  bottom: number
  top: number
}

export function boundsOf(points: readonly Point[]): Bounds | undefined {
  if (points.length === 0) return undefined
  const xs = points.map(([x]) => x)
  const ys = points.map(([, y]) => y)
  return { left: Math.min(...xs), right: Math.max(...xs), bottom: Math.min(...ys), top: Math.max(...ys) }
}

/** Centroid of a ring, where its name is placed. */
export function middleOf(ring: readonly Point[]): Point {
  let twice = 0
  let cx = 0
  let cy = 0
  for (const [i, [x, y]] of ring.entries()) {
    const [nx, ny] = ring[(i + 1) % ring.length] ?? [x, y]
    const cross = x * ny - nx * y
    twice += cross
    cx += (x + nx) * cross
    cy += (y + ny) * cross
  }
  if (Math.abs(twice) < 1e-6) return ring[0] ?? [0, 0]
  return [cx / (3 * twice), cy / (3 * twice)]
}

/** A part of a machine as a line segment: x east, y north, z up, metres. */
export interface Segment {
  ax: number
  ay: number
  az: number
  bx: number
  by: number
  bz: number
}

const clamp = (value: number) => Math.min(1, Math.max(0, value))
/** Squared length in m² below which a segment counts as a point. */
const pointLike = 1e-12

/** The shortest distance between two segments in space, from their closest points, each clamped to its segment. */
export function segmentDistance(p: Segment, q: Segment): number {
  const ux = p.bx - p.ax
  const uy = p.by - p.ay
  const uz = p.bz - p.az
  const vx = q.bx - q.ax
  const vy = q.by - q.ay
  const vz = q.bz - q.az
  const wx = p.ax - q.ax
  const wy = p.ay - q.ay
  const wz = p.az - q.az
  const a = ux * ux + uy * uy + uz * uz
  const e = vx * vx + vy * vy + vz * vz
  const f = vx * wx + vy * wy + vz * wz
  let s = 0
  let t = 0
  if (a <= pointLike) {
    t = e <= pointLike ? 0 : clamp(f / e)
  } else {
    const c = ux * wx + uy * wy + uz * wz
    if (e <= pointLike) {
      s = clamp(-c / a)
    } else {
      const b = ux * vx + uy * vy + uz * vz
      const across = a * e - b * b
      s = across > pointLike * a * e ? clamp((b * f - c * e) / across) : 0
      t = (b * s + f) / e
      if (t < 0) {
        t = 0
        s = clamp(-c / a)
      } else if (t > 1) {
        t = 1
        s = clamp((b - c) / a)
      }
    }
  }
  const dx = wx + s * ux - t * vx
  const dy = wy + s * uy - t * vy
  const dz = wz + s * uz - t * vz
  // Math.hypot prevents overflow, which is not needed for metres, and is several times slower.
  return Math.sqrt(dx * dx + dy * dy + dz * dz)
}

export type Point = readonly [x: number, y: number]

/** Whether a point is in a polygon, including edges and corners. */
export function isInside([x, y]: Point, polygon: readonly Point[]): boolean {
  let inside = false
  for (let i = 0, j = polygon.length - 1; i < polygon.length; j = i++) {
    const [xi, yi] = polygon[i] ?? [0, 0]
    const [xj, yj] = polygon[j] ?? [0, 0]
    const cross = (xj - xi) * (y - yi) - (yj - yi) * (x - xi)
    if (cross === 0 && Math.min(xi, xj) <= x && x <= Math.max(xi, xj) && Math.min(yi, yj) <= y && y <= Math.max(yi, yj)) return true
    if (yi > y !== yj > y && x < ((xj - xi) * (y - yi)) / (yj - yi) + xi) inside = !inside
  }
  return inside
}

const flat = ([ax, ay]: Point, [bx, by]: Point): Segment => ({ ax, ay, az: 0, bx, by, bz: 0 })

/** Horizontal distance in metres from a segment (or a point, given twice) to a polygon; 0 inside or crossing. */
export function planDistance(from: Point, to: Point, polygon: readonly Point[]): number {
  if (polygon.length < 3) return Number.POSITIVE_INFINITY
  if (isInside(from, polygon) || isInside(to, polygon)) return 0
  const piece = flat(from, to)
  let least = Number.POSITIVE_INFINITY
  for (let i = 0, j = polygon.length - 1; i < polygon.length; j = i++) {
    least = Math.min(least, segmentDistance(piece, flat(polygon[j] ?? [0, 0], polygon[i] ?? [0, 0])))
  }
  return least
}

/** A position as [longitude, latitude] in WGS-84, or as [x, y] on a site plan: the functions work with both. */
export type Point = readonly [number, number]

const cross = (o: Point, a: Point, b: Point) => (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0])

function isOnSegment(p: Point, a: Point, b: Point): boolean {
  return (
    cross(a, b, p) === 0 &&
    p[0] >= Math.min(a[0], b[0]) &&
    p[0] <= Math.max(a[0], b[0]) &&
    p[1] >= Math.min(a[1], b[1]) &&
    p[1] <= Math.max(a[1], b[1])
  )
}

function segmentsMeet(a: Point, b: Point, c: Point, d: Point): boolean {
  const [abc, abd, cda, cdb] = [cross(a, b, c), cross(a, b, d), cross(c, d, a), cross(c, d, b)].map(Math.sign) as [
    number,
    number,
    number,
    number,
  ]
  if (abc * abd < 0 && cda * cdb < 0) return true
  return isOnSegment(c, a, b) || isOnSegment(d, a, b) || isOnSegment(a, c, d) || isOnSegment(b, c, d)
}

/** The corners without a repeated last corner. */
export function openRing(polygon: readonly Point[]): readonly Point[] {
  const [first, last] = [polygon[0], polygon.at(-1)]
  return polygon.length > 1 && first && last && first[0] === last[0] && first[1] === last[1] ? polygon.slice(0, -1) : polygon
}

/** A cheap comparison that avoids the exact test for nearly every pair of edges. */
const areApart = (a: Point, b: Point, c: Point, d: Point) =>
  (a[0] > c[0] && a[0] > d[0] && b[0] > c[0] && b[0] > d[0]) ||
  (a[0] < c[0] && a[0] < d[0] && b[0] < c[0] && b[0] < d[0]) ||
  (a[1] > c[1] && a[1] > d[1] && b[1] > c[1] && b[1] > d[1]) ||
  (a[1] < c[1] && a[1] < d[1] && b[1] < c[1] && b[1] < d[1])

/**
 * Returns two sides of a polygon, by the index of their first corners, that touch other than at a common corner; undefined when there are
 * none.
 */
export function crossingOf(polygon: readonly Point[]): readonly [number, number] | undefined {
  const ring = openRing(polygon)
  const n = ring.length
  for (let i = 0; i < n; i++) {
    const [a, b] = [ring[i] as Point, ring[(i + 1) % n] as Point]
    if (a[0] === b[0] && a[1] === b[1]) return [i, (i + 1) % n]
    for (let j = i + 1; j < n; j++) {
      const [c, d] = [ring[j] as Point, ring[(j + 1) % n] as Point]
      if (j === i + 1) {
        // Adjacent sides share the corner b = c: they overlap only when one folds back onto the other.
        if (isOnSegment(d, a, b) || isOnSegment(a, c, d)) return [i, j]
        continue
      }
      if (i === 0 && j === n - 1) {
        if (isOnSegment(c, a, b) || isOnSegment(b, c, d)) return [i, j]
        continue
      }
      if (areApart(a, b, c, d)) continue
      if (segmentsMeet(a, b, c, d)) return [i, j]
    }
  }
  return undefined
}

/** Whether two sides of a polygon touch other than at their common corner. */
export const crossesItself = (polygon: readonly Point[]): boolean => crossingOf(polygon) !== undefined

/** Whether two polygons touch, overlap or contain each other. */
export function ringsMeet(one: readonly Point[], other: readonly Point[]): boolean {
  const [a, b] = [openRing(one), openRing(other)]
  if ((a[0] && isInside(a[0], b)) || (b[0] && isInside(b[0], a))) return true
  return a.some((from, i) => {
    const to = a[(i + 1) % a.length] as Point
    return b.some((start, j) => {
      const end = b[(j + 1) % b.length] as Point
      return !areApart(from, to, start, end) && segmentsMeet(from, to, start, end)
    })
  })
}

/** Whether a point is inside a polygon; edges and corners count as inside. */
export function isInside(p: Point, polygon: readonly Point[]): boolean {
  const ring = openRing(polygon)
  let inside = false
  for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
    const [a, b] = [ring[i] as Point, ring[j] as Point]
    if (isOnSegment(p, a, b)) return true
    if (a[1] > p[1] !== b[1] > p[1] && p[0] < ((b[0] - a[0]) * (p[1] - a[1])) / (b[1] - a[1]) + a[0]) inside = !inside
  }
  return inside
}

const metersPerDegree = 111_320

/** Distance in metres from a position to a polyline; the error is well below a metre over a few kilometres. */
export function metersToLine(p: Point, line: readonly Point[], closed = false): number {
  const scale = metersPerDegree * Math.cos((p[1] * Math.PI) / 180)
  const start = line[0]
  if (!start) return Number.POSITIVE_INFINITY
  let [ax, ay] = [(start[0] - p[0]) * scale, (start[1] - p[1]) * metersPerDegree]
  // Compares squared distances and allocates nothing: this runs for every position and every edge of a route.
  let best = ax * ax + ay * ay
  const corners = closed ? line.length + 1 : line.length
  for (let i = 1; i < corners; i++) {
    const corner = line[i % line.length] as Point
    const bx = (corner[0] - p[0]) * scale
    const by = (corner[1] - p[1]) * metersPerDegree
    const dx = bx - ax
    const dy = by - ay
    const length = dx * dx + dy * dy
    const along = length ? -(ax * dx + ay * dy) / length : 0
    const t = along < 0 ? 0 : along > 1 ? 1 : along
    const x = ax + t * dx
    const y = ay + t * dy
    const squared = x * x + y * y
    if (squared < best) best = squared
    ax = bx
    ay = by
  }
  return Math.sqrt(best)
}

import { type Place, toPlane } from '../kit/plane.ts'
import type { Point } from '../rules/polygon.ts'

interface Edge {
  x1: number
  y1: number
  x2: number
  y2: number
}
type Rings = readonly (readonly Point[])[]

/**
 * Square metres covered by both sets of rings. Exact: the area is divided into strips at all corners and crossings, so that no sides cross
 * inside a strip.
 */
export function sharedSquareMeters(a: Rings, b: Rings): number {
  const first = a[0]?.[0] ?? b[0]?.[0]
  if (!first) return 0
  const origin = { lng: first[0], lat: first[1] }
  const [inA, inB] = [edgesOf(a, origin), edgesOf(b, origin)]
  const places = [...inA, ...inB].flatMap(({ x1, x2 }) => [x1, x2])
  for (const one of inA) for (const other of inB) places.push(...crossing(one, other))
  const xs = [...new Set(places)].sort((p, q) => p - q)
  let sum = 0
  for (const [i, from] of xs.entries()) {
    const to = xs[i + 1]
    if (to === undefined) break
    const middle = (from + to) / 2
    sum += shared(spans(inA, middle), spans(inB, middle)) * (to - from)
  }
  return sum
}

function edgesOf(rings: Rings, origin: Place): Edge[] {
  return rings.flatMap((ring) => {
    const flat = ring.map(([lng, lat]) => toPlane(origin, { lng, lat }))
    return flat.map(([x1, y1], i): Edge => {
      const [x2, y2] = flat[(i + 1) % flat.length] ?? [x1, y1]
      return { x1, y1, x2, y2 }
    })
  })
}

/** The x coordinate at which two sides cross; empty if they are parallel or do not meet. */
function crossing(a: Edge, b: Edge): number[] {
  const [dx, dy, ex, ey] = [a.x2 - a.x1, a.y2 - a.y1, b.x2 - b.x1, b.y2 - b.y1]
  const turn = dx * ey - dy * ex
  if (turn === 0) return []
  const t = ((b.x1 - a.x1) * ey - (b.y1 - a.y1) * ex) / turn
  const u = ((b.x1 - a.x1) * dy - (b.y1 - a.y1) * dx) / turn
  return t >= 0 && t <= 1 && u >= 0 && u <= 1 ? [a.x1 + t * dx] : []
}

/** The intervals that rings cover on the line at `x`: pairs of the sides it crosses. */
function spans(edges: readonly Edge[], x: number): number[] {
  const met: number[] = []
  for (const { x1, y1, x2, y2 } of edges) if (x1 < x !== x2 < x) met.push(y1 + ((x - x1) / (x2 - x1)) * (y2 - y1))
  return met.sort((p, q) => p - q)
}

function shared(a: readonly number[], b: readonly number[]): number {
  let sum = 0
  for (let i = 0; i + 1 < a.length; i += 2)
    for (let j = 0; j + 1 < b.length; j += 2) sum += Math.max(0, Math.min(a[i + 1] ?? 0, b[j + 1] ?? 0) - Math.max(a[i] ?? 0, b[j] ?? 0))
  return sum
}

/** A project's fence as it is stored: a ring of places, or a circle of so many metres (WGS-84). */
export type Fence =
  | { type: '2'; points: readonly { lng: number; lat: number }[] }
  | { type: '1'; center: { lng: number; lat: number }; radius: number }

const earthRadiusM = 6_371_008.8
const rad = Math.PI / 180
type XY = readonly [x: number, y: number]

/** Metres east and north of an origin: over a site's few kilometres good to centimetres. */
const metres = (origin: { lng: number; lat: number }, at: { lng: number; lat: number }): XY => [
  (at.lng - origin.lng) * rad * earthRadiusM * Math.cos(origin.lat * rad),
  (at.lat - origin.lat) * rad * earthRadiusM,
]

/** Metres (whole) from a place to the fence; 0 inside it. Null where there is no fence. */
export function metresOutside(fence: Fence | null | undefined, at: { lng: number; lat: number }): number | null {
  if (!fence) return null
  if (fence.type === '1') return Math.max(0, Math.round(Math.hypot(...metres(fence.center, at)) - fence.radius))
  const ring = fence.points.map((p) => metres(at, p))
  if (ring.length < 3) return null
  if (holdsOrigin(ring)) return 0
  return Math.round(Math.min(...ring.map((p, i) => fromOrigin(p, ring[(i + 1) % ring.length]!))))
}

/** Whether the ring goes round the origin: a ray crosses it an odd number of times. */
function holdsOrigin(ring: readonly XY[]): boolean {
  let inside = false
  for (const [i, [x1, y1]] of ring.entries()) {
    const [x2, y2] = ring[(i + 1) % ring.length]!
    if (y1 > 0 !== y2 > 0 && x1 - (y1 * (x2 - x1)) / (y2 - y1) > 0) inside = !inside
  }
  return inside
}

/** Distance of the origin from a segment. */
function fromOrigin([x1, y1]: XY, [x2, y2]: XY): number {
  const [dx, dy] = [x2 - x1, y2 - y1]
  const length = dx * dx + dy * dy
  const t = length === 0 ? 0 : Math.max(0, Math.min(1, -(x1 * dx + y1 * dy) / length))
  return Math.hypot(x1 + t * dx, y1 + t * dy)
}

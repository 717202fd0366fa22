const metersPerDegree = 111_320

/** Metres from a point to a fence (WGS-84, small distances); 0 inside. */
export function outsideMeters([lng, lat]: readonly [number, number], fence: readonly (readonly [number, number])[]): number {
  const scale = Math.cos((lat * Math.PI) / 180)
  const ring = fence.map(([x, y]) => [(x - lng) * metersPerDegree * scale, (y - lat) * metersPerDegree] as const)
  let inside = false
  let nearest = Number.POSITIVE_INFINITY
  for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
    const [ax, ay] = ring[i] ?? [0, 0]
    const [bx, by] = ring[j] ?? [0, 0]
    if (ay > 0 !== by > 0 && 0 < ((bx - ax) * (0 - ay)) / (by - ay) + ax) inside = !inside
    const [dx, dy] = [bx - ax, by - ay]
    const length = dx * dx + dy * dy
    const t = length === 0 ? 0 : Math.max(0, Math.min(1, -(ax * dx + ay * dy) / length))
    nearest = Math.min(nearest, Math.hypot(ax + t * dx, ay + t * dy))
  }
  return inside ? 0 : nearest
}

/** The ring of a project's fence as it is stored: points or pairs. */
export function fenceOf(areaRule: unknown): [number, number][] {
  const points = (areaRule as { points?: unknown } | null)?.points
  if (!Array.isArray(points)) return []
  return points.flatMap((p: unknown): [number, number][] => {
    if (Array.isArray(p) && typeof p[0] === 'number' && typeof p[1] === 'number') return [[p[0], p[1]]]
    const { lng, lat } = (p ?? {}) as { lng?: unknown; lat?: unknown }
    return typeof lng === 'number' && typeof lat === 'number' ? [[lng, lat]] : []
  })
}

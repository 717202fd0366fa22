import { type LngLat, metresFrom } from '#kit/geo.ts'
import type { Point } from './crane-geometry.ts'

/** The ground of a site in its own plane: metres east and north of its origin. */
export interface Site {
  origin: LngLat
  fence: readonly Point[]
  buildings: readonly { name: string; points: readonly Point[]; height: number }[]
  roads: readonly (readonly Point[])[]
  zones: readonly { name: string; marginMeters: number; points: readonly Point[] }[]
  gates: readonly { name: string; x: number; y: number }[]
  spray: readonly { name: string; points: readonly Point[] }[]
}

type Loose = Record<string, unknown>
const isObject = (value: unknown): value is Loose => typeof value === 'object' && value !== null && !Array.isArray(value)
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
const number = (value: unknown): number => (typeof value === 'number' && Number.isFinite(value) ? value : 0)
const text = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Corners come as [x, y] or {x, y}; what is neither is left out. */
const corners = (value: unknown): Point[] =>
  list(value).flatMap((one): Point[] => {
    if (Array.isArray(one) && typeof one[0] === 'number' && typeof one[1] === 'number') return [[one[0], one[1]]]
    return isObject(one) && typeof one.x === 'number' && typeof one.y === 'number' ? [[one.x, one.y]] : []
  })

/** The stored plan, which may be missing or from an older form; without one the fence of the project's map serves. */
export function siteOf(project: { sitePlan?: unknown; areaRule?: unknown; lng: number; lat: number } | undefined): Site | undefined {
  if (!project) return undefined
  const plan = isObject(project.sitePlan) ? project.sitePlan : undefined
  const origin: LngLat =
    plan && isObject(plan.origin) ? [number(plan.origin.lng), number(plan.origin.lat)] : [number(project.lng), number(project.lat)]
  const rule = isObject(project.areaRule) ? list(project.areaRule.points) : []
  const mapFence = rule.flatMap((one): Point[] =>
    isObject(one) && typeof one.lng === 'number' && typeof one.lat === 'number' ? [metresFrom(origin, [one.lng, one.lat])] : [],
  )
  const fence = corners(plan?.fence)
  return {
    origin,
    fence: fence.length > 2 ? fence : mapFence,
    buildings: list(plan?.buildings)
      .filter(isObject)
      .map((one) => ({ name: text(one.name), height: number(one.height), points: corners(one.points) })),
    roads: list(plan?.roads).map(corners),
    zones: list(plan?.zones)
      .filter(isObject)
      .map((one) => ({ name: text(one.name), marginMeters: number(one.marginMeters), points: corners(one.points) })),
    gates: list(plan?.gates)
      .filter(isObject)
      .map((one) => ({ name: text(one.name), x: number(one.x), y: number(one.y) })),
    spray: list(plan?.spray)
      .filter(isObject)
      .map((one) => ({ name: text(one.name), points: corners(one.points) })),
  }
}

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

/** Middle of a ring by its area, where its name stands. */
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

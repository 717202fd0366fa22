import { toPlane } from '../kit/plane.ts'
import { isInside, type Point } from '../rules/polygon.ts'

/** Ground plan of a site in its own plane: metres east and north of its origin. */
export interface Site {
  origin: readonly [lng: number, lat: number]
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

/** Corners are given as [x, y] or {x, y}; other values are skipped. */
const corners = (value: unknown): Point[] =>
  list(value).flatMap((one): Point[] => {
    if (Array.isArray(one) && typeof one[0] === 'number' && typeof one[1] === 'number') return [[one[0], one[1]]]
    return isObject(one) && typeof one.x === 'number' && typeof one.y === 'number' ? [[one.x, one.y]] : []
  })

/** Converts longitude and latitude to the site's plane. */
export const onGround = ([lng0, lat0]: Site['origin'], [lng, lat]: readonly [lng: number, lat: number]): Point =>
  toPlane({ lng: lng0, lat: lat0 }, { lng, lat })

/** The stored plan, which may be missing or in an older format; the default is the project's fence on the map. */
export function siteOf(
  project: { sitePlan?: unknown; areaRule?: unknown; lng: number | null; lat: number | null } | undefined,
): Site | undefined {
  if (!project) return undefined
  const plan = isObject(project.sitePlan) ? project.sitePlan : undefined
  const origin: Site['origin'] =
    plan && isObject(plan.origin) ? [number(plan.origin.lng), number(plan.origin.lat)] : [number(project.lng), number(project.lat)]
  const rule = isObject(project.areaRule) ? list(project.areaRule.points) : []
  const mapFence = rule.flatMap((one): Point[] =>
    isObject(one) && typeof one.lng === 'number' && typeof one.lat === 'number' ? [onGround(origin, [one.lng, one.lat])] : [],
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

export interface Whereabouts {
  /** Name of the danger zone, if any. */
  zone: string | undefined
  outside: boolean
  kind: 'zone' | 'building' | 'yard' | 'outside'
  /** Display text: 住院楼 B, 围栏外, 场内. */
  words: string
}

/** Locates a point on the site. */
export function whereabouts(site: Pick<Site, 'zones' | 'fence' | 'buildings'>, at: Point): Whereabouts {
  const zone = site.zones.find((one) => isInside(at, one.points))?.name
  const outside = site.fence.length > 2 && !isInside(at, site.fence)
  const building = site.buildings.find((one) => isInside(at, one.points))?.name
  const kind = zone !== undefined ? 'zone' : outside ? 'outside' : building !== undefined ? 'building' : 'yard'
  return { zone, outside, kind, words: zone ?? (outside ? '围栏外' : (building ?? '场内')) }
}

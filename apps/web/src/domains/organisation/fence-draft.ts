import { toPlace } from '@zhugong/contract/kit/plane'
import { type Fence, fence, fenceProblem, fenceShapes, maxRings, ringsOf } from '@zhugong/contract/organisation/fence'
import { sitePlan } from '@zhugong/contract/organisation/site-plan'
import type { LngLat } from '#kit/geo.ts'

/** Unsaved fence: rings, one circle, or nothing yet. */
export interface Draft {
  rings: readonly (readonly LngLat[])[]
  circle?: { center: LngLat; radius: number } | undefined
}
export const emptyDraft: Draft = { rings: [] }

/** Initial radius of a circle in metres, for a site of medium size. */
export const firstRadius = 150

export function draftOf(areaRule: Fence | null): Draft {
  if (!areaRule) return emptyDraft
  if (areaRule.type === fenceShapes.rings) return { rings: ringsOf(areaRule) }
  return { rings: [], circle: { center: [areaRule.center.lng, areaRule.center.lat], radius: areaRule.radius } }
}

/** Seven decimals are about a centimetre, finer than drawing by hand. */
const rounded = ([lng, lat]: LngLat) => ({ lng: Math.round(lng * 1e7) / 1e7, lat: Math.round(lat * 1e7) / 1e7 })

/** Converts the draft to the API format; null if nothing is drawn. */
export function fenceOf({ rings, circle }: Draft): Fence | null {
  if (circle) return { type: '1', center: rounded(circle.center), radius: Math.round(circle.radius) }
  const [points, ...others] = rings.map((ring) => ring.map(rounded))
  return points ? { type: '2', points, others: others.length ? others : undefined } : null
}

/** Rings to draw; circles become polygons. */
export const outlineOf = (draft: Draft): readonly (readonly LngLat[])[] => ringsOf(fenceOf(draft))

/** Error message of a draft; undefined if it is valid. */
export function problemOf(draft: Draft): string | undefined {
  const drawn = fenceOf(draft)
  if (!drawn) return undefined
  // Check the rings first: `fenceProblem` names the ring at fault, the schema reports other errors before.
  return fenceProblem(draft.rings) ?? fence.safeParse(drawn).error?.issues[0]?.message
}

/** Parses one corner per line, longitude first; returns an error message for an invalid line. */
export function ringFrom(text: string): readonly LngLat[] | string {
  const lines = text.split('\n').map((line) => line.trim())
  const ring: LngLat[] = []
  for (const [i, line] of lines.entries()) {
    if (!line) continue
    const [lng, lat, more] = line.split(/[,，\s]+/).map(Number)
    if (lng === undefined || lat === undefined || more !== undefined || Number.isNaN(lng) || Number.isNaN(lat))
      return `第 ${i + 1} 行应为“经度,纬度”`
    if (Math.abs(lng) > 180 || Math.abs(lat) > 90) return `第 ${i + 1} 行的经纬度超出范围，请核对先后`
    ring.push([lng, lat])
  }
  return ring.length < 3 ? '至少 3 个点' : ring
}
export const textOf = (ring: readonly LngLat[]): string => ring.map(([lng, lat]) => `${lng.toFixed(6)},${lat.toFixed(6)}`).join('\n')

/** Outline of the site plan as a ring, to avoid drawing it again. */
export function planOutline(plan: unknown): readonly LngLat[] | undefined {
  const known = sitePlan.safeParse(plan).data
  if (!known || known.fence.length < 3) return undefined
  return known.fence.map(([x, y]): LngLat => {
    const { lng, lat } = toPlace(known.origin, x, y)
    return [lng, lat]
  })
}

type Loose = Record<string, unknown>

/** Outer rings of all polygons of a GeoJSON, however nested; an error message if there are none or too many. */
export function ringsFromGeoJson(text: string): readonly (readonly LngLat[])[] | string {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    return '不是有效的 GeoJSON 文件'
  }
  const rings = polygonsIn(parsed).flatMap(([outer]) => (outer ? [withoutClosing(outer)] : []))
  if (rings.length === 0) return '文件中没有多边形'
  if (rings.length > maxRings) return `文件中有 ${rings.length} 个多边形，围栏最多 ${maxRings} 圈`
  return rings
}

function polygonsIn(value: unknown): LngLat[][][] {
  const { type, features, geometry, geometries, coordinates } = (value ?? {}) as Loose
  const all = (list: unknown) => (Array.isArray(list) ? list : []).flatMap(polygonsIn)
  if (type === 'FeatureCollection') return all(features)
  if (type === 'GeometryCollection') return all(geometries)
  if (type === 'Feature') return polygonsIn(geometry)
  const polygons = type === 'Polygon' ? [coordinates] : type === 'MultiPolygon' && Array.isArray(coordinates) ? coordinates : []
  return polygons.filter(Array.isArray).map((rings) => rings.map(cornersIn))
}
const cornersIn = (ring: unknown): LngLat[] =>
  (Array.isArray(ring) ? ring : []).flatMap((one): LngLat[] =>
    Array.isArray(one) && typeof one[0] === 'number' && typeof one[1] === 'number' ? [[one[0], one[1]]] : [],
  )
function withoutClosing(ring: readonly LngLat[]): readonly LngLat[] {
  const [first, last] = [ring[0], ring.at(-1)]
  return ring.length > 1 && first && last && first[0] === last[0] && first[1] === last[1] ? ring.slice(0, -1) : ring
}

export function toGeoJson(draft: Draft, name: string): string {
  const coordinates = outlineOf(draft).map((ring) => [[...ring, ...ring.slice(0, 1)]])
  return JSON.stringify({ type: 'Feature', properties: { name }, geometry: { type: 'MultiPolygon', coordinates } })
}

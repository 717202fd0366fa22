import { z } from 'zod'
import { isTurned, turnedWords } from '../kit/checks.ts'
import { toPlace, toPlane } from '../kit/plane.ts'
import { crossingOf, isInside, metersToLine, openRing, type Point, ringsMeet } from '../rules/polygon.ts'
import { sharedSquareMeters } from './fence-ground.ts'

/** Limits for corners of one ring and rings of one fence: what can be drawn and reviewed by hand. */
const maxCorners = 200
export const maxRings = 10
/**
 * Limits for changes by the site, compared with the last approved fence: share of added ground, share of removed ground, metres beyond it.
 * Larger changes need approval by somebody else, because a site must not extend its fence to where its workers live.
 */
const growthAllowed = 0.2
const lossAllowed = 0.5
const shiftAllowedMeters = 200

const place = z.object({
  lng: z.number({ error: '经度应为数字' }).min(-180, '经度应在 -180 到 180 之间').max(180, '经度应在 -180 到 180 之间'),
  lat: z.number({ error: '纬度应为数字' }).min(-90, '纬度应在 -90 到 90 之间').max(90, '纬度应在 -90 到 90 之间'),
})
export type Place = z.infer<typeof place>

export const fenceShapes = { circle: '1', rings: '2' } as const
const ring = z.array(place).min(3, '围栏至少 3 个点').max(maxCorners, `围栏每圈最多 ${maxCorners} 个点`)

/** As stored and displayed: separate rings (the site, the workers' quarters), or a circle. WGS-84. */
export const drawnFence = z.union([
  z.object({
    type: z.literal(fenceShapes.rings),
    points: ring,
    others: z
      .array(ring)
      .max(maxRings - 1, `围栏最多 ${maxRings} 圈`)
      .optional(),
  }),
  z.object({
    type: z.literal(fenceShapes.circle),
    center: place,
    radius: z.number({ error: '半径应为数字' }).min(50, '半径 50-5000 米').max(5000, '半径 50-5000 米'),
  }),
])
export type Fence = z.infer<typeof drawnFence>

/** As accepted: no ring crosses itself or another. */
export const fence = drawnFence.superRefine((drawn, context) => {
  const rings = ringsOf(drawn)
  const message = rings.flat().some(([lng, lat]) => isTurned(lng, lat)) ? turnedWords : fenceProblem(rings)
  if (message) context.addIssue({ code: 'custom', message })
})

/** Describes what is wrong with rings, naming the ring and its sides by their corners, counted from 1; undefined if they are valid. */
export function fenceProblem(rings: readonly (readonly Point[])[]): string | undefined {
  const called = (i: number) => (rings.length > 1 ? `第 ${i + 1} 圈` : '围栏')
  for (const [i, corners] of rings.entries()) {
    const crossing = crossingOf(corners)
    if (crossing) {
      const side = (at: number) => `${at + 1}-${((at + 1) % openRing(corners).length) + 1}`
      return `${called(i)}的边不能相交或重合：边 ${side(crossing[0])} 与边 ${side(crossing[1])}`
    }
  }
  for (const [i, one] of rings.entries())
    for (let j = i + 1; j < rings.length; j++)
      if (ringsMeet(one, rings[j] as readonly Point[])) return `${called(i)}与${called(j)}不能相交或重叠，请合为一圈`
  return undefined
}

/** Number of corners that approximate a circle. */
const circleCorners = 36

/** The rings of a stored fence in any format: corners as pairs or as objects, a circle as a polygon; empty without a fence. */
export function ringsOf(rule: unknown): Point[][] {
  const { points, others, center, radius } = (rule ?? {}) as Record<string, unknown>
  if (Array.isArray(points)) return [points, ...(Array.isArray(others) ? others : [])].map(corners).filter((one) => one.length > 2)
  const [middle] = corners([center])
  if (!middle || typeof radius !== 'number') return []
  return [
    Array.from({ length: circleCorners }, (_, i): Point => {
      const angle = (2 * Math.PI * i) / circleCorners
      const { lng, lat } = toPlace({ lng: middle[0], lat: middle[1] }, radius * Math.sin(angle), radius * Math.cos(angle))
      return [lng, lat]
    }),
  ]
}

const corners = (points: unknown): Point[] =>
  (Array.isArray(points) ? points : []).flatMap((one: unknown): Point[] => {
    if (Array.isArray(one) && typeof one[0] === 'number' && typeof one[1] === 'number') return [[one[0], one[1]]]
    const { lng, lat } = (one ?? {}) as { lng?: unknown; lat?: unknown }
    return typeof lng === 'number' && typeof lat === 'number' ? [[lng, lat]] : []
  })

/** Metres from a place to the nearest ring; 0 inside one, null without a fence. */
export function metersOutside(at: Point, rings: readonly (readonly Point[])[]): number | null {
  if (rings.length === 0) return null
  return Math.min(...rings.map((one) => (isInside(at, one) ? 0 : metersToLine(at, one, true))))
}

/** Metres by which a project's location is outside its fence; null if location or fence is unknown. */
export function placeOutside(
  { lng, lat }: { lng: number | null; lat: number | null },
  rings: readonly (readonly Point[])[],
): number | null {
  return lng === null || lat === null ? null : metersOutside([lng, lat], rings)
}

/** Area of a ring in square metres, on the tangent plane at its first corner; accurate enough for tens of kilometres. */
function squareMeters(corners: readonly Point[]): number {
  const [origin] = corners
  if (!origin) return 0
  const flat = corners.map(([lng, lat]) => toPlane({ lng: origin[0], lat: origin[1] }, { lng, lat }))
  const doubled = flat.reduce((sum, [x, y], i) => {
    const [nextX, nextY] = flat[(i + 1) % flat.length] ?? [0, 0]
    return sum + x * nextY - nextX * y
  }, 0)
  return Math.abs(doubled) / 2
}

const squareMetersOf = (rings: readonly (readonly Point[])[]): number => rings.reduce((sum, one) => sum + squareMeters(one), 0)

/** Total area of all rings in 公顷. */
export const hectaresOf = (rings: readonly (readonly Point[])[]): number => Math.round(squareMetersOf(rings)) / 10_000

interface FenceStep {
  /** Added and removed area as a share of the approved area; 0.2 is a fifth. */
  added: number
  lost: number
  /** How far the new fence extends beyond the approved one, in metres. */
  beyondMeters: number
}

/** Difference in area between two fences; undefined if either is empty. */
function fenceStep(before: unknown, after: unknown): FenceStep | undefined {
  const [from, to] = [ringsOf(before), ringsOf(after)]
  const [was, is] = [squareMetersOf(from), squareMetersOf(to)]
  if (was === 0 || to.length === 0) return undefined
  const shared = sharedSquareMeters(from, to)
  const beyond = to.flatMap(openRing).map((corner) => metersOutside(corner, from) ?? 0)
  return { added: (is - shared) / was, lost: (was - shared) / was, beyondMeters: Math.round(Math.max(...beyond)) }
}

/**
 * Why the site may not change a fence without approval, as text; undefined if it may. The site may always set its first fence. `decided`:
 * the fence that others approved last, so that many small steps cannot exceed one large step.
 */
export function reasonToDecide(decided: unknown, after: unknown): string | undefined {
  if (ringsOf(decided).length === 0) return undefined
  const step = fenceStep(decided, after)
  if (!step) return '撤销围栏'
  if (step.added > growthAllowed) return `比上次审定的围栏多圈 ${percent(step.added)} 的面积（超过 ${percent(growthAllowed)}）`
  if (step.lost > lossAllowed) return `比上次审定的围栏少圈 ${percent(step.lost)} 的面积（超过 ${percent(lossAllowed)}）`
  if (step.beyondMeters > shiftAllowedMeters) return `超出上次审定的围栏 ${step.beyondMeters} 米（超过 ${shiftAllowedMeters} 米）`
  return undefined
}
const percent = (part: number): string => `${Math.round(part * 100)}%`

/** Whether two fences are the same, whatever their stored format. */
export const isSameFence = (a: unknown, b: unknown): boolean => JSON.stringify(ringsOf(a)) === JSON.stringify(ringsOf(b))

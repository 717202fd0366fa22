import { z } from 'zod'
import { toPlace, toPlane } from '../kit/plane.ts'
import { crossingOf, isInside, metersToLine, openRing, type Point, ringsMeet } from '../rules/polygon.ts'

/** Corners of one ring, rings of one fence: what can still be drawn and looked through by hand. */
const maxCorners = 200
export const maxRings = 10
/** A fence that grows by more, or moves further, is decided by somebody other than the site: it must not be drawn as far as people live. */
export const growthAllowed = 0.2
export const shiftAllowedMeters = 200

const place = z.object({
  lng: z.number({ error: '经度应为数字' }).min(-180, '经度应在 -180 到 180 之间').max(180, '经度应在 -180 到 180 之间'),
  lat: z.number({ error: '纬度应为数字' }).min(-90, '纬度应在 -90 到 90 之间').max(90, '纬度应在 -90 到 90 之间'),
})
export type Place = z.infer<typeof place>

export const fenceShapes = { circle: '1', rings: '2' } as const
const ring = z.array(place).min(3, '围栏至少 3 个点').max(maxCorners, `围栏每圈最多 ${maxCorners} 个点`)

/** As it is stored and shown: rings beside each other (the site, the workers' quarters), or a circle. WGS-84. */
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

/** As it is taken: no ring meets itself or another. */
export const fence = drawnFence.superRefine((drawn, context) => {
  const message = fenceProblem(ringsOf(drawn))
  if (message) context.addIssue({ code: 'custom', message })
})

/** What is wrong with rings, in words that name the ring and its sides by their corners, counted from 1; undefined where nothing is. */
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

/** Corners a circle is drawn with. */
const circleCorners = 36

/** The rings of a fence as it is stored, whatever its age: corners as pairs or by name, a circle as a polygon; none where there is none. */
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

/** Metres from a place to the nearest ring; 0 inside one, null where there is no fence. */
export function metersOutside(at: Point, rings: readonly (readonly Point[])[]): number | null {
  if (rings.length === 0) return null
  return Math.min(...rings.map((one) => (isInside(at, one) ? 0 : metersToLine(at, one, true))))
}

/** Square metres of a ring on the plane of its first corner: exact enough for land over tens of kilometres. */
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

/** 公顷 of all rings together. */
export const hectaresOf = (rings: readonly (readonly Point[])[]): number =>
  Math.round(rings.reduce((sum, one) => sum + squareMeters(one), 0)) / 10_000

/** The middle of the corners of all rings. */
function middleOf(rings: readonly (readonly Point[])[]): Point {
  const all = rings.flatMap(openRing)
  const mean = (axis: 0 | 1) => all.reduce((sum, one) => sum + one[axis], 0) / all.length
  return [mean(0), mean(1)]
}

export interface FenceStep {
  /** By which part it grows, 0.2 for a fifth; negative where it shrinks. */
  growth: number
  shiftMeters: number
}

/** How much one fence differs from the one before it; undefined where there is none on either side. */
export function fenceStep(before: unknown, after: unknown): FenceStep | undefined {
  const [from, to] = [ringsOf(before), ringsOf(after)]
  const was = hectaresOf(from)
  if (was === 0 || to.length === 0) return undefined
  return { growth: hectaresOf(to) / was - 1, shiftMeters: Math.round(metersToLine(middleOf(from), [middleOf(to)])) }
}

/** Why the site cannot put a fence in force by itself, in words; undefined where it can. The first one it draws it can. */
export function reasonToDecide(before: unknown, after: unknown): string | undefined {
  if (ringsOf(before).length === 0) return undefined
  const step = fenceStep(before, after)
  if (!step) return '撤销围栏'
  if (step.growth > growthAllowed) return `面积增加 ${Math.round(step.growth * 100)}%（超过 ${growthAllowed * 100}%）`
  if (step.shiftMeters > shiftAllowedMeters) return `位置移动 ${step.shiftMeters} 米（超过 ${shiftAllowedMeters} 米）`
  return undefined
}

/** Whether two fences are the same, however old their form. */
export const isSameFence = (a: unknown, b: unknown): boolean => JSON.stringify(ringsOf(a)) === JSON.stringify(ringsOf(b))

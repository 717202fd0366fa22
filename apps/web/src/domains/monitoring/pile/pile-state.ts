import type { PileKind } from '@zhugong/contract/monitoring/pile/pile-kinds'
import { leastGroutShare } from '@zhugong/contract/monitoring/pile/piles'
import type { LinePoint } from '@zhugong/contract/telemetry/model'

/** Readings of a rig in one metre of its pile, as means. */
export interface Metre {
  /** Depth of its top: 11 is from 11 m to 12 m. */
  from: number
  current: number | null
  /** Grout in this metre, L. */
  grout: number | null
  blows: number | null
  pressure: number | null
  /** The readings cover the whole metre, so its totals are complete. */
  whole: boolean
  /** The greater inclination of both directions, percent. */
  lean: number | null
}

/** Covered part from which a metre counts as complete, m. */
const wholeMetre = 0.95

/** The tool rises by more than this only when it moves to the next pile. */
const nextPileMetres = 1

/** Readings of the current pile: those after the tool last came up. */
export function thisPile(points: readonly LinePoint[]): readonly LinePoint[] {
  let start = 0
  let depth: number | undefined
  for (const [i, point] of points.entries()) {
    const now = point.v.depth?.[0]
    if (now === undefined) continue
    if (depth !== undefined && now < depth - nextPileMetres) start = i
    depth = now
  }
  return points.slice(start)
}

const mean = (values: readonly number[]) => (values.length > 0 ? values.reduce((sum, one) => sum + one, 0) / values.length : null)

/**
 * Increase of a counter in each metre. A step across a boundary is divided by depth: assigned to one metre it would make the other look weak. Steps
 * across a whole metre without readings are ignored, because their distribution is unknown.
 */
function goneInto(points: readonly LinePoint[], counter: string): { into: ReadonlyMap<number, number>; whole: (metre: number) => boolean } {
  const into = new Map<number, number>()
  const byKey = new Map<number, number>()
  const put = (metre: number, share: number, metres: number) => {
    into.set(metre, (into.get(metre) ?? 0) + share)
    byKey.set(metre, (byKey.get(metre) ?? 0) + Math.max(0, metres))
  }
  let before: { depth: number; metre: number; value: number } | undefined
  for (const point of points) {
    const depth = point.v.depth?.[0]
    const value = point.v[counter]?.[0]
    if (depth === undefined || value === undefined) continue
    const metre = Math.floor(depth)
    if (before && value >= before.value && metre - before.metre <= 1) {
      const step = value - before.value
      const over = metre === before.metre + 1 ? metre - before.depth : 0
      const above = over > 0 ? over / (depth - before.depth) : 0
      if (above > 0) put(before.metre, step * above, over)
      if (above < 1) put(metre, step * (1 - above), depth - before.depth - over)
    }
    before = { depth, metre, value }
  }
  return { into, whole: (metre) => (byKey.get(metre) ?? 0) >= wholeMetre }
}

/** A pile by metre. A metre without readings is missing, never 0. */
export function metresOf(points: readonly LinePoint[], designDepth: number): Metre[] {
  const deepest = Math.max(designDepth, ...points.map((one) => one.v.depth?.[2] ?? 0))
  const grout = goneInto(points, 'groutVolume')
  const blows = goneInto(points, 'hammerBlows')
  return Array.from({ length: Math.ceil(deepest) }, (_, from): Metre => {
    const own = points.filter((one) => Math.floor(one.v.depth?.[0] ?? -1) === from)
    const of = (key: string) => mean(own.flatMap((one) => one.v[key]?.[0] ?? []))
    const leans = own.flatMap((one) => [one.v.verticalityX, one.v.verticalityY].flatMap((v) => (v ? [Math.abs(v[0])] : [])))
    return {
      from,
      current: of('current'),
      grout: grout.into.get(from) ?? null,
      blows: blows.into.get(from) ?? null,
      pressure: of('pressure'),
      whole: grout.whole(from),
      lean: leans.length > 0 ? Math.max(...leans) : null,
    }
  })
}

export interface Bars {
  title: string
  unit: string
  read: (metre: Metre) => number | null
  /** Reference line, and the side of it on which a metre is weak; a pressed pile's pressure is meant to reach its line. */
  limit: number | undefined
  weak: 'above' | 'below' | 'never'
}

/** Assessment per metre for the construction method. */
export function barsOf(kind: PileKind, limits: { current: number; grout?: number | undefined; pressure?: number | undefined }): Bars {
  switch (kind) {
    case 'mixing':
      return {
        title: '每米浆量',
        unit: 'L',
        read: (one) => one.grout,
        limit: limits.grout === undefined ? undefined : Math.round(limits.grout * leastGroutShare * 10) / 10,
        weak: 'below',
      }
    case 'precast':
      return { title: '每米锤击', unit: '击', read: (one) => one.blows, limit: undefined, weak: 'above' }
    case 'static':
      return { title: '每米压桩力', unit: 'kN', read: (one) => one.pressure, limit: limits.pressure, weak: 'never' }
    case 'bored':
      return { title: '每米电流', unit: 'A', read: (one) => one.current, limit: limits.current, weak: 'above' }
  }
}

/** The two curves that describe the making of a pile, by kind. */
export const curvesOf: Readonly<Record<PileKind, readonly [Curve, Curve]>> = {
  bored: [
    { metric: 'current', label: '工作电流', unit: 'A', high: 240, room: 20, ticks: [0, 100, 200] },
    { metric: 'groutFlow', label: '浆液流量', unit: 'L/min', high: 80, room: 10, ticks: [0, 40] },
  ],
  mixing: [
    { metric: 'current', label: '工作电流', unit: 'A', high: 240, room: 20, ticks: [0, 100, 200] },
    { metric: 'groutFlow', label: '浆液流量', unit: 'L/min', high: 60, room: 10, ticks: [0, 30] },
  ],
  static: [
    { metric: 'pressure', label: '压桩力', unit: 'kN', high: 2_800, room: 400, ticks: [0, 1_000, 2_000] },
    { metric: 'feedSpeed', label: '下沉速度', unit: 'm/min', high: 1, room: 0.2, ticks: [0, 0.5] },
  ],
  precast: [
    { metric: 'hammerBlows', label: '累计锤击', unit: '击', high: 400, room: 50, ticks: [0, 200] },
    { metric: 'penetration', label: '最后十击贯入度', unit: 'mm', high: 60, room: 10, ticks: [0, 30] },
  ],
}
export interface Curve {
  metric: string
  label: string
  unit: string
  /** Top of the axis without higher values, and the margin above the highest point. */
  high: number
  room: number
  ticks: readonly number[]
}

/** Metrics requested for a pile's curve. */
export const lineMetrics = [
  'depth',
  'verticalityX',
  'verticalityY',
  'current',
  'groutFlow',
  'groutVolume',
  'hammerBlows',
  'pressure',
].join()

export interface Check {
  text: string
  /** Undefined: unknown. */
  done: boolean | undefined
}

interface Now {
  depth?: number | undefined
  lean?: number | undefined
  penetration?: number | undefined
  groutVolume?: number | undefined
  /** Last two pressures: equal ones mean that it is held. */
  pressures?: readonly number[] | undefined
}
interface Designed {
  depth: number | undefined
  grout?: number | undefined
  pressure?: number | undefined
  penetration?: number | undefined
}

const reached = (now: number | undefined, design: number | undefined, is: (now: number, design: number) => boolean) =>
  now === undefined || design === undefined ? undefined : is(now, design)

/** Conditions for stopping the rig. */
export function checksOf(now: Now, design: Designed, leanLimit: number, kind: PileKind = 'bored'): Check[] {
  const { depth, lean } = now
  const usual: Check[] = [
    {
      text: design.depth === undefined ? '设计桩长未填' : `达到设计桩长 ${design.depth} m`,
      done: reached(depth, design.depth, (at, wanted) => at >= wanted),
    },
    { text: `垂直度不超过 ${leanLimit} %`, done: lean === undefined ? undefined : lean <= leanLimit },
  ]
  if (kind === 'precast')
    usual.push({
      text:
        design.penetration === undefined
          ? `最后十击贯入度 ${now.penetration?.toFixed(1) ?? '--'} mm（设计贯入度未填）`
          : `最后十击贯入度不大于 ${design.penetration} mm`,
      done: reached(now.penetration, design.penetration, (at, wanted) => at <= wanted),
    })
  if (kind === 'static') {
    const current = now.pressures && now.pressures.length >= 2 ? Math.min(...now.pressures) : undefined
    usual.push({
      text: design.pressure === undefined ? '设计终压力未填' : `压桩力稳在 ${design.pressure} kN 以上`,
      done: reached(current, design.pressure, (at, wanted) => at >= wanted),
    })
  }
  if (kind === 'mixing') {
    const wanted = design.grout === undefined || depth === undefined ? undefined : design.grout * leastGroutShare * depth
    usual.push({
      text: wanted === undefined ? '设计浆量未填' : `累计浆量不少于 ${Math.round(wanted)} L`,
      done: reached(now.groutVolume, wanted, (at, least) => at >= least),
    })
  }
  return usual
}

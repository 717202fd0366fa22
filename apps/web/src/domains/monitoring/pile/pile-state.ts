import type { PileKind } from '@zhugong/contract/monitoring/pile-kinds'
import { leastGroutShare } from '@zhugong/contract/monitoring/piles'
import type { LinePoint } from '@zhugong/contract/telemetry/model'

/** What a rig told of one metre of its pile: means of the readings while it was there. */
export interface Metre {
  /** From the ground: 11 is from 11 m to 12 m. */
  from: number
  current: number | null
  /** L that went in there. */
  grout: number | null
  blows: number | null
  pressure: number | null
  /** The readings go from its top to its foot: what went in is all of it. */
  whole: boolean
  /** The worse of both directions, percent. */
  lean: number | null
}

/** Less of a metre than this is not all of it. */
const wholeMetre = 0.95

/** The tool goes up by more than this only when it moves to the next pile. */
const nextPileMetres = 1

/** The readings of the pile that is being made: those after the last time the tool came up. */
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
 * What a counter went on by in each metre. A step over the line between two metres is shared by depth: laid to one of them alone it would make the other
 * look weak. Where the readings jump over a whole metre nobody knows in which it went in: such a step counts for none.
 */
function goneInto(points: readonly LinePoint[], counter: string): { into: ReadonlyMap<number, number>; whole: (metre: number) => boolean } {
  const into = new Map<number, number>()
  const told = new Map<number, number>()
  const put = (metre: number, share: number, metres: number) => {
    into.set(metre, (into.get(metre) ?? 0) + share)
    told.set(metre, (told.get(metre) ?? 0) + Math.max(0, metres))
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
  return { into, whole: (metre) => (told.get(metre) ?? 0) >= wholeMetre }
}

/** A pile metre by metre. One nothing was told of is a missing metre, never nought. */
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
  /** The line they are held against, and on which side of it a metre is weak: the pressure of a pressed pile is meant to come up to its line. */
  limit: number | undefined
  weak: 'above' | 'below' | 'never'
}

/** What each metre is judged by, by how the pile is made. */
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

/** The two curves that tell how a pile of its kind comes about. */
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
  /** The top of the axis where nothing lies above it, and the room above the highest point. */
  high: number
  room: number
  ticks: readonly number[]
}

/** All that a pile's readings are asked for. */
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
  /** Undefined: nothing is known of it. */
  done: boolean | undefined
}

interface Now {
  depth?: number | undefined
  lean?: number | undefined
  penetration?: number | undefined
  groutVolume?: number | undefined
  /** The last two readings of it: held is what stays. */
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

/** What must hold before the rig may stop. */
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
    const held = now.pressures && now.pressures.length >= 2 ? Math.min(...now.pressures) : undefined
    usual.push({
      text: design.pressure === undefined ? '设计终压力未填' : `压桩力稳在 ${design.pressure} kN 以上`,
      done: reached(held, design.pressure, (at, wanted) => at >= wanted),
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

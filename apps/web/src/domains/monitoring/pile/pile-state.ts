import type { LinePoint } from '@zhugong/contract/telemetry/model'

/** What a rig told of one metre of its pile: means of the readings while it was there. */
export interface Metre {
  /** From the ground: 11 is from 11 m to 12 m. */
  from: number
  current: number | null
  grout: number | null
  /** The worse of both directions, percent. */
  lean: number | null
}

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

/** A pile metre by metre. One nothing was told of is a missing metre, never nought. */
export function metresOf(points: readonly LinePoint[], designDepth: number): Metre[] {
  const deepest = Math.max(designDepth, ...points.map((one) => one.v.depth?.[2] ?? 0))
  return Array.from({ length: Math.ceil(deepest) }, (_, from): Metre => {
    // Grout goes in while the tool stands on the ground of the hole: only what moved belongs to a metre.
    const own = points.filter((one) => Math.floor(one.v.depth?.[0] ?? -1) === from)
    const of = (key: string) => mean(own.flatMap((one) => one.v[key]?.[0] ?? []))
    const leans = own.flatMap((one) => [one.v.verticalityX, one.v.verticalityY].flatMap((v) => (v ? [Math.abs(v[0])] : [])))
    return { from, current: of('current'), grout: of('groutFlow'), lean: leans.length > 0 ? Math.max(...leans) : null }
  })
}

export interface Check {
  text: string
  /** Undefined: nothing is known of it. */
  done: boolean | undefined
}

/** What must hold before the rig may stop. */
export function checksOf(
  now: { depth?: number | undefined; lean?: number | undefined },
  designDepth: number | undefined,
  leanLimit: number,
): Check[] {
  const { depth, lean } = now
  return [
    {
      text: designDepth === undefined ? '设计桩长未填' : `达到设计桩长 ${designDepth} m`,
      done: depth === undefined || designDepth === undefined ? undefined : depth >= designDepth,
    },
    { text: `垂直度不超过 ${leanLimit} %`, done: lean === undefined ? undefined : lean <= leanLimit },
  ]
}

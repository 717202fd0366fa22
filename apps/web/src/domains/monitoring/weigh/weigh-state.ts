import type { Reading } from '#kit/live-store.ts'
import { type MachineStatus, numberIn } from '../crane-state.ts'

/** State of the platform. */
export type Phase = 'empty' | 'moving' | 'steady' | 'unknown'

export interface Plate {
  phase: Phase
  weight: number | undefined
  plateNo: string | undefined
  isStable: boolean
  isZero: boolean
}

/** Below this weight the platform counts as empty, tonnes. */
const emptyTonnes = 0.5

export function plateOf(reading: Reading | undefined): Plate {
  const weight = numberIn(reading?.values, 'weight')
  const isStable = reading?.values.stable === true
  const isZero = reading?.values.zero === true
  const named = reading?.values.plateNo
  const phase: Phase = weight === undefined ? 'unknown' : weight < emptyTonnes ? 'empty' : isStable ? 'steady' : 'moving'
  return { phase, weight, plateNo: typeof named === 'string' && named !== '' ? named : undefined, isStable, isZero }
}

export const phaseWords: Record<Phase, string> = {
  empty: '空磅',
  moving: '车辆上磅，读数未稳',
  steady: '读数稳定，可取值',
  unknown: '尚未收到读数',
}

export interface Weighed {
  time: number
  value: number
}

/** Greatest difference of values in one plateau, tonnes: five divisions of a 20 kg bridge. */
const nearTonnes = 0.1

/**
 * Plateau at the end of a curve (oldest first): mean of the close values, and its span; undefined on an empty platform or if fewer than two values
 * agree.
 */
export function plateauOf(points: readonly Weighed[]): { value: number; from: number; to: number } | undefined {
  const last = points.at(-1)
  if (!last || last.value < emptyTonnes) return undefined
  let first = points.length - 1
  while (first > 0 && Math.abs((points[first - 1]?.value ?? 0) - last.value) <= nearTonnes) first--
  const flat = points.slice(first)
  const [begin] = flat
  if (!begin || flat.length < 2) return undefined
  return { value: flat.reduce((sum, one) => sum + one.value, 0) / flat.length, from: begin.time, to: last.time }
}

/** Whether the weight changes direction more than once: two trucks on the platform, or somebody getting off. */
export function isUneven(points: readonly Weighed[]): boolean {
  const loaded = points.filter((one) => one.value >= emptyTonnes)
  let [rises, turns] = [0, 0]
  for (let i = 1; i < loaded.length; i++) {
    const by = (loaded[i]?.value ?? 0) - (loaded[i - 1]?.value ?? 0)
    if (Math.abs(by) <= nearTonnes) continue
    const way = Math.sign(by)
    if (rises !== 0 && way !== rises) turns++
    rises = way
  }
  // One rise and one drop is a truck that came and left.
  return turns > 1
}

/** Tone of a weight against the limits of road and bridge. */
export function heavyTone(weight: number | undefined, roadTonnes: number, capacity: number | null): MachineStatus['tone'] {
  if (weight === undefined) return 'none'
  if (capacity !== null && weight > capacity) return 'alarm'
  return weight > roadTonnes ? 'warning' : 'fine'
}

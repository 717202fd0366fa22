import type { Reading } from '#kit/live-store.ts'
import { numberIn } from '../crane-state.ts'

/** Parameters of a lift. */
export interface LiftParams {
  /** Metres above the lowest stop. */
  maxHeight: number
  floors: number
  ratedPersons: number
  /** t */
  ratedLoad: number | undefined
  /** m/s */
  ratedSpeed: number | undefined
}

/** Rated persons of a lift without the parameter. GB/T 26557 counts 80 kg per person; cages of 2 t take nine and goods. */
const usualPersons = 9
const usualFloorMetres = 3

export function liftParams(params: Readonly<Record<string, unknown>> | undefined): LiftParams {
  const floors = numberIn(params, 'maxFloor')
  const maxHeight = numberIn(params, 'maxHeight') ?? (floors ?? 20) * usualFloorMetres
  return {
    maxHeight,
    floors: floors ?? Math.max(1, Math.round(maxHeight / usualFloorMetres)),
    ratedPersons: numberIn(params, 'ratedPersons') ?? usualPersons,
    ratedLoad: numberIn(params, 'ratedLoad'),
    ratedSpeed: numberIn(params, 'ratedSpeed'),
  }
}

type Values = Readonly<Record<string, unknown>> | undefined
export type Heading = 'up' | 'down' | 'still'
const headings: Readonly<Record<string, Heading>> = { '1': 'up', '2': 'down' }
export const headingIn = (values: Values): Heading => headings[String(values?.direction)] ?? 'still'
/** Name without the word for lift. */
export const shortLift = (name: string): string => name.replace(/\s*升降机\s*/, ' ').trim() || name

export const headingWords: Record<Heading, string> = { up: '上行', down: '下行', still: '停止' }

/** Speed in m/s below which a cage counts as standing. The rule for open doors uses the same value. */
const movingFrom = 0.05
export const isRunning = (values: Values): boolean => (numberIn(values, 'speed') ?? 0) > movingFrom

/** Names of the open doors. */
export const openDoors = (values: Values): string[] => [
  ...(values?.frontDoorOpen === true ? ['前门'] : []),
  ...(values?.rearDoorOpen === true ? ['后门'] : []),
]

/** Height of a cage between two readings: extrapolated by its speed for at most one interval, within its limits. */
export function carriedHeight(values: Values, seconds: number, intervalSeconds: number, maxHeight: number): number | undefined {
  const height = numberIn(values, 'height')
  if (height === undefined) return undefined
  const heading = headingIn(values)
  const way = heading === 'still' ? 0 : (numberIn(values, 'speed') ?? 0) * Math.min(Math.max(0, seconds), intervalSeconds)
  // A reported height beyond a limit is kept.
  const low = Math.min(0, height)
  const high = Math.max(maxHeight, height)
  return Math.min(high, Math.max(low, height + (heading === 'down' ? -way : way)))
}

/** Distance between two stops in metres, from the lift's parameters. */
export const storeyOf = ({ maxHeight, floors }: Pick<LiftParams, 'maxHeight' | 'floors'>): number => maxHeight / Math.max(1, floors)

/** Reported floor and height differ by more than a storey, so the floors of the lift are not calibrated. */
export function floorIsDoubtful(values: Values, params: Pick<LiftParams, 'maxHeight' | 'floors'>): boolean {
  const height = numberIn(values, 'height')
  const floor = numberIn(values, 'floor')
  if (height === undefined || floor === undefined) return false
  return Math.abs(height / storeyOf(params) + 1 - floor) > 1.5
}

/** Floors whose numbers fit beside each other: all, every second from the ground, every fifth. */
export function floorMarks(floors: number, pixelsPerFloor: number, roomPx: number): number[] {
  const step = [1, 2, 5, 10, 20, 50].find((one) => one * pixelsPerFloor >= roomPx) ?? 100
  return Array.from({ length: floors }, (_, i) => i + 1).filter((floor) => floor === 1 || floor % step === (step === 2 ? 1 : 0))
}

/** Latest reading of each cage of a lift; readings without a cage belong to the only cage. */
export function byCage(readings: readonly (Reading | undefined)[], cages: readonly string[]): Map<string, Reading> {
  const of = new Map<string, Reading>()
  for (const one of readings) {
    if (!one) continue
    const cage = typeof one.values.cage === 'string' && cages.includes(one.values.cage) ? one.values.cage : cages[0]
    if (cage === undefined || (cages.length > 1 && typeof one.values.cage !== 'string')) continue
    const known = of.get(cage)
    if (!known || known.at <= one.at) of.set(cage, one)
  }
  return of
}

/** Order of cages: left, right, then those without a side. */
const sides: Readonly<Record<string, number>> = { '1': 0, '0': 1, '2': 2 }
export const bySide = (a: { cage: string }, b: { cage: string }): number => (sides[a.cage] ?? 3) - (sides[b.cage] ?? 3)

/** Vertical positions of cards in one column: as wished if they fit, else below one another, and all above the ground. Pure. */
export function oneBelowAnother(wished: readonly number[], room: number, bottom: number): number[] {
  const order = wished.map((_, i) => i).sort((a, b) => (wished[a] ?? 0) - (wished[b] ?? 0))
  const placed = [...wished]
  let free = Number.NEGATIVE_INFINITY
  for (const i of order) {
    placed[i] = Math.max(wished[i] ?? 0, free)
    free = (placed[i] ?? 0) + room
  }
  let end = bottom
  for (const i of order.toReversed()) {
    placed[i] = Math.min(placed[i] ?? 0, end - room)
    end = placed[i] ?? 0
  }
  return placed
}

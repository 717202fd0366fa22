import type { CraneParams } from './crane-params.ts'

/** One step of the work: target position and what to do there. */
export interface Move {
  /** Continuous degrees, not wrapped, so that the jib never jumps. */
  angle?: number
  radius?: number
  hook?: number
  /** Load on the hook at the end of the stay. */
  load?: number
  stay?: number
  slewSpeed?: number
  note?: 'lifted' | 'unloaded'
  /** Waits until this is true; after five minutes the driver gives up and sets the load down. */
  until?: () => boolean
  /** Called when the move is done; informs the other driver. */
  said?: () => void
}

/** Coordinates the drivers of 2# and 3#: 2# goes out only when 3# waits, 3# swings only when 2# holds. */
export class Encounter {
  two: 'away' | 'holding' | 'left' = 'away'
  three: 'away' | 'ready' | 'done' = 'away'
}

/** State of the crane from which the next moves are planned. */
interface Driven {
  name: string
  params: CraneParams
  /** Current angle of the jib, continuous degrees. */
  angle: number
  /** The trolley moves in to this radius before the jib swings over a lower neighbour. */
  safeRadius: number | null
  yard: [number, number]
}

export const rigging = 0.06 // Hook block and slings, t.

/** Radius at which the trolley stops with an overload. */
const overloadRadius = (params: CraneParams) => params.maxRadius * 0.82
/** Load that reaches this share of the rated moment at `overloadRadius`. */
export const overloadOf = (params: CraneParams, share: number) => (params.ratedMoment * share) / overloadRadius(params)

/** Overload scene: the load is allowed close in only; the trolley runs out past the limit, stops, and comes back. */
export function overloadMoves({ params, angle }: Driven, load: number): Move[] {
  const far = overloadRadius(params)
  const near = far * 0.7
  const hook = Math.min(params.maxHeight - 2, 12)
  return [
    { hook, radius: near, angle },
    { stay: 8, load },
    { hook: hook + 4, note: 'lifted' },
    { radius: far },
    { stay: 9 },
    { radius: near * 0.95, angle: turned(angle, angle + 14, params.forbidden) },
    { hook: 6 },
    { stay: 12, load: 0, note: 'unloaded' },
    { hook: 14 },
  ]
}

/** Collision scene: 2# holds its hook over the courtyard while 3# swings towards it, brakes in time and returns. Predicted, no contact. */
export function encounterMoves({ name, params, angle: now, safeRadius, yard }: Driven, radio: Encounter): Move[] {
  if (name.startsWith('2#')) {
    const angle = turned(now, 140, params.forbidden)
    radio.two = 'away'
    return [
      { hook: 56 },
      { radius: safeRadius ?? 12 },
      { until: () => radio.three === 'ready' },
      { angle },
      { radius: 38, load: 1.2, stay: 5 },
      {
        hook: 52,
        note: 'lifted',
        said: () => {
          radio.two = 'holding'
        },
      },
      { until: () => radio.three === 'done', stay: 20 },
      {
        radius: safeRadius ?? 12,
        said: () => {
          radio.two = 'left'
        },
      },
      { angle: turned(angle, yard[0], params.forbidden) },
      { hook: 30 },
      { stay: 10, load: 0, note: 'unloaded' },
      { hook: 40 },
    ]
  }
  const angle = turned(now, 268, params.forbidden)
  radio.three = 'away'
  radio.two = 'away'
  return [
    { hook: 36 },
    { angle, radius: 38.2, load: 3.61, stay: 18 },
    {
      hook: 36.4,
      note: 'lifted',
      said: () => {
        radio.three = 'ready'
      },
    },
    { until: () => radio.two === 'holding' },
    { angle: angle + 46, slewSpeed: 2 },
    { stay: 6 },
    {
      angle: angle + 8,
      slewSpeed: 2,
      said: () => {
        radio.three = 'done'
      },
    },
    { until: () => radio.two === 'left' },
    { hook: 20 },
    { stay: 10, load: 0, note: 'unloaded' },
    {
      hook: 30,
      said: () => {
        radio.three = 'away'
      },
    },
  ]
}

/** Limits slewing to one and a half turns either way, because a crane without slip rings would twist its cables. */
function clampTurns(from: number, to: number): number {
  if (to > 540) return to - 360 < from - 360 ? from : to - 360
  if (to < -540) return to + 360
  return to
}

/** Continuous angle for a bearing, reached from `from` the shorter way unless that crosses the forbidden sector. */
export function turned(from: number, bearingDegrees: number, limit: CraneParams['forbidden']): number {
  const short = ((((bearingDegrees - from) % 360) + 540) % 360) - 180
  if (!limit) return clampTurns(from, from + short)
  const crosses = (turn: number) => {
    for (let i = 1; i <= 36; i++) {
      const at = (((from + (turn * i) / 36) % 360) + 360) % 360
      if (at > limit[0] && at < limit[1]) return true
    }
    return false
  }
  if (!crosses(short)) return from + short
  const long = short > 0 ? short - 360 : short + 360
  return from + (crosses(long) ? 0 : long)
}

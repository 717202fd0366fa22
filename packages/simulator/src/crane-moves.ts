import type { CraneParams } from './crane-params.ts'

/** A step of the work: where to, and what to do there. */
export interface Move {
  /** Continuous degrees, not wrapped: the jib never jumps. */
  angle?: number
  radius?: number
  hook?: number
  /** Load to have on the hook at the end of the stay. */
  load?: number
  stay?: number
  slewSpeed?: number
  note?: 'lifted' | 'unloaded'
  /** Waits here until this holds; after five minutes the driver gives up and sets the load down. */
  until?: () => boolean
  /** Said to the other driver when the move is done. */
  said?: () => void
}

/** Two drivers who work towards each other, by radio: 2# goes out only when 3# waits, 3# swings only when 2# holds. */
export class Encounter {
  two: 'away' | 'holding' | 'left' = 'away'
  three: 'away' | 'ready' | 'done' = 'away'
}

/** What a driver goes by when he decides where to. */
interface Driven {
  name: string
  params: CraneParams
  /** Where the jib stands, continuous degrees. */
  angle: number
  /** The trolley comes in to here before the jib swings over a lower neighbour. */
  safeRadius: number | null
  yard: [number, number]
}

export const rigging = 0.06 // hook block and slings, t

/** The furthest the trolley runs out with a load that is too heavy there. */
const overloadRadius = (params: CraneParams) => params.maxRadius * 0.82
/** A load that is too heavy at the end of its way. */
export const overloadOf = (params: CraneParams) => (params.ratedMoment * 1.055) / overloadRadius(params)

/** A bundle that may be lifted close in but not where it is wanted: the trolley runs out past the limit, stops, and comes back. */
export function overloadMoves({ params, angle }: Driven): Move[] {
  const far = overloadRadius(params)
  const near = far * 0.7
  const load = overloadOf(params)
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

/** 2# holds its hook over the courtyard while 3# swings towards it, brakes in time and goes back: predicted closeness without contact. */
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

/** Cables would twist: a crane without a slewing ring contact makes at most a turn and a half either way. */
function clampTurns(from: number, to: number): number {
  if (to > 540) return to - 360 < from - 360 ? from : to - 360
  if (to < -540) return to + 360
  return to
}

/** A continuous angle for a bearing, reached from `from` by the shorter way unless that crosses the forbidden sector. */
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

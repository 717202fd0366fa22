import { familyOf } from '@zhugong/contract/telemetry/families'
import { type CycleSample, cycleFields, type Detector, type Driver, driverIn, gapMs, numberIn, tidy, widen } from './detector.ts'

interface Position {
  radius?: number
  hookHeight?: number
  slewAngle?: number
}

interface CraneLift extends Driver {
  /** Start of the load; `confirmed` once it has lasted long enough. */
  since: number
  confirmed: boolean
  belowSince?: number
  last: number
  lift: Position
  unload: Position
  range: Record<string, [number, number]>
  overMoment: number
  isOver: boolean
  fall?: number
}

const holdMs = 5_000
const releaseMs = 10_000
const shortestMs = 15_000
const overPercent = 100
const windLimit = familyOf('towerCrane')?.alarm('windAlarm')?.condition.value ?? 12
const ranged = ['load', 'loadPercent', 'moment', 'momentPercent', 'radius', 'hookHeight', 'windSpeed']

/** Smallest load that counts as a lift: max(0.2 t, 3 % of the rated load). */
export const liftsFrom = (params: Readonly<Record<string, unknown>>): number => Math.max(0.2, 0.03 * (numberIn(params, 'maxLoad') ?? 0))

const positionOf = ({ values }: CycleSample): Position =>
  ({
    ...('radius' in values ? { radius: numberIn(values, 'radius') } : {}),
    ...('hookHeight' in values ? { hookHeight: numberIn(values, 'hookHeight') } : {}),
    ...('slewAngle' in values ? { slewAngle: numberIn(values, 'slewAngle') } : {}),
  }) as Position

function begin(sample: CycleSample): CraneLift {
  const at = positionOf(sample)
  return { since: sample.time, confirmed: false, last: sample.time, lift: at, unload: at, range: {}, overMoment: 0, isOver: false }
}

function carry(lift: CraneLift, sample: CycleSample): CraneLift {
  const percent = numberIn(sample.values, 'momentPercent')
  const isOver = percent === undefined ? lift.isOver : percent >= overPercent
  const fall = numberIn(sample.values, 'fall') ?? lift.fall
  return {
    ...lift,
    last: sample.time,
    unload: { ...lift.unload, ...positionOf(sample) },
    range: widen(lift.range, sample.values, ranged),
    overMoment: lift.overMoment + (isOver && !lift.isOver ? 1 : 0),
    isOver,
    ...(fall === undefined ? {} : { fall }),
    ...driverIn(sample.values, lift),
  }
}

function ended(lift: CraneLift, endTime: number, cut: boolean) {
  if (!lift.confirmed || endTime - lift.since < shortestMs) return []
  const high = (key: string) => tidy(lift.range[key]?.[1])
  const low = (key: string) => tidy(lift.range[key]?.[0])
  const overWind = (lift.range.windSpeed?.[1] ?? 0) >= windLimit
  return [
    {
      time: endTime,
      startTime: lift.since,
      data: {
        ...cycleFields(lift.since, endTime, lift, cut),
        cycleNo: `P${lift.since}`,
        maxLoad: high('load'),
        maxLoadPercent: high('loadPercent'),
        maxMoment: high('moment'),
        maxMomentPercent: high('momentPercent'),
        liftRadius: tidy(lift.lift.radius),
        liftHeight: tidy(lift.lift.hookHeight),
        liftAngle: tidy(lift.lift.slewAngle),
        unloadRadius: tidy(lift.unload.radius),
        unloadHeight: tidy(lift.unload.hookHeight),
        unloadAngle: tidy(lift.unload.slewAngle),
        maxRadius: high('radius'),
        minRadius: low('radius'),
        maxHeight: high('hookHeight'),
        minHeight: low('hookHeight'),
        maxWindSpeed: high('windSpeed'),
        overMomentCount: lift.overMoment,
        overWind,
        fall: lift.fall,
        illegal: lift.overMoment > 0 || overWind,
      },
    },
  ]
}

/** A lift starts with a load for 5 s and ends with less than half of the minimum load for 10 s. Lifts under 15 s are ignored. */
export const craneCycles: Detector<CraneLift> = {
  record: 'workingCycle',
  step(state, sample, params) {
    const load = numberIn(sample.values, 'load')
    if (load === undefined) return { state, found: [] }
    const from = liftsFrom(params)
    if (state && sample.time - state.last > gapMs) {
      const found = ended(state, state.belowSince ?? state.last, state.belowSince === undefined)
      return { state: load >= from ? carry(begin(sample), sample) : null, found }
    }
    if (!state) return { state: load >= from ? carry(begin(sample), sample) : null, found: [] }
    if (!state.confirmed) {
      if (load < from) return { state: null, found: [] }
      return { state: { ...carry(state, sample), confirmed: sample.time - state.since >= holdMs }, found: [] }
    }
    if (load >= from / 2) {
      const { belowSince, ...rest } = state
      // The load was gone for long enough between two readings: the previous lift has ended and a new one starts.
      if (belowSince !== undefined && sample.time - belowSince >= releaseMs) {
        return { state: load >= from ? carry(begin(sample), sample) : null, found: ended(rest, belowSince, false) }
      }
      return { state: carry(rest, sample), found: [] }
    }
    const belowSince = state.belowSince ?? sample.time
    if (sample.time - belowSince >= releaseMs) return { state: null, found: ended(state, belowSince, false) }
    return { state: { ...state, belowSince, last: sample.time }, found: [] }
  },
}

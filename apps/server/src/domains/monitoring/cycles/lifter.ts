import {
  type CycleSample,
  cycleFields,
  type Detector,
  type Driver,
  driverIn,
  type FoundCycle,
  gapMs,
  numberIn,
  textIn,
  tidy,
  widen,
} from './detector.ts'

interface Rest {
  time: number
  height?: number
  floor?: number
}
interface Run extends Driver {
  since: number
  from: Rest
  stoppedSince?: number
  last: number
  range: Record<string, [number, number]>
  speedSum: number
  speedCount: number
  doorOpen: boolean
}
interface Cage {
  rest?: Rest
  run?: Run
}
/** State by cage: one device may have two cages. */
export type LifterState = Record<string, Cage>

const movingFrom = 0.05
const holdMs = 2_000
const stopMs = 3_000
const ranged = ['load', 'loadPercent', 'personCount', 'speed', 'height', 'tilt']

const restOf = ({ time, values }: CycleSample): Rest => {
  const height = numberIn(values, 'height')
  const floor = numberIn(values, 'floor')
  return { time, ...(height === undefined ? {} : { height }), ...(floor === undefined ? {} : { floor }) }
}

function carry(run: Run, sample: CycleSample): Run {
  const { values } = sample
  const speed = numberIn(values, 'speed')
  const tilt = Math.hypot(numberIn(values, 'tiltX') ?? 0, numberIn(values, 'tiltY') ?? 0)
  return {
    ...run,
    last: sample.time,
    range: widen(run.range, { ...values, tilt }, ranged),
    speedSum: run.speedSum + (speed ?? 0),
    speedCount: run.speedCount + (speed === undefined ? 0 : 1),
    doorOpen: run.doorOpen || values.frontDoorOpen === true || values.rearDoorOpen === true,
    ...driverIn(values, run),
  }
}

function ended(cage: string, run: Run, end: Rest, params: Readonly<Record<string, unknown>>, cut = false): FoundCycle[] {
  if (end.time - run.since < holdMs) return []
  const high = (key: string) => tidy(run.range[key]?.[1])
  const startHeight = run.from.height ?? run.range.height?.[0]
  const endHeight = end.height ?? run.range.height?.[1]
  const persons = high('personCount')
  const overPersons = persons !== undefined && persons > (numberIn(params, 'ratedPersons') ?? Number.POSITIVE_INFINITY)
  return [
    {
      time: end.time,
      startTime: run.since,
      data: {
        ...cycleFields(run.since, end.time, run, cut),
        cycleNo: `P${run.since}${cage}`,
        cage,
        startFloor: run.from.floor,
        endFloor: end.floor,
        startHeight: tidy(startHeight),
        endHeight: tidy(endHeight),
        maxLoad: high('load'),
        maxLoadPercent: high('loadPercent'),
        maxPersonCount: persons,
        averageSpeed: run.speedCount ? tidy(run.speedSum / run.speedCount) : undefined,
        maxSpeed: high('speed'),
        maxTilt: high('tilt'),
        direction: (endHeight ?? 0) >= (startHeight ?? 0) ? '1' : '2',
        illegal: overPersons || (run.range.loadPercent?.[1] ?? 0) > 100 || run.doorOpen,
      },
    },
  ]
}

/** A run is one move between two stops: faster than 0.05 m/s for 2 s, until it has stood still for 3 s. */
export const lifterCycles: Detector<LifterState> = {
  record: 'workingCycle',
  step(state, sample, params) {
    const speed = numberIn(sample.values, 'speed')
    if (speed === undefined) return { state, found: [] }
    const name = textIn(sample.values, 'cage') ?? textIn(params, 'cage') ?? '0'
    const cage: Cage = state?.[name] ?? {}
    const next = stepCage(name, cage, sample, Math.abs(speed) > movingFrom, params)
    return { state: { ...state, [name]: next.cage }, found: next.found }
  },
}

function stepCage(
  name: string,
  cage: Cage,
  sample: CycleSample,
  isMoving: boolean,
  params: Readonly<Record<string, unknown>>,
): { cage: Cage; found: FoundCycle[] } {
  const start = (from: Rest | undefined): Run =>
    carry(
      { since: sample.time, from: from ?? restOf(sample), last: sample.time, range: {}, speedSum: 0, speedCount: 0, doorOpen: false },
      sample,
    )
  const { run } = cage
  if (run && sample.time - run.last > gapMs) {
    const found = ended(name, run, { time: run.stoppedSince ?? run.last }, params, run.stoppedSince === undefined)
    return { cage: isMoving ? { run: start(undefined) } : { rest: restOf(sample) }, found }
  }
  if (!run) return { cage: isMoving ? { run: start(cage.rest) } : { rest: restOf(sample) }, found: [] }
  if (isMoving) {
    if (run.stoppedSince === undefined) return { cage: { run: carry(run, sample) }, found: [] }
    const { stoppedSince, ...going } = run
    // A stop shorter than three seconds does not end the run.
    if (sample.time - stoppedSince < stopMs) return { cage: { run: carry(going, sample) }, found: [] }
    const rest: Rest = { ...cage.rest, time: stoppedSince }
    return { cage: { run: start(rest) }, found: ended(name, run, rest, params) }
  }
  if (run.stoppedSince === undefined)
    return { cage: { rest: restOf(sample), run: { ...run, stoppedSince: sample.time, last: sample.time } }, found: [] }
  if (sample.time - run.stoppedSince < stopMs) return { cage: { rest: restOf(sample), run: { ...run, last: sample.time } }, found: [] }
  return { cage: { rest: restOf(sample) }, found: ended(name, run, { ...restOf(sample), time: run.stoppedSince }, params) }
}

import { type Detector, gapMs, instantText, numberIn, textIn, tidy } from './detector.ts'

export interface Load {
  since: number
  confirmed: boolean
  emptySince?: number
  last: number
  maxWeight: number
  maxPercent: number
}

const holdMs = 10_000
const clearMs = 30_000
const usualRated = 1.5
/** Material stays for hours, with readings a minute apart, so only a long silence closes a load whose end was not seen. */
const silenceMs = 18 * gapMs

/** From this weight the platform counts as loaded; below half of it, as empty. */
export const loadedFrom = (ratedLoad: number): number => Math.max(0.05, 0.05 * ratedLoad)
export const emptyBelow = (ratedLoad: number): number => loadedFrom(ratedLoad) / 2

function ended(load: Load, endTime: number, cut: boolean) {
  if (!load.confirmed) return []
  return [
    {
      time: endTime,
      startTime: load.since,
      data: {
        startTime: instantText(load.since),
        endTime: instantText(endTime),
        maxWeight: tidy(load.maxWeight),
        maxWeightPercent: tidy(load.maxPercent, 1),
        durationSeconds: Math.round((endTime - load.since) / 1000),
        overload: load.maxPercent > 100,
        detectedBy: 'platform',
        cut: cut || undefined,
      },
    },
  ]
}

/** Detects a load: from the first material on an empty platform until it is empty again. */
export const unloadingLoads: Detector<Load> = {
  record: 'unloadingRecord',
  step(state, sample, params) {
    const weight = numberIn(sample.values, 'weight')
    if (weight === undefined || textIn(sample.values, 'weightStatus') === '3') return { state, found: [] }
    const rated = numberIn(params, 'ratedLoad') ?? usualRated
    const percent = numberIn(sample.values, 'weightPercent') ?? (weight / rated) * 100
    const begin = (): Load => ({ since: sample.time, confirmed: false, last: sample.time, maxWeight: weight, maxPercent: percent })
    const isLoaded = weight >= loadedFrom(rated)
    if (state && sample.time - state.last > silenceMs) {
      return { state: isLoaded ? begin() : null, found: ended(state, state.emptySince ?? state.last, state.emptySince === undefined) }
    }
    if (!state) return { state: isLoaded ? begin() : null, found: [] }
    const grown: Load = {
      ...state,
      last: sample.time,
      maxWeight: Math.max(state.maxWeight, weight),
      maxPercent: Math.max(state.maxPercent, percent),
    }
    if (!state.confirmed) {
      if (!isLoaded) return { state: null, found: [] }
      return { state: { ...grown, confirmed: sample.time - state.since >= holdMs }, found: [] }
    }
    if (weight >= emptyBelow(rated)) {
      const { emptySince, ...rest } = grown
      if (emptySince !== undefined && sample.time - emptySince >= clearMs) {
        return { state: isLoaded ? begin() : null, found: ended(state, emptySince, false) }
      }
      return { state: rest, found: [] }
    }
    const emptySince = state.emptySince ?? sample.time
    if (sample.time - emptySince >= clearMs) return { state: null, found: ended(state, emptySince, false) }
    return { state: { ...state, emptySince, last: sample.time }, found: [] }
  },
}

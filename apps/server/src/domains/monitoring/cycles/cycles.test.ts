import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { craneCycles } from './crane.ts'
import type { CycleSample, Detector, FoundCycle } from './detector.ts'
import { lifterCycles } from './lifter.ts'
import { unloadingLoads } from './unloading.ts'

const t0 = Date.parse('2026-11-20T08:00:00+08:00')

/** Runs samples of `[second, values]` through a detector, its state going through JSON as it does in the database. */
function run<S>(
  detector: Detector<S>,
  samples: readonly [number, Record<string, unknown>][],
  params: Record<string, unknown> = {},
): FoundCycle[] {
  let state: S | null = null
  const found: FoundCycle[] = []
  for (const [second, values] of samples) {
    const sample: CycleSample = { time: t0 + second * 1000, values }
    const step: { state: S | null; found: FoundCycle[] } = detector.step(state, sample, params)
    state = JSON.parse(JSON.stringify(step.state)) as S | null
    found.push(...step.found)
  }
  return found
}

const every = (from: number, to: number, pace: number, values: (second: number) => Record<string, unknown>) =>
  Array.from({ length: Math.floor((to - from) / pace) }, (_, i): [number, Record<string, unknown>] => [
    from + i * pace,
    values(from + i * pace),
  ])

describe('crane cycles', () => {
  const params = { maxLoad: 10 }
  const lift = (second: number) => ({
    load: 2.4,
    momentPercent: second < 60 ? 70 : 104,
    radius: 20 + second / 10,
    hookHeight: 30,
    slewAngle: 90,
    windSpeed: 4,
  })
  const idle = () => ({ load: 0.05, momentPercent: 2, radius: 20, hookHeight: 40, slewAngle: 90, windSpeed: 4 })

  test('begins where the load came and ends where it went', () => {
    const found = run(craneCycles, [...every(0, 30, 10, idle), ...every(30, 120, 10, lift), ...every(120, 160, 10, idle)], params)
    expect(found).toHaveLength(1)
    expect(found[0]?.startTime).toBe(t0 + 30_000)
    expect(found[0]?.time).toBe(t0 + 120_000)
    expect(found[0]?.data).toMatchObject({
      durationSeconds: 90,
      maxLoad: 2.4,
      overMomentCount: 1,
      illegal: true,
      overWind: false,
      detectedBy: 'platform',
      liftRadius: 23,
      unloadRadius: 31,
    })
  })
  test('0.3 t is the least with a crane of 10 t; what lasted less than 15 s was no lift', () => {
    expect(run(craneCycles, [...every(0, 90, 10, () => ({ load: 0.29 })), ...every(90, 120, 10, idle)], params)).toEqual([])
    expect(run(craneCycles, [...every(0, 10, 2, lift), ...every(10, 60, 2, idle)], params)).toEqual([])
  })
  test('a hook that swings below the limit for a moment goes on', () => {
    const dip: [number, Record<string, unknown>][] = [[42, { load: 0.1 }]]
    const found = run(craneCycles, [...every(0, 40, 5, lift), ...dip, ...every(45, 90, 5, lift), ...every(90, 120, 5, idle)], params)
    expect(found.map((f) => f.data.durationSeconds)).toEqual([90])
  })
  test('two lifts between which one reading was empty for ten seconds are two', () => {
    const found = run(
      craneCycles,
      [...every(0, 40, 10, lift), [40, idle()], ...every(50, 100, 10, lift), ...every(100, 140, 10, idle)],
      params,
    )
    expect(found.map((f) => f.data.durationSeconds)).toEqual([40, 50])
  })
  test('a gap closes what had begun and says so', () => {
    const found = run(craneCycles, [...every(0, 60, 10, lift), ...every(3600, 3660, 10, idle)], params)
    expect(found[0]?.data).toMatchObject({ cut: true, durationSeconds: 50 })
  })
})

describe('lifter runs', () => {
  const at = (height: number, speed: number, more = {}) => ({
    height,
    floor: Math.round(height / 3),
    speed,
    personCount: 5,
    load: 0.4,
    loadPercent: 20,
    ...more,
  })
  test('one run is one move between two stops', () => {
    const found = run(lifterCycles, [
      [0, at(0, 0)],
      [2, at(1, 0.5)],
      ...every(4, 30, 2, (s) => at(s / 2, 0.6)),
      [30, at(15, 0)],
      [32, at(15, 0)],
      [34, at(15, 0)],
    ])
    expect(found).toHaveLength(1)
    expect(found[0]?.data).toMatchObject({
      startFloor: 0,
      endFloor: 5,
      direction: '1',
      durationSeconds: 28,
      maxPersonCount: 5,
      illegal: false,
    })
  })
  test('a stop shorter than three seconds is none', () => {
    const found = run(lifterCycles, [
      [0, at(0, 0)],
      [2, at(1, 0.5)],
      [4, at(2, 0)],
      [6, at(2, 0.5)],
      [10, at(4, 0.5)],
      [12, at(5, 0)],
      [16, at(5, 0)],
    ])
    expect(found).toHaveLength(1)
    expect(found[0]?.data.durationSeconds).toBe(10)
  })
  test('two cages of one device run by themselves', () => {
    const both = every(0, 60, 5, (s) => at(s, s > 10 && s < 40 ? 0.6 : 0, { cage: '1' })).flatMap(
      ([s, v]): [number, Record<string, unknown>][] => [
        [s, v],
        [s + 1, at(90, 0, { cage: '2' })],
      ],
    )
    expect(run(lifterCycles, both).map((f) => f.data.cage)).toEqual(['1'])
  })
  test('too many people or an open door make it a violation', () => {
    const moving = (more: object) =>
      [
        [0, at(0, 0)],
        [5, at(3, 0.6, more)],
        [10, at(6, 0.6, more)],
        [15, at(9, 0)],
        [20, at(9, 0)],
      ] as [number, Record<string, unknown>][]
    expect(run(lifterCycles, moving({ personCount: 10 }), { ratedPersons: 9 })[0]?.data.illegal).toBe(true)
    expect(run(lifterCycles, moving({ frontDoorOpen: true }), { ratedPersons: 9 })[0]?.data.illegal).toBe(true)
    expect(run(lifterCycles, moving({}), { ratedPersons: 9 })[0]?.data.illegal).toBe(false)
  })
})

describe('loads on a platform', () => {
  const params = { ratedLoad: 1.2 }
  const w = (weight: number) => ({ weight, weightPercent: (weight / 1.2) * 100 })
  test('from the first material to empty again', () => {
    const found = run(unloadingLoads, [[0, w(0)], ...every(60, 660, 60, () => w(0.6)), [660, w(1.3)], [720, w(0.01)], [780, w(0)]], params)
    expect(found[0]?.data).toMatchObject({ maxWeight: 1.3, overload: true, durationSeconds: 660 })
  })
  test('a hook resting for a moment is no load', () => {
    expect(
      run(
        unloadingLoads,
        [
          [0, w(0)],
          [5, w(0.4)],
          [10, w(0)],
          [60, w(0)],
        ],
        params,
      ),
    ).toEqual([])
  })
})

describe('whatever is sent', () => {
  const values = fc.record({
    load: fc.option(fc.double({ min: -1, max: 20, noNaN: true }), { nil: undefined }),
    speed: fc.option(fc.double({ min: -2, max: 3, noNaN: true }), { nil: undefined }),
    weight: fc.option(fc.double({ min: -1, max: 5, noNaN: true }), { nil: undefined }),
    height: fc.double({ min: 0, max: 100, noNaN: true }),
  })
  test.each([
    ['crane', craneCycles],
    ['lifter', lifterCycles],
    ['unloading', unloadingLoads],
  ] as [string, Detector][])('%s: cycles never overlap and never run backwards', (_name, detector) => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.integer({ min: 1, max: 900 }), values), { maxLength: 120 }), (steps) => {
        let at = 0
        const samples = steps.map(([pause, v]): [number, Record<string, unknown>] => {
          at += pause
          return [at, v]
        })
        let last = Number.NEGATIVE_INFINITY
        for (const cycle of run(detector, samples, { maxLoad: 8, ratedLoad: 1.2 })) {
          expect(cycle.startTime).toBeGreaterThanOrEqual(last)
          expect(cycle.time).toBeGreaterThanOrEqual(cycle.startTime)
          last = cycle.time
        }
      }),
    )
  })
})

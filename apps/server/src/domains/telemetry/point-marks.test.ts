import type { PointMarks } from '@zhugong/contract/telemetry/point-marks'
import { expect, test } from 'vitest'
import type { FleetDevice } from '../equipment/public.ts'
import { markGiven, type Reading } from '../readings/public.ts'
import { shiftAt, withMarks } from './point-marks.ts'
import type { Work } from './work.ts'

const since = 1_000
const reported = (points: PointMarks | undefined, values: Record<string, unknown>, more: Partial<Reading> = {}, byHand?: true) => {
  const reading: Reading = { time: 2_000, receivedAt: 2_000, mark: markGiven(0), values, unknown: null, quality: null, flag: 0, ...more }
  const device = { name: 'DB-01 采集器', params: { pointCode: 'DB-01' }, points } as unknown as FleetDevice
  return withMarks({ device, readings: [reading], byHand } as Work).readings[0]!
}

test('nothing is done to a point without a mark, nor to what was told before it', () => {
  const values = { surfaceSettlement: -3 }
  expect(reported(undefined, values).values).toEqual(values)
  expect(reported({ 'DB-02': { since, shift: { surfaceSettlement: 5 } } }, values).values).toEqual(values)
  expect(reported({ 'DB-01': { since, shift: { surfaceSettlement: 5 } } }, values, { time: 999 }).values).toEqual(values)
})

test('what a damaged point tells is kept as faulty, people or instrument', () => {
  const damaged: PointMarks = { 'DB-01': { since, damaged: '被撞' } }
  expect(reported(damaged, { surfaceSettlement: -80 })).toMatchObject({
    values: { surfaceSettlement: -80 },
    quality: { surfaceSettlement: 'fault' },
  })
  expect(reported(damaged, { surfaceSettlement: -80 }, {}, true).quality).toEqual({ surfaceSettlement: 'fault' })
})

test('a new instrument goes on from the old one; what people bring is whole already', () => {
  const replaced: PointMarks = { 'DB-01': { since, shift: { surfaceSettlement: -12.4 } } }
  expect(reported(replaced, { surfaceSettlement: -0.3, temperature: 20 }).values).toEqual({ surfaceSettlement: -12.7, temperature: 20 })
  expect(reported(replaced, { surfaceSettlement: -12.7 }, {}, true).values).toEqual({ surfaceSettlement: -12.7 })
  // A point code in the reading selects the mark.
  expect(
    reported({ B: { since, shift: { surfaceSettlement: 1 } } }, { pointCode: 'B', surfaceSettlement: 1 }).values.surfaceSettlement,
  ).toBe(2)
})

test('a tube is carried on at each depth, between depths in proportion; a lean is worked out anew', () => {
  const profile = [
    { depth: 0, value: 10 },
    { depth: 1, value: 20 },
  ]
  expect([-1, 0, 0.5, 1, 9].map((depth) => shiftAt(profile, depth))).toEqual([10, 10, 15, 20, 20])
  const points = [{ depth: 0.5, deepHorizontalDisplacement: 0.2 }, { depth: 1 }]
  const mark: PointMarks = { 'DB-01': { since, shift: {}, profile } }
  expect(reported(mark, {}, { unknown: { points } }).unknown).toEqual({
    points: [{ depth: 0.5, deepHorizontalDisplacement: 15.2 }, { depth: 1 }],
  })
  const lean: PointMarks = { 'DB-01': { since, shift: { tiltX: -0.3, tiltY: -0.4 } } }
  expect(reported(lean, { tiltX: 0.3, tiltY: 0.9, tilt: 0.95 }).values).toEqual({ tiltX: 0, tiltY: 0.5, tilt: 0.5 })
})

import { pileKindOf } from '@zhugong/contract/monitoring/pile/pile-kinds'
import type { LinePoint } from '@zhugong/contract/telemetry/model'
import { expect, test } from 'vitest'
import { barsOf, checksOf, metresOf, thisPile } from './pile-state.ts'

const point = (time: number, depth: number, current: number, lean = 0.2): LinePoint => ({
  time,
  n: 1,
  v: { depth: [depth, depth, depth], current: [current, current, current], verticalityX: [lean, lean, lean] },
})

test('a pile begins where the tool came up; small movements are none', () => {
  const points = [point(1, 20, 100), point(2, 22, 100), point(3, 0.4, 20), point(4, 5, 120), point(5, 4.8, 120)]
  expect(thisPile(points).map((one) => one.time)).toEqual([3, 4, 5])
  expect(thisPile([])).toEqual([])
})

test('metres hold the means of what was told there; one without readings is missing', () => {
  const metres = metresOf([point(1, 0.2, 100), point(2, 0.8, 140, -0.9), point(3, 2.1, 160)], 4)
  expect(metres.map((one) => one.current)).toEqual([120, null, 160, null])
  expect(metres[0]?.lean).toBe(0.9)
})

test('stopping waits for depth and leaning; what is not known is not said to be done', () => {
  expect(checksOf({ depth: 22.1, lean: 0.4 }, { depth: 22 }, 1).map((one) => one.done)).toEqual([true, true])
  expect(checksOf({ depth: 12, lean: 1.2 }, { depth: 22 }, 1).map((one) => one.done)).toEqual([false, false])
  expect(checksOf({}, { depth: undefined }, 1).map((one) => one.done)).toEqual([undefined, undefined])
})

test('each kind of pile is judged by its own: grout by the metre, blows, pressure that is held', () => {
  expect(['bored', '钻孔灌注桩', '静压管桩', '水泥搅拌桩', '预制桩(锤击)', undefined].map(pileKindOf)).toEqual([
    'bored',
    'bored',
    'static',
    'mixing',
    'precast',
    'bored',
  ])
  const at = (time: number, depth: number, groutVolume: number): LinePoint => ({
    time,
    n: 1,
    v: { depth: [depth, depth, depth], groutVolume: [groutVolume, groutVolume, groutVolume] },
  })
  // A sixth of the 20 L across the boundary belongs to the upper metre; what was consumed over a gap belongs to none.
  const metres = metresOf([at(1, 0.1, 0), at(2, 0.9, 39), at(3, 1.5, 57), at(4, 4.2, 160)], 4)
  expect(metres.map((one) => one.grout && Math.round(one.grout))).toEqual([42, 15, null, null, null])
  // The first starts at 0.1 m and the second ends at 1.5 m: neither is complete.
  expect(metres.map((one) => one.whole)).toEqual([false, false, false, false, false])
  expect(metresOf([at(1, 0, 0), at(2, 0.6, 24), at(3, 1.2, 48)], 2).map((one) => [one.whole, one.grout && Math.round(one.grout)])).toEqual([
    [true, 40],
    [false, 8],
  ])
  const bars = barsOf('mixing', { current: 300, grout: 40 })
  expect([bars.limit, bars.weak, Math.round(metres.map(bars.read)[1] ?? 0)]).toEqual([38, 'below', 15])
  const last = (now: Parameters<typeof checksOf>[0], design: Parameters<typeof checksOf>[1], kind: Parameters<typeof checksOf>[3]) =>
    checksOf(now, design, 1, kind).at(-1)?.done
  expect(last({ depth: 10, groutVolume: 380 }, { depth: 10, grout: 40 }, 'mixing')).toBe(true)
  expect(last({ depth: 10, groutVolume: 379 }, { depth: 10, grout: 40 }, 'mixing')).toBe(false)
  expect(last({ pressures: [2_500, 2_400] }, { depth: 10, pressure: 2_450 }, 'static')).toBe(false)
  expect(last({ pressures: [2_500, 2_460] }, { depth: 10, pressure: 2_450 }, 'static')).toBe(true)
  expect(last({ pressures: [2_500] }, { depth: 10, pressure: 2_450 }, 'static')).toBe(undefined)
  expect(last({ penetration: 18 }, { depth: 10, penetration: 20 }, 'precast')).toBe(true)
  expect(last({ penetration: 18 }, { depth: 10 }, 'precast')).toBe(undefined)
})

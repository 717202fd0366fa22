import { expect, test } from 'vitest'
import { gapsBetween, keptDays, partOf } from './playback.ts'

test('gaps are what lies between recordings, not what lies ahead', () => {
  const inside = { from: 0, to: 100_000 }
  const segments = [
    { startTime: 20_000, endTime: 40_000 },
    { startTime: 10_000, endTime: 25_000 },
  ]
  expect(gapsBetween(segments, inside, 60_000)).toEqual([
    { from: 0, to: 10_000 },
    { from: 40_000, to: 60_000 },
  ])
  expect(gapsBetween([], inside, 50_000)).toEqual([{ from: 0, to: 50_000 }])
})

test('a part of the bar never leaves it', () => {
  expect(partOf({ from: -50, to: 50 }, { from: 0, to: 100 })).toEqual({ left: 0, width: 50 })
  expect(partOf({ from: 90, to: 300 }, { from: 0, to: 100 })).toEqual({ left: 90, width: 10 })
})

test('gates are kept longer', () => {
  expect([keptDays('1# 门岗'), keptDays('制高点')]).toEqual([90, 30])
})

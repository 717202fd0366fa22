import { describe, expect, test } from 'vitest'
import { aroundAlarm, gapsIn, longestReplayMs, pastGap, readingAt, replayIn, replayText, stepFrom } from './replay.ts'

const reading = (at: number) => ({ deviceId: 'a', at, receivedAt: at, values: {} })
const tape = [1_000, 2_000, 3_000, 60_000, 61_000].map(reading)

describe('a replay', () => {
  test.each([
    ['1700000000000-1700000600000', { from: 1_700_000_000_000, to: 1_700_000_600_000 }],
    ['1700000600000-1700000000000', undefined],
    ['now-then', undefined],
    [null, undefined],
  ])('in the address: %s', (text, span) => {
    expect(replayIn(text)).toEqual(span)
    if (span) expect(replayText(span)).toBe(text)
  })
  test('is never longer than a day', () => {
    const span = replayIn('1700000000000-1800000000000')
    expect((span?.to ?? 0) - (span?.from ?? 0)).toBe(longestReplayMs)
  })
  test('of an alarm begins two minutes before it and ends five after it, not in the future', () => {
    expect(aroundAlarm(1_000_000, 1_060_000, 9_000_000)).toEqual({ from: 880_000, to: 1_360_000 })
    expect(aroundAlarm(1_000_000, null, 1_100_000).to).toBe(1_100_000)
  })
})

describe('a tape', () => {
  test.each([
    [999, undefined],
    [1_000, 1_000],
    [2_999, 2_000],
    [99_000, 61_000],
  ])('at %s shows the newest reading not after it', (at, shown) => expect(readingAt(tape, at)?.at).toBe(shown))

  test('has gaps where nothing came for three intervals, at its ends too', () => {
    expect(gapsIn(tape, { from: 0, to: 70_000 }, 1_000)).toEqual([
      { from: 3_000, to: 60_000 },
      { from: 61_000, to: 70_000 },
    ])
    expect(gapsIn([], { from: 0, to: 70_000 }, 1_000)).toEqual([{ from: 0, to: 70_000 }])
  })

  test('is gone through reading by reading, and gaps are skipped', () => {
    expect([stepFrom(tape, 1_500, 1), stepFrom(tape, 3_000, 1), stepFrom(tape, 61_000, 1)]).toEqual([2_000, 60_000, 61_000])
    expect([stepFrom(tape, 2_000, -1), stepFrom(tape, 2_500, -1), stepFrom(tape, 1_000, -1)]).toEqual([1_000, 2_000, 1_000])
    const gaps = gapsIn(tape, { from: 0, to: 61_500 }, 1_000)
    expect([pastGap(gaps, 2_500, 1_000), pastGap(gaps, 20_000, 1_000)]).toEqual([2_500, 60_000])
  })
})

import { expect, test } from 'vitest'
import { floorBands } from './floor-board.tsx'
import { rushOf, sentenceOf } from './rush.ts'

const quarter = (from: string, runs: number, full: number) => ({
  from,
  runs,
  full,
  persons: runs * 5,
  fullPercent: (full / runs) * 100,
  overs: 0,
})
const reported = {
  coverage: 98,
  lifts: 1,
  figures: { runs: 0, persons: 0, hours: 0, overPersonRuns: 0, overLoadRuns: 0, doorOpenRuns: 0, alarms: 0, windStopMinutes: 0 },
  quarters: [],
  floors: [],
  loads: [],
  days: [],
  illegalBy: [],
}

test('the rush is the quarters in a row in which most cages were full', () => {
  const quarters = [
    quarter('06:45', 10, 1),
    quarter('07:00', 12, 11),
    quarter('07:15', 14, 13),
    quarter('07:30', 9, 2),
    quarter('17:30', 8, 5),
  ]
  expect(rushOf(quarters)).toEqual({ from: '07:00', to: '07:30', fullPercent: 92 })
  expect(rushOf([quarter('07:00', 2, 2)])).toBeUndefined()
})

test('one sentence says when, between which floors, and what went wrong', () => {
  expect(sentenceOf({ ...reported, coverage: 0 })).toBe('本期没有数据')
  expect(sentenceOf(reported)).toBe('本期没有运行')
  expect(
    sentenceOf({
      ...reported,
      figures: { ...reported.figures, runs: 40, doorOpenRuns: 1, overPersonRuns: 2 },
      quarters: [quarter('07:00', 12, 11)],
      floors: [{ from: 1, to: 12, runs: 9, persons: 70 }],
    }),
  ).toBe('本期 40 次运行；07:00 至 07:15 满载率 92 %，建议错峰上工；1 层到 12 层最多；开门运行 1 次、超员 2 次')
})

test('floors of a tower share a band, the lowest stop never does', () => {
  const bands = floorBands([{ from: 1, to: 32, runs: 1, persons: 1 }])
  expect(bands[0]).toEqual({ from: 1, to: 1 })
  expect(bands.length).toBeLessThanOrEqual(12)
  expect(bands.at(-1)?.to).toBe(32)
  expect(floorBands([])).toEqual([])
})

import { shanghaiOffsetMs } from '@zhugong/contract/kit/time'
import { expect, test } from 'vitest'
import { faultsOf, fullRow, runLines } from './run-day.ts'
import type { RunRow } from './run-row.ts'

const seven = Date.parse('2026-11-20T07:00:00+08:00')
const row = (minute: number, from: number | undefined, to: number, persons: number, more: Record<string, unknown> = {}): RunRow => ({
  id: `r${minute}`,
  key: `k${minute}`,
  version: 0,
  deviceId: 'd',
  deviceName: '1# 升降机',
  projectCode: 'P',
  projectName: '项目',
  record: 'workingCycle',
  time: seven + minute * 60_000 + 30_000,
  receivedAt: seven,
  data: { durationSeconds: 30, startFloor: from, endFloor: to, maxPersonCount: persons, direction: to > (from ?? 0) ? '1' : '2', ...more },
})
const clock = (at: number) => new Date(at + shanghaiOffsetMs).toISOString().slice(11, 16)

test('a run is a line from floor to floor; one without floors is none; what is wrong with it is said', () => {
  const lines = runLines([row(0, 1, 12, 9), row(2, 12, 1, 10), row(4, undefined, 3, 1)], 9, clock)
  expect(lines.map(({ from, to, bad }) => [from.floor, to.floor, bad])).toEqual([
    [1, 12, false],
    [12, 1, true],
  ])
  expect(lines[0]?.from.at).toBe(seven)
  expect(lines[1]?.words).toBe('07:02 12 → 1 层，10 人，超员 10 人')
})

test.each([
  [{ maxPersonCount: 9 }, []],
  [{ maxPersonCount: 10, maxLoadPercent: 104 }, ['超员 10 人', '超载 104 %']],
  [{ illegal: true }, ['违章']],
])('faults of a run %j', (data, faults) => {
  const [line] = runLines([row(0, 1, 2, 1, data)], 9, clock)
  expect(line && faultsOf(line.run, 9)).toEqual(faults)
})

test('waiting is full cages upwards in a row; one with room ends it, one downwards does not', () => {
  const lines = runLines([row(0, 1, 9, 9), row(2, 9, 1, 0), row(4, 1, 8, 9), row(6, 1, 8, 3), row(8, 1, 8, 9)], 9, clock)
  expect(fullRow(lines, 9)).toEqual({ from: seven, to: seven + 4 * 60_000 + 30_000, runs: 2 })
  expect(fullRow([], 9)).toBeUndefined()
})

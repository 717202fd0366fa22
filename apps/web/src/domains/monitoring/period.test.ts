import { describe, expect, test } from 'vitest'
import { before, periodIn, periodQueryOf, periodWords } from './period.ts'

const now = Date.parse('2026-07-08T09:30:00+08:00')

describe('a period in the address', () => {
  test.each([
    ['1', '2026-07-08 00:00:00', undefined, '2026-07-08'],
    ['7', '2026-07-02 00:00:00', undefined, '2026-07-02 至 2026-07-08'],
    ['2026-07-01,2026-07-03', '2026-07-01 00:00:00', '2026-07-04 00:00:00', '2026-07-01 至 2026-07-03'],
    ['1783000000000-1783000600000', '2026-07-02 21:46:40', '2026-07-02 21:56:40', '2026-07-02 21:46:40 至 2026-07-02 21:56:40'],
  ])('%s', (text, startTime, endTime, words) => {
    const period = periodIn(text, now)
    if (!period) throw new Error(text)
    expect(periodQueryOf(period)).toEqual(endTime ? { startTime, endTime } : { startTime })
    expect(periodWords(period)).toBe(words)
  })
  test.each(['0', 'last week', '2026-07-03,2026-07-01', '2026-13-01,2026-13-02'])('%s is none', (text) =>
    expect(periodIn(text, now)).toBeUndefined(),
  )
  test('is compared with as many days before it', () => {
    const week = periodIn('7', now)
    expect(week && periodWords(before(week))).toBe('2026-06-25 至 2026-07-01')
  })
})

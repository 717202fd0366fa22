import { expect, test } from 'vitest'
import { loadOf } from './load-words.ts'

test('a load tells when it was put on, how heavy it was and who put it there', () => {
  const data = {
    startTime: '2026-11-20T02:00:00.000Z',
    endTime: '2026-11-20T02:30:00.000Z',
    maxWeight: 1.25,
    maxWeightPercent: 104.2,
    durationSeconds: 1800,
    overload: true,
    teamName: '木工一班',
    detectedBy: 'platform',
  }
  expect(loadOf({ time: 0, data })).toMatchObject({
    durationSeconds: 1800,
    overload: true,
    teamName: '木工一班',
    byPlatform: true,
    cut: false,
  })
})

test('what is nonsense is left out, and the beginning follows from the end', () => {
  const load = loadOf({ time: 1_000_000, data: { maxWeight: 'schwer', durationSeconds: 100, overload: 'ja' } })
  expect(load).toMatchObject({ startTime: 900_000, endTime: 1_000_000, maxWeight: null, overload: false, teamName: null })
})

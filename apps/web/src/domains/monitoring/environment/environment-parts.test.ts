import { expect, test } from 'vitest'
import { windForce } from './environment-plan.tsx'
import { hourlyNoise } from './noise-bars.tsx'

test.each([
  [0, 0],
  [0.3, 1],
  [4.6, 3],
  [10.8, 6],
  [40, 12],
])('wind of %s m/s is force %s', (speed, force) => expect(windForce(speed)).toBe(force))

test('an hour of noise is the mean of energies: one loud minute counts', () => {
  const point = (time: number, db: number, n = 1) => ({ time, n, v: { noise: [db, db, db] as [number, number, number] } })
  const hours = hourlyNoise([point(0, 60), point(60_000, 80), point(3_600_000, 50, 3)], 'noise', 0)
  expect(hours[0]).toBeCloseTo(77.03, 1)
  expect(hours[1]).toBeCloseTo(50)
  expect(hours[2]).toBeUndefined()
})

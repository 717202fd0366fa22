import type { Fence } from '@zhugong/contract/organisation/fence'
import { expect, test } from 'vitest'
import { metresOutside } from './fence.ts'

const square: Fence = {
  type: '2',
  points: [
    { lng: 115, lat: 30 },
    { lng: 115.002, lat: 30 },
    { lng: 115.002, lat: 30.002 },
    { lng: 115, lat: 30.002 },
  ],
  // The workers' quarters next to the site.
  others: [
    [
      { lng: 115.01, lat: 30 },
      { lng: 115.011, lat: 30 },
      { lng: 115.011, lat: 30.001 },
    ],
  ],
}

test.each([
  ['in the middle', { lng: 115.001, lat: 30.001 }, 0],
  // 0.001 degrees of latitude = 111.2 m.
  ['north of it', { lng: 115.001, lat: 30.003 }, 111],
  ['beyond a corner', { lng: 115.003, lat: 30.003 }, 147],
  ['in the second ring', { lng: 115.0108, lat: 30.0005 }, 0],
  ['on the edge', { lng: 115.001, lat: 30 }, 0],
])('a place %s', (_, at, metres) => expect(metresOutside(square, at)).toBe(metres))

test('a circle, and no fence', () => {
  const circle = { type: '1', center: { lng: 115, lat: 30 }, radius: 100 } as const
  expect(metresOutside(circle, { lng: 115, lat: 30.0005 })).toBe(0)
  expect(metresOutside(circle, { lng: 115, lat: 30.002 })).toBe(122)
  expect(metresOutside(null, { lng: 115, lat: 30 })).toBeNull()
})

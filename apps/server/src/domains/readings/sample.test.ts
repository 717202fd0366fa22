import { type Family, familyOf } from '@zhugong/contract/telemetry/families'
import { expect, test } from 'vitest'
import { readTelemetry, readTime } from './sample.ts'

test.each<[string, unknown, string | undefined]>([
  ['milliseconds', 1_790_000_000_000, '2026-09-21T14:13:20.000Z'],
  ['seconds are no milliseconds', 1_790_000_000, undefined],
  ['without a zone: China', '2026-11-21 08:30:00', '2026-11-21T00:30:00.000Z'],
  ['with a zone', '2026-11-21T08:30:00+00:00', '2026-11-21T08:30:00.000Z'],
  ['a leap day', '2028-02-29 08:00:00', '2028-02-29T00:00:00.000Z'],
  ['no leap day', '2026-02-29 08:00:00', undefined],
  ['31 February is not carried over', '2026-02-31T10:00:00+08:00', undefined],
  ['31 April', '2026-04-31 10:00:00', undefined],
  ['month 13', '2026-13-01 10:00:00', undefined],
  ['only a day', '2026-11-21', undefined],
  ['words', 'yesterday', undefined],
])('time of a device: %s', (_name, raw, at) => {
  const read = readTime(raw)
  expect(read === undefined ? undefined : new Date(read).toISOString()).toBe(at)
})

const at = Date.parse('2026-11-21T12:00:00+08:00')
const readAs = (key: string, data: object) => {
  const { accepted } = readTelemetry(familyOf(key) as Family, { time: at, data }, 0, at)
  if (!accepted) throw new Error('refused')
  return accepted
}

test.each<[string, string, object, object, object | undefined]>([
  ['a lift that goes down tells a speed below zero', 'lifter', { speed: -0.6 }, { speed: 0.6 }, undefined],
  ['an empty hook drifts below zero', 'towerCrane', { load: -0.04 }, { load: -0.04 }, undefined],
  ['a load far below zero is beyond belief', 'towerCrane', { load: -5 }, { load: -5 }, { load: 'outOfRange' }],
  [
    'longitude and latitude that lie in China only when changed about',
    'smartHelmet',
    { longitude: 43.8, latitude: 87.6 },
    { longitude: 43.8, latitude: 87.6 },
    { longitude: 'swapped', latitude: 'swapped' },
  ],
  ['a place in China', 'smartHelmet', { longitude: 114.3, latitude: 30.6 }, { longitude: 114.3, latitude: 30.6 }, undefined],
])('%s', (_name, family, data, values, quality) => {
  const read = readAs(family, data)
  expect(read.values).toMatchObject(values)
  if (quality) expect(read.quality).toEqual(quality)
  else expect(read.quality).toBeNull()
})

test('a receiver at 0, 0 has not found its place', () => {
  expect(readAs('smartHelmet', { longitude: 0, latitude: 0 }).values).not.toHaveProperty('longitude')
})

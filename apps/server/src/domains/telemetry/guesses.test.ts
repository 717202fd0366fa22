import { expect, test } from 'vitest'
import { Guesses, placeOf } from './guesses.ts'

const hour = 3_600_000

test('after a few tries nothing is compared for a time that doubles, at most five minutes', () => {
  const guesses = new Guesses()
  const waits: number[] = []
  let now = 0
  for (let i = 0; i < 16; i++) {
    guesses.failed('d', '192.0.2.1', false, now)
    const waitMs = guesses.waitMs('d', '192.0.2.1', false, now)
    waits.push(waitMs)
    now += waitMs
  }
  expect(waits.slice(0, 8)).toEqual([0, 0, 0, 0, 2_000, 4_000, 8_000, 16_000])
  expect(waits.at(-1)).toBe(300_000)
  // Applies to every address, but not to another device, nor after an hour without attempts.
  expect(guesses.waitMs('d', '198.51.100.1', false, now - 1)).toBe(1)
  expect(guesses.waitMs('e', '192.0.2.1', false, now - 1)).toBe(0)
  guesses.failed('d', '192.0.2.1', false, now + hour)
  expect(guesses.waitMs('d', '192.0.2.1', false, now + hour)).toBe(0)
})

test('a day of guessing is a few hundred tries', () => {
  const guesses = new Guesses()
  let tries = 0
  for (let now = 0; now < 24 * hour; ) {
    const waitMs = guesses.waitMs('d', `192.0.2.${tries % 250}`, false, now)
    now += Math.max(1, waitMs)
    if (waitMs > 0) continue
    guesses.failed('d', `192.0.2.${tries % 250}`, false, now)
    tries++
  }
  expect(tries).toBeLessThan(310)
})

test('at the place it is known from a device is compared every five seconds, whatever others do', () => {
  const guesses = new Guesses()
  for (let i = 0; i < 40; i++) guesses.failed('d', '192.0.2.1', false, 0)
  expect(guesses.waitMs('d', '198.51.100.1', true, 0)).toBe(0)
  for (let i = 0; i < 40; i++) guesses.failed('d', '198.51.100.1', true, 0)
  expect(guesses.waitMs('d', '198.51.100.1', true, 0)).toBe(5_000)
  guesses.forgive('d', '198.51.100.1')
  expect(guesses.waitMs('d', '198.51.100.1', true, 0)).toBe(0)
})

test('one wrongly set device shuts nobody out behind the same address; many are a search', () => {
  const guesses = new Guesses()
  for (let i = 0; i < 100; i++) guesses.failed('wrong', '192.0.2.1', false, 0)
  expect(guesses.waitMs('beside', '192.0.2.1', false, 0)).toBe(0)
  for (let i = 0; i < 20; i++) guesses.failed(`d${i}`, '192.0.2.1', false, 0)
  expect(guesses.waitMs('beside', '192.0.2.1', false, 0)).toBeGreaterThan(0)
  expect(guesses.waitMs('beside', '192.0.2.2', false, 0)).toBe(0)
})

test('however many are tried, memory is bounded', () => {
  const guesses = new Guesses()
  for (let i = 0; i < 30_000; i++) guesses.failed(`d${i}`, `2001:db8:${(i >> 8).toString(16)}:${(i & 255).toString(16)}::1`, false, i)
  expect(guesses.size).toBeLessThanOrEqual(20_000)
})

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:db8:0:7:1:2:3:4', '2001:db8:0:7::/64'],
  ['2001:db8::7', '2001:db8:0:0::/64'],
  ['2001:0DB8::', '2001:db8:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['', ''],
])('%s is of %s', (address, place) => expect(placeOf(address)).toBe(place))

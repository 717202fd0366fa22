import { expect, test } from 'vitest'
import { InFlight } from './in-flight.ts'
import { createLog } from './log.ts'

const flight = (perKey: number, inAll: number, onRoom?: () => void) => new InFlight({ perKey, inAll }, createLog('test', 'fatal'), onRoom)
const forever = () => new Promise<void>(() => undefined)

test('one of each before a second of any, within what a key and all together may have', () => {
  const works = flight(3, 7)
  works.start('a', forever)
  works.start('a', forever)
  expect(works.share(['a', 'b', 'c'])).toEqual(
    new Map([
      ['a', 1],
      ['b', 2],
      ['c', 2],
    ]),
  )
  expect([works.roomOf('a'), works.roomOf('b')]).toEqual([1, 3])
})

test('what hangs takes no room of others and does not hold up the end; what fails gives its room back', async () => {
  let count = 0
  const works = flight(1, 2, () => count++)
  works.start('a', forever)
  works.start('b', () => Promise.reject(new Error('no')))
  await expect.poll(() => count).toBe(1)
  expect([works.roomOf('a'), works.roomOf('b')]).toEqual([0, 1])
  const begun = performance.now()
  await works.stop()
  expect(performance.now() - begun).toBeLessThan(10_000)
})

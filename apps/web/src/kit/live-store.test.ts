import { expect, test } from 'vitest'
import { isStale } from './live.ts'
import { latestStore, topicMatches } from './live-store.ts'

test('a batch wakes the readers once, a late message changes nothing', () => {
  let flush: (() => void) | undefined
  const store = latestStore((fn) => {
    flush = fn
  })
  let woken = 0
  store.subscribe(() => woken++)
  store.put({ deviceId: 'a', at: 2, receivedAt: 2, values: { load: 1, wind: 3 } })
  store.put({ deviceId: 'a', at: 3, receivedAt: 3, values: { load: 2 } })
  store.put({ deviceId: 'a', at: 1, receivedAt: 4, values: { load: 9 } })
  expect(woken).toBe(0)
  flush?.()
  expect(woken).toBe(1)
  expect(store.get('a')).toMatchObject({ at: 3, values: { load: 2, wind: 3 } })
})

test.each([
  ['live/+/tower-crane/+/telemetry', 'live/P1/tower-crane/d1/telemetry', true],
  ['live/+/tower-crane/+/telemetry', 'live/P1/lifter/d1/telemetry', false],
  ['live/P1/#', 'live/P1/alarm', true],
  ['live/P1/alarm', 'live/P1/alarm/x', false],
  ['live/P1/+', 'live/P1', false],
])('%s takes %s: %s', (filter, topic, expected) => expect(topicMatches(filter, topic)).toBe(expected))

test('a device that rests is as fresh as it speaks', () => {
  const store = latestStore(() => undefined)
  const says = (at: number) => store.put({ deviceId: 'hat', at, receivedAt: at, values: {} })
  const heard = () => store.get('hat')
  says(0)
  expect(isStale(heard(), 90_001, 30_000)).toBe(true)
  says(120_000)
  // Reports every two minutes although configured for half a minute.
  expect(isStale(heard(), 120_000 + 360_000, 30_000)).toBe(false)
  expect(isStale(heard(), 120_000 + 360_001, 30_000)).toBe(true)
  says(150_000)
  expect(isStale(heard(), 150_000 + 90_001, 30_000)).toBe(true)
  // A long silence is not a reporting interval.
  says(150_000 + 86_400_000)
  expect(isStale(heard(), 150_000 + 86_400_000 + 1_800_001, 30_000)).toBe(true)
  expect(isStale(undefined, 0, 30_000)).toBe(true)
})

import { expect, test } from 'vitest'
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

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { Hub, mostAMinute } from './hub.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const none = () => undefined

describe('what a screen asks', () => {
  test('panels with the same question share one answer, and it is asked again in its time', async () => {
    const ask = vi.fn(async () => 'told')
    const hub = new Hub(ask, () => false)
    const stops = [hub.watch('a', 'main', {}, 10_000, none), hub.watch('a', 'main', {}, 60_000, none)]
    await vi.advanceTimersByTimeAsync(100)
    expect(ask).toHaveBeenCalledTimes(1)
    expect(hub.feed('a').data).toBe('told')
    await vi.advanceTimersByTimeAsync(11_500)
    expect(ask).toHaveBeenCalledTimes(2)
    for (const stop of stops) stop()
    await vi.advanceTimersByTimeAsync(120_000)
    expect(ask).toHaveBeenCalledTimes(2)
  })

  test('a failure keeps the last good answer and says why', async () => {
    let fails = false
    const hub = new Hub(
      async () => {
        if (fails) throw new Error('断网')
        return 1
      },
      () => false,
    )
    hub.watch('a', 'main', {}, 10_000, none)
    await vi.advanceTimersByTimeAsync(10)
    const { at } = hub.feed('a')
    fails = true
    await vi.advanceTimersByTimeAsync(12_000)
    expect(hub.feed('a')).toEqual({ data: 1, at, error: '断网' })
    hub.stop()
  })

  test('nothing for a tab that nobody sees, and what was put off when it comes back', async () => {
    let hidden = true
    const ask = vi.fn(async () => 1)
    const hub = new Hub(ask, () => hidden)
    hub.watch('a', 'main', {}, 10_000, none)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(ask).not.toHaveBeenCalled()
    hidden = false
    hub.wake()
    await vi.advanceTimersByTimeAsync(10)
    expect(ask).toHaveBeenCalledTimes(1)
    hub.stop()
  })

  test('no more than a screen may ask in a minute', async () => {
    const ask = vi.fn(async () => 1)
    const hub = new Hub(ask, () => false)
    for (let i = 0; i < 8; i++) hub.watch(`q${i}`, 'main', {}, 2_000, none)
    await vi.advanceTimersByTimeAsync(59_000)
    expect(ask.mock.calls.length).toBeLessThanOrEqual(mostAMinute)
    expect(ask.mock.calls.length).toBeGreaterThan(mostAMinute - 8)
    hub.stop()
  })
})

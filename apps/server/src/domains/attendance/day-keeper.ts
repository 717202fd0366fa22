import { minuteMs } from '@zhugong/contract/kit/time'
import type { Clock } from '#kit/clock'
import type { Db } from '#kit/db'
import { addDays, dateOf, startOf } from './engine/time.ts'
import { chainFixes } from './fix-chain.ts'
import { openDays, queueDueDays, recomputeDirty } from './recompute.ts'
import { closeRoots } from './roots.ts'

const everyMs = 3_000
const timedEveryMs = 30_000
/** Daily roots are closed this long after midnight, when the last messages of the evening have arrived. */
const rootsAfterMs = 2 * minuteMs

export interface DayKeeper {
  /** Signals that new facts were committed, so that their days are computed without waiting for the next poll. */
  poke(): void
  /** Runs one complete round; used by tests and at start-up. */
  tend(): Promise<void>
  stop(): Promise<void>
}

/** Keeps the stored days up to date: queued days at once, work days when they begin and close, daily roots after midnight. */
export function startDayKeeper(db: Db, clock: Clock, onError: (error: unknown) => void): DayKeeper {
  let running: Promise<void> | undefined
  let again = false
  let timedAt = 0
  let stopped = false

  async function round(): Promise<void> {
    if (clock.now() - timedAt >= timedEveryMs) {
      timedAt = clock.now()
      await openDays(db, clock)
      await queueDueDays(db, clock)
      const now = clock.now()
      const today = dateOf(now)
      if (now - startOf(today) >= rootsAfterMs) await closeRoots(db, addDays(today, -1), now)
    }
    // Corrections that were approved but not written to the ledger because a process stopped.
    await chainFixes(db, clock)
    await recomputeDirty(db, clock)
  }
  function run(): Promise<void> {
    if (running) {
      again = true
      return running
    }
    running = (async () => {
      do {
        again = false
        await round().catch(onError)
      } while (again && !stopped)
      running = undefined
    })()
    return running
  }
  const timer = setInterval(() => void run(), everyMs)
  timer.unref()
  void run()
  return {
    poke: () => void run(),
    tend: async () => {
      timedAt = 0
      await run()
      await run()
    },
    async stop() {
      stopped = true
      clearInterval(timer)
      await running
    },
  }
}

import type { Log } from '#kit/log'
import type { Repeat } from './extension.ts'

/** Runs each at its interval, and not again while it still runs. */
export function startRepeats(repeats: readonly Repeat[], log: Log): { stop(): void } {
  const timers = repeats.map(({ ms, name, run }) => {
    let busy = false
    return setInterval(() => {
      if (busy) return
      busy = true
      Promise.resolve()
        .then(run)
        .catch((error: unknown) => log.warn({ err: error }, name))
        .finally(() => {
          busy = false
        })
    }, ms)
  })
  return {
    stop() {
      for (const timer of timers) clearInterval(timer)
    },
  }
}

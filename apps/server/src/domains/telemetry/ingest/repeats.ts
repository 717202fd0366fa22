import type { Log } from '#kit/log'
import type { Repeat } from './extension.ts'

/** Runs each task at its interval, and skips a run while the previous one is still running. */
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

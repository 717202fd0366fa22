import type { BackgroundDependencies } from '#kit/background'
import { takeAlarmEvents } from './take.ts'

/** How often events are looked for; a notice has days, so nothing listens for them. */
const tickMs = 5_000

/** Starts the worker that turns alarms into notices, in the jobs role. Several processes share the work. */
export function startAlarmNotices(deps: BackgroundDependencies): { stop(): Promise<void> } {
  let looking: Promise<void> | undefined
  const look = async () => {
    while (await takeAlarmEvents(deps));
  }
  const timer = setInterval(() => {
    looking ??= look()
      .catch((error: unknown) => deps.log.warn({ err: error }, 'notices of alarms'))
      .finally(() => {
        looking = undefined
      })
  }, tickMs)
  return {
    async stop() {
      clearInterval(timer)
      await looking
    },
  }
}

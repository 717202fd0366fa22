import { queryClient } from './call.ts'

/** How long what is not for the first picture waits at most: some calls take seconds. */
const patienceMs = 2_000
const lookMs = 50

let calm: Promise<void> | undefined

/**
 * Resolves when the page that was opened first has what it asked for. What it needs only then (the live line, calendars) would take the
 * cores from the values people wait for; later it answers at once.
 */
export const whenCalm = (): Promise<void> => (calm ??= firstCalm())

async function firstCalm(): Promise<void> {
  const given = performance.now() + patienceMs
  // Between two calls of which one follows from the other, nothing is under way for a moment.
  for (let still = 0; still < 2 && performance.now() < given; still = queryClient.isFetching() ? 0 : still + 1)
    await new Promise((resolve) => setTimeout(resolve, lookMs))
}

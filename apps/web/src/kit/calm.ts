import { queryClient } from './call.ts'

/** Longest delay, in milliseconds, of work that the first render does not need: some calls take seconds. */
const patienceMs = 2_000
const lookMs = 50

let calm: Promise<void> | undefined

/**
 * Resolves when the first page has received its data. Later work (live connection, calendars) would otherwise compete for the CPU with the
 * values the user waits for. Resolves at once after that.
 */
export const whenCalm = (): Promise<void> => (calm ??= firstCalm())

async function firstCalm(): Promise<void> {
  const given = performance.now() + patienceMs
  // Between two dependent calls no request is pending for a moment, so two idle checks in a row are needed.
  for (let still = 0; still < 2 && performance.now() < given; still = queryClient.isFetching() ? 0 : still + 1)
    await new Promise((resolve) => setTimeout(resolve, lookMs))
}

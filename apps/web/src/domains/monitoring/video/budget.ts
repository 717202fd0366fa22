/** How a tile shows its camera: moving, one picture a second, a picture every ten seconds, or not at all while out of sight. */
export type Mode = 'live' | 'slow' | 'snapshot' | 'rest'

/** How many tiles may decode at once, and how many of the others may step picture by picture. */
export interface Budget {
  live: number
  slow: number
}

/** What two cores decode without the page stalling, until it is measured otherwise. */
export const usualBudget: Budget = { live: 9, slow: 4 }
export const mostLive = 16

/** Below this many frames a second the page itself stalls; below this share of shown frames the decoder does. */
const strain = { pageFps: 24, dropped: 0.25 }
const ease = { pageFps: 50, dropped: 0.05 }

/** Fewer frames first, then fewer moving tiles, then pictures; back step by step while all is calm. */
export function nextBudget(now: Budget, seen: { pageFps: number; dropped: number }): Budget {
  if (seen.pageFps < strain.pageFps || seen.dropped > strain.dropped) {
    if (now.live > 1) return { live: Math.max(1, now.live - 2), slow: now.slow + 1 }
    return { live: now.live, slow: Math.max(0, now.slow - 2) }
  }
  if (seen.pageFps >= ease.pageFps && seen.dropped <= ease.dropped) {
    if (now.slow < usualBudget.slow) return { live: now.live, slow: now.slow + 1 }
    return { live: Math.min(mostLive, now.live + 1), slow: now.slow }
  }
  return now
}

/** The mode of each tile: the one in front first, then in their order; what cannot play takes nothing. */
export function modesOf(
  tiles: readonly { id: string; playable: boolean }[],
  focused: string | undefined,
  budget: Budget,
  visible: boolean,
): ReadonlyMap<string, Mode> {
  const modes = new Map<string, Mode>()
  let { live, slow } = budget
  for (const tile of [...tiles].sort((a, b) => Number(b.id === focused) - Number(a.id === focused))) {
    if (!visible) modes.set(tile.id, 'rest')
    else if (!tile.playable) modes.set(tile.id, 'snapshot')
    else if (live > 0) {
      live--
      modes.set(tile.id, 'live')
    } else if (slow > 0) {
      slow--
      modes.set(tile.id, 'slow')
    } else modes.set(tile.id, 'snapshot')
  }
  return modes
}

/** Milliseconds before trying again: 2, 4, 8 ... 60 s. */
export const retryAfter = (tries: number): number => Math.min(60_000, 2_000 * 2 ** Math.max(0, tries))

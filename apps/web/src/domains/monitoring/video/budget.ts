/** How a tile shows its camera: video, one frame a second, a snapshot every ten seconds, or nothing while out of sight. */
export type Mode = 'live' | 'slow' | 'snapshot' | 'rest'

/** Number of tiles that may decode video, and of further ones that may show single frames. */
export interface Budget {
  live: number
  slow: number
}

/** Initial value, before measurements: what two cores decode without stalling the page. */
export const usualBudget: Budget = { live: 9, slow: 4 }
export const mostLive = 16

/** Thresholds of overload: page frames per second, and share of dropped video frames. */
const strain = { pageFps: 24, dropped: 0.25 }
const ease = { pageFps: 50, dropped: 0.05 }

/** Under overload turns live tiles into single frames first, then those into snapshots; increases again step by step. */
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

/** Mode of each tile: the focused one first, then in order; tiles that cannot play use no budget. */
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

/** Retry delay in milliseconds: 2, 4, 8 ... 60 s. */
export const retryAfter = (tries: number): number => Math.min(60_000, 2_000 * 2 ** Math.max(0, tries))

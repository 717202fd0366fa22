import type { KeepLive } from '#kit/session.ts'

export const warnMs = 120_000

export type Step = 'none' | 'renew' | 'warn' | 'over'

/** What the session needs now. `active`: time of the last key press or click, epoch ms. */
export function nextStep({ timeStamp, duration }: KeepLive, active: number, now: number): Step {
  const end = timeStamp + duration
  if (now >= end) return 'over'
  // After a third of its duration the session of an active user is renewed; without activity it is not.
  const worked = active > timeStamp && now - timeStamp > duration / 3
  if (worked) return 'renew'
  return end - now <= Math.min(warnMs, duration / 2) ? 'warn' : 'none'
}

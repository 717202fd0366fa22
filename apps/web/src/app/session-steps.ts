import type { KeepLive } from '#kit/session.ts'

export const warnMs = 120_000

export type Step = 'none' | 'renew' | 'warn' | 'over'

/** What the session needs now. `active`: when somebody last pressed a key or a button. */
export function nextStep({ timeStamp, duration }: KeepLive, active: number, now: number): Step {
  const end = timeStamp + duration
  if (now >= end) return 'over'
  // Who works is renewed after a third of the time; who went away is not.
  const worked = active > timeStamp && now - timeStamp > duration / 3
  if (worked) return 'renew'
  return end - now <= Math.min(warnMs, duration / 2) ? 'warn' : 'none'
}

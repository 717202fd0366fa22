import type { Span } from '../replay.ts'

/** A part of a time bar as fractions of its width. */
export interface Part {
  left: number
  width: number
}
export const partOf = (span: Span, inside: Span): Part => {
  const whole = Math.max(1, inside.to - inside.from)
  const from = Math.max(inside.from, span.from)
  const to = Math.min(inside.to, span.to)
  return { left: ((from - inside.from) / whole) * 100, width: (Math.max(0, to - from) / whole) * 100 }
}

/** Gaps in recordings, up to now. */
export function gapsBetween(segments: readonly { startTime: number; endTime: number }[], inside: Span, now: number): Span[] {
  const end = Math.min(inside.to, now)
  const gaps: Span[] = []
  let at = inside.from
  for (const one of [...segments].sort((a, b) => a.startTime - b.startTime)) {
    if (one.startTime > at) gaps.push({ from: at, to: Math.min(one.startTime, end) })
    at = Math.max(at, one.endTime)
  }
  if (at < end) gaps.push({ from: at, to: end })
  return gaps.filter((one) => one.to - one.from > 1_000)
}

/** Usual days of storage: longer for gates. */
export const keptDays = (name: string): number => (/门/.test(name) ? 90 : 30)

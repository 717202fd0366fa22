import type { Reading } from '#kit/live-store.ts'

/** From inclusive, to exclusive; epoch milliseconds. */
export interface Span {
  from: number
  to: number
}

/** Longest replay: all its readings are held in the browser. */
export const longestReplayMs = 24 * 3_600_000
export const usualReplayMs = 30 * 60_000
/** Span shown around an alarm. */
const beforeAlarmMs = 2 * 60_000
const afterAlarmMs = 5 * 60_000

/** A replay as URL parameter: `from-to`; undefined if invalid. */
export function replayIn(text: string | null): Span | undefined {
  const match = /^(\d{12,14})-(\d{12,14})$/.exec(text ?? '')
  if (!match) return undefined
  const from = Number(match[1])
  const to = Math.min(Number(match[2]), from + longestReplayMs)
  return to > from ? { from, to } : undefined
}
export const replayText = ({ from, to }: Span): string => `${Math.round(from)}-${Math.round(to)}`

export const aroundAlarm = (startTime: number, clearTime: number | null, now: number): Span => ({
  from: startTime - beforeAlarmMs,
  to: Math.min(now, (clearTime ?? startTime) + afterAlarmMs, startTime - beforeAlarmMs + longestReplayMs),
})

/** Index of the newest reading not after a moment; -1 before the first. `tape` is oldest first. */
function indexAt(tape: readonly Reading[], at: number): number {
  let low = 0
  let high = tape.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((tape[middle]?.at ?? 0) <= at) low = middle + 1
    else high = middle
  }
  return low - 1
}

export const readingAt = (tape: readonly Reading[], at: number): Reading | undefined => tape[indexAt(tape, at)]

/** Actual interval of stored readings: a crane that reports ten times a minute may be stored once a minute. */
export function paceOf(tape: readonly Reading[], intervalMs: number): number {
  const steps = tape
    .slice(1)
    .map((one, i) => one.at - (tape[i]?.at ?? one.at))
    .sort((a, b) => a - b)
  return Math.max(intervalMs, steps[Math.floor(steps.length / 2)] ?? 0)
}

/** Gaps of more than three intervals, up to the end of the loaded data. */
export function gapsIn(tape: readonly Reading[], { from, to }: Span, intervalMs: number): Span[] {
  const times = [from, ...tape.map((one) => one.at).filter((at) => at >= from && at < to), to]
  return times.slice(1).flatMap((at, i) => {
    const before = times[i] ?? from
    return at - before > 3 * intervalMs ? [{ from: before, to: at }] : []
  })
}

/** Time of the next or previous reading; without one, the same moment. */
export function stepFrom(tape: readonly Reading[], at: number, by: 1 | -1): number {
  const here = indexAt(tape, at)
  const wanted = by === 1 ? here + 1 : tape[here]?.at === at ? here - 1 : here
  return tape[wanted]?.at ?? at
}

/** Skips a gap to the next reading. */
export function pastGap(gaps: readonly Span[], at: number, intervalMs: number): number {
  const gap = gaps.find((one) => at > one.from + intervalMs && at < one.to)
  return gap ? gap.to : at
}

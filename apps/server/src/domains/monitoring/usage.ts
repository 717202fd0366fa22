/**
 * Use out of counter readings: pure arithmetic. A counter only grows; where it falls it was changed or ran over, and the use of that span
 * is what it shows by itself. Where readings are missing the difference is spread over the gap and marked as estimated.
 */
export interface CounterSpan {
  time: number
  low: number
  high: number
}
export interface UsageSpan {
  time: number
  reading: number | null
  usage: number | null
  estimated: boolean
  rollback: boolean
}

const tidy = (n: number) => Math.round(n * 10_000) / 10_000

/** `spans` in order of time, one per step that has readings; `before` the last reading ahead of them. */
export function usageSpans(
  spans: readonly CounterSpan[],
  stepMs: number,
  ratio = 1,
  before?: { time: number; reading: number },
): UsageSpan[] {
  const out: UsageSpan[] = []
  let last = before
  for (const span of spans) {
    if (last && span.high < last.reading) {
      out.push({ time: span.time, reading: span.high, usage: tidy((span.high - span.low) * ratio), estimated: false, rollback: true })
    } else if (last) {
      const steps = Math.max(1, Math.round((span.time - last.time) / stepMs))
      const each = tidy(((span.high - last.reading) * ratio) / steps)
      for (let i = 1; i < steps; i++)
        out.push({ time: last.time + i * stepMs, reading: null, usage: each, estimated: true, rollback: false })
      out.push({ time: span.time, reading: span.high, usage: each, estimated: steps > 1, rollback: false })
    } else {
      out.push({ time: span.time, reading: span.high, usage: tidy((span.high - span.low) * ratio), estimated: false, rollback: false })
    }
    last = { time: span.time, reading: span.high }
  }
  return out
}

/** The whole use of such spans, with how often the counter fell. */
export function totalUsage(spans: readonly CounterSpan[], ratio = 1, before?: { reading: number }): { usage: number; rollbacks: number } {
  let usage = 0
  let rollbacks = 0
  let last = before?.reading
  for (const span of spans) {
    if (last === undefined || span.high < last) {
      usage += span.high - span.low
      if (last !== undefined) rollbacks++
    } else usage += span.high - last
    last = span.high
  }
  return { usage: tidy(usage * ratio), rollbacks }
}

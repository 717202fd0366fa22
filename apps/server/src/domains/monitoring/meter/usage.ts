/**
 * Consumption from counter readings: pure arithmetic. A counter only increases; a fall means that the meter was replaced or the register overflowed.
 * A span is split at the fall: consumption before and after is added, and for an overflow the rest up to the register's end. Over missing readings
 * the difference is interpolated and marked as estimated.
 */
export interface CounterRun {
  first: number
  last: number
  /** A replaced meter: old end and new start value are known, so nothing is counted in between. */
  isNewMeter?: boolean | undefined
  /** Ratio in force then, if it differs from the current one. */
  ratio?: number | undefined
}
/** Kind of a manual entry. */
export type Entered = 'reading' | 'change'
export interface CounterSpan {
  time: number
  low: number
  high: number
  /** Runs without a fall, in order of time, if the counter fell at or within the span. */
  runs?: readonly CounterRun[] | undefined
  entered?: Entered | null | undefined
  /** Like `CounterRun.ratio`, for a span that is a single run. */
  ratio?: number | undefined
}
export interface UsageSpan {
  time: number
  reading: number | null
  usage: number | null
  estimated: boolean
  rollback: boolean
  entered: Entered | null
}
export interface CounterReading {
  time: number
  value: number
}

/** Register size of DL/T 645-2007 (annex A) and CJ/T 188: six integer digits. */
export const usualRegister = 1_000_000
/** A fall is an overflow if the register was this near to its end and restarts this near to zero; else the meter was replaced. */
const nearEnd = 0.01
/** A deviation that lasts longer is not a misreading. */
const misreadMs = 3_600_000

const tidy = (n: number) => Math.round(n * 10_000) / 10_000

/** Consumption between the last reading before a fall and the first one after it. */
function overFall(before: number, after: number, register: number): number {
  return ranOver(before, after, register) ? register - before + after : 0
}

/** Whether a fall is an overflow rather than a replacement. */
export const ranOver = (before: number, after: number, register: number): boolean =>
  before <= register && before >= register * (1 - nearEnd) && after <= register * nearEnd

/** The runs of a span; by default a single one that starts no lower than the last reading. */
function runsOf(span: CounterSpan, last: number | undefined): readonly CounterRun[] {
  if (span.runs?.length) return span.runs
  return [{ first: last !== undefined && span.high >= last ? Math.max(span.low, last) : span.low, last: span.high }]
}

interface SpanUse {
  /** Consumption since the previous reading, with falls and ratios. */
  used: number
  falls: number
  reading: number
}
function useOf(span: CounterSpan, last: number | undefined, register: number, ratio: number): SpanUse {
  let [used, falls, reading] = [0, 0, last]
  for (const run of runsOf(span, last)) {
    let counted = run.last - run.first
    if (run.isNewMeter) falls++
    else if (reading !== undefined && run.first < reading) {
      falls++
      counted += overFall(reading, run.first, register)
    } else if (reading !== undefined) counted += run.first - reading
    used += counted * (run.ratio ?? span.ratio ?? ratio)
    reading = run.last
  }
  return { used, falls, reading: reading ?? span.high }
}

/** `spans` in order of time, one per step with readings; `before`: the last reading before them. */
export function usageSpans(
  spans: readonly CounterSpan[],
  stepMs: number,
  ratio = 1,
  before?: { time: number; reading: number },
  register = usualRegister,
): UsageSpan[] {
  const out: UsageSpan[] = []
  let last = before
  for (const span of spans) {
    const { used, falls, reading } = useOf(span, last?.reading, register, ratio)
    // A fall is not interpolated: nothing is known of the time between, so the span counts for itself.
    const steps = last && falls === 0 ? Math.max(1, Math.round((span.time - last.time) / stepMs)) : 1
    const each = tidy(used / steps)
    for (let i = 1; i < steps; i++)
      out.push({ time: (last?.time ?? 0) + i * stepMs, reading: null, usage: each, estimated: true, rollback: false, entered: null })
    out.push({ time: span.time, reading, usage: each, estimated: steps > 1, rollback: falls > 0, entered: span.entered ?? null })
    last = { time: span.time, reading }
  }
  return out
}

/** Total consumption of spans, the number of falls and the last reading. */
export function totalUsage(
  spans: readonly CounterSpan[],
  ratio = 1,
  before?: { reading: number },
  register = usualRegister,
): { usage: number; rollbacks: number; reading: number | undefined } {
  let usage = 0
  let rollbacks = 0
  let last = before?.reading
  for (const span of spans) {
    const { used, falls, reading } = useOf(span, last, register, ratio)
    usage += used
    rollbacks += falls
    last = reading
  }
  return { usage: tidy(usage), rollbacks, reading: last }
}

/** Removes misreadings: the counter drops or jumps, and within the hour returns to where it was. */
export function withoutMisread(readings: readonly CounterReading[]): CounterReading[] {
  const kept: CounterReading[] = []
  for (let i = 0; i < readings.length; i++) {
    const one = readings[i] as CounterReading
    const last = kept.at(-1)
    const back = last && backAt(readings, i, last)
    if (back !== undefined) i = back - 1
    else kept.push(one)
  }
  return kept
}

/** Index at which the counter jumps back to `last`, if the readings from `from` on are a misreading. */
function backAt(readings: readonly CounterReading[], from: number, last: CounterReading): number | undefined {
  const first = readings[from] as CounterReading
  const off = first.value - last.value
  if (off === 0) return undefined
  for (let j = from + 1; j < readings.length; j++) {
    const [before, now] = [readings[j - 1] as CounterReading, readings[j] as CounterReading]
    if (now.time - first.time > misreadMs) return undefined
    const isBack = off < 0 ? now.value >= last.value : now.value >= last.value && now.value < before.value
    // A new meter that soon exceeds the old one's reading gets there gradually.
    if (isBack)
      return Math.abs(now.value - before.value) >= Math.abs(off) / 2 && Math.abs(now.value - last.value) <= Math.abs(off) / 2
        ? j
        : undefined
  }
  return undefined
}

export function splitAtFalls(readings: readonly CounterReading[]): CounterRun[] {
  const runs: CounterRun[] = []
  for (const { value } of readings) {
    const run = runs.at(-1)
    if (run && value >= run.last) run.last = value
    else runs.push({ first: value, last: value })
  }
  return runs
}

/**
 * Use out of counter readings: pure arithmetic. A counter only grows; where it falls it was changed or ran over. There a span is split: the
 * use before and after are added, and over the end of the register what was missing to it. Where readings are missing the difference is
 * spread over the gap and marked as estimated.
 */
export interface CounterRun {
  first: number
  last: number
  /** Another meter than the one before: what stood there and where this one begins are known, between them nothing went through. */
  isNewMeter?: boolean | undefined
  /** What the register was multiplied by then, where that was not what it is now. */
  ratio?: number | undefined
}
/** What somebody entered of a meter: its reading, or that it was changed. */
export type Entered = 'reading' | 'change'
export interface CounterSpan {
  time: number
  low: number
  high: number
  /** Stretches without a fall, in order of time, where the counter fell at or within the span. */
  runs?: readonly CounterRun[] | undefined
  entered?: Entered | null | undefined
  /** The same of a span that is one run. */
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

/** Registers of DL/T 645-2007 (annex A) and CJ/T 188: six whole digits. */
export const usualRegister = 1_000_000
/** A register ran over when it stood this near its end and begins this near zero; else the meter was changed. */
const nearEnd = 0.01
/** What is wrong for longer than this is no misreading. */
const misreadMs = 3_600_000

const tidy = (n: number) => Math.round(n * 10_000) / 10_000

/** What went through between the last reading before a fall and the first one after it. */
function overFall(before: number, after: number, register: number): number {
  return ranOver(before, after, register) ? register - before + after : 0
}

/** Whether a register that fell has run over its end rather than been changed. */
export const ranOver = (before: number, after: number, register: number): boolean =>
  before <= register && before >= register * (1 - nearEnd) && after <= register * nearEnd

/** A span's stretches; where none are known it is one, and begins no lower than the counter stood. */
function runsOf(span: CounterSpan, last: number | undefined): readonly CounterRun[] {
  if (span.runs?.length) return span.runs
  return [{ first: last !== undefined && span.high >= last ? Math.max(span.low, last) : span.low, last: span.high }]
}

interface SpanUse {
  /** From the reading before on, falls and ratios taken into account. */
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

/** `spans` in order of time, one per step that has readings; `before` the last reading ahead of them. */
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
    // Over a fall nothing is known of the time between: it is the span's own.
    const steps = last && falls === 0 ? Math.max(1, Math.round((span.time - last.time) / stepMs)) : 1
    const each = tidy(used / steps)
    for (let i = 1; i < steps; i++)
      out.push({ time: (last?.time ?? 0) + i * stepMs, reading: null, usage: each, estimated: true, rollback: false, entered: null })
    out.push({ time: span.time, reading, usage: each, estimated: steps > 1, rollback: falls > 0, entered: span.entered ?? null })
    last = { time: span.time, reading }
  }
  return out
}

/** The whole use of such spans, with how often the counter fell and how it stood at last. */
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

/** Readings without those that a counter cannot have had: it drops, or leaps, and within the hour is back where it was. */
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

/** Where the counter is back at `last` in one bound, if what begins at `from` is a misreading. */
function backAt(readings: readonly CounterReading[], from: number, last: CounterReading): number | undefined {
  const first = readings[from] as CounterReading
  const off = first.value - last.value
  if (off === 0) return undefined
  for (let j = from + 1; j < readings.length; j++) {
    const [before, now] = [readings[j - 1] as CounterReading, readings[j] as CounterReading]
    if (now.time - first.time > misreadMs) return undefined
    const isBack = off < 0 ? now.value >= last.value : now.value >= last.value && now.value < before.value
    // A new meter that soon stands higher than the old one did gets there step by step.
    if (isBack)
      return Math.abs(now.value - before.value) >= Math.abs(off) / 2 && Math.abs(now.value - last.value) <= Math.abs(off) / 2
        ? j
        : undefined
  }
  return undefined
}

/** Stretches without a fall. */
export function splitAtFalls(readings: readonly CounterReading[]): CounterRun[] {
  const runs: CounterRun[] = []
  for (const { value } of readings) {
    const run = runs.at(-1)
    if (run && value >= run.last) run.last = value
    else runs.push({ first: value, last: value })
  }
  return runs
}

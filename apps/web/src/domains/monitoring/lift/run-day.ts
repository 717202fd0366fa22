import { type LiftRun, runOf } from '@zhugong/contract/monitoring/lift/lift-runs'
import type { RunRow } from './run-row.ts'

/** A run as a line in the diagram of a day: floor against time. */
export interface RunLine {
  row: RunRow
  run: LiftRun
  from: { at: number; floor: number }
  to: { at: number; floor: number }
  bad: boolean
  /** Accessible description. */
  words: string
}

const overPercent = 100

/** Violations of a run: marked in the record, or above a rated value. */
export function faultsOf(run: LiftRun, ratedPersons: number): string[] {
  return [
    ...((run.maxPersonCount ?? 0) > ratedPersons ? [`超员 ${run.maxPersonCount} 人`] : []),
    ...((run.maxLoadPercent ?? 0) > overPercent ? [`超载 ${run.maxLoadPercent?.toFixed(0)} %`] : []),
    ...(run.illegal ? [run.illegalReason ? `违章：${run.illegalReason}` : '违章'] : []),
  ]
}

/** Runs of a day as lines; runs without both floors are left out. */
export function runLines(rows: readonly RunRow[], ratedPersons: number, clock: (at: number) => string): RunLine[] {
  return rows.flatMap((row): RunLine[] => {
    const run = runOf(row)
    if (run.startFloor === null || run.endFloor === null) return []
    const faults = faultsOf(run, ratedPersons)
    return [
      {
        row,
        run,
        from: { at: run.startTime, floor: run.startFloor },
        to: { at: run.endTime, floor: run.endFloor },
        bad: faults.length > 0,
        words: `${clock(run.startTime)} ${run.startFloor} → ${run.endFloor} 层，${run.maxPersonCount ?? '--'} 人${faults.length > 0 ? `，${faults.join('，')}` : ''}`,
      },
    ]
  })
}

/** The longest sequence of consecutive full runs: start, end and number. */
export function fullRow(lines: readonly RunLine[], ratedPersons: number): { from: number; to: number; runs: number } | undefined {
  let best: { from: number; to: number; runs: number } | undefined
  let now: { from: number; to: number; runs: number } | undefined
  for (const one of [...lines].filter(({ from, to }) => to.floor > from.floor).sort((a, b) => a.from.at - b.from.at)) {
    const isFull = (one.run.maxPersonCount ?? 0) >= 0.9 * ratedPersons || (one.run.maxLoadPercent ?? 0) >= 90
    now = isFull ? { from: now?.from ?? one.from.at, to: one.to.at, runs: (now?.runs ?? 0) + 1 } : undefined
    if (now && now.runs > (best?.runs ?? 0)) best = now
  }
  return best
}

import { dayMs } from '@zhugong/contract/kit/time'
import { type RawBuilder, sql } from 'kysely'
import { addDays, formatDay, startOfDay } from '#kit/clock'
import type { Tx } from '#kit/db'
import { percentOf } from './family.ts'
import type { Period } from './period.ts'
import { offSecondsByDay } from './power-off.ts'

/** Minutes that one row of `telemetry_5m` stands for. */
export const rowMinutes = 5
const rowSeconds = rowMinutes * 60

/** Every day in Asia/Shanghai that a period touches. */
export function daysOf({ from, to }: Period): string[] {
  const first = formatDay(from)
  const count = Math.max(0, Math.round((startOfDay(formatDay(to - 1)) - startOfDay(first)) / dayMs) + 1)
  return Array.from({ length: count }, (_, i) => addDays(first, i))
}

/** Percentage of the expected five-minute values, at most 100. */
const shareOf = (rows: number, machineSeconds: number) => Math.min(100, percentOf(rows, Math.max(1, machineSeconds / rowSeconds)))

/**
 * Share of the expected data of some devices in a period, in percent. Time in which a machine was switched off is not expected.
 * @param devices SQL query of their ids
 */
export async function coverageOf(db: Tx, devices: RawBuilder<unknown>, period: Period) {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from (${devices}) d`.execute(db)
  const count = rows[0]?.n ?? 0
  const off = await offSecondsByDay(db, devices, new Date(period.from), new Date(period.to))
  const offSeconds = [...off.values()].reduce((sum, one) => sum + one, 0)
  return {
    count,
    /** @param spans number of five-minute values in the whole period */
    whole: (spans: number) => shareOf(spans, count * ((period.to - period.from) / 1000) - offSeconds),
    /** @param spans number of five-minute values on that day */
    ofDay: (day: string, spans: number) => shareOf(spans, count * (dayMs / 1000) - (off.get(day) ?? 0)),
  }
}

import { AppError } from '@zhugong/contract/kit/errors'
import { parseInstant } from '@zhugong/contract/kit/fields'
import { dayMs } from '@zhugong/contract/kit/time'
import { type RawBuilder, sql } from 'kysely'

/** From inclusive, to exclusive; epoch milliseconds. */
export interface Period {
  from: number
  to: number
}

export interface PeriodQuery {
  startTime?: string | undefined
  endTime?: string | undefined
}

/**
 * Longest period per kind of query, in milliseconds. Readings are read individually, records and analyses cover a season, lines use
 * averages.
 */
export const longest = { readings: 31 * dayMs, records: 100 * dayMs, analysis: 100 * dayMs, line: 400 * dayMs }

/**
 * The requested period; without one, the last `usualMs` milliseconds.
 * @throws AppError when it is reversed or too long.
 */
export function periodOf(query: PeriodQuery, now: number, usualMs: number, most: number): Period {
  const to = query.endTime ? (parseInstant(query.endTime) ?? now) : now + 1
  const from = query.startTime ? (parseInstant(query.startTime) ?? to - usualMs) : to - usualMs
  if (from >= to) throw new AppError('invalidInput', '结束时间应晚于开始时间', { field: 'endTime' })
  if (to - from > most) throw new AppError('invalidInput', `时间范围最多 ${Math.round(most / dayMs)} 天`, { field: 'startTime' })
  return { from, to }
}

/** The current five-minute interval is not counted as missing. */
const spanSeconds = 300

/** Seconds of a day (YYYY-MM-DD) that lie within the period; for today only the hours so far. */
export function daySeconds(day: RawBuilder<unknown>, from: Date, to: Date): RawBuilder<number> {
  const begins = sql`(${day} || 'T00:00:00+08:00')::timestamptz`
  return sql<number>`greatest(${spanSeconds}, least(86400, extract(epoch from
    least(${begins} + interval '1 day', ${to}::timestamptz - make_interval(secs => ${spanSeconds})) - greatest(${begins}, ${from}::timestamptz))))`
}

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

/** The longest period a call of its kind is asked for, in milliseconds: readings are read one by one, records and analyses by the season, lines from means. */
export const longest = { readings: 31 * dayMs, records: 100 * dayMs, analysis: 100 * dayMs, line: 400 * dayMs }

/** The asked period; without one the last so many hours. Throws AppError when it is turned round or too long. */
export function periodOf(query: PeriodQuery, now: number, usualMs: number, most: number): Period {
  const to = query.endTime ? (parseInstant(query.endTime) ?? now) : now + 1
  const from = query.startTime ? (parseInstant(query.startTime) ?? to - usualMs) : to - usualMs
  if (from >= to) throw new AppError('invalidInput', '结束时间应晚于开始时间', { field: 'endTime' })
  if (to - from > most) throw new AppError('invalidInput', `时间范围最多 ${Math.round(most / dayMs)} 天`, { field: 'startTime' })
  return { from, to }
}

/** The five minutes that are being added up do not count against a device. */
const spanSeconds = 300

/** As much of a day (YYYY-MM-DD) as lies within the period, in seconds: today has not had all its hours yet. */
export function daySeconds(day: RawBuilder<unknown>, from: Date, to: Date): RawBuilder<number> {
  const begins = sql`(${day} || 'T00:00:00+08:00')::timestamptz`
  return sql<number>`greatest(${spanSeconds}, least(86400, extract(epoch from
    least(${begins} + interval '1 day', ${to}::timestamptz - make_interval(secs => ${spanSeconds})) - greatest(${begins}, ${from}::timestamptz))))`
}

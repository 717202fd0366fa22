import { type RawBuilder, sql } from 'kysely'
import { attendanceRate as rateOf } from './engine/now.ts'

/**
 * 应到, 实到, 未到 and 出勤率: the only definition, computed from rows of `attendance_day` alone. A row records who was expected when it was
 * computed, so later entries and exits do not change the figures. 应到 = 实到 + 未到 on any day. People who come without being expected count
 * as 今日出勤, but not in the rate.
 */
export const isDue = (day: string): RawBuilder<boolean> => sql`${sql.ref(`${day}.expected`)}`
/** 出勤, expected or not: at least one counted record. Attendance days for wages (`attend_day`) may also require hours. */
export const hasCome = (day: string): RawBuilder<boolean> => sql`(${sql.ref(`${day}.recordCount`)} > 0)`
export const hasArrived = (day: string): RawBuilder<boolean> => sql`(${isDue(day)} and ${hasCome(day)})`
export const isMissing = (day: string): RawBuilder<boolean> => sql`(${isDue(day)} and not ${hasCome(day)})`

export interface Due {
  expected: number
  arrived: number
}
/** The columns of `Due`, for a query grouped over days. */
export const dueColumns = (day: string): RawBuilder<unknown> =>
  sql`count(*) filter (where ${isDue(day)})::int as expected, count(*) filter (where ${hasArrived(day)})::int as arrived`

/** Percent, two decimals; null where nobody is expected. */
export const attendanceRate = ({ expected, arrived }: Due): number | null => rateOf(arrived, expected)

export function sumDue(all: Iterable<Due>): Due {
  let [expected, arrived] = [0, 0]
  for (const one of all) {
    expected += one.expected
    arrived += one.arrived
  }
  return { expected, arrived }
}

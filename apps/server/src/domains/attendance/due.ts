import { type RawBuilder, sql } from 'kysely'
import { attendanceRate as rateOf } from './engine/now.ts'

/**
 * 应到, 实到, 未到 and 出勤率: the one definition, of the rows of `attendance_day` alone. A row says whom its day expected when it was computed,
 * so that nobody who enters or leaves later changes the figure. 应到 = 实到 + 未到 on any day, running or over. Who comes without being
 * expected has come (今日出勤) but is no part of the rate.
 */
export const isDue = (day: string): RawBuilder<boolean> => sql`${sql.ref(`${day}.expected`)}`
/** 出勤, expected or not: at least one record counted. Attendance days that wages count (`attend_day`) may ask for hours as well; coming does not. */
export const hasCome = (day: string): RawBuilder<boolean> => sql`(${sql.ref(`${day}.recordCount`)} > 0)`
export const hasArrived = (day: string): RawBuilder<boolean> => sql`(${isDue(day)} and ${hasCome(day)})`
export const isMissing = (day: string): RawBuilder<boolean> => sql`(${isDue(day)} and not ${hasCome(day)})`

export interface Due {
  expected: number
  arrived: number
}
/** The columns of `Due`, to be taken from grouped days. */
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

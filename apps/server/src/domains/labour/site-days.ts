import { type RawBuilder, sql } from 'kysely'
import type { Context } from '#kit/context'

export interface DayLine {
  day: string
  expected: number
  attended: number
}
/** Work days a curve shows. */
const shownDays = 30

/** How many were expected and how many came, day by day, of the attendance days that a condition on `d` names; days without anybody are none. */
export async function daysOf(ctx: Pick<Context, 'db'>, where: RawBuilder<unknown>, today: string): Promise<DayLine[]> {
  const { rows } = await sql<DayLine>`
    select d.work_day::text as day, count(*) filter (where d.expected)::int as expected, count(*) filter (where d.first_in is not null)::int as attended
    from attendance_day d where ${where} and d.work_day > ${today}::date - ${shownDays}::int and d.work_day <= ${today}::date group by 1 order by 1`.execute(
    ctx.db,
  )
  return rows
}

import { type RawBuilder, sql } from 'kysely'
import type { Context } from '#kit/context'
import { type Due, dueColumns } from '../attendance/public.ts'

export interface DayLine extends Due {
  day: string
}
/** Work days a curve shows. */
const shownDays = 30

/** What a day came to; nobody of a day without rows. */
export function dueOn(days: readonly DayLine[], day: string): Due {
  const { expected = 0, arrived = 0 } = days.find((one) => one.day === day) ?? {}
  return { expected, arrived }
}

/** How many were expected and how many came, day by day, of the attendance days that a condition on `d` names; days without anybody are none. */
export async function daysOf(ctx: Pick<Context, 'db'>, where: RawBuilder<unknown>, today: string): Promise<DayLine[]> {
  const { rows } = await sql<DayLine>`
    select d.work_day::text as day, ${dueColumns('d')}
    from attendance_day d where ${where} and d.work_day > ${today}::date - ${shownDays}::int and d.work_day <= ${today}::date group by 1 order by 1`.execute(
    ctx.db,
  )
  return rows
}

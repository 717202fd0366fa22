import { type RawBuilder, sql } from 'kysely'
import type { Context } from '#kit/context'
import { type Due, dueColumns } from '../attendance/public.ts'

export interface DayLine extends Due {
  day: string
}
/** Days shown in the curve. */
const shownDays = 30

/** Expected and arrived people of a day; zero without rows. */
export function dueOn(days: readonly DayLine[], day: string): Due {
  const { expected = 0, arrived = 0 } = days.find((one) => one.day === day) ?? {}
  return { expected, arrived }
}

/** Expected and arrived people by day, from the rows of `attendance_day` `d` that meet a condition. Days without rows are omitted. */
export async function daysOf(ctx: Pick<Context, 'db'>, where: RawBuilder<unknown>, today: string): Promise<DayLine[]> {
  const { rows } = await sql<DayLine>`
    select d.work_day::text as day, ${dueColumns('d')}
    from attendance_day d where ${where} and d.work_day > ${today}::date - ${shownDays}::int and d.work_day <= ${today}::date group by 1 order by 1`.execute(
    ctx.db,
  )
  return rows
}

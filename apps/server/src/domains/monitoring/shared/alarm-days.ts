import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '#kit/db'
import { shanghaiDay } from './family.ts'
import type { Period } from './period.ts'

/**
 * Alarms of some devices by day of their start; drills (`simulated`) are counted separately.
 * @param devices SQL query of their ids
 * @param without alarm keys that are not counted
 */
export async function alarmDays(db: Tx, devices: RawBuilder<unknown>, period: Period, without: readonly string[]) {
  const { rows } = await sql<{ day: string; n: number; simulated: number }>`
    select ${shanghaiDay('start_time')} as day, count(*) filter (where not simulated)::int as n, count(*) filter (where simulated)::int as simulated
    from alarm where device_id in (${devices}) and alarm_key <> all (${[...without]})
      and start_time >= ${new Date(period.from)} and start_time < ${new Date(period.to)} group by 1`.execute(db)
  const sum = (key: 'n' | 'simulated') => rows.reduce((total, one) => total + one[key], 0)
  return { total: sum('n'), simulated: sum('simulated'), ofDay: (day: string) => rows.find((one) => one.day === day)?.n ?? 0 }
}

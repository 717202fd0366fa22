import { sql } from 'kysely'
import type { Database } from '#kit/db'
import { quietMs, stoppedKey, turnWorkAlarms, type WorkingMachine } from '../alarms/public.ts'

/**
 * Opens an alarm of level 2 on every crane and lift that works while its project is stopped, and ends it when the machine rests or the
 * project resumes. Machines are not commanded. Returns the number of alarms opened and ended.
 */
export async function watchStopped(database: Database, now: number): Promise<number> {
  const since = new Date(now - quietMs)
  const { rows: working } = await sql<
    Omit<WorkingMachine, 'why'> & { code: string | null }
  >`select d.id as device_id, d.name, d.family, d.project_code, r.at, s.code
    from (select distinct on (project_code) * from project_stop where begun and until_day is null order by project_code, from_day) s
      join device d on d.project_code = s.project_code and d.status = '1' and d.family in ('towerCrane', 'lifter')
      join lateral (select max(r.ts) as at from device_record r where r.device_id = d.id and r.record = 'workingCycle'
        and r.ts > ${since}::timestamptz and r.ts >= (s.from_day + 1)::timestamp at time zone 'Asia/Shanghai') r on r.at is not null
    where not exists (select from alarm a where a.device_id = d.id and a.alarm_key = ${stoppedKey} and a.active and not a.simulated and not a.historical)`.execute(
    database.kysely,
  )
  const { rows: resting } = await sql<{
    id: string
  }>`select a.id from alarm a where a.alarm_key = ${stoppedKey} and a.active and not a.simulated
    and not a.historical and (not exists (select from project_stop s where s.project_code = a.project_code and s.begun and s.until_day is null)
      or not exists (select from device_record r where r.device_id = a.device_id and r.record = 'workingCycle' and r.ts > ${since}::timestamptz))`.execute(
    database.kysely,
  )
  return turnWorkAlarms(
    database,
    now,
    { key: stoppedKey, label: '停工期间作业' },
    working.map(({ code, ...one }) => ({ ...one, why: `项目停工中（${code ?? '停工'}），设备仍有作业循环` })),
    resting,
  )
}

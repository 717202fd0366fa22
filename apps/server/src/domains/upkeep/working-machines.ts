import { sql } from 'kysely'
import type { Database } from '#kit/db'
import { quietMs, suspendedKey, turnWorkAlarms, type WorkingMachine } from '../alarms/public.ts'

/**
 * Opens an alarm on every crane and lift that works while a check has suspended it, and ends it when the machine rests or may work again.
 * Returns the number of alarms opened and ended.
 */
export async function watchSuspended(database: Database, now: number): Promise<number> {
  const since = new Date(now - quietMs)
  const { rows: working } = await sql<
    Omit<WorkingMachine, 'why'> & { code: string | null }
  >`select distinct on (d.id) d.id as device_id, d.name,
      d.family, d.project_code, r.at, c.code
    from device_inspect i join site_check c on c.id = i.check_id
      join machine_stay s on s.id = i.stay_id and s.state <> '9'
      join device d on d.id = s.device_id and d.status = '1'
      join lateral (select max(w.ts) as at from device_record w where w.device_id = d.id and w.record = 'workingCycle'
        and w.ts > greatest(${since}::timestamptz, i.suspended_at)) r on r.at is not null
    where i.suspended_at is not null and i.released_at is null
      and not exists (select from alarm a where a.device_id = d.id and a.alarm_key = ${suspendedKey} and a.active and not a.simulated
        and not a.historical)
    order by d.id, i.suspended_at`.execute(database.kysely)
  const { rows: resting } = await sql<{ id: string }>`select a.id from alarm a
    where a.alarm_key = ${suspendedKey} and a.active and not a.simulated and not a.historical
      and (not exists (select from device_inspect i join machine_stay s on s.id = i.stay_id
          where s.device_id = a.device_id and s.state <> '9' and i.suspended_at is not null and i.released_at is null)
        or not exists (select from device_record w where w.device_id = a.device_id and w.record = 'workingCycle' and w.ts > ${since}::timestamptz))`.execute(
    database.kysely,
  )
  return turnWorkAlarms(
    database,
    now,
    { key: suspendedKey, label: '停用设备作业' },
    working.map(({ code, ...one }) => ({ ...one, why: `检查 ${code ?? ''} 已停用该设备，复查合格前不得作业` })),
    resting,
  )
}

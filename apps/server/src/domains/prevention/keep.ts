import { dayMs } from '@zhugong/contract/kit/time'
import { bodyRange } from '@zhugong/contract/prevention/codes'
import { tempSetting } from '@zhugong/contract/prevention/endpoints'
import { sql } from 'kysely'
import type { Clock } from '#kit/clock'
import type { Db } from '#kit/db'
import { newId } from '#kit/ids'
import { pick } from '#kit/pick'
import { dropTemperatures } from '../attendance/public.ts'
import { settingFor } from './settings.ts'

/** Period of measurements that are evaluated; later arrivals raise no alarm. */
const lookBackMs = 2 * dayMs

/**
 * Raises alarms for measurements above the limit, one row per person and work day. Idempotent. Returns the number of rows raised or
 * updated.
 */
export async function keepTempAlarms(db: Db, clock: Clock): Promise<number> {
  const now = clock.now()
  // Per site, using the index of measurements: the events of all sites are millions.
  const { rows } = await sql<{ projectCode: string }>`
    select c.project_code from attendance_chain c where exists (select 1 from attendance_event e
      where e.project_code = c.project_code and e.temperature is not null and e.time >= ${new Date(now - lookBackMs)}) order by 1`.execute(
    db,
  )
  let count = 0
  for (const { projectCode } of rows) count += await keepProject(db, projectCode, now)
  return count
}

interface Warm {
  workerId: string
  corpCode: string | null
  teamId: string | null
  workDay: string
  temperature: number
  count: number
  first: Date
  last: Date
  terminalCode: string
  channel: string | null
}

export async function keepProject(db: Db, projectCode: string, now: number): Promise<number> {
  const s = await settingFor(db, projectCode)
  if (!s.measuring) return 0
  const offsets = s.gateOffsets
  const { rows } = await sql<Warm>`
    with warm as (
      select e.*, round(e.temperature + coalesce(o.add, 0), 1) as t from attendance_event e
        left join unnest(${offsets.map((g) => g.terminalCode)}::text[], ${offsets.map((g) => g.offset)}::numeric[]) as o(code, add) on o.code = e.terminal_code
      where e.project_code = ${projectCode} and e.worker_id is not null and e.time >= ${new Date(now - lookBackMs)}
        and e.temperature between ${bodyRange.low} and ${bodyRange.high})
    select distinct on (worker_id, work_day) worker_id, corp_code, team_id, work_day, t::float as temperature, terminal_code, channel,
      (count(*) over w)::int as count, min(time) over w as first, max(time) over w as last
    from warm where t >= ${s.threshold} and work_day is not null
    window w as (partition by worker_id, work_day) order by worker_id, work_day, t desc, time`.execute(db)
  if (rows.length === 0) return 0
  const list = rows.map((r) => ({
    id: newId(now),
    project_code: projectCode,
    worker_id: r.workerId,
    corp_code: r.corpCode,
    team_id: r.teamId,
    work_day: r.workDay,
    ...pick(r, 'temperature', 'count', 'channel'),
    threshold: s.threshold,
    level: r.temperature >= s.high ? '3' : '2',
    time: r.first.toISOString(),
    last_time: r.last.toISOString(),
    terminal_code: r.terminalCode,
  }))
  const { numAffectedRows } = await sql`
    insert into temp_alarm as a (id, project_code, worker_id, corp_code, team_id, work_day, temperature, threshold, level, count, time, last_time, terminal_code, channel)
    select id, project_code, worker_id, corp_code, team_id, work_day, temperature, threshold, level, count, time, last_time, terminal_code, channel
    from jsonb_populate_recordset(null::temp_alarm, ${JSON.stringify(list)}::jsonb)
    on conflict (project_code, worker_id, work_day) do update set temperature = greatest(a.temperature, excluded.temperature),
      level = greatest(a.level, excluded.level), count = excluded.count, last_time = excluded.last_time
    where a.count < excluded.count`.execute(db)
  return Number(numAffectedRows ?? 0)
}

/** Deletes temperatures and notes after the retention period; alarm and outcome stay as counts. */
export async function forgetTemperatures(db: Db, clock: Clock): Promise<void> {
  const now = clock.now()
  const { rows } = await sql<{ projectCode: string; days: number }>`
    select p.project_code, (s.value ->> 'retentionDays')::int as days from project p left join temp_alarm_setting s using (project_code)
    order by 1`.execute(db)
  for (const { projectCode, days } of rows) {
    const before = new Date(now - (days ?? keptDays) * dayMs)
    await dropTemperatures(db, projectCode, before)
    await sql`
      update temp_alarm set temperature = null, recheck = null, course = '[]'
      where project_code = ${projectCode} and time < ${before} and (temperature is not null or recheck is not null)`.execute(db)
  }
}
/** Retention days of sites without a setting. */
const keptDays = tempSetting.parse({}).retentionDays

import type pg from 'pg'
import { compareStored, type Load } from '../bench/load.ts'
import type { Stand } from '../bench/stand.ts'

/** The damage that a fault must not cause. */
export interface Account {
  acknowledged: number
  lost: number
  twice: number
  alarms: number
  alarmsTwice: number
  /** Alarms that the rule state holds as open but are not in the alarm table, or the reverse. */
  alarmsAstray: number
  falselyOffline: number
}

/** Stops the load and compares what is stored with what was acknowledged: each reading, each alarm. */
export async function takeAccount(stand: Stand, load: Load): Promise<Account> {
  const { acknowledged } = await load.stop(60_000)
  return { ...(await compareStored(stand.pool, acknowledged)), ...(await countAlarms(stand.pool)) }
}

export async function countAlarms(pool: pg.Pool): Promise<Pick<Account, 'alarms' | 'alarmsTwice' | 'alarmsAstray' | 'falselyOffline'>> {
  const { rows } = await pool.query<{ alarms: number; twice: number; astray: number; offline: number }>(`
    select
      (select count(*)::int from alarm where alarm_key <> 'offline') as alarms,
      -- The same subject open twice at one moment, or one opening told twice.
      (select count(*)::int from alarm a join alarm b on a.device_id = b.device_id and a.point = b.point and a.alarm_key = b.alarm_key and a.id < b.id
         where a.historical = b.historical and a.start_time < coalesce(b.clear_time, 'infinity') and b.start_time < coalesce(a.clear_time, 'infinity'))
      + (select count(*)::int from (select 1 from alarm_log where event = 'open' group by alarm_id having count(*) > 1) l)
      + (select count(*)::int from (select 1 from alarm_outbox where event = 'open' group by alarm_id having count(*) > 1) o) as twice,
      (select count(*)::int from rule_state s join rule_trigger t on t.id = s.trigger_id
         where s.state -> 'held' -> 'open' is not null and s.state -> 'held' -> 'open' <> 'null'
           and not exists (select 1 from alarm a where a.device_id = s.device_id and a.point = s.point and a.alarm_key = t.alarm_key and a.active))
      + (select count(*)::int from alarm a where a.active and a.rule_id is not null
           and not exists (select 1 from rule_state s where s.device_id = a.device_id and s.trigger_id = a.rule_id and s.point = a.point
             and s.state -> 'held' -> 'open' is not null and s.state -> 'held' -> 'open' <> 'null')) as astray,
      (select count(*)::int from alarm where alarm_key = 'offline') as offline`)
  const row = rows[0] ?? { alarms: 0, twice: 0, astray: 0, offline: 0 }
  return { alarms: row.alarms, alarmsTwice: row.twice, alarmsAstray: row.astray, falselyOffline: row.offline }
}

export const isWhole = (a: Account) => a.lost + a.twice + a.alarmsTwice + a.alarmsAstray + a.falselyOffline === 0

export const inWords = (a: Account) =>
  `acknowledged ${a.acknowledged}, lost ${a.lost} (0), stored twice ${a.twice} (0), alarms ${a.alarms}, opened twice ${a.alarmsTwice} (0), astray ${a.alarmsAstray} (0), falsely offline ${a.falselyOffline} (0)`

import { blockMinutes } from '@zhugong/contract/linkage/codes'
import { sql } from 'kysely'
import type { Db } from '#kit/db'
import type { Facts } from './decide.ts'
import { linkageName } from './run.ts'

/** The last manual stop of a device, here or on its own page, and the time until which nothing starts it automatically. */
export async function blockOf(db: Db, deviceId: string, stopCommand: string | undefined, now: number): Promise<Facts['block']> {
  const at = new Date(now)
  const since = new Date(now - blockMinutes * 60_000)
  const { rows } = await sql<{ until: Date; reason: string; by: string }>`
    select until_time as until, reason, by_name as by from linkage_block where device_id = ${deviceId} and until_time > ${at}
    union all
    select sent_at + make_interval(mins => ${blockMinutes}), '手动停止', by_name from device_command
    where device_id = ${deviceId} and cmd = ${stopCommand ?? ''} and sent_at > ${since} and result = 0 and by_name <> ${linkageName}
    order by 1 desc limit 1`.execute(db)
  const row = rows[0]
  return row && { until: row.until.getTime(), reason: row.reason, by: row.by }
}

/** End of the device's rest period after the last run of this command; undefined if none. */
export async function cooldownOf(db: Db, deviceId: string, command: string, now: number): Promise<number | undefined> {
  const { rows } = await sql<{ until: Date | null }>`select max(cooldown_until) as until from linkage_run
    where device_id = ${deviceId} and command = ${command} and state = 'ended' and cooldown_until > ${new Date(now)}`.execute(db)
  return rows[0]?.until?.getTime()
}

import { usualDuty } from '@zhugong/contract/tracks/track'
import { sql } from 'kysely'
import type { Db } from '#kit/db'

/** Deletes positions, shifts and looks that are older than their institution keeps them. */
export async function forgetPlaces(db: Db, now: number): Promise<void> {
  const at = new Date(now)
  for (const { table, column } of [
    { table: 'officer_place', column: 'at' },
    { table: 'officer_look', column: 'at' },
    { table: 'officer_shift', column: 'end_time' },
  ])
    await sql`delete from ${sql.table(table)} x where ${sql.ref(`x.${column}`)} < ${at}::timestamptz - make_interval(days =>
      coalesce((select s.keep_days from officer_setting s where s.group_id = x.group_id), ${usualDuty.keepDays}))`.execute(db)
}

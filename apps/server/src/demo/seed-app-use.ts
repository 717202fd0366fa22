import { sql } from 'kysely'
import { formatDay } from '#kit/clock'
import type { Db } from '#kit/db'

const daysBack = 6
/** Percent of members who open an app on a working day. */
const share = 35

/** App usage of the last week, for the lists of apps. Deterministic for the same city. */
export async function seedAppUse(db: Db, now: number): Promise<void> {
  await sql`insert into app_use (group_id, app_id, user_id, day)
    select m.group_id, a.id, m.user_id, ${formatDay(now)}::date - back
    from member m
    join tenant t on t.id = m.group_id
    join app a on a.enable = '1' and t.type = any (a.group_types)
      and (a.base or exists (select from app_grant g where g.app_id = a.id and g.group_id = m.group_id and g.revoked_at is null))
    cross join generate_series(0, ${daysBack}) back
    where abs(hashtext(m.id || a.id || back::text)) % 100 < ${share}
    on conflict do nothing`.execute(db)
}

import { sql } from 'kysely'
import type { Db } from '#kit/db'

/** Number of projects that people of each company and authority entered recently; the first one is starred. */
const entered = 3

export async function seedOwnProjects(db: Db, now: number): Promise<void> {
  await sql`
    insert into project_mark (user_id, project_code, group_id, starred, entered_at)
    select user_id, project_code, group_id, turn = 1, ${new Date(now)}::timestamptz - turn * interval '7 hours'
    from (
      select m.user_id, m.group_id, p.project_code,
        row_number() over (partition by m.user_id order by (p.prj_status = '003') desc, m.group_id, p.project_code) as turn
      from member m join tenant t on t.id = m.group_id join project p on
        t.type = 2 and exists (select from project_corp c where c.project_code = p.project_code and c.corp_code = t.code and c.exit_time is null)
        or t.type = 1 and p.area_code like rtrim(t.area_code, '0') || '%') seen
    where turn <= ${entered}
    on conflict do nothing`.execute(db)
}

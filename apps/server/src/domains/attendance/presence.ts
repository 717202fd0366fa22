import { sql } from 'kysely'
import type { Db } from '#kit/db'
import { allOf, inProjects } from '#kit/list'
import { attendanceRate, type Due, dueColumns, hasCome, sumDue } from './due.ts'

/** People of one project on its running day. */
export interface Presence extends Due {
  projectCode: string
  /** 在册: entered and not exited. */
  inPlace: number
  /** 今日出勤: whoever came, expected or not. */
  attended: number
}

/** 在册, 今日出勤 and 实到 / 应到 by project, for every place that shows them. `day` is the work day that runs. */
export async function presenceByProject(db: Db, projects: readonly string[] | undefined, day: string): Promise<Map<string, Presence>> {
  const { rows } = await sql<Presence>`
    select project_code, sum(in_place)::int as in_place, sum(attended)::int as attended, sum(expected)::int as expected,
      sum(arrived)::int as arrived from (
      select pw.project_code, count(*) as in_place, 0 as attended, 0 as expected, 0 as arrived
      from project_worker pw where pw.exit_time is null and ${allOf(...inProjects('pw.projectCode', projects))} group by 1
      union all
      select d.project_code, 0, count(*) filter (where ${hasCome('d')}), ${dueColumns('d')}
      from attendance_day d where d.work_day = ${day}::date and ${allOf(...inProjects('d.projectCode', projects))} group by 1) both_of
    group by 1`.execute(db)
  return new Map(rows.map((row) => [row.projectCode, row]))
}

/** 出勤率 of some sites together; null when none expects anybody. */
export const presenceRate = (sites: Iterable<Due>): number | null => attendanceRate(sumDue(sites))

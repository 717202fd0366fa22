import { sql } from 'kysely'
import type { Db } from '#kit/db'
import { allOf, inProjects } from '#kit/list'
import { percentOf } from './engine/rate.ts'

/** People of one project on its running day. */
export interface Presence {
  projectCode: string
  /** A58: entered and not exited. */
  inPlace: number
  /** A59: with at least one counted entry this work day. */
  attended: number
  /** A30: how many the day expects; nobody on a rest day and where work stands still. */
  expected: number
}

/** 在场人数 and 今日出勤 by project, for every place that shows them. `day` is the work day that runs. */
export async function presenceByProject(db: Db, projects: readonly string[] | undefined, day: string): Promise<Map<string, Presence>> {
  const { rows } = await sql<Presence>`
    select project_code, sum(in_place)::int as in_place, sum(attended)::int as attended, sum(expected)::int as expected from (
      select pw.project_code, count(*) as in_place, 0 as attended, 0 as expected
      from project_worker pw where pw.exit_time is null and ${allOf(...inProjects('pw.projectCode', projects))} group by 1
      union all
      select d.project_code, 0, count(*) filter (where d.first_in is not null), count(*) filter (where d.expected)
      from attendance_day d where d.work_day = ${day}::date and ${allOf(...inProjects('d.projectCode', projects))} group by 1) both_of
    group by 1`.execute(db)
  return new Map(rows.map((row) => [row.projectCode, row]))
}

/** A61: what came of those in place, of sites that expect anybody today; null when none does. */
export function presenceRate(sites: Iterable<Presence>): number | null {
  let [attended, inPlace] = [0, 0]
  for (const site of sites) {
    if (site.expected === 0) continue
    attended += site.attended
    inPlace += site.inPlace
  }
  return percentOf(attended, inPlace)
}

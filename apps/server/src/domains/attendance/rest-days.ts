import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#kit/db'
import { allOf, inProjects } from '#kit/list'

/**
 * Projects of a scope whose setting in force on a work day makes it a rest day: SQL over project codes, for `= any (...)` and the like.
 * The same as `isRestDate` of the contract; before the first version the first holds.
 */
const restingOn = (date: string, projects: readonly string[] | undefined): RawBuilder<{ projectCode: string }> => sql`
  select s.project_code from (
    select distinct on (s.project_code) s.project_code, s.value from attendance_setting s
    where ${allOf(...inProjects('s.projectCode', projects))}
    order by s.project_code, (s.effective_from <= ${date}::date) desc,
      case when s.effective_from <= ${date}::date then s.effective_from end desc, s.effective_from, s.id desc) s
  where coalesce(s.value -> 'restDates', '[]') ? ${date}
    or (coalesce(s.value -> 'restWeekdays', '[]') @> to_jsonb(extract(isodow from ${date}::date)::int)
      and not coalesce(s.value -> 'workDates', '[]') ? ${date})`

/** Projects that no rate of a day may judge: they rest on it, or stand still (A61). SQL over project codes. */
export const unratedOn = (date: string, projects: readonly string[] | undefined): RawBuilder<{ projectCode: string }> => sql`
  select project_code from (${restingOn(date, projects)}) r
  union select p.project_code from project p where p.prj_status = '005' and ${allOf(...inProjects('p.projectCode', projects))}`

export async function unratedProjects(ctx: { db: Db }, date: string, projects: readonly string[] | undefined): Promise<string[]> {
  const { rows } = await unratedOn(date, projects).execute(ctx.db)
  return rows.map((r) => r.projectCode)
}

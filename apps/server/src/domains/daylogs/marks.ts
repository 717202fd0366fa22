import { type RawBuilder, sql } from 'kysely'
import type { Context } from '#kit/context'
import type { Condition } from '#kit/list'

/** Before the works begin nothing is due: 筹备 and 立项 in dictionary projectState. */
const notBegun = ['001', '002']
/** 竣工, 完工 and 终止监督: nothing is due any more. */
const over = ['004', '006', '007']
const stopped = '005'

/** First and last day on which a project owes a log. */
const begins = sql`case when p.prj_status = any (${notBegun}) then null else coalesce(p.actual_start_date, p.start_date) end`
const ends = sql`case when p.prj_status = any (${over}) then coalesce(p.actual_complete_date, p.actual_start_date, p.start_date) end`
const stops = sql`(exists (select from project_stop s where s.project_code = p.project_code and s.begun and s.from_day <= d.day
    and (s.until_day is null or s.until_day > d.day))
  or p.prj_status = ${stopped} and d.day >= coalesce((select max((l.at at time zone 'Asia/Shanghai')::date) from project_state_log l
    where l.project_code = p.project_code and l.to_state = ${stopped}), p.start_date))`

/**
 * The mark of every day (contract `dayMarks`) of the sites that `where` names on `project p`, by their safety logs: project_code, day, mark,
 * id. One statement for any number of sites.
 */
export const marksOf = (where: Condition, from: string, until: string, today: string): RawBuilder<unknown> =>
  sql`select p.project_code, d.day, x.id,
      case when x.id is not null then case when x.late then 'l' else 'w' end
        when ${begins} is null or d.day < ${begins} or d.day >= ${ends} or d.day > ${today}::date then '-'
        when ${stops} then 's' when d.day = ${today}::date then 't' else 'm' end as mark
    from project p cross join (select generate_series(${from}::date, ${until}::date, interval '1 day')::date as day) d
    left join day_log x on x.kind = 'safetyPLog' and x.project_code = p.project_code and x.day = d.day and x.state <> '0'
    where ${where}`

/** Whether a project `p` worked on a day `d.day`: it had begun, had not ended, and was not stopped. */
export const worked = sql`(${begins} is not null and d.day >= ${begins} and (${ends} is null or d.day < ${ends}) and not ${stops})`

/** The days of a span on which a project works. Days to come are told by the stops known today. */
export async function workedDays(ctx: Pick<Context, 'db'>, projectCode: string, from: string, until: string): Promise<Set<string>> {
  const { rows } = await sql<{ day: string }>`select d.day::text as day from project p
      cross join (select generate_series(${from}::date, ${until}::date, interval '1 day')::date as day) d
    where p.project_code = ${projectCode} and ${worked}`.execute(ctx.db)
  return new Set(rows.map((one) => one.day))
}

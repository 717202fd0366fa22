import type { seriesKinds } from '@zhugong/contract/checks/security-check'
import { dayMs } from '@zhugong/contract/kit/time'
import { sql } from 'kysely'
import { addDays, formatDay, formatInstant, startOfDay } from '#kit/clock'
import type { Context } from '#kit/context'
import { type Condition, condition } from '#kit/list'

/** Conditions on `site_check_problem p` and `site_check c`: a problem of safety, not of quality or of the look of the site. */
export const isSafety = sql`(p.quality_problem is null and c.kind <> 'civiConsInspection')`

export type SeriesKind = (typeof seriesKinds)[number]

/** Expression on `site_check_problem p`: what problems of one series have in common. Words stand in where no item was chosen. */
export const keyOfSeries = (group: SeriesKind) => (group === 'item' ? sql`coalesce(p.item_code, p.description)` : sql`p.part`)

interface Series {
  projectCode: string
  by: SeriesKind
  key: string
}
/** Problems listed of a series. */
const mostShown = 30

/** Problems of a series in submitted checks: each week from `from` until now with their number, and the latest. Days are yyyy-MM-dd. */
export async function problemsOfSeries(ctx: Pick<Context, 'db' | 'clock'>, { projectCode, by, key }: Series, from: string) {
  return problemsSince(ctx, condition(sql`p.project_code = ${projectCode} and ${isSafety} and ${keyOfSeries(by)} = ${key}`), from)
}

/** The same for whatever problems a condition on `site_check_problem p` and `site_check c` chooses. */
export async function problemsSince(ctx: Pick<Context, 'db' | 'clock'>, which: Condition, from: string) {
  const first = mondayOf(from)
  const at = sql`from site_check_problem p join site_check c on c.id = p.check_id where c.state <> '0' and ${which}`
  const counted = await sql<{ week: string; count: number }>`
    select to_char(date_trunc('week', c.check_time at time zone 'Asia/Shanghai'), 'YYYY-MM-DD') as week, count(*)::int as count ${at}
      and c.check_time >= ${new Date(startOfDay(first))} group by 1`.execute(ctx.db)
  const byWeek = new Map(counted.rows.map((one) => [one.week, one.count]))
  const weeks: { week: string; count: number }[] = []
  for (let week = first; week <= formatDay(ctx.clock.now()); week = addDays(week, 7)) weeks.push({ week, count: byWeek.get(week) ?? 0 })
  type Raw = { id: string; checkId: string; checkCode: string | null; checkTime: Date; part: string; description: string; closed: boolean }
  const { rows } = await sql<Raw>`select p.id, c.id as check_id, c.code as check_code, c.check_time, p.part, p.description,
      coalesce((select l.state = 'passed' from rectify_line l where l.id = p.line_id), false) as closed ${at}
    order by c.check_time desc, p.id limit ${mostShown}`.execute(ctx.db)
  return { weeks, problems: rows.map((one) => ({ ...one, checkTime: formatInstant(one.checkTime) })) }
}

function mondayOf(day: string): string {
  const weekday = (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7
  return formatDay(startOfDay(day) - weekday * dayMs)
}

import type { HomeProject, MainPage } from '@zhugong/contract/home/endpoints'
import { projectStates } from '@zhugong/contract/organisation/codes'
import { areaName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { addDays } from '#kit/clock'
import type { Context } from '#kit/context'
import { allOf, inProjects } from '#kit/list'
import { hasArrived, isDue, presenceRate, sumDue } from '../attendance/public.ts'
import { rate } from './figures.ts'
import { sumOf, type Today } from './today.ts'

interface Week {
  areaCode: string
  named: number
  stays: number
  expected: number
  came: number
  expectedBefore: number
  cameBefore: number
}

/**
 * Attendance rates of complete weeks, over days with expected people: Sundays do not distort them, and the current day is left out. Reads
 * project_worker, worker and attendance_day.
 */
async function weeksByArea(ctx: Context, projects: readonly string[] | undefined, day: string): Promise<Map<string, Week>> {
  const { rows } = await sql<Week>`
    select p.area_code, sum(s.named)::int as named, sum(s.stays)::int as stays, sum(d.expected)::int as expected, sum(d.came)::int as came,
      sum(d.expected_before)::int as expected_before, sum(d.came_before)::int as came_before
    from project p
      cross join lateral (select count(*) as stays, count(*) filter (where w.real_name_state = '1') as named
        from project_worker pw left join worker w on w.id = pw.worker_id where pw.project_code = p.project_code and pw.exit_time is null) s
      cross join lateral (select count(*) filter (where recent) as expected, count(*) filter (where recent and arrived) as came,
          count(*) filter (where not recent) as expected_before, count(*) filter (where not recent and arrived) as came_before
        from (select ${hasArrived('ad')} as arrived, ad.work_day >= ${addDays(day, -7)}::date as recent from attendance_day ad
          where ad.project_code = p.project_code and ${isDue('ad')} and ad.work_day >= ${addDays(day, -14)}::date and ad.work_day < ${day}::date) of_two_weeks) d
    where p.enable = '1' and ${allOf(...inProjects('p.projectCode', projects))} group by 1`.execute(ctx.db)
  return new Map(rows.map((row) => [row.areaCode, row]))
}

/** Figures of the districts, for comparison. */
export async function districtsOf(
  ctx: Context,
  projects: readonly string[] | undefined,
  cards: readonly HomeProject[],
  today: Today,
): Promise<MainPage['districts']> {
  const weeks = await weeksByArea(ctx, projects, today.day)
  return [...Map.groupBy(cards, (card) => card.areaCode)].map(([areaCode, own]) => {
    const week = weeks.get(areaCode)
    const onlineRate = rate(
      sumOf(own, (p) => p.online),
      sumOf(own, (p) => p.devices),
    )
    const weekRate = week ? rate(week.came, week.expected) : null
    const before = week ? rate(week.cameBefore, week.expectedBefore) : null
    const realNameRate = week ? rate(week.named, week.stays) : null
    const graveAlarms = sumOf(own, (p) => p.graveAlarms)
    return {
      areaCode,
      name: areaName(areaCode) ?? areaCode,
      projects: own.length,
      building: own.filter((p) => p.prjStatus === projectStates.building).length,
      onSite: sumOf(own, (p) => p.onSite),
      attended: sumOf(own, (p) => p.attended),
      ...sumDue(own),
      rate: presenceRate(own),
      weekRate,
      onlineRate,
      openAlarms: sumOf(own, (p) => p.openAlarms),
      graveAlarms,
      realNameRate,
      score: scoreOf([weekRate, onlineRate, realNameRate], own.filter((p) => p.graveAlarms > 0).length),
      change: weekRate === null || before === null ? null : Math.round((weekRate - before) * 10) / 10,
    }
  })
}

/** Points deducted per project with an open alarm of level 1 or 2. */
const graveCosts = 2

/** Mean of the known rates minus the deduction for projects with grave alarms; 0 to 100, one decimal. */
export function scoreOf(rates: readonly (number | null)[], graveProjects: number): number | null {
  const known = rates.filter((value) => value !== null)
  if (known.length === 0) return null
  const mean = known.reduce((a, b) => a + b, 0) / known.length
  return Math.max(0, Math.round((mean - graveProjects * graveCosts) * 10) / 10)
}

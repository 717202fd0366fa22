import { projectStates } from '@zhugong/contract/organisation/codes'
import type { MatrixCell, planMatrix, planRisk } from '@zhugong/contract/plans/calls'
import { explainRisk } from '@zhugong/contract/plans/risk'
import { areaName, dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { formatDay } from '#kit/clock'
import { found, oneProject, projectsFor } from '#kit/context'
import type { Row } from '#kit/db'
import { allOf, condition, contains, inProjects, pageSlice } from '#kit/list'
import type { HandlerOf } from '#kit/serve'
import { officersOf } from '../daychecks/public.ts'
import { heldCheck } from './kind.ts'
import { riskFacts } from './risk-store.ts'
import { hasPlan } from './rows.ts'

/** The year of a page of sites. First the page of projects, then its visits in one grouped query: the whole city is never read. */
export const readMatrix: HandlerOf<typeof planMatrix> = async ({ query }, ctx) => {
  const { year, discipline } = query
  const where = allOf(
    ...inProjects('j.projectCode', projectsFor(ctx, query.projectCode)),
    condition(sql`j.prj_status in (${projectStates.building}, ${projectStates.stopped})`),
    ...(query.unplanned === 'true' ? [condition(sql`not ${hasPlan(year, discipline)} and j.prj_status = ${projectStates.building}`)] : []),
    ...contains('j.name', query.projectName),
  )
  type Site = { projectCode: string; projectName: string; areaCode: string; paused: boolean; riskLevel: number | null }
  const { limit, offset } = pageSlice(query)
  const sites =
    await sql<Site>`select j.project_code, j.name as project_name, j.area_code, j.prj_status = ${projectStates.stopped} as paused, k.level as risk_level
    from project j left join project_risk k on k.project_code = j.project_code where ${where}
    order by k.level nulls last, j.area_code, j.name, j.project_code limit ${limit} offset ${offset}`.execute(ctx.db)
  const total = await sql<{ n: number }>`select count(*)::int as n from project j where ${where}`.execute(ctx.db)
  const codes = sites.rows.map((one) => one.projectCode)
  const ofDiscipline = discipline === undefined ? sql`true` : sql`p.discipline = ${discipline}`
  const plans = await sql<
    Pick<Row<'checkPlan'>, 'id' | 'projectCode' | 'supervisors'>
  >`select distinct on (p.project_code) p.id, p.project_code, p.supervisors
    from check_plan p where p.project_code = any (${codes}) and p.year = ${year} and p.state <> '6' and ${ofDiscipline}
    order by p.project_code, p.state in ('3', '4', '5') desc, p.discipline`.execute(ctx.db)
  const today = formatDay(ctx.clock.now())
  const cells = await sql<MatrixCell & { projectCode: string }>`select v.project_code, extract(month from v.window_end)::int as month,
      (count(*) filter (where not h.held and v.window_end >= ${today}::date))::int as planned, (count(*) filter (where h.held))::int as done,
      (count(*) filter (where not h.held and v.window_end < ${today}::date))::int as missed
    from check_plan_visit v join check_plan p on p.id = v.plan_id and p.year = ${year} and p.state <> '6' and ${ofDiscipline}
      cross join lateral (select exists (select from day_check d where d.id = v.check_id and ${heldCheck}) as held) h
    where v.project_code = any (${codes}) group by 1, 2`.execute(ctx.db)
  const planOf = new Map(plans.rows.map((one) => [one.projectCode, one]))
  const cellsOf = Map.groupBy(cells.rows, (one) => one.projectCode)
  return {
    list: sites.rows.map(({ areaCode, ...site }) => ({
      ...site,
      areaName: areaName(areaCode) ?? null,
      planId: planOf.get(site.projectCode)?.id ?? null,
      supervisors: planOf.get(site.projectCode)?.supervisors ?? [],
      cells: (cellsOf.get(site.projectCode) ?? []).map(({ month, planned, done, missed }) => ({ month, planned, done, missed })),
    })),
    total: total.rows[0]?.n ?? 0,
  }
}

export const readRisk: HandlerOf<typeof planRisk> = async ({ query }, ctx) => {
  const projectCode = oneProject(ctx, query.projectCode)
  const { rows } = await sql<{
    name: string
    phase: string | null
  }>`select name, phase from project where project_code = ${projectCode}`.execute(ctx.db)
  const project = found(rows[0], '项目')
  const facts = found((await riskFacts(ctx, [projectCode])).get(projectCode), '项目')
  type Other = Pick<Row<'checkPlan'>, 'id' | 'title' | 'discipline' | 'year' | 'state'>
  const plans = await sql<Other>`select id, title, discipline, year, state from check_plan
    where project_code = ${projectCode} and state <> '6' order by year desc, discipline`.execute(ctx.db)
  return {
    projectCode,
    projectName: project.name,
    phase: project.phase,
    phaseName: dictName('projectPhase', project.phase),
    ...explainRisk(facts),
    officers: await officersOf(ctx),
    plans: plans.rows,
  }
}

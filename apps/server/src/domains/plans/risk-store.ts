import { explainRisk, type RiskFacts, type RiskLevel } from '@zhugong/contract/plans/risk'
import { runningWorks } from '@zhugong/contract/works/moves'
import { sql } from 'kysely'
import { formatDay } from '#kit/clock'
import type { Context } from '#kit/context'
import type { Db } from '#kit/db'

type Reader = { db: Context['db'] | Db; clock: Context['clock'] }
export interface ProjectRisk {
  level: RiskLevel
  reason: string
}

/** The facts of several projects, in one query for each source. Reads tables of several domains, as home pages do. */
export async function riskFacts(ctx: Reader, projects: readonly string[]): Promise<Map<string, RiskFacts>> {
  const today = formatDay(ctx.clock.now())
  const { rows } = await sql<RiskFacts & { projectCode: string }>`select p.project_code, p.phase,
      coalesce(w.works, 0) as works, coalesce(w.over_works, 0) as over_works,
      coalesce(m.pits, 0) as pits, coalesce(m.formworks, 0) as formworks, coalesce(m.cranes, 0) as cranes,
      coalesce(r.majors, 0) as majors, coalesce(r.overdue, 0) as overdue, g.grade as last_grade, h.delay_days
    from project p
    left join (select project_code, (count(*) filter (where family = 'foundationPit'))::int as pits,
        (count(*) filter (where family = 'highFormwork'))::int as formworks,
        (count(*) filter (where family in ('towerCrane', 'lifter')))::int as cranes
      from device where project_code = any (${[...projects]}) and status = '1' group by 1) m using (project_code)
    left join (select project_code, count(*)::int as works, (count(*) filter (where over_scale))::int as over_works
      from bigproject where project_code = any (${[...projects]}) and state = any (${[...runningWorks]}) group by 1) w using (project_code)
    left join (select project_code, (count(*) filter (where level = '2' and check_date > ${today}::date - 365))::int as majors,
        (count(*) filter (where state = any ('{1,2,3,4,5,6}') and deadline < ${today}::date))::int as overdue
      from rectify where project_code = any (${[...projects]}) and shown_at is not null and state <> '8' group by 1) r using (project_code)
    left join schedule h on h.project_code = p.project_code and h.base_no > 0
    left join lateral (select s.grade from check_score s where s.project_code = p.project_code and s.score is not null
      and s.shown_at is not null order by s.shown_at desc limit 1) g on true
    where p.project_code = any (${[...projects]})`.execute(ctx.db)
  return new Map(rows.map(({ projectCode, ...facts }) => [projectCode, facts]))
}

/** Recomputes and stores the level of some projects. */
export async function storeRisk(ctx: Reader, projects: readonly string[]): Promise<void> {
  const facts = await riskFacts(ctx, projects)
  const risks = [...facts].map(([projectCode, one]) => ({ projectCode, ...explainRisk(one) }))
  if (risks.length === 0) return
  await sql`insert into project_risk (project_code, groups, level, reason, computed_at)
    select x.project_code, array(select t.id from tenant t join project p on p.project_code = x.project_code
        where t.type = 1 and t.area_code is not null and p.area_code ^@ regexp_replace(t.area_code, '(00){1,2}$', '')),
      x.level, x.reason, ${new Date(ctx.clock.now())}
    from unnest(${risks.map((one) => one.projectCode)}::text[], ${risks.map((one) => one.level)}::int[], ${risks.map((one) => one.reason)}::text[])
      as x (project_code, level, reason)
    on conflict (project_code) do update set groups = excluded.groups, level = excluded.level, reason = excluded.reason,
      computed_at = excluded.computed_at`.execute(ctx.db)
}

import type * as contract from '@zhugong/contract/labour/tables'
import type { GovernmentStatsRow } from '@zhugong/contract/labour/tables'
import { projectStates } from '@zhugong/contract/organisation/codes'
import { areaName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { groupTypes, projectsFor } from '#kit/context'
import { allOf, inProjects } from '#kit/list'
import { pick } from '#kit/pick'
import type { HandlerOf } from '#kit/serve'
import { awaits } from '../alarms/public.ts'
import type { ListContext } from '../exports/registry.ts'
import {
  add,
  type Measured,
  measure,
  monthBefore,
  monthOf,
  nothing,
  type Projects,
  type Sum,
  shortfalls,
  siteFigures,
  withSite,
} from './measures.ts'
import { monthTotals, projectRows, sitesOf } from './project-stats.ts'
import { measuredCells, numberAt, sorted, sumsBy } from './stats-cells.ts'

interface Body {
  govCode: string
  name: string
  parentGovCode: string | null
  areaCode: string
  added: string[]
  removed: string[]
}

/** Authorities with fewer projects are not ranked. */
const leastProjects = 3

export async function governmentRows(
  ctx: ListContext,
  query: { month?: string | undefined; sort?: string | undefined },
): Promise<GovernmentStatsRow[]> {
  const month = monthOf(ctx, query.month)
  const projects = projectsFor(ctx)
  const bodies = (
    await sql<Body>`select gov_code, name, parent_gov_code, area_code, added_projects as added, removed_projects as removed from government
      where enable = '1' order by area_code, gov_code`.execute(ctx.db)
  ).rows.filter((b) => ctx.group.type !== groupTypes.government || b.areaCode.startsWith(frontOf(ctx.group.areaCode)))
  const sites = await sitesOf(ctx, allOf(...inProjects('p.projectCode', projects)))
  const byProject = (m: Measured) => m.projectCode
  const now = sumsBy(await measure(ctx, projects, month), byProject)
  const before = sumsBy(await measure(ctx, projects, monthBefore(month)), byProject)
  const figures = await siteFigures(ctx, projects)
  const waits = await alarmAges(ctx, projects)
  const fresh = await freshProjects(ctx, projects)
  const listed = await listedByProject(ctx, month)
  const rows = bodies.map((b): GovernmentStatsRow & { penalty: number } => {
    // Each project once, even if several subordinate authorities have it.
    const own = sites.filter(
      (p) => (p.areaCode.startsWith(frontOf(b.areaCode)) || b.added.includes(p.projectCode)) && !b.removed.includes(p.projectCode),
    )
    let sum = nothing()
    let then = nothing()
    let hours = { sum: 0, n: 0 }
    for (const p of own) {
      sum = withSite(addSum(sum, now.get(p.projectCode)), figures.get(p.projectCode))
      then = addSum(then, before.get(p.projectCode))
      const w = waits.get(p.projectCode)
      if (w) hours = { sum: hours.sum + w.hours, n: hours.n + w.n }
    }
    const building = own.filter((p) => p.prjStatus === projectStates.building)
    return {
      ...pick(b, 'govCode', 'name', 'parentGovCode'),
      areaName: areaName(b.areaCode),
      projects: own.length,
      building: building.length,
      ...measuredCells(sum, then),
      alarmHours: hours.n ? Math.round((hours.sum / hours.n) * 10) / 10 : null,
      blackListed: listed.filter((l) => own.some((p) => p.projectCode === l)).length,
      fresh: { part: building.filter((p) => fresh.has(p.projectCode)).length, whole: building.length, before: null },
      rank: null,
      penalty: shortfalls(sum).reduce((all, s) => all + s.by, 0),
    }
  })
  const ranked = rows.filter((r) => r.parentGovCode !== null && r.projects >= leastProjects).sort((a, b) => a.penalty - b.penalty)
  ranked.forEach((r, i) => {
    r.rank = i + 1
  })
  const list = rows.map(({ penalty: _p, ...r }) => r)
  return query.sort ? sorted(list, query.sort, 'name', numberAt) : list
}

const frontOf = (area: string | null) => (area ?? '').replace(/(00){1,2}$/, '')

const addSum = (sum: Sum, more: Sum | undefined): Sum => (more ? { ...add(sum, more), alarms: sum.alarms } : sum)

async function alarmAges(ctx: ListContext, projects: Projects) {
  const { rows } = await sql<{ projectCode: string; n: number; hours: number }>`
    select a.project_code, count(*)::int as n, coalesce(sum(extract(epoch from ${new Date(ctx.clock.now())}::timestamptz - a.start_time)) / 3600, 0)::float as hours
    from alarm a where ${awaits('a')} and ${allOf(...inProjects('a.projectCode', projects))} group by 1`.execute(ctx.db)
  return new Map(rows.map((r) => [r.projectCode, r]))
}

/** Projects with data received within the last day. */
async function freshProjects(ctx: ListContext, projects: Projects): Promise<Set<string>> {
  const since = new Date(ctx.clock.now() - 86_400_000)
  const { rows } = await sql<{ projectCode: string }>`
    select distinct d.project_code from device d join device_latest l on l.device_id = d.id where l.ts >= ${since} and d.project_code is not null
      and ${allOf(...inProjects('d.projectCode', projects))}`.execute(ctx.db)
  return new Set(rows.map((r) => r.projectCode))
}

async function listedByProject(ctx: ListContext, month: string): Promise<string[]> {
  const { rows } = await sql<{ projectCode: string }>`
    select source_project as project_code from black_entry where decided_time is not null and source_project is not null
      and to_char(decided_time at time zone 'Asia/Shanghai', 'YYYY-MM') = ${month}`.execute(ctx.db)
  return rows.map((r) => r.projectCode)
}

export const governmentTotals: HandlerOf<typeof contract.governmentStatsTotals> = async ({ query }, ctx) => {
  const month = monthOf(ctx, query.month)
  const projects = projectsFor(ctx)
  return monthTotals(ctx, projects, month, await projectRows(ctx, { month, projectCode: '*' }))
}

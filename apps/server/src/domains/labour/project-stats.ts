import type * as contract from '@zhugong/contract/labour/tables'
import { type ProjectStatsRow, projectStatsRow, type RatioKey, rankedFrom, ratios } from '@zhugong/contract/labour/tables'
import { projectStates } from '@zhugong/contract/organisation/codes'
import { areaName, dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import type { Context } from '#kit/context'
import { allOf, anyOf, type Condition, condition, contains, inAreas, inProjects } from '#kit/list'
import { rowOf } from '#kit/row-of'
import type { HandlerOf } from '#kit/serve'
import type { ListContext } from '../exports/registry.ts'
import {
  add,
  type Measured,
  measure,
  monthBefore,
  monthOf,
  nothing,
  type Projects,
  projectsOf,
  shortfalls,
  siteFigures,
  withSite,
} from './measures.ts'
import { measuredCells, numberAt, sharesWithin, sorted, sumsBy, within } from './stats-cells.ts'

type ProjectQuery = NonNullable<(typeof contract.listProjectStats)['types']>['parsed']['query']

interface Site {
  projectCode: string
  name: string
  contractorName: string | null
  areaCode: string
  prjStatus: string
  category: string
}

export const sitesOf = async (ctx: ListContext, where: Condition): Promise<Site[]> =>
  (
    await sql<Site>`
      select p.project_code, p.name, c.corp_name as contractor_name, p.area_code, p.prj_status, p.category from project p
        left join corporation c on c.corp_code = p.contractor_corp_code where p.enable = '1' and ${where} order by p.name, p.project_code`.execute(
      ctx.db,
    )
  ).rows

export async function projectRows(ctx: ListContext, query: Partial<ProjectQuery>): Promise<ProjectStatsRow[]> {
  const projects = projectsOf(ctx, query.projectCode)
  const month = monthOf(ctx, query.month)
  const sites = await sitesOf(
    ctx,
    allOf(
      ...inProjects('p.projectCode', projects),
      ...contains('p.name', query.name),
      ...anyOf('p.prjStatus', query.prjStatus),
      ...anyOf('p.category', query.category),
      ...inAreas('p.areaCode', query.area),
      ...(query.govCode
        ? [
            condition(sql`exists (select 1 from government g where g.gov_code = ${query.govCode} and (p.area_code ^@ zg_area_front(g.area_code)
            or p.project_code = any (g.added_projects)) and p.project_code <> all (g.removed_projects))`),
          ]
        : []),
    ),
  )
  const byProject = (m: Measured) => m.projectCode
  const now = sumsBy(await measure(ctx, projects, month), byProject)
  const before = sumsBy(await measure(ctx, projects, monthBefore(month)), byProject)
  const figures = await siteFigures(ctx, projects)
  const rows = sites.map((p) => {
    const sum = withSite(now.get(p.projectCode) ?? nothing(), figures.get(p.projectCode))
    // Stopped sites are not judged.
    const short = p.prjStatus === projectStates.building ? shortfalls(sum) : []
    return { p, sum, short, penalty: short.reduce((all, s) => all + s.by, 0) }
  })
  // Small or stopped sites are listed without a rank.
  const ranked = rows
    .filter((r) => r.sum.onSite >= rankedFrom && r.p.prjStatus === projectStates.building)
    .sort((a, b) => a.penalty - b.penalty)
  const rankOf = new Map(ranked.map((r, i) => [r.p.projectCode, i + 1]))
  const list = rows
    .filter((r) => within(r.sum.onSite, query.onSite) && within(r.short.length, query.failing) && sharesWithin(r.sum, query))
    .map(
      ({ p, sum, short }): ProjectStatsRow =>
        rowOf(projectStatsRow, p, {
          areaName: areaName(p.areaCode),
          prjStatusName: dictName('projectState', p.prjStatus),
          categoryName: dictName('projectCategory', p.category),
          ...measuredCells(sum, before.get(p.projectCode)),
          worst: worstOf(short),
          failing: short.length,
          rank: rankOf.get(p.projectCode) ?? null,
        }),
    )
  return sorted(list, query.sort, '-failing', numberAt)
}

const worstOf = (short: { key: RatioKey; by: number }[]): string | null => {
  const [worst] = [...short].sort((a, b) => b.by - a.by)
  return worst ? ratios[worst.key].name : null
}

export async function totalsOf(ctx: Context, projects: Projects, month: string) {
  let sum = nothing()
  for (const m of await measure(ctx, projects, month)) sum = add(sum, m)
  let before = nothing()
  for (const m of await measure(ctx, projects, monthBefore(month))) before = add(before, m)
  for (const site of (await siteFigures(ctx, projects)).values()) sum = withSite(sum, site)
  return { sum, cells: measuredCells(sum, before) }
}

export const projectTotals: HandlerOf<typeof contract.projectStatsTotals> = async ({ query }, ctx) => {
  const projects = projectsOf(ctx, query.projectCode)
  const month = monthOf(ctx, query.month)
  return monthTotals(ctx, projects, month, await projectRows(ctx, query))
}

/** Head and foot of a monthly project table, independent of the reader. */
export async function monthTotals(ctx: Context, projects: Projects, month: string, rows: readonly ProjectStatsRow[]) {
  const { cells } = await totalsOf(ctx, projects, month)
  return {
    month,
    rows: rows.length,
    onSite: cells.onSite,
    failing: rows.filter((r) => r.failing > 0).length,
    stopped: rows.filter((r) => r.prjStatus === projectStates.stopped).length,
    sum: cells,
  }
}

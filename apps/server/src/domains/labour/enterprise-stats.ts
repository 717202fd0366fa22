import type * as contract from '@zhugong/contract/labour/tables'
import { type EnterpriseStatsRow, ratios } from '@zhugong/contract/labour/tables'
import { areaName, dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { formatDay } from '#kit/clock'
import { groupTypes } from '#kit/context'
import { allOf, inProjects } from '#kit/list'
import type { HandlerOf } from '#kit/serve'
import type { ListContext } from '../exports/registry.ts'
import { cell, type Measured, measure, monthBefore, monthOf, nothing, type Projects, projectsOf, shareOf, shortfalls } from './measures.ts'
import { totalsOf } from './project-stats.ts'
import { measuredCells, numberAt, sharesWithin, sorted, sumsBy, within } from './stats-cells.ts'

type EnterpriseQuery = NonNullable<(typeof contract.listEnterpriseStats)['types']>['parsed']['query']

interface Part {
  unitId: string
  corpCode: string
  corpName: string
  corpKind: string[]
  corpType: string
  parentCorpCode: string | null
  areaCode: string
  creditScore: number
  projectCode: string
  projectName: string
  teams: number
  bad: number
  black: boolean
}

export async function enterpriseRows(ctx: ListContext, query: Partial<EnterpriseQuery>): Promise<EnterpriseStatsRow[]> {
  const projects = projectsOf(ctx, query.projectCode)
  const month = monthOf(ctx, query.month)
  const parts = await partsOf(ctx, projects)
  const byCorp = (m: Measured) => m.corpCode || undefined
  const monthRows = await measure(ctx, projects, month)
  const now = sumsBy(monthRows, byCorp)
  const atSite = sumsBy(monthRows, (m) => `${m.projectCode}|${m.corpCode}`)
  const before = sumsBy(await measure(ctx, projects, monthBefore(month)), byCorp)
  const below = Map.groupBy(
    parts.filter((p) => p.parentCorpCode),
    (p) => `${p.projectCode}|${p.parentCorpCode}`,
  )
  const list = [...Map.groupBy(parts, (p) => p.corpCode)].flatMap(([corpCode, own]): EnterpriseStatsRow[] => {
    const [first] = own
    if (!first || !isShown(ctx, corpCode) || !matches(first, own, query)) return []
    const sum = now.get(corpCode) ?? nothing()
    if (!within(sum.onSite, query.onSite) || !sharesWithin(sum, query)) return []
    // A company with several parts in a project is listed once.
    const once = [...new Map(own.map((p) => [p.projectCode, p])).values()]
    return [
      {
        corpCode,
        corpName: first.corpName,
        corpKindNames: first.corpKind.map((k) => dictName('corpKind', k) ?? k),
        areaName: areaName(first.areaCode),
        projects: once.map((p) => ({
          unitId: p.unitId,
          projectCode: p.projectCode,
          name: p.projectName,
          corpTypeName: dictName('projectCorpType', p.corpType),
          onSite: atSite.get(`${p.projectCode}|${corpCode}`)?.onSite ?? 0,
        })),
        ...measuredCells(sum, before.get(corpCode)),
        leader: cell(sum.leader, before.get(corpCode)?.leader),
        teams: once.reduce((all, p) => all + p.teams, 0),
        bad: once.reduce((all, p) => all + p.bad, 0),
        badWithSubs: once.reduce((all, p) => all + badBelow(p, below, new Set()), 0),
        creditScore: first.creditScore,
        black: own.some((p) => p.black),
        noContract: sum.pairs.contract.whole - sum.pairs.contract.part,
        failing: shortfalls(sum).length,
      },
    ]
  })
  return sorted(list, query.sort, '-onSite', numberAt)
}

/** A company sees itself and its contractors, not its competitors. */
const isShown = (ctx: ListContext, corpCode: string) => ctx.group.type !== groupTypes.corporation || ctx.scope.corps.includes(corpCode)

const matches = (first: Part, own: readonly Part[], query: Partial<EnterpriseQuery>) =>
  (!query.corpName || first.corpName.includes(query.corpName)) &&
  (!query.corpCode || first.corpCode === query.corpCode) &&
  (!query.corpKind?.length || first.corpKind.some((k) => query.corpKind?.includes(k))) &&
  (!query.corpType?.length || own.some((p) => query.corpType?.includes(p.corpType)))

function badBelow(part: Part, below: ReadonlyMap<string, Part[]>, met: Set<string>): number {
  const key = `${part.projectCode}|${part.corpCode}`
  if (met.has(key)) return 0
  met.add(key)
  return part.bad + (below.get(key) ?? []).reduce((sum, p) => sum + badBelow(p, below, met), 0)
}

async function partsOf(ctx: ListContext, projects: Projects): Promise<Part[]> {
  const today = formatDay(ctx.clock.now())
  const { rows } = await sql<Part>`
    select u.id as unit_id, u.corp_code, c.corp_name, c.corp_kind, u.corp_type, u.parent_corp_code, c.area_code, c.credit_score::float as credit_score,
      u.project_code, p.name as project_name,
      (select count(*)::int from team t where t.project_code = u.project_code and t.corp_code = u.corp_code and t.exit_time is null) as teams,
      (select count(*)::int from worker_bad b where b.project_code = u.project_code and b.corp_code = u.corp_code and b.audit_status = '1'
        and b.valid_until >= ${today}::date) as bad,
      exists (select 1 from zg_black_of('corp', array[u.corp_code], u.project_code, u.corp_code, ${today}::date)) as black
    from project_corp u join project p using (project_code) join corporation c on c.corp_code = u.corp_code
    where u.exit_time is null and ${allOf(...inProjects('u.projectCode', projects))} order by c.corp_name, u.project_code, u.corp_type desc`.execute(
    ctx.db,
  )
  return rows
}

/** Required presence of a leader, the same as for every key post. */
const leastLeader = ratios.keyPost.least

export const enterpriseTotals: HandlerOf<typeof contract.enterpriseStatsTotals> = async ({ query }, ctx) => {
  const projects = projectsOf(ctx, query.projectCode)
  const month = monthOf(ctx, query.month)
  const rows = await enterpriseRows(ctx, query)
  const { cells } = await totalsOf(ctx, projects, month)
  const share = (r: EnterpriseStatsRow) => shareOf(r.leader)
  return {
    month,
    rows: rows.length,
    onSite: cells.onSite,
    failing: rows.filter((r) => r.failing > 0).length,
    stopped: 0,
    sum: cells,
    noContract: rows.reduce((all, r) => all + r.noContract, 0),
    leaderShort: rows.filter((r) => (share(r) ?? 1) < leastLeader).length,
    blackInPlace: rows.filter((r) => r.black).length,
  }
}

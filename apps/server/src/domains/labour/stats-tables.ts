import * as contract from '@zhugong/contract/labour/tables'
import {
  type EnterpriseStatsRow,
  type GovernmentStatsRow,
  type ProjectStatsRow,
  type RatioKey,
  rankedFrom,
  ratioKeys,
  ratios,
} from '@zhugong/contract/labour/tables'
import { projectStates } from '@zhugong/contract/organisation/codes'
import { areaName, dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { formatDay } from '#kit/clock'
import { type Context, groupTypes, projectsFor } from '#kit/context'
import { allOf, anyOf, type Condition, condition, contains, inAreas, inProjects, pageSlice } from '#kit/list'
import type { HandlerOf, Serve } from '#kit/serve'
import { awaits } from '../alarms/public.ts'
import type { ListContext } from '../exports/registry.ts'
import {
  add,
  cell,
  cellsOf,
  type Measured,
  measure,
  monthBefore,
  monthOf,
  nothing,
  type Projects,
  projectsOf,
  type Sum,
  shareOf,
  shortfalls,
  siteFigures,
  withSite,
} from './measures.ts'
import { personnelRows, personnelTotals } from './personnel-stats.ts'

/** The tables of the monthly meeting. */
export function statsTableRoutes(serve: Serve) {
  serve(contract.listProjectStats, async ({ query }, ctx) => pageOf(await projectRows(ctx, query), query))
  serve(contract.projectStatsTotals, projectTotals)
  serve(contract.listGovernmentStats, async ({ query }, ctx) => pageOf(await governmentRows(ctx, query), query))
  serve(contract.governmentStatsTotals, governmentTotals)
  serve(contract.listEnterpriseStats, async ({ query }, ctx) => pageOf(await enterpriseRows(ctx, query), query))
  serve(contract.enterpriseStatsTotals, enterpriseTotals)
  serve(contract.listPersonnelStats, async ({ query }, ctx) => pageOf(await personnelRows(ctx, query), query))
  serve(contract.personnelStatsTotals, ({ query }, ctx) => personnelTotals(ctx, query))
}
const pageOf = <T>(rows: readonly T[], query: { page: number; size: number }) => {
  const { limit, offset } = pageSlice(query)
  return { list: rows.slice(offset, offset + limit), total: rows.length }
}

type Range = { low?: number | undefined; high?: number | undefined } | undefined
const within = (value: number | null, range: Range) =>
  !range || (value !== null && (range.low === undefined || value >= range.low) && (range.high === undefined || value <= range.high))
/** Filters on shares are typed as percentages. */
const sharesWithin = (sum: Sum, query: Partial<Record<RatioKey, Range>>) =>
  ratioKeys.every((key) => {
    const share = shareOf(sum.pairs[key])
    return within(share === null ? null : share * 100, query[key])
  })
const measuredCells = (now: Sum, before: Sum | undefined) => ({
  onSite: now.onSite,
  workers: now.workers,
  alarms: now.alarms,
  ...cellsOf(now, before),
})

function sorted<Row extends object>(
  rows: Row[],
  sort: string | undefined,
  fallback: string,
  value: (row: Row, key: string) => number | string | null,
): Row[] {
  const asked = sort ?? fallback
  const key = asked.replace(/^-/, '')
  const turn = asked.startsWith('-') ? -1 : 1
  return rows.sort((a, b) => {
    const [x, y] = [value(a, key), value(b, key)]
    if (x === y) return 0
    if (x === null) return 1
    if (y === null) return -1
    return (typeof x === 'string' || typeof y === 'string' ? String(x).localeCompare(String(y), 'zh') : x - y) * turn
  })
}
const numberAt = (row: object, key: string): number | string | null => {
  const value = (row as Record<string, unknown>)[key]
  if (value && typeof value === 'object' && 'whole' in value) return shareOf(value as { part: number; whole: number })
  return typeof value === 'number' || typeof value === 'string' ? value : null
}

/** Sums by some key of the rows of a month. */
function sumsBy(rows: readonly Measured[], keyOf: (m: Measured) => string | undefined): Map<string, Sum> {
  const sums = new Map<string, Sum>()
  for (const m of rows) {
    const key = keyOf(m)
    if (key !== undefined) sums.set(key, add(sums.get(key) ?? nothing(), m))
  }
  return sums
}

// ---- projects
type ProjectQuery = NonNullable<(typeof contract.listProjectStats)['types']>['parsed']['query']
interface Site {
  projectCode: string
  name: string
  contractorName: string | null
  areaCode: string
  prjStatus: string
  category: string
}
const sitesOf = async (ctx: ListContext, where: Condition): Promise<Site[]> =>
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
    const short = shortfalls(sum)
    return { p, sum, short, penalty: short.reduce((all, s) => all + s.by, 0) }
  })
  // Small sites and those that stand still are shown and not ranked.
  const ranked = rows
    .filter((r) => r.sum.onSite >= rankedFrom && r.p.prjStatus === projectStates.building)
    .sort((a, b) => a.penalty - b.penalty)
  const rankOf = new Map(ranked.map((r, i) => [r.p.projectCode, i + 1]))
  const list = rows
    .filter((r) => within(r.sum.onSite, query.onSite) && sharesWithin(r.sum, query))
    .map(
      ({ p, sum, short }): ProjectStatsRow => ({
        projectCode: p.projectCode,
        name: p.name,
        contractorName: p.contractorName,
        areaName: areaName(p.areaCode),
        prjStatus: p.prjStatus,
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

async function totalsOf(ctx: Context, projects: Projects, month: string) {
  let sum = nothing()
  for (const m of await measure(ctx, projects, month)) sum = add(sum, m)
  let before = nothing()
  for (const m of await measure(ctx, projects, monthBefore(month))) before = add(before, m)
  for (const site of (await siteFigures(ctx, projects)).values()) sum = withSite(sum, site)
  return { sum, cells: measuredCells(sum, before) }
}

const projectTotals: HandlerOf<typeof contract.projectStatsTotals> = async ({ query }, ctx) => {
  const projects = projectsOf(ctx, query.projectCode)
  const month = monthOf(ctx, query.month)
  const rows = await projectRows(ctx, query)
  const { cells } = await totalsOf(ctx, projects, month)
  return {
    month,
    rows: rows.length,
    onSite: cells.onSite,
    failing: rows.filter((r) => r.failing > 0 && r.prjStatus === projectStates.building).length,
    stopped: rows.filter((r) => r.prjStatus === projectStates.stopped).length,
    sum: cells,
  }
}

// ---- authorities
interface Body {
  govCode: string
  name: string
  parentGovCode: string | null
  areaCode: string
  added: string[]
  removed: string[]
}
/** Authorities with fewer projects are not compared. */
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
    // Each project once, whichever of the bodies below has it.
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
      govCode: b.govCode,
      name: b.name,
      parentGovCode: b.parentGovCode,
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
/** Projects of which anything has come within a day. */
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

const governmentTotals: HandlerOf<typeof contract.governmentStatsTotals> = async ({ query }, ctx) => {
  const month = monthOf(ctx, query.month)
  const projects = projectsFor(ctx)
  const rows = await projectRows(ctx, { month, projectCode: '*' })
  const { cells } = await totalsOf(ctx, projects, month)
  return {
    month,
    rows: rows.length,
    onSite: cells.onSite,
    failing: rows.filter((r) => r.failing > 0 && r.prjStatus === projectStates.building).length,
    stopped: rows.filter((r) => r.prjStatus === projectStates.stopped).length,
    sum: cells,
  }
}

// ---- companies
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
    // A company with three parts in one project stands there once.
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
/** A company sees itself and whom it has under contract; competitors are nobody's business. */
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

/** A leader is held to so much of the days, as every key post is. */
const leastLeader = ratios.keyPost.least
const enterpriseTotals: HandlerOf<typeof contract.enterpriseStatsTotals> = async ({ query }, ctx) => {
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

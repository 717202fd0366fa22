import type * as contract from '@zhugong/contract/labour/tables'
import { type Dimension, leastGroup, type PersonnelStatsRow } from '@zhugong/contract/labour/tables'
import { ageLimits, licencesByTrade } from '@zhugong/contract/personnel/rules'
import { areaName, dictName } from '@zhugong/contract/settings/dictionaries'
import { type RawBuilder, sql } from 'kysely'
import { formatDay } from '#kit/clock'
import { type Context, groupTypes } from '#kit/context'
import { allOf, inProjects } from '#kit/list'
import { pick } from '#kit/pick'
import type { ListContext } from '../exports/registry.ts'
import { joinLicence, licenceHolds } from './licences.ts'
import { contractOn, inPlaceOn, monthBefore, monthOf, projectsOf, spanOf } from './measures.ts'

type Query = NonNullable<(typeof contract.listPersonnelStats)['types']>['parsed']['query']
const special = Object.keys(licencesByTrade)

/** Age bands of the statistics, including the age limits for entry. */
const ageBands = [18, 25, 35, 45, 50, 55, 60, 65] as const
const ageKey = (day: string) => sql`width_bucket(extract(year from age(${day}::date, w.birthday))::int, ${[...ageBands]}::int[])::text`
const ageName = (key: string): string => {
  const i = Number(key)
  if (i === 0) return `${ageBands[0]} 岁以下`
  const from = ageBands[i - 1]
  const next = ageBands[i]
  return next === undefined ? `${from} 岁及以上` : `${from}-${next - 1} 岁`
}
const stayBands = [1, 3, 6, 12, 24] as const
const stayName = (key: string): string => {
  const i = Number(key)
  const next = stayBands[i]
  return i === 0 ? '不满 1 个月' : next === undefined ? `${stayBands[i - 1]} 个月以上` : `${stayBands[i - 1]}-${next} 个月`
}

/** SQL key and display name of a person's group in a dimension. */
function keyed(dimension: Dimension, day: string): { key: RawBuilder<unknown>; name: (key: string, label: string | null) => string } {
  const none = (value: string | null) => value ?? '未登记'
  switch (dimension) {
    case 'workType':
      return {
        key: sql`case when w.work_role = '10' then 'manager' else coalesce(w.work_type, '') end`,
        name: (k) => (k === 'manager' ? '管理人员' : none(dictName('workerType', k))),
      }
    case 'age':
      return { key: ageKey(day), name: ageName }
    case 'origin':
      return { key: sql`coalesce(left(p.birth_place_code, 2) || '0000', '')`, name: (k) => none(areaName(k)) }
    case 'gender':
      return { key: sql`w.gender`, name: (k) => none(dictName('gender', k)) }
    case 'education':
      return { key: sql`coalesce(p.culture_level, '')`, name: (k) => none(dictName('education', k)) }
    case 'skill':
      return { key: sql`coalesce(p.skill_level, '')`, name: (k) => none(dictName('certLevel', k)) }
    case 'corp':
      return { key: sql`w.corp_code`, name: (k, label) => label ?? k }
    case 'stay':
      return {
        key: sql`width_bucket((extract(epoch from (${day}::date + 1)::timestamp at time zone 'Asia/Shanghai' - w.entry_time) / 2629800)::int, ${[...stayBands]}::int[])::text`,
        name: stayName,
      }
    case 'contractKind':
      return {
        key: sql`coalesce((select c.contract_kind from worker_contract c where c.worker_id = w.worker_id and c.project_code = w.project_code
          and c.start_date <= ${day}::date and (c.end_date is null or c.end_date >= ${day}::date) order by c.start_date desc limit 1), '')`,
        name: (k) => (k === '' ? '无有效合同' : none(dictName('contractKind', k))),
      }
  }
}

interface Group {
  key: string
  label: string | null
  count: number
  male: number
  ages: number
  workers: number
  contract: number
  training: number
  special: number
  cert: number
  days: number
  over: number
}

async function groupsOf(ctx: ListContext, query: Partial<Query>, dimension: Dimension, month: string): Promise<Group[]> {
  const today = formatDay(ctx.clock.now())
  const { from, to } = spanOf(month, today)
  const { rows } = await sql<Group>`
    select ${keyed(dimension, to).key} as key, max(c.corp_name) as label, count(*)::int as count, count(*) filter (where w.gender = '1')::int as male,
      sum(extract(year from age(${to}::date, w.birthday)))::int as ages, count(*) filter (where w.work_role = '20')::int as workers,
      count(*) filter (where w.work_role = '20' and ${to === today ? sql`w.has_contract` : contractOn(to)})::int as contract,
      count(*) filter (where w.entry_trained)::int as training, count(*) filter (where w.work_type = any (${special}))::int as special,
      count(*) filter (where w.work_type = any (${special}) and ${licenceHolds('w', to)})::int as cert, coalesce(sum(d.n), 0)::int as days,
      count(*) filter (where extract(year from age(${to}::date, w.birthday)) > case w.gender when '2' then ${ageLimits.mostFemale}::int else ${ageLimits.mostMale}::int end
        or extract(year from age(${to}::date, w.birthday)) < ${ageLimits.least})::int as over
    from project_worker w left join worker p on p.id = w.worker_id left join corporation c on c.corp_code = w.corp_code ${joinLicence('w')}
      left join lateral (select count(*) filter (where x.attend_day > 0) as n from attendance_day x where x.project_code = w.project_code
        and x.worker_id = w.worker_id and x.work_day between ${from}::date and ${to}::date) d on true
    where ${inPlaceOn(to)} and ${allOf(...inProjects('w.projectCode', projectsOf(ctx, query.projectCode)))} group by 1 order by 3 desc, 1`.execute(
    ctx.db,
  )
  return rows
}

/** Outside the project, groups so small that they identify people are combined. */
const others = 'others'
function joined(ctx: ListContext, groups: readonly Group[]): Group[] {
  if (ctx.group.type === groupTypes.project) return [...groups]
  const small = groups.filter((g) => g.count < leastGroup)
  if (small.length === 0) return [...groups]
  const sum = (key: Exclude<keyof Group, 'key' | 'label'>) => small.reduce((all, g) => all + g[key], 0)
  return [
    ...groups.filter((g) => g.count >= leastGroup),
    {
      key: others,
      label: null,
      count: sum('count'),
      male: sum('male'),
      ages: sum('ages'),
      workers: sum('workers'),
      contract: sum('contract'),
      training: sum('training'),
      special: sum('special'),
      cert: sum('cert'),
      days: sum('days'),
      over: sum('over'),
    },
  ]
}

export async function personnelRows(ctx: ListContext, query: Partial<Query>): Promise<PersonnelStatsRow[]> {
  const dimension = query.dimension ?? 'workType'
  const month = monthOf(ctx, query.month)
  const groups = joined(ctx, await groupsOf(ctx, query, dimension, month))
  const before = new Map(joined(ctx, await groupsOf(ctx, query, dimension, monthBefore(month))).map((g) => [g.key, g.count]))
  const cells =
    query.second && query.second !== dimension
      ? await crossOf(ctx, query, dimension, query.second, month)
      : new Map<string, PersonnelStatsRow['cells']>()
  const total = groups.reduce((sum, g) => sum + g.count, 0)
  const { name } = keyed(dimension, formatDay(ctx.clock.now()))
  const inOrder = dimension === 'age' || dimension === 'stay'
  const list = groups.map((g) => ({
    ...pick(g, 'key', 'count', 'male'),
    name: g.key === others ? '其他' : name(g.key, g.label),
    share: total ? g.count / total : 0,
    female: g.count - g.male,
    averageAge: g.count ? Math.round((g.ages / g.count) * 10) / 10 : null,
    contract: { part: g.contract, whole: g.workers, before: null },
    training: { part: g.training, whole: g.count, before: null },
    cert: { part: g.cert, whole: g.special, before: null },
    averageDays: g.count ? Math.round((g.days / g.count) * 10) / 10 : null,
    before: before.get(g.key) ?? 0,
    care: dimension === 'age' && g.over > 0,
    cells: cells.get(g.key) ?? [],
  }))
  if (query.sort) {
    const turn = query.sort.startsWith('-') ? -1 : 1
    return list.sort((a, b) => (query.sort?.endsWith('name') ? a.name.localeCompare(b.name, 'zh') : a.count - b.count) * turn)
  }
  return inOrder ? list.sort((a, b) => Number(a.key) - Number(b.key)) : list
}

/** Splits a group by a second dimension. Outside the project, groups so small that they identify people are omitted. */
async function crossOf(ctx: ListContext, query: Partial<Query>, first: Dimension, second: Dimension, month: string) {
  const { to } = spanOf(month, formatDay(ctx.clock.now()))
  const least = ctx.group.type === groupTypes.project ? 1 : leastGroup
  const { rows } = await sql<{ a: string; b: string; label: string | null; count: number }>`
    select ${keyed(first, to).key} as a, ${keyed(second, to).key} as b, max(c.corp_name) as label, count(*)::int as count
    from project_worker w left join worker p on p.id = w.worker_id left join corporation c on c.corp_code = w.corp_code
    where ${inPlaceOn(to)} and ${allOf(...inProjects('w.projectCode', projectsOf(ctx, query.projectCode)))} group by 1, 2
    having count(*) >= ${least} order by 4 desc`.execute(ctx.db)
  const { name } = keyed(second, to)
  const cells = new Map<string, PersonnelStatsRow['cells']>()
  for (const r of rows) cells.set(r.a, [...(cells.get(r.a) ?? []), { key: r.b, name: name(r.b, r.label), count: r.count }])
  return cells
}

export async function personnelTotals(ctx: Context, query: { month?: string | undefined; projectCode?: string | undefined }) {
  const month = monthOf(ctx, query.month)
  const sums = async (of: string) => {
    const groups = await groupsOf(ctx, query, 'gender', of)
    const sum = (key: 'count' | 'workers' | 'over' | 'ages') => groups.reduce((all, g) => all + g[key], 0)
    return { count: sum('count'), workers: sum('workers'), overAge: sum('over'), ages: sum('ages') }
  }
  const { ages, ...now } = await sums(month)
  const before = await sums(monthBefore(month))
  return {
    month,
    ...now,
    managers: now.count - now.workers,
    averageAge: now.count ? Math.round((ages / now.count) * 10) / 10 : null,
    before: before.count,
  }
}

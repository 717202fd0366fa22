import type { OutputFor, ParsedFor } from '@zhugong/contract/kit/endpoint'
import { emptyOption } from '@zhugong/contract/kit/fields'
import { endingDays, type groupFigures, groupRow, type listGroups } from '@zhugong/contract/organisation/groups'
import { areaName, dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { addDays, formatDay, formatInstant } from '#kit/clock'
import { type Context, groupTypes } from '#kit/context'
import {
  allOf,
  anyOf,
  between,
  type Condition,
  condition,
  contains,
  daysBetween,
  equals,
  inAreas,
  instantsBetween,
  orderBy,
} from '#kit/list'
import { rowOf } from '#kit/row-of'

type Looker = Pick<Context, 'db' | 'clock'>
type Filters = Partial<ParsedFor<typeof listGroups>['query']>

interface RawGroup {
  id: string
  type: number
  code: string
  name: string
  kind: string[]
  level: string | null
  areaCode: string | null
  parentGovCode: string | null
  parentName: string | null
  projectCount: number
  userCount: number
  online: number
  adminName: string | null
  nearestDeadline: string | null
  lastLogin: Date | null
  enable: string
  createTime: Date
}

/** The groups a list may show, with their members, as the database function `zg_groups` limits them for the caller. */
const groups = (type: string) => sql`
  select t.*, ${Number(type)}::int as type, ${type === '1' ? sql`array[g.type]` : sql`c.corp_kind`} as kind, g.level, g.parent_gov_code, p.name as parent_name,
    ${
      type === '1'
        ? sql`(select count(*)::int from project x where x.supervise_org = t.code)`
        : sql`(select count(distinct x.project_code)::int from project_corp x where x.corp_code = t.code)`
    } as project_count
  from zg_groups(${Number(type)}) t left join government g on ${type === '1'} and g.gov_code = t.code
    left join government p on p.gov_code = g.parent_gov_code left join corporation c on ${type === '2'} and c.corp_code = t.code`

const from = (query: Filters & { type: string }) => sql`(${groups(query.type)}) g where ${conditions(query)}`

function conditions(query: Filters): Condition {
  return allOf(
    ...contains('g.name', query.name),
    ...contains('g.code', query.code?.toUpperCase()),
    ...(query.kind?.length ? [condition(sql`g.kind && ${query.kind}`)] : []),
    ...anyOf('g.level', query.level),
    ...inAreas('g.areaCode', query.areaCode),
    ...equals('g.parentGovCode', query.parentGovCode),
    ...between('g.projectCount', query.projectCount),
    ...between('g.userCount', query.userCount),
    ...(query.adminName?.includes(emptyOption) ? [withoutAdmin] : []),
    ...daysBetween('g.nearestDeadline', query.nearestDeadline),
    ...instantsBetween('g.lastLogin', query.lastLogin),
    ...equals('g.enable', query.enable),
  )
}
const withoutAdmin = condition(sql`g.admin_name is null`)

const order = (sort: Filters['sort']) =>
  orderBy(
    sort,
    {
      createTime: 'g.createTime',
      name: 'g.name',
      code: 'g.code',
      projectCount: 'g.projectCount',
      userCount: 'g.userCount',
      nearestDeadline: 'g.nearestDeadline',
      lastLogin: 'g.lastLogin',
      level: 'g.level',
    },
    '-createTime',
    'g.id',
  )

export async function findGroups(ctx: Looker, query: Filters & { type: string }, slice?: { limit: number; offset: number }) {
  const part = slice ? sql`limit ${slice.limit} offset ${slice.offset}` : sql``
  const { rows } = await sql<RawGroup>`select * from ${from(query)} order by ${order(query.sort)} ${part}`.execute(ctx.db)
  return rows.map(toRow)
}
export async function countGroups(ctx: Looker, query: Filters & { type: string }): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from ${from(query)}`.execute(ctx.db)
  return rows[0]?.n ?? 0
}

/** The figures and bars above the list, computed with the list's own conditions. */
export async function figuresOf(ctx: Looker, type: '1' | '2'): Promise<OutputFor<typeof groupFigures>> {
  const today = formatDay(ctx.clock.now())
  const ending = conditions({ nearestDeadline: { from: today, to: addDays(today, endingDays) } })
  const all = from({ type })
  const { rows } = await sql<{ enabled: number; withoutAdmin: number; ending: number; disabled: number }>`
    select (count(*) filter (where g.enable = '1'))::int as enabled, (count(*) filter (where ${withoutAdmin}))::int as without_admin,
      (count(*) filter (where ${ending}))::int as ending, (count(*) filter (where g.enable = '0'))::int as disabled from ${all}`.execute(
    ctx.db,
  )
  const areas = await sql<{ areaCode: string; groups: number; users: number; projects: number }>`
    select coalesce(g.area_code, '') as area_code, count(*)::int as groups, sum(g.user_count)::int as users, sum(g.project_count)::int as projects
    from ${all} group by 1 order by 2 desc, 1 limit 12`.execute(ctx.db)
  const counts = rows[0] ?? { enabled: 0, withoutAdmin: 0, ending: 0, disabled: 0 }
  return { ...counts, byArea: areas.rows.map((r) => ({ ...r, areaName: areaName(r.areaCode) ?? '未填区划' })) }
}

const toRow = (g: RawGroup): OutputFor<typeof listGroups>['list'][number] =>
  rowOf(groupRow, g, {
    kind: g.kind ?? [],
    kindName: (g.kind ?? []).map((one) => dictName(g.type === groupTypes.government ? 'govType' : 'corpKind', one)).join('、'),
    levelName: g.level && dictName('govLevel', g.level),
    areaName: g.areaCode && areaName(g.areaCode),
    lastLogin: g.lastLogin && formatInstant(g.lastLogin),
    createTime: formatInstant(g.createTime),
  })

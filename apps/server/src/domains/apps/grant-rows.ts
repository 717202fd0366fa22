import { endingDays, type GrantSource, type GrantState, graceDays, leftTime } from '@zhugong/contract/apps/codes'
import {
  type GrantGroup,
  type GrantRow,
  type grantGroups,
  grantRow,
  type grantsOf,
  groupRow,
  type RangeRule,
} from '@zhugong/contract/apps/grant-endpoints'
import type { ParsedFor } from '@zhugong/contract/kit/endpoint'
import { areaName } from '@zhugong/contract/settings/dictionaries'
import { type RawBuilder, sql } from 'kysely'
import { addDays, formatDay, formatInstant } from '#kit/clock'
import { type Context, groupTypes } from '#kit/context'
import { allOf, anyOf, between, type Condition, condition, contains, daysBetween, equals, inAreas, orderBy } from '#kit/list'
import { rowOf } from '#kit/row-of'

type Looker = Pick<Context, 'db' | 'clock' | 'group' | 'codes'>
export type LedgerQuery = Partial<ParsedFor<typeof grantGroups>['query']>
export type GrantsQuery = Partial<ParsedFor<typeof grantsOf>['query']>

/** The contract's `grantState` in SQL, for filters and figures; `grant-views.test.ts` compares the two. */
export const stateSql = (start: RawBuilder<unknown>, deadline: RawBuilder<unknown>, today: string): RawBuilder<unknown> => sql`
  case when ${start} > ${today}::date then 'pending' when ${deadline} is null then 'valid'
    when ${deadline} < ${today}::date - ${sql.lit(graceDays)} then 'ended' when ${deadline} < ${today}::date then 'grace'
    when ${deadline} <= ${today}::date + ${sql.lit(endingDays)} then 'ending' else 'valid' end`

const living = (today: string) => sql`
  select g.*, b.name as group_name, b.type as group_type, b.code as group_code, b.area_code, b.contact,
    ${stateSql(sql`g.start_day`, sql`g.deadline`, today)} as state
  from app_grant g join zg_branch() b on b.id = g.group_id where g.revoked_at is null`

/** Sort order by urgency: in the days of grace, ending soon, ended. */
const stateRank = sql`case state when 'grace' then 0 when 'ending' then 1 when 'ended' then 2 when 'pending' then 3 else 4 end`

const groups = (today: string) => sql`
  select group_id, group_name, group_type, area_code, contact, count(distinct app_id)::int as app_count,
    min(deadline) filter (where deadline >= ${today}::date) as next_deadline,
    coalesce(min(deadline) filter (where deadline >= ${today}::date - ${sql.lit(graceDays)}), max(deadline)) as nearest_deadline,
    (array_agg(state order by ${stateRank}))[1] as state, array_agg(distinct source) as sources,
    max(coalesce(update_time, create_time)) as update_time
  from (${living(today)}) l group by group_id, group_name, group_type, area_code, contact`

interface RawGroup {
  groupId: string
  groupName: string
  groupType: number
  areaCode: string | null
  contact: string | null
  appCount: number
  nearestDeadline: string | null
  state: GrantState
  sources: GrantSource[]
  updateTime: Date | null
}

const leftSql = (column: string, today: string) => sql`(${sql.ref(column)} - ${today}::date)`
const leftBetween = (column: string, today: string, range: LedgerQuery['leftTime']): Condition[] => [
  ...(range?.low === undefined ? [] : [condition(sql`${leftSql(column, today)} >= ${range.low}`)]),
  ...(range?.high === undefined ? [] : [condition(sql`${leftSql(column, today)} <= ${range.high}`)]),
]

const ledgerConditions = (query: LedgerQuery, today: string): Condition =>
  allOf(
    ...contains('g.groupName', query.groupName),
    ...(query.groupType?.length ? [condition(sql`g.group_type::text = any (${query.groupType})`)] : []),
    ...inAreas('g.areaCode', query.areaCode),
    ...between('g.appCount', query.appCount),
    ...daysBetween('g.nearestDeadline', query.nearestDeadline),
    ...leftBetween('g.nearestDeadline', today, query.leftTime),
    ...anyOf('g.state', query.state),
    ...(query.source?.length ? [condition(sql`g.sources && ${query.source}`)] : []),
  )

const ledger = (query: LedgerQuery, today: string) => sql`(${groups(today)}) g where ${ledgerConditions(query, today)}`

export async function findGroups(ctx: Looker, query: LedgerQuery, slice?: { limit: number; offset: number }): Promise<GrantGroup[]> {
  const today = formatDay(ctx.clock.now())
  const order = orderBy(
    query.sort,
    {
      groupName: 'g.groupName',
      appCount: 'g.appCount',
      nearestDeadline: 'g.nearestDeadline',
      leftTime: 'g.nearestDeadline',
      updateTime: 'g.updateTime',
    },
    'leftTime',
    'g.groupId',
  )
  const part = slice ? sql`limit ${slice.limit} offset ${slice.offset}` : sql``
  const { rows } = await sql<RawGroup>`select g.* from ${ledger(query, today)} order by ${order} ${part}`.execute(ctx.db)
  return rows.map((row) =>
    rowOf(groupRow, row, {
      areaName: areaName(row.areaCode),
      leftTime: leftTime(row.nearestDeadline, today),
      updateTime: row.updateTime && formatInstant(row.updateTime),
    }),
  )
}
export async function countGroups(ctx: Looker, query: LedgerQuery): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from ${ledger(query, formatDay(ctx.clock.now()))}`.execute(ctx.db)
  return rows[0]?.n ?? 0
}

/** Number of groups by state, with the conditions of the list, and number of grants that end in each of the next twelve months. */
export async function figuresOf(ctx: Looker) {
  const today = formatDay(ctx.clock.now())
  const count = (state: GrantState) => sql`(count(*) filter (where ${ledgerConditions({ state: [state] }, today)}))::int`
  const { rows } = await sql<Record<GrantState, number>>`
    select ${count('valid')} as valid, ${count('ending')} as ending, ${count('grace')} as grace, ${count('ended')} as ended, ${count('pending')} as pending
    from (${groups(today)}) g`.execute(ctx.db)
  const months = await sql<{ month: string; grants: number; groups: string[] }>`
    select to_char(deadline, 'YYYY-MM') as month, count(*)::int as grants, array_agg(distinct group_name) as groups
    from (${living(today)}) l where deadline >= ${today}::date and deadline < ${today}::date + interval '12 months' group by 1 order by 1`.execute(
    ctx.db,
  )
  const counted = rows[0] ?? { valid: 0, ending: 0, grace: 0, ended: 0, pending: 0 }
  return { ...counted, months: months.rows }
}

interface RawGrant {
  id: string
  groupId: string
  groupName: string
  groupType: number
  groupCode: string
  areaCode: string | null
  appId: string
  appName: string
  appIcon: string
  categoryName: string
  startDay: string
  deadline: string | null
  state: GrantState
  source: GrantSource
  parentId: string | null
  byGroup: string | null
  byName: string | null
  contractNo: string | null
  required: boolean
  visible: boolean
  sort: number
  users: number
  everUsed: boolean
  children: number
  rule: RangeRule | null
  rangeVersion: number | null
  version: number
}

const detailed = (today: string) => sql`
  select l.*, a.name as app_name, a.icon as app_icon, c.name as category_name, r.rule, r.version as range_version,
    coalesce(t.name, case when l.parent_id is null then '平台' end) as by_name,
    (select count(distinct u.user_id)::int from app_use u where u.group_id = l.group_id and u.app_id = l.app_id and u.day > ${addDays(today, -7)}::date) as users,
    exists (select 1 from app_use u where u.group_id = l.group_id and u.app_id = l.app_id) as ever_used,
    (select count(*)::int from app_grant x where x.parent_id = l.id and x.revoked_at is null) as children
  from (${living(today)}) l join app a on a.id = l.app_id join app_category c on c.id = a.category_id
    left join app_range r on r.group_id = l.group_id and r.app_id = l.app_id
    left join zg_branch() t on t.id = l.by_group`

const grantConditions = (query: GrantsQuery): Condition =>
  allOf(
    ...equals('g.appId', query.appId),
    ...equals('g.groupId', query.groupId),
    ...contains('g.groupName', query.groupName),
    ...(query.groupType?.length ? [condition(sql`g.group_type::text = any (${query.groupType})`)] : []),
    ...inAreas('g.areaCode', query.areaCode),
    ...daysBetween('g.deadline', query.deadline),
    ...anyOf('g.state', query.state),
    ...(query.unused ? [condition(sql`not g.ever_used`)] : []),
  )

export async function findGrants(
  ctx: Looker,
  query: GrantsQuery & { id?: string },
  slice?: { limit: number; offset: number },
): Promise<GrantRow[]> {
  const today = formatDay(ctx.clock.now())
  const order = orderBy(
    query.sort,
    { groupName: 'g.groupName', deadline: 'g.deadline', appName: 'g.appName', users: 'g.users' },
    'deadline',
    'g.id',
  )
  const part = slice ? sql`limit ${slice.limit} offset ${slice.offset}` : sql``
  const wanted = query.id ? sql`g.id = ${query.id}` : grantConditions(query)
  const { rows } = await sql<RawGrant>`select g.* from (${detailed(today)}) g where ${wanted} order by ${order} ${part}`.execute(ctx.db)
  return rows.map((row) => toGrant(ctx, row, today))
}
export async function countGrants(ctx: Looker, query: GrantsQuery): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from (${detailed(formatDay(ctx.clock.now()))}) g where ${grantConditions(query)}`.execute(ctx.db)
  return rows[0]?.n ?? 0
}

/** A grant may be changed by the group that gave it, and by the platform. */
export const mayChange = (ctx: Pick<Context, 'group' | 'codes'>, byGroup: string | null): boolean =>
  ctx.group.type === groupTypes.platform ? ctx.codes.has('grant.edit') : byGroup === ctx.group.id && ctx.codes.has('grant.pass')

const toGrant = (ctx: Looker, row: RawGrant, today: string): GrantRow =>
  rowOf(grantRow, row, {
    areaName: areaName(row.areaCode),
    start: row.startDay,
    leftTime: leftTime(row.deadline, today),
    parentGrantId: row.parentId,
    grantBy: row.byName ?? (row.parentId ? '上级机构' : null),
    byGroupId: row.byGroup,
    contractNo: mayChange(ctx, row.byGroup) || row.groupId === ctx.group.id ? row.contractNo : null,
    mayChange: mayChange(ctx, row.byGroup),
    range: row.rule,
  })

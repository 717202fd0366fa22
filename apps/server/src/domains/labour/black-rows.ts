import { maskName } from '@zhugong/contract/kit/checks'
import { normalIdNumber } from '@zhugong/contract/kit/normal'
import type { RestDays } from '@zhugong/contract/kit/rest-days'
import { blackStates } from '@zhugong/contract/labour/black-codes'
import type { BlackView } from '@zhugong/contract/labour/black-lists'
import * as contract from '@zhugong/contract/labour/black-lists'
import { type BlackRow, blackRow } from '@zhugong/contract/labour/black-model'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { type RawBuilder, sql } from 'kysely'
import { formatDay, formatInstant } from '#kit/clock'
import { type Context, groupTypes, projectsFor, requireProject } from '#kit/context'
import type { Row } from '#kit/db'
import { allOf, anyOf, anywhere, between, type Condition, condition, daysBetween, equals, inProjects, orderBy, pageSlice } from '#kit/list'
import { rowOf } from '#kit/row-of'
import { commonCalendar } from '../access/public.ts'
import { exportOf, type ListContext } from '../exports/registry.ts'
import { answerUntil } from './black-days.ts'
import { type BlackKind, reasonName, scopeName } from './black-hold.ts'
import { isShownStart } from './masked-name.ts'

/**
 * Row-level security decides which entries are visible. How much of them is shown, and which actions are allowed, is defined here once
 * in SQL.
 */
type BlackContext = Pick<Context, 'scope' | 'scopeChecks' | 'group' | 'clock' | 'db' | 'secrets'>

const wholeProjects = ({ scope }: Pick<BlackContext, 'scope'>) => scope.projects.filter((code) => !scope.limited.includes(code))
const runProjects = (ctx: Pick<BlackContext, 'scope'>) => wholeProjects(ctx).filter((code) => !ctx.scope.supervised.includes(code))
const ownCorp = ({ group }: Pick<BlackContext, 'group'>) => (group.type === groupTypes.corporation ? group.code : null)

/** Whether the caller sees the complete entry: it proposed or decides it, runs the site it comes from, or is the subject. */
const isFull = (ctx: BlackContext): Condition =>
  condition(sql`(${ctx.scope.all} or e.group_id = ${ctx.group.id} or e.source_project = any (${wholeProjects(ctx)})
    or (e.scope = '2' and e.scope_code = ${ownCorp(ctx)}) or e.corp_code = ${ownCorp(ctx)}
    or (e.scope = '3' and (zg_area_front(e.scope_code) ^@ zg_group_area() or zg_group_area() ^@ zg_area_front(e.scope_code)))
    or (${ctx.scope.limited.length > 0} and exists (select 1 from project_worker w where w.id_card_hash = e.id_card_hash and w.exit_time is null)))`)

/**
 * Entries the caller may decide: a company within its own reach; an authority those from its projects and for its area; the platform
 * none.
 */
const mayDecide = (ctx: BlackContext): Condition =>
  ctx.group.type === groupTypes.government
    ? condition(
        sql`((e.scope = '3' and zg_area_front(e.scope_code) ^@ zg_group_area()) or (e.scope <> '3' and e.source_project = any (${[...ctx.scope.projects]})))`,
      )
    : ctx.group.type === groupTypes.corporation
      ? condition(
          sql`((e.scope = '2' and e.scope_code = ${ctx.group.code}) or (e.scope = '1' and e.scope_code = any (${runProjects(ctx)})))`,
        )
      : condition(sql`false`)

const holds = (today: string): Condition => condition(sql`(e.state in ('2', '4') and ${today}::date between e.start_date and e.end_date)`)

export type RawBlack = Row<'blackEntry'> & {
  sourceProjectName: string | null
  effective: boolean
  isFull: boolean
  mayDecide: boolean
  hits: number
  lastHit: Date | null
  inPlace: number
  waitingDays: number
}

/** Passages of a listed person at projects within the entry's reach, while it was in force. */
const passages = sql`from attendance_event v join project p on p.project_code = v.project_code
  where e.kind = 'worker' and e.decided_time is not null and v.time >= greatest(e.decided_time, e.start_date::timestamp at time zone 'Asia/Shanghai')
    and v.time < least((e.end_date + 1)::timestamp at time zone 'Asia/Shanghai', case when e.state in ('5', '6', '7') then e.update_time else 'infinity' end)
    and (v.project_code, v.worker_id) in (select w.project_code, w.worker_id from project_worker w where w.id_card_hash = e.id_card_hash)
    and zg_black_reaches(e.scope, e.scope_code, p, null)`

const select = (ctx: BlackContext): RawBuilder<unknown> => {
  const now = new Date(ctx.clock.now())
  return sql`
    select e.*, s.name as source_project_name, ${holds(formatDay(now))} as effective, coalesce(${isFull(ctx)}, false) as is_full,
      coalesce(${mayDecide(ctx)}, false) as may_decide,
      coalesce(r.n, 0) + coalesce(g.n, 0) as hits, greatest(r.last, g.last) as last_hit,
      (select count(distinct x.project_code)::int from (
        select w.project_code, w.corp_code from project_worker w where e.kind = 'worker' and w.id_card_hash = e.id_card_hash and w.exit_time is null
        union all select u.project_code, u.corp_code from project_corp u where e.kind = 'corp' and u.corp_code = e.corp_code and u.exit_time is null) x
        join project p using (project_code) where zg_black_reaches(e.scope, e.scope_code, p, x.corp_code)
          and ${allOf(...inProjects('x.projectCode', projectsFor(ctx)))}) as in_place,
      case when e.state in ('1', '4') then greatest(0, floor(extract(epoch from ${now}::timestamptz - coalesce(e.update_time, e.create_time)) / 86400))::int
        else 0 end as waiting_days
    from black_entry e left join project s on s.project_code = e.source_project
      left join lateral (select count(*)::int as n, max(at) as last from black_refusal where entry_id = e.id) r on true
      left join lateral (select count(*)::int as n, max(v.time) as last ${passages}) g on true`
}

interface Range {
  low?: number | undefined
  high?: number | undefined
}

interface Filters {
  projectCode: string
  view?: BlackView | undefined
  q?: string | undefined
  corpCode?: string | undefined
  reasonType?: readonly string[] | undefined
  scope?: readonly string[] | undefined
  status?: readonly string[] | undefined
  source?: string | undefined
  startDate?: { from?: string | undefined; to?: string | undefined } | undefined
  endDate?: { from?: string | undefined; to?: string | undefined } | undefined
  waitingDays?: Range | undefined
  inPlace?: Range | undefined
}

/** An entry belongs to a project if it comes from there or applies there. */
function ofProject(ctx: Pick<Context, 'scope' | 'scopeChecks'>, projectCode: string): Condition[] {
  if (projectCode === '*') return []
  requireProject(ctx, projectCode)
  return [
    condition(sql`(e.source_project = ${projectCode} or exists (select 1 from project p where p.project_code = ${projectCode}
      and zg_black_reaches(e.scope, e.scope_code, p, null)))`),
  ]
}

/** Entries that wait for the caller: to be decided, or, for a site, to be completed and submitted. */
const waitsFor = (ctx: BlackContext): Condition =>
  ctx.group.type === groupTypes.project
    ? condition(sql`(e.group_id = ${ctx.group.id} and e.state in ('0', '3'))`)
    : condition(sql`((e.state in ('1', '4') and ${mayDecide(ctx)}) or (e.group_id = ${ctx.group.id} and e.state in ('0', '3')))`)

function conditions(ctx: ListContext, kind: BlackKind, query: Filters): Condition {
  const views: Record<BlackView, () => Condition> = {
    effective: () => holds(formatDay(ctx.clock.now())),
    todo: () => waitsFor(ctx),
    waiting: () => condition(sql`e.state = ${blackStates.waiting}`),
    appeal: () => condition(sql`e.state = ${blackStates.appealed}`),
    ended: () => condition(sql`e.state in ('3', '5', '6', '7')`),
    own: () => condition(sql`e.group_id = ${ctx.group.id}`),
  }
  const q = query.q?.trim()
  return allOf(
    condition(sql`e.kind = ${kind}`),
    ...ofProject(ctx, query.projectCode),
    ...(query.view ? [views[query.view]()] : []),
    ...(q
      ? [
          condition(sql`((e.name ilike ${anywhere(q)} and (e.kind <> 'worker' or ${isFull(ctx)}))
            or (e.kind = 'worker' and ${isShownStart(q) ? sql`starts_with(e.name, ${q})` : sql`false`}) or e.corp_code = ${q}
            or e.id_card_hash = ${ctx.secrets.blindIndex('id-card', normalIdNumber(q))})`),
        ]
      : []),
    ...equals('e.corpCode', query.corpCode),
    ...anyOf('e.reasonType', query.reasonType),
    ...anyOf('e.scope', query.scope),
    ...anyOf('e.state', query.status),
    ...equals('e.sourceProject', query.source === '*' ? undefined : query.source),
    ...daysBetween('e.startDate', query.startDate),
    ...daysBetween('e.endDate', query.endDate),
  )
}
const order = (sort: NonNullable<(typeof contract.listLaborBlack)['types']>['parsed']['query']['sort']) =>
  orderBy(
    sort,
    { name: 'name!', startDate: 'startDate!', endDate: 'endDate!', waitingDays: 'waitingDays!', hits: 'hits!' },
    '-startDate',
    'id',
  )

type Query = Filters & Pick<NonNullable<(typeof contract.listLaborBlack)['types']>['parsed']['query'], 'sort' | 'page' | 'size'>

/** Conditions on computed columns. */
const counted = (query: Filters): Condition => allOf(...between('e.waitingDays', query.waitingDays), ...between('e.inPlace', query.inPlace))

export async function findBlack(ctx: ListContext, kind: BlackKind, query: Query, paged = true): Promise<BlackRow[]> {
  const { limit, offset } = pageSlice(query)
  const { rows } = await sql<RawBlack>`
    select * from (${select(ctx)} where ${conditions(ctx, kind, query)}) e where ${counted(query)}
    order by ${order(query.sort)} ${paged ? sql`limit ${limit} offset ${offset}` : sql``}`.execute(ctx.db)
  const rest = await commonCalendar(ctx.db)
  return rows.map((e) => toRow(ctx, e, rest))
}
export async function countBlack(ctx: ListContext, kind: BlackKind, query: Query): Promise<number> {
  const where = conditions(ctx, kind, query)
  const { rows } =
    query.waitingDays || query.inPlace
      ? await sql<{ n: number }>`
        select count(*)::int as n from (${select(ctx)} where ${where}) e where ${counted(query)}`.execute(ctx.db)
      : await sql<{ n: number }>`select count(*)::int as n from black_entry e where ${where}`.execute(ctx.db)
  return rows[0]?.n ?? 0
}
export async function getBlack(ctx: BlackContext, kind: BlackKind, id: string): Promise<RawBlack | undefined> {
  const { rows } = await sql<RawBlack>`${select(ctx)} where e.id = ${id} and e.kind = ${kind}`.execute(ctx.db)
  return rows[0]
}

/** `rest`: the calendar for working days. */
export function toRow(ctx: Pick<BlackContext, 'group'>, e: RawBlack, rest: RestDays): BlackRow {
  const isPerson = e.kind === 'worker'
  return rowOf(blackRow, e, {
    name: isPerson && !e.isFull ? maskName(e.name) : e.name,
    idCardNumber: e.idCardMask,
    reasonTypeName: reasonName(e.kind, e.reasonType),
    scopeName: scopeName(e.scope, e.scopeCode),
    sourceProject: e.isFull ? e.sourceProject : null,
    sourceProjectName: e.isFull ? e.sourceProjectName : null,
    notifiedTime: e.isFull && e.notifiedTime ? formatInstant(e.notifiedTime) : null,
    answerUntil: e.isFull && e.notifiedTime ? answerUntil(e.notifiedTime, rest) : null,
    status: e.state,
    statusName: dictName('misconductState', e.state),
    lastHit: e.lastHit ? formatInstant(e.lastHit) : null,
    full: e.isFull,
    own: e.groupId === ctx.group.id,
  })
}

/** An entry counts as ending soon in its last days. */
const endingDays = 30
export async function blackFigures(ctx: Context, kind: BlackKind, projectCode: string) {
  const now = new Date(ctx.clock.now())
  const today = formatDay(now)
  const within = allOf(condition(sql`e.kind = ${kind}`), ...ofProject(ctx, projectCode))
  const monthStart = `${today.slice(0, 7)}-01`
  const all = sql`(${select(ctx)} where ${within}) e`
  const { rows } = await sql<{
    effective: number
    own: number
    waiting: number
    oldestWaitingDays: number
    appealed: number
    ending: number
    inPlace: number
    hitsThisMonth: number
  }>`
    select count(*) filter (where effective)::int as effective,
      count(*) filter (where group_id = ${ctx.group.id})::int as own,
      count(*) filter (where state = '1')::int as waiting, coalesce(max(waiting_days) filter (where state = '1'), 0)::int as oldest_waiting_days,
      count(*) filter (where state = '4')::int as appealed,
      count(*) filter (where effective and end_date <= ${today}::date + ${endingDays}::int)::int as ending,
      count(*) filter (where effective and in_place > 0)::int as in_place,
      coalesce(sum((select count(*) from black_refusal r where r.entry_id = e.id and r.at >= ${monthStart}::date::timestamp at time zone 'Asia/Shanghai')
        + (select count(*) ${passages} and v.time >= ${monthStart}::date::timestamp at time zone 'Asia/Shanghai')), 0)::int as hits_this_month
    from ${all}`.execute(ctx.db)
  const reasons = await sql<{ code: string; effective: number; all: number }>`
    select e.reason_type as code, count(*) filter (where ${holds(today)})::int as effective, count(*)::int as all
    from black_entry e where ${within} and e.state <> '0' group by 1 order by 3 desc, 1`.execute(ctx.db)
  const months = await sql<{ month: string; listed: number; ended: number; hits: number }>`
    select to_char(m, 'YYYY-MM') as month,
      (select count(*)::int from black_entry e where ${within} and e.decided_time is not null and to_char(e.decided_time at time zone 'Asia/Shanghai', 'YYYY-MM') = to_char(m, 'YYYY-MM')) as listed,
      (select count(*)::int from black_entry e where ${within} and e.state in ('5', '6', '7') and to_char(e.update_time at time zone 'Asia/Shanghai', 'YYYY-MM') = to_char(m, 'YYYY-MM')) as ended,
      (select count(*)::int from black_refusal r join black_entry e on e.id = r.entry_id where ${within} and to_char(r.at at time zone 'Asia/Shanghai', 'YYYY-MM') = to_char(m, 'YYYY-MM')) as hits
    from generate_series(${monthStart}::date - interval '11 months', ${monthStart}::date, interval '1 month') m order by 1`.execute(ctx.db)
  const groups = await sql<{ name: string; count: number }>`
    select e.group_name as name, count(*)::int as count from black_entry e where ${within} and e.state <> '0' group by 1 order by 2 desc, 1 limit 8`.execute(
    ctx.db,
  )
  const none = { effective: 0, own: 0, waiting: 0, oldestWaitingDays: 0, appealed: 0, ending: 0, inPlace: 0, hitsThisMonth: 0 }
  return {
    ...(rows[0] ?? none),
    byReason: reasons.rows.map((r) => ({ ...r, name: reasonName(kind, r.code) ?? r.code })),
    byMonth: months.rows,
    byGroup: groups.rows,
  }
}

export function registerBlackExports(): void {
  const source = (kind: BlackKind) => ({
    widths: {
      name: 24,
      reasonType: 24,
      scope: 20,
      source: 30,
      groupName: 24,
      issuer: 24,
      idCardNumber: 22,
      corpCode: 22,
      docNo: 24,
      decideOrg: 24,
    },
    async *rows(ctx: ListContext, query: Query) {
      yield* await findBlack(ctx, kind, query, false)
    },
    count: (ctx: ListContext, query: Query) => countBlack(ctx, kind, query),
  })
  exportOf(
    contract.laborBlackList,
    { title: '工人黑名单', ...source('worker') },
    {
      // Exports show masked names only.
      name: (e) => maskName(e.name),
      reasonType: (e) => e.reasonTypeName,
      scope: (e) => e.scopeName,
      source: (e) => e.sourceProjectName,
      status: (e) => e.statusName,
    },
  )
  exportOf(
    contract.companyBlackList,
    { title: '企业黑名单', ...source('corp') },
    {
      reasonType: (e) => e.reasonTypeName,
      scope: (e) => e.scopeName,
      status: (e) => e.statusName,
    },
  )
}

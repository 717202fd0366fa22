import { runningStates } from '@zhugong/contract/rectify/moves'
import { dictionaryOf, dictName } from '@zhugong/contract/settings/dictionaries'
import type * as contract from '@zhugong/contract/works/calls'
import { type WorkRow, workRow } from '@zhugong/contract/works/calls'
import { openWorks, workStates } from '@zhugong/contract/works/moves'
import { isOverCategory, needsMonitor, sizeText } from '@zhugong/contract/works/scale'
import { type RawBuilder, sql } from 'kysely'
import { formatDay } from '#kit/clock'
import { type Context, projectsFor } from '#kit/context'
import type { Row } from '#kit/db'
import { allOf, anyOf, type Condition, condition, contains, daysBetween, equals, filtersOf, inProjects, orderBy } from '#kit/list'
import { rowOf } from '#kit/row-of'
import { waitsFor } from '../process/public.ts'

type Query = Partial<Omit<NonNullable<(typeof contract.listWorks)['types']>['parsed']['query'], 'projectCode'>>
type Viewer = Pick<Context, 'scope' | 'scopeChecks' | 'codes' | 'group' | 'clock'>
type Computed = Pick<WorkRow, 'gaps' | 'monitorState' | 'openRectify' | 'grave' | 'stateDays' | 'mine'>
export type RawWork = Row<'bigproject'> & Computed & Pick<WorkRow, 'projectName' | 'lng' | 'lat' | 'constructionName' | 'subName'>

const list = (values: readonly string[]) => sql`${[...values]}::text[]`
const categories = (dictionaryOf('hazardCategory')?.items ?? []).map((one) => one.code)
const monitored = categories.filter(needsMonitor)

/**
 * Works with what the platform makes of them, as rows of one list `b`: the papers they lack, the state of their devices, their open notices,
 * and why a work stands on top. What is closed lacks nothing any more. `projectCode`: undefined or `*` for the whole scope.
 */
function everyWork(ctx: Viewer, projectCode: string | undefined) {
  const projects = projectsFor(ctx, projectCode)
  const today = sql`${formatDay(ctx.clock.now())}::date`
  const started = sql`(b.state in ('6', '7', '8') or b.actual_start_date is not null and b.state <> '9')`
  const early = sql`(${started} and (b.plan_pass_date is null or b.actual_start_date < b.plan_pass_date))`
  const unargued = sql`(${started} and b.over_scale and coalesce(b.review_result, '') not in ('passed', 'changed'))`
  const silent = sql`(m.devices > 0 and m.silent > 0)`
  const lacks = (when: RawBuilder<unknown>, key: string) => sql`case when ${when} then ${key}::text end`
  return sql`(select b.*, m.monitor_state, n.open_rectify,
      array_remove(array[${lacks(early, 'plan')}, ${lacks(unargued, 'review')},
        ${lacks(sql`${started} and b.disclosure_date is null`, 'disclosure')},
        ${lacks(sql`${started} and b.category = any (${list(monitored)}) and b.monitor_org is null`, 'monitor')},
        ${lacks(sql`b.state = '8' and b.accept_photos = '{}'`, 'sign')}], null) as gaps,
      case when b.state not in ('8', '9') and ${unargued} then '未经专家论证已实施'
        when b.state not in ('8', '9') and ${early} then '开工早于方案通过'
        when b.state = ${workStates.running} and ${silent} then '实施中监测失联' end as grave,
      (${today} - (b.state_since at time zone 'Asia/Shanghai')::date)::int as state_days,
      b.id in (select t.object_id from process_todo t where t.kind = 'bigproject' and ${waitsFor(ctx, projects)}) as mine
    from bigproject b
    cross join lateral (select count(*)::int as devices, (count(*) filter (where l.online is not true))::int as silent,
        case when b.state in ('8', '9') or count(*) = 0 then 'none'
          when bool_or(exists (select from alarm a where a.device_id = x.device_id and a.active and not a.simulated and not a.historical)) then 'alarm'
          when bool_or(l.online is not true) then 'offline' else 'normal' end as monitor_state
      from bigproject_device x left join device_latest l on l.device_id = x.device_id where x.work_id = b.id) m
    cross join lateral (select count(*)::int as open_rectify from rectify r where r.source_kind = 'bigproject' and r.source_id = b.id
        and r.shown_at is not null and r.state = any (${list(runningStates)})) n
    where ${allOf(...inProjects('b.projectCode', projects))})`
}

const isOpen = sql`b.state = any (${list(openWorks)})`
const either = (is: RawBuilder<unknown>) => (value: boolean) => condition(value ? is : sql`not ${is}`)
const lacking = sql`(b.gaps <> '{}')`

/** A category of level one stands for all below it. */
const inCategories = (values: readonly string[]): Condition =>
  condition(sql`b.category like any (${values.map((one) => `${one.replace(/\D/g, '')}%`)})`)

/** Conditions of the list and of its export. */
export function conditions(query: Query & { projectCode?: string }): Condition {
  const tabs: Record<NonNullable<Query['tab']>, RawBuilder<unknown>> = { mine: sql`b.mine`, open: isOpen, done: sql`not ${isOpen}` }
  return filtersOf(query, {
    projectCode: 'elsewhere',
    tab: (value) => condition(tabs[value]),
    name: [contains, 'b.name'],
    category: (values) => (values.length > 0 ? inCategories(values) : condition(sql`true`)),
    overScale: either(sql`b.over_scale`),
    riskLevel: [anyOf, 'b.riskLevel'],
    part: [contains, 'b.part'],
    constructionName: [contains, 'b.constructionName'],
    planStartDate: [daysBetween, 'b.planStartDate'],
    actualStartDate: [daysBetween, 'b.actualStartDate'],
    gaps: (values) => condition(sql`b.gaps && ${list(values)}`),
    lacking: either(lacking),
    monitorState: [anyOf, 'b.monitorState'],
    openRectify: either(sql`b.open_rectify > 0`),
    state: [anyOf, 'b.state'],
  })
}

/** The gravest first, then by risk, then by the days that a work has stayed where it is. */
const order = (sort: Query['sort']) =>
  orderBy(
    sort,
    {
      urgency: sql`((case when b.grave is null then 0 else 1000000 end) + (case when ${isOpen} then 100000 else 0 end)
        + (5 - b.risk_level::int) * 10000 + least(b.state_days, 9999))`,
      riskLevel: 'b.riskLevel',
      planStartDate: 'b.planStartDate',
      stateDays: 'b.stateDays',
    },
    '-urgency',
    'b.id',
  )

const named = (ctx: Viewer, projectCode: string | undefined) =>
  sql`(select b.*, p.name as project_name, p.lng, p.lat, c.corp_name as construction_name, s.corp_name as sub_name from ${everyWork(ctx, projectCode)} b
    join project p on p.project_code = b.project_code join corporation c on c.corp_code = b.construction_corp
    left join corporation s on s.corp_code = b.sub_corp) b`

export async function readRows(
  ctx: Viewer & Pick<Context, 'db'>,
  where: Condition,
  projectCode: string | undefined,
  { sort, limit, offset }: { sort?: Query['sort']; limit?: number; offset?: number },
): Promise<RawWork[]> {
  const page = limit === undefined ? sql`` : sql`limit ${limit} offset ${offset ?? 0}`
  const { rows } = await sql<RawWork>`select b.* from ${named(ctx, projectCode)} where ${where} order by ${order(sort)} ${page}`.execute(
    ctx.db,
  )
  return rows
}

export async function countRows(ctx: Viewer & Pick<Context, 'db'>, where: Condition, projectCode: string | undefined): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from ${named(ctx, projectCode)} where ${where}`.execute(ctx.db)
  return rows[0]?.n ?? 0
}

export const toRow = (r: RawWork): WorkRow =>
  rowOf(workRow, r, {
    categoryName: dictName('hazardCategory', r.category) ?? r.category,
    size: sizeText(r.category, r),
    stateName: dictName('bigProjectState', r.state) ?? r.state,
  })

/** Figures of the strip: each counts with the condition of the list it opens. */
export async function countsOf(ctx: Viewer & Pick<Context, 'db'>, projectCode: string | undefined) {
  const n = (of: RawBuilder<unknown>) => sql`count(*) filter (where ${of})::int`
  const { rows } = await sql<Record<'running' | 'overScale' | 'lacking' | 'alarming', number>>`select
      ${n(sql`b.state = ${workStates.running}`)} as running, ${n(sql`b.over_scale and ${isOpen}`)} as over_scale,
      ${n(lacking)} as lacking, ${n(sql`b.monitor_state = 'alarm'`)} as alarming
    from ${everyWork(ctx, projectCode)} b`.execute(ctx.db)
  return rows[0] ?? { running: 0, overScale: 0, lacking: 0, alarming: 0 }
}

/** One work as a row of the list. */
export async function rowFor(ctx: Viewer & Pick<Context, 'db'>, id: string, projectCode: string): Promise<RawWork | undefined> {
  const [row] = await readRows(ctx, allOf(...equals('b.id', id)), projectCode, {})
  return row
}

/** Device families that watch a kind of work, and the first digit of its categories. */
const watched = [
  { family: 'foundationPit', group: '1', what: '深基坑' },
  { family: 'highFormwork', group: '2', what: '高支模' },
] as const
const mostSuspects = 20

/** 疑似未登记: sites whose devices watch a pit or formwork, without an open work of that kind. */
export async function suspectsOf(ctx: Viewer & Pick<Context, 'db'>, projectCode: string | undefined) {
  const projects = projectsFor(ctx, projectCode)
  const kinds = sql`(values ${sql.join(watched.map(({ family, group, what }) => sql`(${family}::text, ${group}::text, ${what}::text)`))})`
  const { rows } = await sql<{ projectCode: string; projectName: string; what: string; devices: number }>`
    select d.project_code, p.name as project_name, k.what, count(*)::int as devices from ${kinds} k (family, grp, what)
      join device d on d.family = k.family and d.status = '1' join project p on p.project_code = d.project_code
    where ${allOf(...inProjects('d.projectCode', projects))}
      and not exists (select from bigproject b where b.project_code = d.project_code and b.category ^@ k.grp and b.state <> '9')
    group by d.project_code, p.name, k.what order by p.name, k.what limit ${mostSuspects}`.execute(ctx.db)
  return rows
}

/** Whether the size alone makes a category over-scale; for the export. */
export const scaleWord = (r: Pick<WorkRow, 'overScale' | 'category'>): string =>
  r.overScale ? (isOverCategory(r.category) ? '超规模' : '超规模（上调）') : '未超'

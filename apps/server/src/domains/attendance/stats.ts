import type * as contract from '@zhugong/contract/attendance/stats'
import { overlongHours, type PersonState, type StatsScope } from '@zhugong/contract/attendance/stats'
import { AppError } from '@zhugong/contract/kit/errors'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import type { Context } from '#kit/context'
import { allOf, anyOf, type Condition, condition, contains, equals, inProjects, pageSlice } from '#kit/list'
import type { ListContext } from '../exports/registry.ts'
import { daysWithPeople, type RawDay, runningDay, toJudgedDay } from './day-list.ts'
import { attendanceRate, type Due, dueColumns, hasArrived, hasCome, isDue } from './due.ts'
import { byHour, type HourFigures } from './engine/by-hour.ts'
import { evaluate } from './engine/day.ts'
import { percentOf } from './engine/rate.ts'
import { clockMs, datesFrom, daysBetween } from './engine/time.ts'
import { versionOn } from './engine/work-day.ts'
import { findFacts } from './facts-store.ts'

type StatsQuery = NonNullable<(typeof contract.corpStats.byDay)['types']>['parsed']['query']
export type Projects = readonly string[] | undefined
export const maxDays = 366

/** The requested days: a range, one day, or by default the current one. */
export async function rangeOf(ctx: ListContext, query: Pick<StatsQuery, 'projectCode' | 'date' | 'startDate' | 'endDate'>) {
  const today = await runningDay(ctx, query.projectCode ?? ctx.projectCode)
  const from = query.startDate ?? query.date ?? query.endDate ?? today
  const to = query.endDate ?? query.date ?? (query.startDate && query.startDate > today ? query.startDate : query.startDate ? today : from)
  if (from > to) throw new AppError('invalidInput', '结束日期不能早于开始日期', { field: 'endDate' })
  if (daysBetween(from, to) >= maxDays) throw new AppError('invalidInput', `一次最多统计 ${maxDays} 天`, { field: 'endDate' })
  return { from, to, today }
}

export interface UnitKey {
  corpCode: string | null
  corpName: string | null
  teamSysNo: string | null
  teamName: string | null
}
const nobodysUnit: UnitKey = { corpCode: null, corpName: null, teamSysNo: null, teamName: null }

/** Grouping columns of a scope; for all projects together there is a single unit. */
const unitColumns = (scope: StatsScope) =>
  scope === 'corp'
    ? sql`d.corp_code, max(d.corp_name) as corp_name, null::text as team_sys_no, null::text as team_name`
    : scope === 'team'
      ? sql`d.corp_code, max(d.corp_name) as corp_name, d.team_sys_no, max(d.team_name) as team_name`
      : sql`null::text as corp_code, null::text as corp_name, null::text as team_sys_no, null::text as team_name`
const unitGroup = (scope: StatsScope) =>
  scope === 'corp' ? sql`d.corp_code` : scope === 'team' ? sql`d.corp_code, d.team_sys_no` : sql`(d.project_code is null)`
/** Managers without a team are omitted from the statistics by team. */
export const inScopeOnly = (scope: StatsScope): Condition[] => (scope === 'team' ? [condition(sql`d.team_sys_no is not null`)] : [])

export function conditions(query: Partial<StatsQuery>, projects: Projects, range: { from: string; to: string }): Condition {
  return allOf(
    condition(sql`d.work_day between ${range.from}::date and ${range.to}::date`),
    ...inProjects('d.projectCode', projects),
    ...equals('d.corpCode', query.corpCode),
    ...equals('d.teamSysNo', query.teamSysNo),
    ...anyOf('d.workType', query.workType),
    ...anyOf('d.workRole', query.workRole),
  )
}

export const base = (ctx: Pick<Context, 'clock'>, today: string) => daysWithPeople(ctx.clock.now(), today)
export const round1 = (n: number) => Math.round(n * 10) / 10
export const has = (result: number) => sql`count(*) filter (where ${sql.lit(result)} = any (d.results))::int`
export const pageOf = <T>(rows: readonly T[], query: { page: number; size: number }) => {
  const { limit, offset } = pageSlice(query)
  return { list: rows.slice(offset, offset + limit), total: rows.length }
}

// ---------- A62

type Evaluated = Awaited<ReturnType<typeof unitNames>>[number] & { evaluation: ReturnType<typeof evaluate>; cutMs: number }

/** Evaluates one day of all people in the query, project by project. */
async function evaluatedOn(ctx: Context, query: StatsQuery, projects: Projects, day: string): Promise<Evaluated[]> {
  const now = ctx.clock.now()
  const done: Evaluated[] = []
  for (const [projectCode, people] of Map.groupBy(await unitNames(ctx, query, projects, day), (n) => n.projectCode)) {
    const { facts, site } = await findFacts(
      ctx.db,
      projectCode,
      { from: day, to: day },
      now,
      people.map((p) => p.workerId),
    )
    const cutMs = clockMs(versionOn(site.versions, day).setting.dayCut)
    for (const person of people) {
      const fact = facts.get(person.workerId)
      if (fact) done.push({ ...person, evaluation: evaluate(fact), cutMs })
    }
  }
  return done
}

export async function statsByHour(ctx: Context, scope: StatsScope, query: StatsQuery, projects: Projects) {
  const { from: day } = await rangeOf(ctx, query)
  const units = new Map<string, { key: UnitKey; cutMs: number; people: ReturnType<typeof evaluate>[] }>()
  for (const person of await evaluatedOn(ctx, query, projects, day)) {
    if (scope === 'team' && person.teamSysNo === null) continue
    const key = scope === 'inPlace' ? '' : scope === 'corp' ? person.corpCode : `${person.corpCode}|${person.teamSysNo}`
    let unit = units.get(key)
    if (!unit) {
      unit = { key: unitKeyOf(scope, person), cutMs: person.cutMs, people: [] }
      units.set(key, unit)
    }
    unit.people.push(person.evaluation)
  }
  if (scope === 'inPlace' && units.size === 0) units.set('', { key: nobodysUnit, cutMs: clockMs('04:00'), people: [] })
  const rows = [...units]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, u]) => ({ ...u.key, hours: byHour(u.people, day, u.cutMs, ctx.clock.now()) as HourFigures[] }))
  return pageOf(rows, query)
}

const unitKeyOf = (scope: StatsScope, { corpCode, corpName, teamSysNo, teamName }: UnitKey): UnitKey =>
  scope === 'inPlace'
    ? nobodysUnit
    : scope === 'corp'
      ? { ...nobodysUnit, corpCode, corpName }
      : { corpCode, corpName, teamSysNo, teamName }

/** Condition: the people counted by `onDuty` of an hour. */
async function peopleInHour(ctx: Context, query: StatsQuery, projects: Projects, hour: string): Promise<Condition> {
  const { from: day } = await rangeOf(ctx, query)
  const inside = (await evaluatedOn(ctx, query, projects, day)).filter(
    (p) => byHour([p.evaluation], day, p.cutMs, ctx.clock.now()).find((h) => h.hour === hour)?.onDuty,
  )
  return condition(sql`(d.work_day = ${day}::date and (d.project_code, d.worker_id) in (
    select * from unnest(${inside.map((p) => p.projectCode)}::text[], ${inside.map((p) => p.workerId)}::text[])))`)
}

async function unitNames(ctx: Context, query: StatsQuery, projects: Projects, day: string) {
  const { rows } = await sql<{
    projectCode: string
    workerId: string
    corpCode: string
    corpName: string | null
    teamSysNo: string | null
    teamName: string | null
  }>`
    select d.project_code, d.worker_id, d.corp_code, d.corp_name, d.team_sys_no, d.team_name
    from (${base(ctx, day)}) d where ${conditions(query, projects, { from: day, to: day })}`.execute(ctx.db)
  return rows
}

// ---------- A63

export async function statsByWorkType(ctx: Context, scope: StatsScope, query: StatsQuery, projects: Projects) {
  const { from, to, today } = await rangeOf(ctx, query)
  const where = allOf(conditions(query, projects, { from, to }), ...inScopeOnly(scope))
  const { rows } = await sql<UnitKey & Due & { workType: string; people: number; attended: number; personDays: number; hours: number }>`
    select ${unitColumns(scope)}, case when d.work_role = '10' then 'manager' else coalesce(d.work_type, '') end as work_type,
      count(distinct d.worker_id)::int as people, count(distinct d.worker_id) filter (where d.attend_day = 1)::int as attended,
      sum(d.attend_day)::int as person_days, sum(d.work_hours)::float as hours, ${dueColumns('d')}
    from (${base(ctx, today)}) d where ${where}
    group by ${unitGroup(scope)}, case when d.work_role = '10' then 'manager' else coalesce(d.work_type, '') end
    order by 1, 3, 8 desc`.execute(ctx.db)
  const list = rows.map(({ people, hours, ...r }) => ({
    ...r,
    workTypeName: r.workType === 'manager' ? '管理人员' : dictName('workerType', r.workType),
    inPlace: people,
    workHours: round1(hours),
    rate: attendanceRate(r),
  }))
  return pageOf(list, query)
}

// ---------- A64

export async function statsByDay(ctx: Context, scope: StatsScope, query: StatsQuery, projects: Projects) {
  const { from, to, today } = await rangeOf(ctx, query)
  const where = allOf(conditions(query, projects, { from, to }), ...inScopeOnly(scope))
  type Raw = UnitKey &
    Record<
      | 'inPlace'
      | 'expected'
      | 'arrived'
      | 'attended'
      | 'entered'
      | 'late'
      | 'early'
      | 'missing'
      | 'absent'
      | 'leave'
      | 'stop'
      | 'night'
      | 'changed',
      number
    > & {
      date: string
      hours: number
      closeAttended: number
      closeHours: number
    }
  const { rows } = await sql<Raw>`
    select ${unitColumns(scope)}, d.work_day as date, count(*)::int as in_place, ${dueColumns('d')},
      sum(d.attend_day)::int as attended, count(*) filter (where ${hasCome('d')})::int as entered, sum(d.work_hours)::float as hours,
      ${has(2)} as late, ${has(3)} as early, ${has(4)} as missing, ${has(5)} as absent, ${has(6)} as leave, ${has(8)} as stop, ${has(9)} as night,
      count(d.at_close)::int as changed,
      sum(coalesce((d.at_close ->> 'attendDay')::int, d.attend_day))::int as close_attended,
      sum(coalesce((d.at_close ->> 'workHours')::numeric, d.work_hours))::float as close_hours
    from (${base(ctx, today)}) d where ${where} group by ${unitGroup(scope)}, d.work_day order by d.work_day`.execute(ctx.db)
  const units = new Map<string, { key: UnitKey; days: Map<string, Raw> }>()
  const keyOf = (r: UnitKey) => `${r.corpCode ?? ''}|${r.teamSysNo ?? ''}`
  for (const row of rows) {
    let unit = units.get(keyOf(row))
    if (!unit) {
      unit = { key: { corpCode: row.corpCode, corpName: row.corpName, teamSysNo: row.teamSysNo, teamName: row.teamName }, days: new Map() }
      units.set(keyOf(row), unit)
    }
    unit.days.set(row.date, row)
  }
  if (scope === 'inPlace' && units.size === 0) units.set('|', { key: nobodysUnit, days: new Map() })
  // Days without people are included as zeros; future days are omitted.
  const last = to < today ? to : today
  const list = [...units]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, unit]) => [...datesFrom(from, last)].map((date) => toDayRow(unit.key, date, unit.days.get(date))))
  return pageOf(list, query)

  function toDayRow(key: UnitKey, date: string, r: Raw | undefined) {
    const hours = round1(r?.hours ?? 0)
    const closeHours = round1(r?.closeHours ?? 0)
    return {
      ...key,
      date,
      inPlace: r?.inPlace ?? 0,
      expected: r?.expected ?? 0,
      arrived: r?.arrived ?? 0,
      attended: r?.attended ?? 0,
      entered: r?.entered ?? 0,
      workHours: hours,
      rate: r ? attendanceRate(r) : null,
      late: r?.late ?? 0,
      early: r?.early ?? 0,
      missing: r?.missing ?? 0,
      absent: r?.absent ?? 0,
      leave: r?.leave ?? 0,
      stop: r?.stop ?? 0,
      night: r?.night ?? 0,
      atClose:
        r?.changed && (r.closeAttended !== r.attended || closeHours !== hours)
          ? { attended: r.closeAttended, workHours: closeHours }
          : null,
    }
  }
}

// ---------- A65

const isOverlong = sql`d.work_hours > ${sql.lit(overlongHours)}`

/** Ranks units by one figure, ties by the other two in their order and then by code. Units equal in all three share a rank: 1, 2, 2, 4. */
export function ranked<T extends { code: string; rate: number | null; days: number; hours: number }>(
  rows: readonly T[],
  by: 'rate' | 'days' | 'hours',
) {
  const keys = [by, ...(['rate', 'days', 'hours'] as const).filter((k) => k !== by)]
  const difference = (a: T, b: T) => keys.reduce((d, k) => d || (b[k] ?? -1) - (a[k] ?? -1), 0)
  const sorted = [...rows].sort((a, b) => difference(a, b) || (a.code < b.code ? -1 : 1))
  let rank = 0
  return sorted.map((row, i) => {
    if (i === 0 || difference(sorted[i - 1]!, row) !== 0) rank = i + 1
    return { rank, ...row }
  })
}

export async function statsRank(
  ctx: ListContext,
  scope: StatsScope,
  query: StatsQuery & { by: 'rate' | 'days' | 'hours' },
  projects: Projects,
) {
  const { from, to, today } = await rangeOf(ctx, query)
  const where = allOf(conditions(query, projects, { from, to }), ...inScopeOnly(scope))
  const people = scope === 'inPlace'
  const columns = people
    ? sql`d.worker_id as code, max(d.name) as name, max(d.corp_code) as corp_code, max(d.corp_name) as corp_name, max(d.team_sys_no) as team_sys_no, max(d.team_name) as team_name`
    : scope === 'corp'
      ? sql`d.corp_code as code, max(d.corp_name) as name, ${unitColumns(scope)}`
      : sql`d.team_sys_no as code, max(d.team_name) as name, ${unitColumns(scope)}`
  type Raw = UnitKey &
    Due & { code: string; name: string | null } & Record<
      'days' | 'hours' | 'inPlace' | 'workers' | 'managers' | 'overlong' | 'corrected' | 'late',
      number
    >
  const { rows } = await sql<Raw>`
    select ${columns}, sum(d.attend_day)::int as days, sum(d.work_hours)::float as hours, ${dueColumns('d')}, count(distinct d.worker_id)::int as in_place,
      count(distinct d.worker_id) filter (where d.work_role = '20')::int as workers, count(distinct d.worker_id) filter (where d.work_role = '10')::int as managers,
      count(*) filter (where ${isOverlong})::int as overlong, ${has(11)} as corrected, ${has(10)} as late
    from (${base(ctx, today)}) d where ${where} group by ${people ? sql`d.worker_id` : unitGroup(scope)}`.execute(ctx.db)
  const list = rows.map(({ corrected, late, ...r }) => ({
    ...r,
    hours: round1(r.hours),
    rate: attendanceRate(r),
    hoursADay: r.days ? round1(r.hours / r.days) : null,
    correctedPercent: percentOf(corrected, r.days),
    latePercent: percentOf(late, r.days),
  }))
  return pageOf(ranked(list, query.by), query)
}

// ---------- A66

const stateConditions: Record<PersonState, Condition> = {
  inPlace: condition(sql`true`),
  expected: condition(isDue('d')),
  arrived: condition(hasArrived('d')),
  entered: condition(hasCome('d')),
  attended: condition(sql`d.attend_day = 1`),
  onDuty: condition(sql`d.inside`),
  late: condition(sql`2 = any (d.results)`),
  early: condition(sql`3 = any (d.results)`),
  missing: condition(sql`4 = any (d.results)`),
  absent: condition(sql`5 = any (d.results)`),
  leave: condition(sql`6 = any (d.results)`),
  night: condition(sql`9 = any (d.results)`),
  overlong: condition(isOverlong),
  lateData: condition(sql`10 = any (d.results)`),
  corrected: condition(sql`11 = any (d.results)`),
}

/** The people behind a figure; their number equals the figure. */
export async function statsPeople(
  ctx: Context,
  scope: StatsScope,
  query: StatsQuery & { state: PersonState; name?: string | undefined; hour?: string | undefined },
  projects: Projects,
) {
  const { from, to, today } = await rangeOf(ctx, query)
  const where = allOf(
    conditions(query, projects, { from, to }),
    ...inScopeOnly(scope),
    query.hour ? await peopleInHour(ctx, query, projects, query.hour) : stateConditions[query.state],
    ...contains('d.name', query.name),
  )
  const { limit, offset } = pageSlice(query)
  const rows = await sql<RawDay>`
    select * from (${base(ctx, today)}) d where ${where}
    order by d.work_day, d.corp_code, d.team_sys_no nulls first, d.name, d.worker_id, d.project_code limit ${limit} offset ${offset}`.execute(
    ctx.db,
  )
  const total = await sql<{ n: number }>`select count(*)::int as n from (${base(ctx, today)}) d where ${where}`.execute(ctx.db)
  return {
    list: rows.rows.map(toJudgedDay),
    total: total.rows[0]?.n ?? 0,
  }
}

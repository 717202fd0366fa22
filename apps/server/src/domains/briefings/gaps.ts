import type { BriefingGap, briefingGaps, Unbriefed, unbriefedPeople } from '@zhugong/contract/briefings/calls'
import { newGangDays, soonDays } from '@zhugong/contract/briefings/doubts'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { type RawBuilder, sql } from 'kysely'
import { addDays, formatDay, formatInstant } from '#kit/clock'
import { type Context, projectsFor } from '#kit/context'
import { allOf, anyOf, type Condition, condition, contains, filtersOf, inProjects, orderBy } from '#kit/list'
import { runningDay } from '../attendance/public.ts'
import { hasSigned, signatureOf } from './kind.ts'

type Viewer = Pick<Context, 'db' | 'scope' | 'scopeChecks' | 'clock'>
type GapQuery = Partial<Omit<NonNullable<(typeof briefingGaps)['types']>['parsed']['query'], 'view' | 'page' | 'size'>>
type PeopleQuery = Partial<Omit<NonNullable<(typeof unbriefedPeople)['types']>['parsed']['query'], 'view' | 'page' | 'size'>>
interface Page {
  limit?: number
  offset?: number
}
const pageSql = ({ limit, offset }: Page) => (limit === undefined ? sql`` : sql`limit ${limit} offset ${offset ?? 0}`)

/** 方案通过待实施, 实施中. */
const due = ['5', '6']
const given = sql`n.type = 'safetyPTechnical' and n.state in ('1', '2', '3')`

/** Dangerous works ready or running, and new gangs, that nobody has been briefed for; as `x`. */
function gapSource(ctx: Pick<Context, 'clock'>): RawBuilder<unknown> {
  const today = formatDay(ctx.clock.now())
  return sql`(select 'work' as kind, w.id, w.project_code, k.corp_name, w.name, w.part as remark,
      coalesce(w.actual_start_date, w.plan_start_date) as since, null::int as people,
      w.state = '5' and w.plan_start_date between ${today}::date and ${addDays(today, soonDays)}::date as soon
    from bigproject w join corporation k on k.corp_code = w.construction_corp
    where w.state = any (${due}) and w.shown_at is not null and not exists (select from briefing n where n.big_project_id = w.id and ${given})
    union all
    select 'team', t.id, t.project_code, k.corp_name, t.team_name, coalesce(t.work_type, ''), t.entry_time::date, m.people, false
    from team t join corporation k on k.corp_code = t.corp_code
      cross join lateral (select count(*)::int as people from project_worker w where w.team_id = t.id and w.exit_time is null) m
    where t.project_code is not null and t.exit_time is null and t.entry_time >= ${addDays(today, -newGangDays)}::date and m.people > 0
      and not exists (select from briefing n where n.team_id = t.id and ${given})) x`
}

const gapConditions = (ctx: Viewer, query: GapQuery): Condition =>
  allOf(
    ...inProjects('x.projectCode', projectsFor(ctx, query.projectCode)),
    filtersOf(query, {
      projectCode: 'elsewhere',
      name: [contains, 'x.name'],
      kind: [anyOf, 'x.kind'],
      soon: (value) => condition(sql`x.soon = ${value}`),
    }),
  )

export async function countGaps(ctx: Viewer, query: GapQuery): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from ${gapSource(ctx)} where ${gapConditions(ctx, query)}`.execute(
    ctx.db,
  )
  return rows[0]?.n ?? 0
}

export async function readGaps(ctx: Viewer, query: GapQuery, page: Page = {}): Promise<BriefingGap[]> {
  type Raw = Omit<BriefingGap, 'key' | 'remindedAt'> & { remindedAt: Date | null }
  const { rows } = await sql<Raw>`select x.kind, x.id, x.project_code, x.corp_name, x.name, x.remark, x.since, x.people, x.soon,
      p.name as project_name, m.at as reminded_at
    from ${gapSource(ctx)} join project p on p.project_code = x.project_code
      left join briefing_reminder m on m.project_code = x.project_code and m.kind = x.kind and m.subject_id = x.id
    where ${gapConditions(ctx, query)} order by ${orderBy(query.sort, { since: 'x.since' }, '-since', 'x.id')} ${pageSql(page)}`.execute(
    ctx.db,
  )
  return rows.map((one) => ({
    ...one,
    key: `${one.kind} ${one.id}`,
    remark: one.kind === 'team' ? (dictName('workerType', one.remark) ?? '新进场班组') : one.remark,
    remindedAt: one.remindedAt && formatInstant(one.remindedAt),
  }))
}

/**
 * Whether the worker of `project_worker w` has signed a briefing for his trade. The set of all who have is read once: asked person by
 * person, six sites took longer than a statement may.
 */
export const isBriefed = sql<boolean>`coalesce((w.project_code, w.worker_id, left(w.work_type, 2)) in (
  select r.project_code, r.worker_id, left(b.work_type, 2) from briefing b join briefing_receiver r on r.briefing_id = b.id ${signatureOf}
  where b.type = 'safetyPTechnical' and b.state in ('1', '2', '3') and b.work_type is not null and ${hasSigned}), false)`
const isNamed = sql<boolean>`exists (select from briefing_receiver r join briefing b on b.id = r.briefing_id
  where r.project_code = w.project_code and r.worker_id = w.worker_id and b.type = 'safetyPTechnical' and b.state = '1')`
export const cameOn = (day: string) => sql<boolean>`exists (select from attendance_day d where d.project_code = w.project_code
  and d.worker_id = w.worker_id and d.work_day = ${day}::date and d.record_count > 0)`

/** Monday of the week. */
function mondayOf(day: string): string {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay()
  return addDays(day, -((weekday + 6) % 7))
}

function peopleConditions(ctx: Viewer, query: PeopleQuery, today: string): Condition {
  return allOf(
    condition(sql`w.exit_time is null and w.work_type is not null and w.post is null and not ${isBriefed}`),
    ...inProjects('w.projectCode', projectsFor(ctx, query.projectCode)),
    filtersOf(query, {
      projectCode: 'elsewhere',
      name: [contains, 'w.workerName'],
      workType: [anyOf, 'w.workType'],
      team: [anyOf, 'w.teamId'],
      fresh: (value) =>
        condition(sql`(w.entry_time >= ${mondayOf(formatDay(ctx.clock.now()))}::date at time zone 'Asia/Shanghai') = ${value}`),
      present: (value) => condition(sql`${cameOn(today)} = ${value}`),
    }),
  )
}

const dayOf = (ctx: Viewer, query: PeopleQuery) => runningDay(ctx, query.projectCode)

export async function countUnbriefed(ctx: Viewer, query: PeopleQuery): Promise<number> {
  const where = peopleConditions(ctx, query, await dayOf(ctx, query))
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from project_worker w where ${where}`.execute(ctx.db)
  return rows[0]?.n ?? 0
}

export async function readUnbriefed(ctx: Viewer, query: PeopleQuery, page: Page = {}): Promise<Unbriefed[]> {
  type Raw = Omit<Unbriefed, 'workTypeName' | 'entryTime'> & { workType: string; entryTime: Date }
  const today = await dayOf(ctx, query)
  const order = orderBy(query.sort, { entryTime: 'w.entryTime!', name: 'w.workerName!' }, '-entryTime', 'w.id')
  const { rows } = await sql<Raw>`select w.id, w.worker_id, w.project_code, p.name as project_name, w.worker_name as name, w.work_type,
      k.corp_name, w.team_id, t.team_name, w.entry_time, ${cameOn(today)} as present, ${isNamed} as waiting
    from project_worker w join project p on p.project_code = w.project_code join corporation k on k.corp_code = w.corp_code
      left join team t on t.id = w.team_id
    where ${peopleConditions(ctx, query, today)} order by ${order} ${pageSql(page)}`.execute(ctx.db)
  return rows.map(({ workType, entryTime, ...one }) => ({
    ...one,
    workTypeName: dictName('workerType', workType) ?? workType,
    entryTime: formatDay(entryTime),
  }))
}

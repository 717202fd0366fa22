import { AppError } from '@zhugong/contract/kit/errors'
import { stayOfTeam, type TeamRow, type TeamStay, teamRow } from '@zhugong/contract/labour/model'
import type * as contract from '@zhugong/contract/labour/teams'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { formatDay, formatInstant } from '#kit/clock'
import { type Context, found, projectsFor } from '#kit/context'
import { isUniqueViolation, type Row } from '#kit/db'
import { allOf, anyOf, between, type Condition, condition, contains, daysBetween, equals, filtersOf, inProjects, orderBy } from '#kit/list'
import { rowOf } from '#kit/row-of'
import { hasArrived, isDue } from '../attendance/public.ts'

export type RawTeam = Row<'team'> & {
  corpName: string | null
  projectName: string | null
  headcount: number
  projectCount: number
  badCount: number
  attendRate: number | null
  steadiness: number | null
}

export type RawStay = Row<'projectTeam'> & {
  teamName: string
  workType: string
  teamLeaderName: string | null
  corpName: string | null
  projectName: string | null
  headcount: number
  everCount: number
}

export const select = (ctx: Pick<Context, 'clock'>) => sql`
  select t.*, c.corp_name, p.name as project_name,
    (select count(*)::int from project_worker w where w.team_id = t.id and w.exit_time is null) as headcount,
    (select count(distinct s.project_code)::int from project_team s where s.team_id = t.id) as project_count,
    (select count(*)::int from worker_bad b where b.team_id = t.id and b.audit_status = '1' and b.valid_until >= ${formatDay(ctx.clock.now())}::date) as bad_count
  from team t left join corporation c using (corp_code) left join project p using (project_code)`

/**
 * Computed only for the teams shown, because it reads rows of people. The attendance rate covers the last 30 complete days of everyone
 * in the team then, including people who have left.
 */
export const measures = (ctx: Pick<Context, 'clock'>) => {
  const today = formatDay(ctx.clock.now())
  return sql`
    (select round(count(*) filter (where ${hasArrived('d')})::numeric / nullif(count(*) filter (where ${isDue('d')}), 0), 4)
      from project_worker w join attendance_day d on d.worker_id = w.worker_id and d.stay_id = w.id
        and d.work_day > ${today}::date - 31 and d.work_day < ${today}::date
      where w.team_id = t.id) as attend_rate,
    (select round(avg((w.exit_time is null)::int), 4) from project_worker w
      where w.team_id = t.id and w.entry_time <= ${today}::date - 90 and (w.exit_time is null or w.exit_time > ${today}::date - 90)) as steadiness`
}

export const staySelect = sql`
  select pt.*, t.team_name, t.work_type, t.team_leader_name, c.corp_name, p.name as project_name,
    (select count(*)::int from project_worker w where w.team_id = pt.team_id and w.project_code = pt.project_code and w.exit_time is null) as headcount,
    (select count(distinct w.worker_id)::int from project_worker w where w.team_id = pt.team_id and w.project_code = pt.project_code) as ever_count
  from project_team pt join team t on t.id = pt.team_id
    left join corporation c on c.corp_code = pt.corp_code left join project p on p.project_code = pt.project_code`

type Filters = Partial<NonNullable<(typeof contract.listTeams)['types']>['parsed']['query']>

export function conditions(ctx: Pick<Context, 'scope' | 'scopeChecks'>, query: Filters): Condition {
  const states = {
    present: condition(sql`(t.exit_time is null and t.headcount > 0)`),
    idle: condition(sql`t.headcount = 0`),
    care: condition(sql`t.bad_count > 0`),
  }
  return allOf(
    ...inProjects('t.projectCode', projectsFor(ctx, query.projectCode)),
    filtersOf(query, {
      teamName: [contains, 't.teamName'],
      teamLeaderName: [contains, 't.teamLeaderName'],
      workType: [anyOf, 't.workType'],
      corpCode: [equals, 't.corpCode'],
      headcount: [between, 't.headcount'],
      projectCount: [between, 't.projectCount'],
      badCount: [between, 't.badCount'],
      exitTime: [daysBetween, 't.exitTime'],
      state: (value) => states[value],
      q: (value) => condition(sql`(${allOf(...contains('t.teamName', value))} or ${allOf(...contains('t.teamLeaderName', value))})`),
      projectCode: 'elsewhere',
    }),
  )
}

export const order = (sort: Filters['sort']) =>
  orderBy(
    sort,
    {
      headcount: 't.headcount',
      teamName: 't.teamName',
      projectCount: 't.projectCount',
      entryTime: 't.entryTime',
      exitTime: 't.exitTime',
    },
    '-headcount',
    't.id',
  )

export async function count(ctx: Pick<Context, 'db' | 'clock'>, where: Condition): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from (${select(ctx)}) t where ${where}`.execute(ctx.db)
  return rows[0]?.n ?? 0
}

export async function getRaw(ctx: Context, id: string): Promise<RawTeam> {
  const { rows } = await sql<RawTeam>`select t.*, ${measures(ctx)} from (${select(ctx)}) t where t.id = ${id}`.execute(ctx.db)
  return found(rows[0], '班组')
}

export function toTeam(t: RawTeam): TeamRow {
  return rowOf(teamRow, t, {
    workTypeName: dictName('workerType', t.workType),
    steadiness: t.steadiness ?? null,
    attendRate: t.attendRate ?? null,
    createTime: formatInstant(t.createTime),
  })
}

export function toStay(s: RawStay): TeamStay {
  return rowOf(stayOfTeam, s, {
    workTypeName: dictName('workerType', s.workType),
  })
}

/** Turns a unique violation into a message at the form's field. */
export const sameName = (error: unknown): unknown =>
  isUniqueViolation(error) ? new AppError('refused', '同一单位在本项目已有同名班组', { field: 'teamName' }) : error

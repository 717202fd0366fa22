import { AppError } from '@zhugong/contract/kit/errors'
import type { TeamRow, TeamStay } from '@zhugong/contract/labour/model'
import type * as contract from '@zhugong/contract/labour/teams'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { formatDay, formatInstant } from '#kit/clock'
import { type Context, found, projectsFor } from '#kit/context'
import type { Row } from '#kit/db'
import { isUniqueViolation } from '#kit/db'
import { allOf, anyOf, between, type Condition, condition, contains, daysBetween, equals, inProjects, orderBy } from '#kit/list'
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
 * Measured for the shown teams only: both read facts of people, not of teams. The rate of the last 30 days that are
 * over is of the days of attendance of the team itself, whoever has left it since.
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
    ...contains('t.teamName', query.teamName),
    ...contains('t.teamLeaderName', query.teamLeaderName),
    ...anyOf('t.workType', query.workType),
    ...equals('t.corpCode', query.corpCode),
    ...between('t.headcount', query.headcount),
    ...between('t.projectCount', query.projectCount),
    ...between('t.badCount', query.badCount),
    ...daysBetween('t.exitTime', query.exitTime),
    ...(query.state ? [states[query.state]] : []),
    ...(query.q
      ? [condition(sql`(${allOf(...contains('t.teamName', query.q))} or ${allOf(...contains('t.teamLeaderName', query.q))})`)]
      : []),
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
  return {
    id: t.id,
    teamSysNo: t.teamSysNo,
    teamName: t.teamName,
    corpCode: t.corpCode,
    corpName: t.corpName,
    workType: t.workType,
    workTypeName: dictName('workerType', t.workType),
    projectCode: t.projectCode,
    projectName: t.projectName,
    teamLeaderId: t.teamLeaderId,
    teamLeaderName: t.teamLeaderName,
    headcount: t.headcount,
    projectCount: t.projectCount,
    badCount: t.badCount,
    steadiness: t.steadiness ?? null,
    attendRate: t.attendRate ?? null,
    entryTime: t.entryTime,
    exitTime: t.exitTime,
    stationed: t.stationed,
    createTime: formatInstant(t.createTime),
    version: t.version,
  }
}

export function toStay(s: RawStay): TeamStay {
  return {
    id: s.id,
    projectCode: s.projectCode,
    projectName: s.projectName,
    teamId: s.teamId,
    teamName: s.teamName,
    corpCode: s.corpCode,
    corpName: s.corpName,
    workType: s.workType,
    workTypeName: dictName('workerType', s.workType),
    teamLeaderName: s.teamLeaderName,
    entryTime: s.entryTime,
    exitTime: s.exitTime,
    headcount: s.headcount,
    everCount: s.everCount,
  }
}

/** A unique violation in the words of a team's form. */
export const sameName = (error: unknown): unknown =>
  isUniqueViolation(error) ? new AppError('refused', '同一单位在本项目已有同名班组', { field: 'teamName' }) : error

import type { BriefingDesk, BriefingPerson, briefingDesk } from '@zhugong/contract/briefings/calls'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { type Context, oneProject } from '#kit/context'
import { allOf, type Condition, condition, contains, equals } from '#kit/list'
import type { HandlerOf } from '#kit/serve'
import { runningDay } from '../attendance/public.ts'
import { measuresOf, worksOf } from './detail.ts'
import { cameOn, isBriefed } from './gaps.ts'

const mostPeople = 300
const mostFound = 50

/** What a briefing is written from. Row-level security gives a company its own people only. */
export const readDesk: HandlerOf<typeof briefingDesk> = async ({ query }, ctx) => {
  const projectCode = oneProject(ctx, query.projectCode)
  const today = await runningDay(ctx, projectCode)
  const people = (where: Condition, most: number) => peopleOf(ctx, projectCode, { today, where, most })
  return {
    teams: await teamsOf(ctx, projectCode, today),
    people: query.team
      ? await people(allOf(...equals('w.teamId', query.team)), mostPeople)
      : query.name
        ? await people(allOf(...contains('w.workerName', query.name)), mostFound)
        : [],
    managers: await people(condition(sql`w.post is not null`), mostPeople),
    works: await worksOf(ctx, sql`w.project_code = ${projectCode} and w.state < '8' and w.shown_at is not null`),
    measures: await measuresOf(ctx, sql`m.project_code = ${projectCode} and m.state = '1' and m.shown_at is not null`),
  }
}

async function teamsOf(ctx: Pick<Context, 'db'>, projectCode: string, today: string): Promise<BriefingDesk['teams']> {
  const { rows } = await sql<BriefingDesk['teams'][number]>`select t.id, t.team_name as name, t.corp_code, k.corp_name, t.work_type,
      count(w.id)::int as people, count(w.id) filter (where ${cameOn(today)})::int as present
    from team t join corporation k on k.corp_code = t.corp_code
      left join project_worker w on w.team_id = t.id and w.exit_time is null
    where t.project_code = ${projectCode} and t.exit_time is null
    group by t.id, k.corp_name order by present desc, t.team_name, t.id`.execute(ctx.db)
  return rows
}

interface DeskQuery {
  today: string
  where: Condition
  most: number
}
async function peopleOf(ctx: Pick<Context, 'db'>, projectCode: string, { today, where, most }: DeskQuery): Promise<BriefingPerson[]> {
  type Raw = Omit<BriefingPerson, 'role'>
  const { rows } = await sql<Raw>`select w.id as stay_id, w.worker_name as name, k.corp_name, w.team_id, t.team_name, w.work_type, w.post,
      ${cameOn(today)} as present, ${isBriefed} as briefed
    from project_worker w join corporation k on k.corp_code = w.corp_code left join team t on t.id = w.team_id
    where w.project_code = ${projectCode} and w.exit_time is null and ${where}
    order by w.is_team_leader desc, w.post, w.worker_name, w.id limit ${most}`.execute(ctx.db)
  return rows.map((one) => ({
    ...one,
    role: (one.workType ? dictName('workerType', one.workType) : dictName('managerPost', one.post)) ?? '',
  }))
}

import { isRestDate, type RestDays, weekends } from '@zhugong/contract/kit/rest-days'
import { entryTypes, trainedDays, trainSoonDays } from '@zhugong/contract/personnel/train-model'
import type { TrainPerson, TrainProposal, trainBoard, trainPeople } from '@zhugong/contract/personnel/training'
import { type RawBuilder, sql } from 'kysely'
import { addDays, formatDay } from '#kit/clock'
import { type Context, oneProject, projectsFor } from '#kit/context'
import { allOf, type Condition, condition, contains, equals, inProjects } from '#kit/list'
import { seesProject } from '#kit/sees-project'
import type { HandlerOf } from '#kit/serve'
import { runningDay } from '../attendance/public.ts'
import { workName } from './cert-dues.ts'
import { failed, inMonth, readSessions } from './train-sessions.ts'

/** A rest of so many days ends with 节后复工教育. */
const longRestDays = 5
const mostPeople = 500
const types = { entry: '003002', resume: '003104', special: '003105', project: '003102' } as const

export const readBoard: HandlerOf<typeof trainBoard> = async ({ query }, ctx) => {
  const { projectCode, month } = query
  await seesProject(ctx, projectCode)
  const projects = projectsFor(ctx, projectCode)
  const inScope = allOf(...inProjects('t.projectCode', projects))
  const sessions = await readSessions(ctx, allOf(inScope, condition(inMonth(month))), { sort: 'startTime' })
  const closedSessions = sessions.filter((one) => one.state === 'closed')
  const { rows: retests } = await sql<{
    n: number
    sessions: number
  }>`select count(*)::int as n, count(distinct t.id)::int as sessions from worker_training x join training t on t.id = x.training_id
    where ${inScope} and ${failed}`.execute(ctx.db)
  const { rows: untrained } = await sql<{ n: number }>`select count(*)::int as n from project_worker w
    where ${allOf(...inProjects('w.projectCode', projects))} and w.exit_time is null and not w.entry_trained`.execute(ctx.db)
  const sum = (key: 'people' | 'passed') => closedSessions.reduce((n, one) => n + one[key], 0)
  return {
    sessions,
    proposals: projects?.length === 1 && projects[0] !== undefined ? await proposalsOf(ctx, projects[0], month) : [],
    counts: {
      planned: sessions.length,
      held: closedSessions.length,
      attended: sum('people'),
      passed: sum('passed'),
      retest: retests[0]?.n ?? 0,
      retestSessions: retests[0]?.sessions ?? 0,
      untrained: untrained[0]?.n ?? 0,
    },
  }
}

/** What a month asks for: new people, the first day after a holiday, dangerous works that begin, and the yearly repetition. */
async function proposalsOf(ctx: Context, projectCode: string, month: string): Promise<TrainProposal[]> {
  const today = formatDay(ctx.clock.now())
  const { rows: made } = await sql<{ key: string }>`select t.source_key as key from training t
    where t.project_code = ${projectCode} and t.source_key is not null and t.cancelled_at is null`.execute(ctx.db)
  const planned = new Set(made.map((one) => one.key))
  const onSite = await countOf(ctx, projectCode, sql`true`)
  const all = [
    ...(month === today.slice(0, 7) ? [...(await entryOf(ctx, projectCode, today)), ...(await yearlyOf(ctx, projectCode, today))] : []),
    ...resumesOf(await calendarOf(ctx), month).map(
      (date): TrainProposal => ({
        key: `resume ${date}`,
        kind: 'resume',
        title: '节后复工教育',
        remark: `长假后首个工作日，${onSite} 人`,
        trainingType: types.resume,
        date,
        people: onSite,
      }),
    ),
    ...(await worksOf(ctx, projectCode, month)),
  ]
  return all.filter((one) => !planned.has(one.key)).toSorted((a, b) => (a.date < b.date ? -1 : 1))
}

const isEnrolled = (trainingTypes: readonly string[]) => sql`exists (select from worker_training x join training t on t.id = x.training_id
  where x.project_worker_id = w.id and t.closed_at is null and t.cancelled_at is null and t.training_type = any (${[...trainingTypes]}))`
const untaught = sql`not w.entry_trained and not ${isEnrolled(entryTypes)}`
const taughtLongAgo = (today: string) => sql`w.entry_trained and (select max(x.train_date) from worker_training x
    where x.project_worker_id = w.id and x.passed) <= ${addDays(today, trainSoonDays - trainedDays)}::date
  and not ${isEnrolled([types.project])}`

async function countOf(ctx: Pick<Context, 'db'>, projectCode: string, where: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from project_worker w
    where w.project_code = ${projectCode} and w.exit_time is null and ${where}`.execute(ctx.db)
  return rows[0]?.n ?? 0
}

async function entryOf(ctx: Pick<Context, 'db'>, projectCode: string, today: string): Promise<TrainProposal[]> {
  const people = await countOf(ctx, projectCode, untaught)
  const words = { key: 'entry', kind: 'entry', title: '新进场人员入场教育', trainingType: types.entry, date: today } as const
  return people === 0 ? [] : [{ ...words, remark: `${people} 人未完成入场教育`, people }]
}

async function yearlyOf(ctx: Pick<Context, 'db'>, projectCode: string, today: string): Promise<TrainProposal[]> {
  const people = await countOf(ctx, projectCode, taughtLongAgo(today))
  const words = { kind: 'yearly', title: '年度安全再教育', trainingType: types.project, date: today } as const
  return people === 0 ? [] : [{ ...words, key: `yearly ${today.slice(0, 7)}`, remark: `${people} 人 ${trainSoonDays} 日内满一年`, people }]
}

async function worksOf(ctx: Pick<Context, 'db'>, projectCode: string, month: string): Promise<TrainProposal[]> {
  const { rows } = await sql<{ id: string; name: string; date: string }>`select id, name, plan_start_date as date from bigproject
    where project_code = ${projectCode} and state = '5' and plan_start_date >= ${`${month}-01`}::date
      and plan_start_date < ${`${month}-01`}::date + interval '1 month' order by plan_start_date, id limit 20`.execute(ctx.db)
  return rows.map(({ id, name, date }) => ({
    key: `work ${id}`,
    kind: 'work',
    title: `${name}专项培训`,
    remark: `${date} 计划开工`,
    trainingType: types.special,
    date,
    people: 0,
  }))
}

async function calendarOf(ctx: Pick<Context, 'db'>): Promise<RestDays> {
  const { rows } = await sql<{ calendar: RestDays | null }>`select zg_common_calendar() as calendar`.execute(ctx.db)
  return rows[0]?.calendar ?? weekends
}

/** Working days of a month that follow a long rest. */
export function resumesOf(rest: RestDays, month: string): string[] {
  const found: string[] = []
  for (let day = `${month}-01`; day.startsWith(month); day = addDays(day, 1)) {
    if (isRestDate(rest, day)) continue
    let rested = 0
    while (rested < longRestDays && isRestDate(rest, addDays(day, -rested - 1))) rested++
    if (rested === longRestDays) found.push(day)
  }
  return found
}

export const readPeople: HandlerOf<typeof trainPeople> = async ({ query }, ctx) => {
  const projectCode = oneProject(ctx, query.projectCode)
  await seesProject(ctx, projectCode)
  const today = formatDay(ctx.clock.now())
  const where = chosen(query, today)
  return {
    corps: await corpsOf(ctx, projectCode),
    teams: await teamsOf(ctx, projectCode),
    people: where ? await peopleOf(ctx, projectCode, where, await runningDay(ctx, projectCode)) : [],
  }
}

type PeopleQuery = NonNullable<(typeof trainPeople)['types']>['parsed']['query']
function chosen({ team, name, proposal, importId }: PeopleQuery, today: string): Condition | undefined {
  if (team) return allOf(...equals('w.teamId', team))
  if (name) return allOf(...contains('w.workerName', name))
  if (importId)
    return condition(sql`exists (select from worker_import_row i where i.project_worker_id = w.id and i.import_id = ${importId})`)
  if (proposal === 'entry') return condition(untaught)
  if (proposal?.startsWith('yearly')) return condition(taughtLongAgo(today))
  if (proposal?.startsWith('resume')) return condition(sql`true`)
  return undefined
}

async function corpsOf(ctx: Pick<Context, 'db'>, projectCode: string) {
  const { rows } = await sql<{ code: string; name: string }>`select c.corp_code as code, k.corp_name as name
    from project_corp c join corporation k on k.corp_code = c.corp_code where c.project_code = ${projectCode} and c.exit_time is null
    group by c.corp_code, k.corp_name order by bool_or(c.corp_type = '009') desc, 2, 1`.execute(ctx.db)
  return rows
}

async function teamsOf(ctx: Pick<Context, 'db'>, projectCode: string) {
  const { rows } = await sql<{ id: string; name: string; people: number; untrained: number }>`select t.id, t.team_name as name,
      count(w.id)::int as people, count(w.id) filter (where not w.entry_trained)::int as untrained
    from team t join project_worker w on w.team_id = t.id and w.exit_time is null
    where t.project_code = ${projectCode} and t.exit_time is null group by t.id order by untrained desc, t.team_name, t.id`.execute(ctx.db)
  return rows
}

async function peopleOf(ctx: Pick<Context, 'db'>, projectCode: string, where: Condition, today: string): Promise<TrainPerson[]> {
  type Raw = Omit<TrainPerson, 'workTypeName'> & { workType: string | null; post: string | null }
  const { rows } =
    await sql<Raw>`select w.id as stay_id, w.worker_name as name, w.corp_code, k.corp_name, w.team_id, t.team_name, w.work_type, w.post,
      w.entry_trained, exists (select from attendance_day d where d.project_code = w.project_code and d.worker_id = w.worker_id
        and d.work_day = ${today}::date and d.record_count > 0) as present
    from project_worker w join corporation k on k.corp_code = w.corp_code left join team t on t.id = w.team_id
    where w.project_code = ${projectCode} and w.exit_time is null and ${where}
    order by w.entry_trained, t.team_name, w.worker_name, w.id limit ${mostPeople}`.execute(ctx.db)
  return rows.map(({ workType, post, ...one }) => ({ ...one, workTypeName: workName({ workType, post }) ?? null }))
}

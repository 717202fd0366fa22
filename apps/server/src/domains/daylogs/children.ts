import { sql } from 'kysely'
import type { Context } from '#kit/context'
import type { Row } from '#kit/db'
import type { Log } from './kind.ts'

type Own = 'id' | 'logId' | 'projectCode' | 'corpCode' | 'shownAt' | 'groups' | 'seq'
/** The rows beside a log that are written with it. */
export interface Children {
  facts: Omit<Row<'dayLogFact'>, Own>[]
  problems: Omit<Row<'dayLogProblem'>, Own>[]
  tasks: Omit<Row<'dayLogTask'>, Own>[]
  pours: Omit<Row<'dayLogPour'>, Own>[]
}

export async function childrenOf(ctx: Pick<Context, 'db'>, logId: string): Promise<Children> {
  const facts = await sql<Children['facts'][number]>`select kind, ref_id, site_code, words, amount, unit, state, link from day_log_fact
    where log_id = ${logId} order by seq`.execute(ctx.db)
  const problems = await sql<Children['problems'][number]>`select description, rectify_id from day_log_problem
    where log_id = ${logId} order by seq`.execute(ctx.db)
  const tasks = await sql<Children['tasks'][number]>`select task_id, name, before, percent, reason from day_log_task
    where log_id = ${logId} order by seq`.execute(ctx.db)
  const pours = await sql<Children['pours'][number]>`select part, grade, volume, from_time, until_time, by_name from day_log_pour
    where log_id = ${logId} order by seq`.execute(ctx.db)
  return { facts: facts.rows, problems: problems.rows, tasks: tasks.rows, pours: pours.rows }
}

/** Replaces them, disclosed like the log. */
export async function replaceChildren(ctx: Pick<Context, 'db' | 'newId'>, row: Log, children: Children): Promise<void> {
  const { id: logId, projectCode, corpCode, shownAt, groups } = row
  const of = (i: number) => ({ id: ctx.newId(), logId, projectCode, corpCode, shownAt, groups, seq: i + 1 })
  await sql`delete from day_log_fact where log_id = ${logId}`.execute(ctx.db)
  await sql`delete from day_log_problem where log_id = ${logId}`.execute(ctx.db)
  await sql`delete from day_log_task where log_id = ${logId}`.execute(ctx.db)
  await sql`delete from day_log_pour where log_id = ${logId}`.execute(ctx.db)
  const facts = children.facts.map((one, i) => ({ ...of(i), ...one }))
  const problems = children.problems.map((one, i) => ({ ...of(i), ...one }))
  const tasks = children.tasks.map((one, i) => ({ ...of(i), ...one }))
  const pours = children.pours.map((one, i) => ({ ...of(i), ...one }))
  if (facts.length > 0) await ctx.db.insertInto('dayLogFact').values(facts).execute()
  if (problems.length > 0) await ctx.db.insertInto('dayLogProblem').values(problems).execute()
  if (tasks.length > 0) await ctx.db.insertInto('dayLogTask').values(tasks).execute()
  if (pours.length > 0) await ctx.db.insertInto('dayLogPour').values(pours).execute()
}

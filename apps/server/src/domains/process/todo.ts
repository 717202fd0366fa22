import type { Move } from '@zhugong/contract/kit/process'
import { sql } from 'kysely'
import { addDays, startOfDay } from '#kit/clock'
import { type Context, groupTypes } from '#kit/context'
import { allOf, type Condition, condition, inProjects } from '#kit/list'
import { pick } from '#kit/pick'
import type { Kind, Stated } from './kind.ts'

/** Days after the deadline at which a to-do climbs: reminder, copy to the superior, proposal of a penalty. */
export const ladderDays = [1, 3, 7] as const

/** When an overdue to-do takes its next step: at the start of that day after the deadline, in Beijing. Null after the last step. */
export const stepAt = (due: string, step: number): Date | null => {
  const days = ladderDays[step]
  return days === undefined ? null : new Date(startOfDay(addDays(due, days)))
}

/** Replaces the to-dos of a record in the transaction that changed its state. */
export async function replaceTodos<Row extends Stated>(
  ctx: Context,
  kind: Kind<Row, Readonly<Record<string, Move>>>,
  row: Row,
): Promise<void> {
  const { rows } = await sql<{ step: number; due: string | null }>`
    delete from process_todo where kind = ${kind.kind} and object_id = ${row.id} returning step, due`.execute(ctx.db)
  for (const { turn, forGroup = null, codes, title, link, due } of kind.todos(row)) {
    // A step of the ladder is taken once for a deadline, also when the record goes back and forth; a new deadline starts again.
    const step = Math.max(0, ...rows.filter((one) => one.due === due).map((one) => one.step))
    await ctx.db
      .insertInto('processTodo')
      .values({
        id: ctx.newId(),
        kind: kind.kind,
        objectId: row.id,
        ...pick(row, 'projectCode', 'corpCode', 'shownAt', 'groups'),
        turn,
        forGroup,
        codes: [...codes],
        title,
        link,
        since: new Date(ctx.clock.now()),
        due,
        step,
        nextAt: due === null ? null : stepAt(due, step),
      })
      .execute()
  }
}

type Viewer = Pick<Context, 'codes' | 'group' | 'scope'>

/**
 * Condition on `process_todo t`: what waits for the caller. Whose turn it is follows the words `responsible`, `supervisor`, `authority`,
 * where it is not the turn of one group.
 */
export function waitsFor(ctx: Viewer, projects: readonly string[] | undefined): Condition {
  const { supervised, corps } = ctx.scope
  const isSite = ctx.group.type === groupTypes.project
  const byPart = isSite
    ? sql`t.turn = 'responsible'`
    : ctx.group.type === groupTypes.corporation
      ? sql`(t.turn = 'responsible' and t.corp_code = any (${[...corps]}) or t.turn = 'supervisor' and t.project_code = any (${[...supervised]}))`
      : ctx.group.type === groupTypes.government
        ? sql`t.turn = 'authority'`
        : sql`false`
  return allOf(
    ...inProjects('t.projectCode', projects).map((inside) => condition(sql`(t.project_code is null or ${inside})`)),
    condition(sql`t.codes && ${[...ctx.codes]}::text[]`),
    condition(sql`(t.for_group = ${ctx.group.id} or t.for_group is null and ${byPart})`),
  )
}

/** To-dos of the caller, the most urgent first. */
export async function todosFor(ctx: Viewer & Pick<Context, 'db'>, projects: readonly string[] | undefined, limit: number) {
  type Raw = {
    id: string
    kind: string
    title: string
    link: string
    since: Date
    due: string | null
    projectCode: string | null
    projectName: string | null
  }
  const { rows } = await sql<Raw>`select t.id, t.kind, t.title, t.link, t.since, t.due, t.project_code, p.name as project_name
    from process_todo t left join project p using (project_code) where ${waitsFor(ctx, projects)}
    order by t.due nulls last, t.since limit ${limit}`.execute(ctx.db)
  return rows
}

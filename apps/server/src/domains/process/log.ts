import type { LogLine } from '@zhugong/contract/kit/process'
import { sql } from 'kysely'
import type { Context } from '#kit/context'
import { pick } from '#kit/pick'
import type { Stated } from './kind.ts'

interface Entry {
  action: string
  /** Null for the entry that creates the record. */
  from: string | null
  to: string
  opinion?: string | null | undefined
}

/** Writes one line of a record's history, disclosed like the record itself. */
export async function writeLog(
  ctx: Context,
  kind: string,
  row: Stated,
  { action, from, to, opinion }: Entry,
  by = { id: ctx.user.id, name: ctx.user.name, groupName: ctx.group.name },
): Promise<void> {
  await ctx.db
    .insertInto('processLog')
    .values({
      id: ctx.newId(),
      kind,
      objectId: row.id,
      ...pick(row, 'projectCode', 'corpCode', 'shownAt', 'groups'),
      action,
      fromState: from,
      toState: to,
      byId: by.id,
      byName: by.name,
      groupName: by.groupName,
      opinion: opinion || null,
      at: new Date(ctx.clock.now()),
    })
    .execute()
}

/** Removes history, to-dos and signatures of a draft that is deleted. */
export async function forgetRecord(ctx: Pick<Context, 'db'>, kind: string, id: string): Promise<void> {
  await sql`delete from process_log where kind = ${kind} and object_id = ${id}`.execute(ctx.db)
  await sql`delete from process_signature where kind = ${kind} and object_id = ${id}`.execute(ctx.db)
  await sql`delete from process_todo where kind = ${kind} and object_id = ${id}`.execute(ctx.db)
}

/** History and signatures follow a record to another responsible company, whose rows decide who sees them. */
export async function handOverRecord(ctx: Pick<Context, 'db'>, kind: string, id: string, corpCode: string): Promise<void> {
  await sql`update process_log set corp_code = ${corpCode} where kind = ${kind} and object_id = ${id}`.execute(ctx.db)
  await sql`update process_signature set corp_code = ${corpCode} where kind = ${kind} and object_id = ${id}`.execute(ctx.db)
}

/** The history of a record, the oldest line first. */
export async function historyOf(
  ctx: Pick<Context, 'db'>,
  kind: string,
  id: string,
  /** What each action is called. */
  labels: Readonly<Record<string, string>>,
): Promise<LogLine[]> {
  type Raw = { id: string; action: string; byName: string; groupName: string; opinion: string | null; at: Date }
  const { rows } = await sql<Raw>`select id, action, by_name, group_name, opinion, at from process_log
    where kind = ${kind} and object_id = ${id} order by at, id`.execute(ctx.db)
  return rows.map((r) => ({ ...r, label: labels[r.action] ?? r.action, at: r.at.getTime() }))
}

/** Lets further groups know of a record's history, to-dos and signatures before it is shown. */
export async function widenRecord(ctx: Pick<Context, 'db'>, kind: string, id: string, groups: readonly string[]): Promise<void> {
  for (const table of ['process_log', 'process_signature', 'process_todo'])
    await sql`update ${sql.table(table)} set groups = ${[...groups]} where kind = ${kind} and object_id = ${id}`.execute(ctx.db)
}

import type { BadPlea } from '@zhugong/contract/misconduct/calls'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import type { Context } from '#kit/context'
import type { Row } from '#kit/db'
import { pick } from '#kit/pick'
import { keptFiles, linksOf } from '../files/public.ts'
import type { Misconduct } from './kind.ts'

/** Keeps what the party asks for, with its papers. */
export async function openPlea(
  ctx: Context,
  row: Misconduct,
  kind: BadPlea['kind'],
  { reason, files }: { reason: string; files: readonly string[] },
): Promise<void> {
  await ctx.db
    .insertInto('misconductPlea')
    .values({
      id: ctx.newId(),
      misconductId: row.id,
      ...pick(row, 'projectCode', 'corpCode', 'shownAt', 'groups'),
      kind,
      reason,
      files: await keptFiles(ctx, files),
      byId: ctx.user.id,
      byName: ctx.user.name,
      groupName: ctx.group.name,
      at: new Date(ctx.clock.now()),
    })
    .execute()
}

/** Writes what became of the open appeal or application. */
export const answerPlea = (
  ctx: Pick<Context, 'db' | 'clock' | 'user' | 'group'>,
  row: Pick<Misconduct, 'id'>,
  granted: boolean,
  opinion: string,
) =>
  sql`update misconduct_plea set granted = ${granted}, opinion = ${opinion || null}, decided_name = ${[ctx.group.name, ctx.user.name].filter(Boolean).join(' ')},
    decided_at = ${new Date(ctx.clock.now())} where misconduct_id = ${row.id} and granted is null`.execute(ctx.db)

export async function pleasOf(ctx: Pick<Context, 'db' | 'secrets' | 'clock'>, id: string): Promise<BadPlea[]> {
  const { rows } = await sql<Row<'misconductPlea'>>`select * from misconduct_plea where misconduct_id = ${id} order by at, id`.execute(
    ctx.db,
  )
  return rows.map(({ id: pleaId, kind, reason, files, byName, groupName, at, granted, opinion, decidedName, decidedAt }) => ({
    id: pleaId,
    kind,
    reason,
    files: linksOf(ctx, files),
    byName,
    groupName,
    at: formatInstant(at),
    granted,
    opinion,
    decidedName,
    decidedAt: decidedAt && formatInstant(decidedAt),
  }))
}

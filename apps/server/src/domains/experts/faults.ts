import { sql } from 'kysely'
import { formatDay } from '#kit/clock'
import type { Context } from '#kit/context'
import type { Row } from '#kit/db'

type Writer = Pick<Context, 'db' | 'clock'>

/**
 * An open case of an expert: from now on until `closeFault` he is not drawn. `points` are deducted from the score of the year in which
 * the case was opened; 0 until it is decided.
 */
export async function openFault(ctx: Writer, fault: { id: string; expertId: string; libraryGroup: string; points: number }): Promise<void> {
  const now = ctx.clock.now()
  const year = Number(formatDay(now).slice(0, 4))
  await sql`insert into expert_fault (id, library_group, expert_id, year, points, since)
    values (${fault.id}, ${fault.libraryGroup}, ${fault.expertId}, ${year}, ${fault.points}, ${new Date(now)})
    on conflict (id) do update set points = excluded.points, until = null`.execute(ctx.db)
}

/** Ends a case: the expert can be drawn again, and its points no longer count. */
export const closeFault = (ctx: Writer, id: string) =>
  sql`update expert_fault set until = ${new Date(ctx.clock.now())} where id = ${id} and until is null`.execute(ctx.db)

/** Points deducted from an expert this year. */
export async function deductedOf(ctx: Writer, expertId: string): Promise<number> {
  const year = Number(formatDay(ctx.clock.now()).slice(0, 4))
  const { rows } = await sql<{ points: number }>`select zg_expert_deducted(${expertId}, ${year})::float8 as points`.execute(ctx.db)
  return rows[0]?.points ?? 0
}

/** The expert whom a case is to be about. Undefined when the caller's group does not keep his file. */
export async function ownExpert(
  ctx: Pick<Context, 'db' | 'group'>,
  id: string,
): Promise<Pick<Row<'expert'>, 'id' | 'name' | 'workUnit' | 'libraryGroup' | 'state'> | undefined> {
  const { rows } = await sql<Pick<Row<'expert'>, 'id' | 'name' | 'workUnit' | 'libraryGroup' | 'state'>>`
    select id, name, work_unit, library_group, state from expert where id = ${id} and library_group = ${ctx.group.id}`.execute(ctx.db)
  return rows[0]
}

import { sql } from 'kysely'
import type { Context } from '#kit/context'
import type { Db } from '#kit/db'

/** The stage (dictionary projectPhase) that a project has reached by its schedule; null keeps what is known. Not an edit: the version stays. */
export async function keepProjectPhase(ctx: { db: Context['db'] | Db }, projectCode: string, phase: string | null): Promise<void> {
  if (phase === null) return
  await sql`update project set phase = ${phase} where project_code = ${projectCode} and phase is distinct from ${phase}`.execute(ctx.db)
}

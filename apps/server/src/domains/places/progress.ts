import { sql } from 'kysely'
import type { Context } from '#kit/context'
import type { Db } from '#kit/db'

interface UnitProgress {
  id: string
  percent: number
  /** Dictionary projectPhase; null keeps what is known. */
  phase: string | null
}

/** How far units of the works have come, by the tasks of the schedule. Not an edit: versions stay. */
export async function keepUnitProgress(
  ctx: { db: Context['db'] | Db },
  projectCode: string,
  units: readonly UnitProgress[],
): Promise<void> {
  if (units.length === 0) return
  await sql`update unit_project u set progress_percent = x.percent, phase = coalesce(x.phase, u.phase)
    from jsonb_to_recordset(${JSON.stringify(units)}::jsonb) as x (id text, percent float8, phase text)
    where u.id = x.id and u.project_code = ${projectCode}
      and (u.progress_percent, u.phase) is distinct from (x.percent, coalesce(x.phase, u.phase))`.execute(ctx.db)
}

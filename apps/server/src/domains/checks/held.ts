import { sql } from 'kysely'
import type { Context } from '#kit/context'

export interface HeldCheck {
  id: string
  /** A process type, for example safetyInspection. */
  kind: string
  code: string | null
  checkerId: string
  projectCode: string
  projectName: string
  time: Date
  photos: string[]
}

const mostHeld = 500

/** Checks of these kinds that accounts of the caller's group held in this time, the earliest first. `checkerId`: one account only. */
export async function heldBy(
  ctx: Pick<Context, 'db' | 'group'>,
  kinds: readonly string[],
  checkerId: string | undefined,
  from: Date,
  to: Date,
): Promise<HeldCheck[]> {
  const { rows } =
    await sql<HeldCheck>`select c.id, c.kind, c.code, c.checker_id, c.project_code, p.name as project_name, c.check_time as time, c.photos
    from site_check c join project p using (project_code) where c.kind = any (${[...kinds]}) and c.checker_group = ${ctx.group.id} and c.check_time >= ${from} and c.check_time < ${to}
      and (${checkerId ?? null}::text is null or c.checker_id = ${checkerId ?? null}) order by c.check_time, c.id limit ${mostHeld}`.execute(
      ctx.db,
    )
  return rows
}

/**
 * Since when the caller carries out a check of these kinds that he has not submitted; undefined without one. A forgotten one does not count.
 */
export async function openCheckSince(ctx: Pick<Context, 'db' | 'user'>, kinds: readonly string[], after: Date): Promise<Date | undefined> {
  const { rows } = await sql<{ since: Date }>`select min(create_time) as since from site_check
    where kind = any (${[...kinds]}) and checker_id = ${ctx.user.id} and state = '0' and create_time >= ${after} having min(create_time) is not null`.execute(
    ctx.db,
  )
  return rows[0]?.since
}

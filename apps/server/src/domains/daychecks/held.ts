import { dayCheckStates } from '@zhugong/contract/daychecks/moves'
import { sql } from 'kysely'
import type { Context } from '#kit/context'

interface HeldDayCheck {
  id: string
  code: string | null
  checkerId: string
  projectCode: string
  projectName: string
  /** When its officers arrived. */
  time: Date
  photos: string[]
}

const mostHeld = 500

/** Daily checks to which officers of the caller's group came in this time, a row for each officer. `checkerId`: one account only. */
export async function heldDayChecks(
  ctx: Pick<Context, 'db' | 'group'>,
  checkerId: string | undefined,
  from: Date,
  to: Date,
): Promise<HeldDayCheck[]> {
  const { rows } =
    await sql<HeldDayCheck>`select d.id, d.code, o.id as checker_id, d.project_code, p.name as project_name, d.check_in_at as time, d.check_in_photos as photos
    from day_check d cross join unnest(d.checker_ids) as o(id) join project p on p.project_code = d.project_code
    where d.checker_group = ${ctx.group.id} and d.check_in_at >= ${from} and d.check_in_at < ${to} and d.state <> ${dayCheckStates.cancelled}
      and (${checkerId ?? null}::text is null or o.id = ${checkerId ?? null}) order by d.check_in_at, d.id limit ${mostHeld}`.execute(
      ctx.db,
    )
  return rows
}

/** Since when the caller is at a daily check that is not submitted; undefined when he is at none. A forgotten one does not count. */
export async function dayCheckSince(ctx: Pick<Context, 'db' | 'user'>, after: Date): Promise<Date | undefined> {
  const { rows } = await sql<{ since: Date }>`select min(check_in_at) as since from day_check where ${ctx.user.id} = any (checker_ids)
    and state = ${dayCheckStates.running} and check_in_at >= ${after} having min(check_in_at) is not null`.execute(ctx.db)
  return rows[0]?.since
}

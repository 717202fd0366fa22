import { sql } from 'kysely'
import type { Context } from '#kit/context'

const [everyLate, everyGone] = [7, 11]
const arrivedMinutes = 50

/** Who of the key posts was there when the officers came: the passages of the past are written later than the checks. */
export async function seedPresence(ctx: Pick<Context, 'db'>, checkId: string, at: number): Promise<void> {
  await sql`update day_check_presence set state = case when seq % ${everyLate}::int = 4 then 'never' when seq % ${everyGone}::int = 9 then 'out' else 'in' end,
      at = case when seq % ${everyLate}::int = 4 then null else ${new Date(at)}::timestamptz - ((${arrivedMinutes}::int + seq) || ' minutes')::interval end
    where check_id = ${checkId} and state <> 'vacant'`.execute(ctx.db)
}

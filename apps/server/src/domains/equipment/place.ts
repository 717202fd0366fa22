import { sql } from 'kysely'
import type { Context } from '#kit/context'

/** A machine stands elsewhere on its site from now on. */
export async function placeMachine(ctx: Pick<Context, 'db' | 'clock' | 'user'>, deviceId: string, place: string): Promise<void> {
  await sql`update device set install_place = ${place}, update_time = ${new Date(ctx.clock.now())}, update_by = ${ctx.user.name}, version = version + 1
    where id = ${deviceId}`.execute(ctx.db)
}

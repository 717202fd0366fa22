import type { PointMark } from '@zhugong/contract/telemetry/point-marks'
import { sql } from 'kysely'
import type { Context } from '#kit/context'

/** A machine stands elsewhere on its site from now on. */
export async function placeMachine(ctx: Pick<Context, 'db' | 'clock' | 'user'>, deviceId: string, place: string): Promise<void> {
  await sql`update device set install_place = ${place}, update_time = ${new Date(ctx.clock.now())}, update_by = ${ctx.user.name}, version = version + 1
    where id = ${deviceId}`.execute(ctx.db)
}

/** A meter's register is multiplied by something else from now on. */
export async function setMeterRatio(ctx: Pick<Context, 'db' | 'clock' | 'user'>, deviceId: string, ratio: number): Promise<void> {
  await sql`update device set params = params || jsonb_build_object('ratio', ${ratio}::float8), update_time = ${new Date(ctx.clock.now())},
    update_by = ${ctx.user.name}, version = version + 1 where id = ${deviceId}`.execute(ctx.db)
}

/** What the next readings of a point mean; the ingest hears of it at the commit. */
export async function markPoint(ctx: Pick<Context, 'db'>, deviceId: string, pointCode: string, mark: PointMark): Promise<void> {
  await sql`update device set points = points || ${JSON.stringify({ [pointCode]: mark })}::jsonb where id = ${deviceId}`.execute(ctx.db)
}

import type { PointMark } from '@zhugong/contract/telemetry/point-marks'
import { sql } from 'kysely'
import { changeRow } from '#kit/change-row'
import type { Context } from '#kit/context'

/** Stores a machine's new position on its site. */
export async function placeMachine(ctx: Pick<Context, 'db' | 'clock' | 'user'>, deviceId: string, place: string): Promise<void> {
  await changeRow(ctx, 'device', { key: { id: deviceId }, version: null, noun: '设备', by: ctx.user.name, values: { installPlace: place } })
}

/** Stores a meter's new multiplier, which applies from now on. */
export async function setMeterRatio(ctx: Pick<Context, 'db' | 'clock' | 'user'>, deviceId: string, ratio: number): Promise<void> {
  await changeRow(ctx, 'device', {
    key: { id: deviceId },
    version: null,
    noun: '设备',
    by: ctx.user.name,
    values: { params: sql`params || jsonb_build_object('ratio', ${ratio}::float8)` },
  })
}

/** Marks a point, which changes the meaning of its next readings. The ingest is notified at the commit. */
export async function markPoint(ctx: Pick<Context, 'db'>, deviceId: string, pointCode: string, mark: PointMark): Promise<void> {
  await sql`update device set points = points || ${JSON.stringify({ [pointCode]: mark })}::jsonb where id = ${deviceId}`.execute(ctx.db)
}

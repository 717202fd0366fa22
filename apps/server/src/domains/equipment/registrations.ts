import { registrationHours } from '@zhugong/contract/equipment/endpoints'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import type { Context } from '#kit/context'

/** Opens the registration of a terminal; an open one is restarted. */
export async function letRegister(
  ctx: Pick<Context, 'db' | 'clock' | 'user'>,
  deviceId: string,
  { hours, replaces }: { hours: number; replaces: boolean } = { hours: registrationHours.usual, replaces: false },
): Promise<void> {
  const now = ctx.clock.now()
  await sql`insert into jt808_registration (device_id, opened_at, open_until, by_name, replaces)
    values (${deviceId}, ${new Date(now)}, ${new Date(now + hours * 3_600_000)}, ${ctx.user.name}, ${replaces})
    on conflict (device_id) do update set opened_at = excluded.opened_at, open_until = excluded.open_until, by_name = excluded.by_name,
      replaces = excluded.replaces`.execute(ctx.db)
}

/** Whether the terminal may register now, and which terminal is bound. */
export async function findRegistration(ctx: Pick<Context, 'db' | 'clock'>, deviceId: string) {
  const { rows } = await sql<{ openedAt: Date; openUntil: Date; byName: string; replaces: boolean }>`
    select opened_at, open_until, by_name, replaces from jt808_registration
    where device_id = ${deviceId} and open_until > ${new Date(ctx.clock.now())}`.execute(ctx.db)
  const known = await sql<{
    terminalId: string | null
    maker: string | null
    model: string | null
    plate: string | null
    registeredAt: Date | null
  }>`
    select terminal_id, maker, model, plate, registered_at from jt808_terminal where device_id = ${deviceId} and code_hash is not null`.execute(
    ctx.db,
  )
  const [open, bound] = [rows[0], known.rows[0]]
  return {
    open: open ? { ...open, openedAt: formatInstant(open.openedAt), openUntil: formatInstant(open.openUntil) } : null,
    bound: bound
      ? {
          terminalId: bound.terminalId ?? '',
          maker: bound.maker ?? '',
          model: bound.model ?? '',
          plate: bound.plate ?? '',
          registeredAt: bound.registeredAt ? formatInstant(bound.registeredAt) : null,
        }
      : null,
  }
}

/** Refused attempts to send data as this device. */
export async function findWarnings(ctx: Pick<Context, 'db'>, deviceId: string) {
  const { rows } = await sql<{ kind: string; text: string; count: number; address: string; lastTime: Date }>`
    select kind, text, count::int, address, last_time from device_warning where device_id = ${deviceId} order by last_time desc, kind`.execute(
    ctx.db,
  )
  return rows.map((row) => ({ ...row, lastTime: formatInstant(row.lastTime) }))
}

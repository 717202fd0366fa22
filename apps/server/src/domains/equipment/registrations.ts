import * as calls from '@zhugong/contract/equipment/endpoints'
import { AppError } from '@zhugong/contract/kit/errors'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import type { Context } from '#kit/context'
import type { Serve } from '#kit/serve'
import { noteChange } from './change-log.ts'
import { getDeviceRow } from './device-write.ts'

/** Opens a terminal's registration; an open one is opened anew. */
export async function letRegister(
  ctx: Pick<Context, 'db' | 'clock' | 'user'>,
  deviceId: string,
  { hours, replaces }: { hours: number; replaces: boolean } = { hours: calls.registrationHours.usual, replaces: false },
): Promise<void> {
  const now = ctx.clock.now()
  await sql`insert into jt808_registration (device_id, opened_at, open_until, by_name, replaces)
    values (${deviceId}, ${new Date(now)}, ${new Date(now + hours * 3_600_000)}, ${ctx.user.name}, ${replaces})
    on conflict (device_id) do update set opened_at = excluded.opened_at, open_until = excluded.open_until, by_name = excluded.by_name,
      replaces = excluded.replaces`.execute(ctx.db)
}

/** Whether the terminal may register now, and which one is bound. */
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

/** Who spoke for the device and was refused. */
export async function findWarnings(ctx: Pick<Context, 'db'>, deviceId: string) {
  const { rows } = await sql<{ kind: string; text: string; count: number; address: string; lastTime: Date }>`
    select kind, text, count::int, address, last_time from device_warning where device_id = ${deviceId} order by last_time desc, kind`.execute(
    ctx.db,
  )
  return rows.map((row) => ({ ...row, lastTime: formatInstant(row.lastTime) }))
}

export function registrationRoutes(serve: Serve): void {
  serve(calls.openRegistration, async ({ params, body }, ctx) => {
    const row = await terminalOf(ctx, params.id)
    if (row.status !== '1') throw new AppError('refused', '设备未在使用中，不能开放注册')
    await letRegister(ctx, row.id, body)
    const act = body.replaces ? '开放终端注册（更换终端）' : '开放终端注册'
    const detail = [{ label: '时长', before: null, after: `${body.hours} 小时` }]
    await noteChange(ctx, { subject: 'device', id: row.id, projectCode: row.projectCode, act, detail })
    ctx.note(`${act} ${row.name}，${body.hours} 小时`, row.id)
    return findRegistration(ctx, row.id)
  })

  serve(calls.closeRegistration, async ({ params }, ctx) => {
    const row = await terminalOf(ctx, params.id)
    await sql`delete from jt808_registration where device_id = ${row.id}`.execute(ctx.db)
    await noteChange(ctx, { subject: 'device', id: row.id, projectCode: row.projectCode, act: '关闭终端注册' })
    ctx.note(`关闭终端注册 ${row.name}`, row.id)
    return findRegistration(ctx, row.id)
  })
}

async function terminalOf(ctx: Context, id: string) {
  const row = await getDeviceRow(ctx, id)
  if (row.protocol !== 'jt808') throw new AppError('refused', '只有 JT/T 808 终端需要注册')
  return row
}

import { AppError } from '@zhugong/contract/kit/errors'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import type { Context } from '#kit/context'
import { ForbiddenAddressError, type Outgoing } from '#kit/outgoing'

/** Checks the target address when it is entered; the connection checks it again. A name that does not resolve yet is accepted. */
export async function requireOutside(outgoing: Outgoing, poll: Pick<Poll, 'host' | 'port'> | undefined): Promise<void> {
  if (!poll) return
  await outgoing.target(poll.host, poll.port).catch((error: unknown) => {
    if (error instanceof ForbiddenAddressError) throw new AppError('invalidInput', error.message, { field: 'poll.host' })
  })
}

export const pollProtocols: Readonly<Record<string, true>> = { modbusTcp: true, modbusRtu: true, dlt645: true, cjt188: true }

interface Poll {
  host: string
  port: number
  intervalSeconds: number
  timeoutMs: number
}

/** Stores the address of a polled gateway; gateways that connect themselves have no such row. */
export async function savePoll(ctx: Context, id: string, connectionType: string, poll: Poll | undefined, isNew: boolean): Promise<void> {
  if (!(connectionType in pollProtocols)) {
    if (!isNew) await sql`delete from poll_gateway where id = ${id}`.execute(ctx.db)
    return
  }
  if (!poll) {
    if (isNew) throw new AppError('invalidInput', '请填写轮询地址', { field: 'poll.host' })
    await sql`update poll_gateway set protocol = ${connectionType} where id = ${id}`.execute(ctx.db)
    return
  }
  await sql`insert into poll_gateway (id, protocol, host, port, interval_seconds, timeout_ms)
    values (${id}, ${connectionType}, ${poll.host}, ${poll.port}, ${poll.intervalSeconds}, ${poll.timeoutMs})
    on conflict (id) do update set protocol = excluded.protocol, host = excluded.host, port = excluded.port, interval_seconds = excluded.interval_seconds,
      timeout_ms = excluded.timeout_ms`.execute(ctx.db)
}

export async function findPoll(ctx: Context, id: string) {
  const { rows } = await sql<{
    host: string
    port: number
    intervalSeconds: number
    timeoutMs: number
    lastOk: Date | null
    lastError: string | null
  }>`
    select host, port, interval_seconds, timeout_ms, last_ok, last_error from poll_gateway where id = ${id}`.execute(ctx.db)
  const row = rows[0]
  return row ? { ...row, intervalSeconds: Number(row.intervalSeconds), lastOk: row.lastOk ? formatInstant(row.lastOk) : null } : null
}

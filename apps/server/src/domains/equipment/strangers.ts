import type pg from 'pg'
import { pick } from '#kit/pick'

export interface Stranger {
  identifier: string
  protocol: string
  address: string
  gatewayId?: string | undefined
  reason: string
  sample?: string | undefined
  guess?: string | undefined
}

const maxWaiting = 2_000

/** Refused senders by reason. Counted in memory and written once a second, so that a flood costs one statement. */
export class Strangers {
  private readonly waiting = new Map<string, Stranger & { count: number; first: number; last: number }>()

  note(one: Stranger, now: number): void {
    const key = `${one.identifier.slice(0, 128)}\n${one.reason}`
    const known = this.waiting.get(key)
    if (known) {
      Object.assign(known, one, { sample: one.sample ?? known.sample })
      known.count++
      known.last = now
    } else if (this.waiting.size < maxWaiting) {
      this.waiting.set(key, { ...one, count: 1, first: now, last: now })
    }
  }

  async flush(pool: pg.Pool): Promise<void> {
    if (this.waiting.size === 0) return
    const rows = [...this.waiting.values()]
    this.waiting.clear()
    await pool.query(
      `insert into unregistered_device (identifier, protocol, address, gateway_id, reason, count, first_time, last_time, sample, guess)
       select identifier, protocol, address, gateway_id, reason, count, to_timestamp(first / 1000.0), to_timestamp(last / 1000.0), sample, guess
       from jsonb_to_recordset($1::jsonb) as r(identifier text, protocol text, address text, gateway_id text, reason text, count bigint,
         first float8, last float8, sample text, guess text)
       on conflict (identifier, reason) do update set protocol = excluded.protocol, address = excluded.address, gateway_id = excluded.gateway_id,
         count = unregistered_device.count + excluded.count, last_time = excluded.last_time,
         sample = coalesce(excluded.sample, unregistered_device.sample), guess = coalesce(excluded.guess, unregistered_device.guess)`,
      [
        JSON.stringify(
          rows.map((r) => ({
            identifier: r.identifier.slice(0, 128),
            ...pick(r, 'protocol', 'address', 'reason', 'count', 'first', 'last'),
            gateway_id: r.gatewayId ?? null,
            sample: r.sample?.slice(0, 1024).replaceAll('\u0000', '') ?? null,
            guess: r.guess ?? null,
          })),
        ),
      ],
    )
  }
}

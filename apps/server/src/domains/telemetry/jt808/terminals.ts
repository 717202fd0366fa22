import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type pg from 'pg'
import { inTransaction } from '#kit/transaction'
import type { FleetDevice } from '../../equipment/public.ts'
import type { Registration } from './bodies.ts'
import { closed, type KnownTerminal, type Refusal, strangeness } from './identity.ts'

const hashOf = (code: string): Buffer => createHash('sha256').update(code).digest()

export type RegisterOutcome = { code: string } | Refusal

interface Row {
  terminal_id: string | null
  maker: string | null
  plate: string | null
  edition: string | null
  open_until: Date | null
  replaces: boolean | null
  is_bound: boolean
}

/** Terminals and their authentication codes, which are random and stored as hashes. */
export class Terminals {
  private readonly pool: pg.Pool
  constructor(pool: pg.Pool) {
    this.pool = pool
  }

  /**
   * Issues a new code to the expected terminal while a user has opened registration; this closes the registration again. The frame carries
   * no secret, so a terminal that lost its code needs a new registration window.
   * @param isRepeated the terminal registered before on this connection and may register again.
   */
  register(device: FleetDevice, phone: string, given: Registration, now: number, isRepeated = false): Promise<RegisterOutcome> {
    return inTransaction(this.pool, async (client) => {
      // The row lock serialises registrations of one device; only the first of two concurrent ones gets a code.
      await client.query('select 1 from device where id = $1 for no key update', [device.id])
      const { rows } = await client.query<Row>(
        `select t.terminal_id, t.maker, t.plate, t.edition, t.code_hash is not null as is_bound, w.open_until, w.replaces
         from (select $1::text as id) d left join jt808_terminal t on t.device_id = d.id left join jt808_registration w on w.device_id = d.id`,
        [device.id],
      )
      const row = rows[0]
      const isOpen = (row?.open_until?.getTime() ?? 0) > now
      const refusal = strangeness(knownOf(device, row, isOpen), given)
      if (refusal) return refusal
      if (!isOpen && !isRepeated) return closed(row?.is_bound ?? false)
      const code = randomBytes(12).toString('hex')
      await client.query('delete from jt808_registration where device_id = $1', [device.id])
      await client.query(
        `insert into jt808_terminal (device_id, phone, code_hash, registered_at, terminal_id, maker, model, plate, plate_color, edition)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
         on conflict (device_id) do update set phone = excluded.phone, code_hash = excluded.code_hash, registered_at = excluded.registered_at,
           terminal_id = excluded.terminal_id, maker = excluded.maker, model = excluded.model, plate = excluded.plate,
           plate_color = excluded.plate_color, edition = excluded.edition`,
        [
          device.id,
          phone,
          hashOf(code),
          new Date(now),
          given.terminalId,
          given.maker,
          given.model,
          given.plate.slice(0, 20),
          given.color,
          given.edition,
        ],
      )
      return { code }
    })
  }

  async codeFits(deviceId: string, phone: string, code: string): Promise<boolean> {
    const { rows } = await this.pool.query<{ code_hash: Buffer | null; phone: string }>(
      'select code_hash, phone from jt808_terminal where device_id = $1',
      [deviceId],
    )
    const expected = rows[0]?.phone === phone ? rows[0].code_hash : null
    return timingSafeEqual(expected ?? Buffer.alloc(32), hashOf(code)) && expected !== null
  }

  /** Alarm word and location as last stored. */
  async lastState(deviceId: string): Promise<{ alarm: number; time: number; point: { longitude: number; latitude: number } | undefined }> {
    const { rows } = await this.pool.query<{ ts: Date; v: Record<string, unknown> }>(
      'select ts, v from device_latest where device_id = $1',
      [deviceId],
    )
    const v = rows[0]?.v ?? {}
    const { longitude, latitude } = v
    return {
      alarm: typeof v.alarmBits === 'string' && /^[01]{32}$/.test(v.alarmBits) ? Number.parseInt(v.alarmBits, 2) : 0,
      // A heartbeat without a reading has no reading time.
      time: Object.keys(v).length ? (rows[0]?.ts.getTime() ?? 0) : 0,
      point: typeof longitude === 'number' && typeof latitude === 'number' ? { longitude, latitude } : undefined,
    }
  }
}

function knownOf(device: FleetDevice, row: Row | undefined, isOpen: boolean): KnownTerminal {
  const { plateNo } = device.params
  const isExchanged = isOpen && row?.replaces === true
  return {
    plate: typeof plateNo === 'string' && plateNo.trim() !== '' ? plateNo.trim() : undefined,
    terminalId: device.access.terminalId,
    bound:
      row?.is_bound && !isExchanged
        ? { terminalId: row.terminal_id ?? '', maker: row.maker ?? '', plate: row.plate ?? '', edition: row.edition ?? '' }
        : undefined,
  }
}

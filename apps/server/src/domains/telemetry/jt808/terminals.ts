import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type pg from 'pg'
import type { Registration } from './bodies.ts'

const hashOf = (code: string): Buffer => createHash('sha256').update(code).digest()

export type RegisterOutcome = { code: string } | { result: 1 | 3 }

/** Terminals and their authentication codes, which are random and kept hashed. */
export class Terminals {
  private readonly pool: pg.Pool
  constructor(pool: pg.Pool) {
    this.pool = pool
  }

  /** A new code for a terminal that has none, or whose administrator lets it ask again. In one statement: two at once get one code. */
  async register(deviceId: string, phone: string, given: Registration, now: number): Promise<RegisterOutcome> {
    const code = randomBytes(12).toString('hex')
    const { rowCount } = await this.pool.query(
      `insert into jt808_terminal as t (device_id, phone, code_hash, registered_at, may_register_again, terminal_id, maker, model, plate, plate_color, edition)
       values ($1, $2, $3, $4, false, $5, $6, $7, $8, $9, $10)
       on conflict (device_id) do update set phone = excluded.phone, code_hash = excluded.code_hash, registered_at = excluded.registered_at,
         may_register_again = false, terminal_id = excluded.terminal_id, maker = excluded.maker, model = excluded.model, plate = excluded.plate,
         plate_color = excluded.plate_color, edition = excluded.edition
       where t.may_register_again or t.code_hash is null or t.phone <> excluded.phone`,
      [
        deviceId,
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
    if (rowCount === 1) return { code }
    const { rows } = await this.pool.query<{ terminal_id: string }>('select terminal_id from jt808_terminal where device_id = $1', [
      deviceId,
    ])
    return { result: rows[0]?.terminal_id === given.terminalId ? 3 : 1 }
  }

  async codeFits(deviceId: string, phone: string, code: string): Promise<boolean> {
    const { rows } = await this.pool.query<{ code_hash: Buffer | null; phone: string }>(
      'select code_hash, phone from jt808_terminal where device_id = $1',
      [deviceId],
    )
    const expected = rows[0]?.phone === phone ? rows[0].code_hash : null
    return timingSafeEqual(expected ?? Buffer.alloc(32), hashOf(code)) && expected !== null
  }

  async letRegisterAgain(deviceId: string): Promise<void> {
    await this.pool.query('update jt808_terminal set may_register_again = true where device_id = $1', [deviceId])
  }

  /** Alarm word and place as last stored. */
  async lastState(deviceId: string): Promise<{ alarm: number; time: number; point: { longitude: number; latitude: number } | undefined }> {
    const { rows } = await this.pool.query<{ ts: Date; v: Record<string, unknown> }>(
      'select ts, v from device_latest where device_id = $1',
      [deviceId],
    )
    const v = rows[0]?.v ?? {}
    const { longitude, latitude } = v
    return {
      alarm: typeof v.alarmBits === 'string' && /^[01]{32}$/.test(v.alarmBits) ? Number.parseInt(v.alarmBits, 2) : 0,
      // A sign of life without a reading says nothing about a moment.
      time: Object.keys(v).length ? (rows[0]?.ts.getTime() ?? 0) : 0,
      point: typeof longitude === 'number' && typeof latitude === 'number' ? { longitude, latitude } : undefined,
    }
  }
}

import type pg from 'pg'
import { placeOf } from './guesses.ts'

/** The address from which each device last authenticated, stored across restarts. */
export class Origins {
  private readonly pool: pg.Pool
  private readonly places = new Map<string, string>()
  private readonly changed = new Map<string, number>()

  constructor(pool: pg.Pool) {
    this.pool = pool
  }

  async load(): Promise<void> {
    const { rows } = await this.pool.query<{ device_id: string; address: string }>('select device_id, address from device_origin')
    for (const { device_id, address } of rows) this.places.set(device_id, address)
  }

  isKnown(deviceId: string, address: string): boolean {
    return this.places.get(deviceId) === placeOf(address)
  }

  note(deviceId: string, address: string, now: number): void {
    const place = placeOf(address)
    if (this.places.get(deviceId) === place) return
    this.places.set(deviceId, place)
    this.changed.set(deviceId, now)
  }

  forget(deviceId: string): void {
    this.places.delete(deviceId)
    this.changed.delete(deviceId)
  }

  async flush(): Promise<void> {
    if (this.changed.size === 0) return
    const rows = [...this.changed].map(([id, at]) => ({ id, at, address: this.places.get(id) ?? '' }))
    this.changed.clear()
    await this.pool.query(
      `insert into device_origin (device_id, address, at)
       select d.id, r.address, to_timestamp(r.at / 1000.0) from jsonb_to_recordset($1::jsonb) as r(id text, address text, at float8) join device d on d.id = r.id
       on conflict (device_id) do update set address = excluded.address, at = excluded.at`,
      [JSON.stringify(rows)],
    )
  }
}

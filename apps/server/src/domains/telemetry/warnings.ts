import type pg from 'pg'
import type { FleetDevice } from '../equipment/public.ts'

/** Reasons to warn: a registration that does not match the device, guessed secrets, and frames with another checksum than the one set. */
export type WarningKind = 'registration' | 'guessing' | 'checksum'

interface Waiting {
  deviceId: string
  kind: WarningKind
  address: string
  text: string
  count: number
  first: number
  last: number
}

const maxWaiting = 2_000

/**
 * Refused attempts in the name of a device. Counted in memory and written once a second; the jobs process notifies the site's
 * administrators.
 */
export class Warnings {
  private waiting = new Map<string, Waiting>()

  note(device: FleetDevice, kind: WarningKind, address: string, text: string, now: number): void {
    const key = `${device.id}/${kind}`
    const known = this.waiting.get(key)
    if (known) {
      Object.assign(known, { address, text, last: now })
      known.count++
    } else if (this.waiting.size < maxWaiting) {
      this.waiting.set(key, { deviceId: device.id, kind, address, text, count: 1, first: now, last: now })
    }
  }

  async flush(pool: pg.Pool): Promise<void> {
    if (this.waiting.size === 0) return
    const rows = [...this.waiting.values()]
    this.waiting = new Map()
    await pool.query(
      `insert into device_warning as w (device_id, kind, project_code, count, address, text, first_time, last_time)
       select d.id, r.kind, d.project_code, r.count, r.address, r.text, to_timestamp(r.first / 1000.0), to_timestamp(r.last / 1000.0)
       from jsonb_to_recordset($1::jsonb) as r("deviceId" text, kind text, address text, text text, count bigint, first float8, last float8)
         join device d on d.id = r."deviceId"
       on conflict (device_id, kind) do update set project_code = excluded.project_code, count = w.count + excluded.count,
         address = excluded.address, text = excluded.text, last_time = excluded.last_time`,
      [JSON.stringify(rows.map((r) => ({ ...r, address: r.address.slice(0, 64), text: r.text.slice(0, 300).replaceAll('\u0000', '') })))],
    )
  }
}

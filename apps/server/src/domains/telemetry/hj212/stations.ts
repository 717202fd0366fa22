import type pg from 'pg'
import type { Secrets } from '#kit/secret'
import type { FirstActions } from './downlink.ts'

export interface Station {
  /** SM4 key (edition 2025). */
  key: Buffer | undefined
  firstActions: FirstActions
  edition: number | undefined
}

interface Row {
  id: string
  sm4_key: Buffer | null
  first_actions: FirstActions
  edition: number | null
}

/** In-memory settings of stations besides their access data, and the edition each station was seen to use. */
export class Stations {
  private readonly pool: pg.Pool
  private readonly secrets: Secrets
  private readonly all = new Map<string, Station>()
  private readonly seen = new Map<string, number>()

  constructor(pool: pg.Pool, secrets: Secrets) {
    this.pool = pool
    this.secrets = secrets
  }

  async load(id?: string): Promise<void> {
    const { rows } = await this.pool.query<Row>(
      `select id, sm4_key, first_actions, edition from hj212_station ${id ? 'where id = $1' : ''}`,
      id ? [id] : [],
    )
    if (id) this.all.delete(id)
    for (const row of rows) {
      const key = this.secrets.open(row.sm4_key)
      this.all.set(row.id, {
        key: key ? Buffer.from(key, 'hex') : undefined,
        firstActions: row.first_actions,
        edition: row.edition ?? undefined,
      })
    }
  }

  of(deviceId: string): Station | undefined {
    return this.all.get(deviceId)
  }

  /** Records the edition from the version bits of a frame's flag: 0 is 2005, 1 is 2017, 2 is 2025. */
  spoke(deviceId: string, flag: number): void {
    const edition = [2005, 2017, 2025][flag >> 2]
    if (edition !== undefined && (this.all.get(deviceId)?.edition ?? this.seen.get(deviceId)) !== edition) this.seen.set(deviceId, edition)
  }

  async flush(): Promise<void> {
    if (this.seen.size === 0) return
    const rows = [...this.seen].map(([id, edition]) => ({ id, edition }))
    this.seen.clear()
    await this.pool.query(
      `insert into hj212_station (id, edition, seen_at)
       select r.id, r.edition, now() from jsonb_to_recordset($1::jsonb) as r(id text, edition smallint) join device d on d.id = r.id
       on conflict (id) do update set edition = excluded.edition, seen_at = excluded.seen_at`,
      [JSON.stringify(rows)],
    )
    for (const { id, edition } of rows) {
      const known = this.all.get(id)
      this.all.set(id, { key: known?.key, firstActions: known?.firstActions ?? {}, edition })
    }
  }
}

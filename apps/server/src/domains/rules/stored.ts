import { storedOrder } from '@zhugong/contract/telemetry/families'
import type pg from 'pg'
import type { RuleScope, StoredLevel, StoredSchedule } from './tables.ts'
import type { RuleOptions } from './trigger-parts.ts'

/** A rule as the engine reads it at start or after a change notification. */
export interface StoredRule {
  id: string
  name: string
  version: number
  family: string
  alarmKey: string
  scope: RuleScope
  projectCode: string | null
  levels: StoredLevel[]
  schedule: StoredSchedule
  options: RuleOptions
  enabled: boolean
  locked: boolean
}

export async function readRules(pool: pg.Pool, ids?: readonly string[]): Promise<StoredRule[]> {
  const { rows } = await pool.query<StoredRule>(
    `select id, name, version, family, alarm_key as "alarmKey", scope, project_code as "projectCode", levels, schedule, options, enabled, locked
     from rule_trigger ${ids ? 'where id = any ($1)' : ''}`,
    ids ? [ids] : [],
  )
  return rows
}

export interface Suppression {
  deviceId: string
  point: string
  alarmKeys: string[]
  from: number
  until: number
}

export async function readSuppressions(pool: pg.Pool, now: number): Promise<Suppression[]> {
  const { rows } = await pool.query<{ device_id: string; point: string; alarm_keys: string[]; from_time: Date; until_time: Date }>(
    `select device_id, point, alarm_keys, from_time, until_time from device_suppress where state = '2' and until_time > $1`,
    [new Date(now)],
  )
  return rows.map((r) => ({
    deviceId: r.device_id,
    point: r.point,
    alarmKeys: r.alarm_keys,
    from: r.from_time.getTime(),
    until: r.until_time.getTime(),
  }))
}

/** Running drills with their end times. */
export async function readDrills(pool: pg.Pool): Promise<{ id: string; deviceId: string; endsAt: number }[]> {
  const { rows } = await pool.query<{ alarm_id: string; device_id: string; ends_at: Date }>(
    'select s.alarm_id, s.device_id, s.ends_at from alarm_drill s join alarm a on a.id = s.alarm_id where a.active',
  )
  return rows.map((r) => ({ id: r.alarm_id, deviceId: r.device_id, endsAt: r.ends_at.getTime() }))
}

export interface StoredReading {
  deviceId: string
  time: number
  mark: number
  receivedAt: number
  values: Record<string, unknown>
  quality: Record<string, string> | null
}

const devicesAtOnce = 500

/** Readings of devices since a time each, oldest first, plus the reading before it, from which rates are measured. */
export async function* readBack(
  pool: pg.Pool,
  wanted: readonly { id: string; family: string; since: number }[],
): AsyncGenerator<StoredReading> {
  const familyById = new Map(wanted.map((w) => [w.id, w.family]))
  for (let i = 0; i < wanted.length; i += devicesAtOnce) {
    const some = wanted.slice(i, i + devicesAtOnce)
    const { rows } = await pool.query<{
      device_id: string
      ts: Date
      seq: number
      received_at: Date
      schema_ver: number
      v: (number | null)[]
      w: (number | null)[] | null
      extra: Record<string, unknown> | null
      quality: Record<string, string> | null
    }>(
      `select t.* from jsonb_to_recordset($1::jsonb) as d(id text, since timestamptz), lateral (
         (select device_id, ts, seq, received_at, schema_ver, v, w, extra, quality from telemetry where device_id = d.id and ts < d.since and flag <> 2 order by ts desc, received_at desc, seq desc limit 1)
         union all
         (select device_id, ts, seq, received_at, schema_ver, v, w, extra, quality from telemetry where device_id = d.id and ts >= d.since and flag <> 2)) t
       order by t.device_id, t.ts, t.received_at, t.seq`,
      [JSON.stringify(some.map((s) => ({ id: s.id, since: new Date(s.since).toISOString() })))],
    )
    for (const row of rows) {
      const order = storedOrder(familyById.get(row.device_id) ?? '', row.schema_ver)
      if (!order) continue
      const values: Record<string, unknown> = { ...(row.extra ?? {}) }
      for (const [n, key] of order.narrow.entries()) {
        const value = row.v[n]
        // The type real has 7 digits: restores 3.2 instead of 3.2000000476837.
        if (value !== null && value !== undefined) values[key] = Number(value.toPrecision(7))
      }
      for (const [n, key] of order.wide.entries()) {
        const value = row.w?.[n]
        if (value !== null && value !== undefined) values[key] = value
      }
      yield {
        deviceId: row.device_id,
        time: row.ts.getTime(),
        mark: row.seq,
        receivedAt: row.received_at.getTime(),
        values,
        quality: row.quality,
      }
    }
  }
}

export async function readRecords(pool: pg.Pool, kinds: readonly string[], since: number) {
  if (kinds.length === 0) return []
  const { rows } = await pool.query<{ device_id: string; record: string; ts: Date; data: Record<string, unknown> }>(
    'select device_id, record, ts, data from device_record where record = any ($1) and ts > $2 order by ts',
    [kinds, new Date(since)],
  )
  return rows.map((r) => ({ deviceId: r.device_id, record: r.record, time: r.ts.getTime(), data: r.data }))
}

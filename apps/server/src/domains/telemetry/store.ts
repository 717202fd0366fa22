import { once } from 'node:events'
import { dayMs } from '@zhugong/contract/kit/time'
import { currentSchema } from '@zhugong/contract/telemetry/families'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import type { FleetDevice } from '../equipment/public.ts'
import {
  type EventItem,
  flags,
  fromColumns,
  type HeldValue,
  markGiven,
  type Reading,
  type RecordItem,
  subjectKeys,
  toColumns,
} from '../readings/public.ts'
import { copyArray, copyText, storableJson } from './copy-text.ts'

export interface StoredReading {
  device: FleetDevice
  reading: Reading
}

export const readingColumns = 'device_id, ts, seq, received_at, schema_ver, v, w, extra, quality, flag'
/** What a reading is known by: its device, its moment and its mark, which stands in the column `seq`. */
export const readingKey = (deviceId: string, { time, mark }: Pick<Reading, 'time' | 'mark'>) => `${deviceId}/${time}/${mark}`

let lastInstant = { at: Number.NaN, text: '' }
/** Readings of a batch were received in the same few milliseconds. */
function instant(at: number): string {
  if (at !== lastInstant.at) lastInstant = { at, text: new Date(at).toISOString() }
  return lastInstant.text
}

/** One line of COPY. */
export function readingLine({ device, reading }: StoredReading): string {
  const { v, w, extra } = toColumns(device.order, reading)
  return `${device.id}\t${new Date(reading.time).toISOString()}\t${reading.mark}\t${instant(reading.receivedAt)}\t${currentSchema}\t${copyArray(v)}\t${copyArray(w)}\t${
    extra ? copyText(storableJson(extra)) : '\\N'
  }\t${reading.quality ? copyText(storableJson(reading.quality)) : '\\N'}\t${reading.flag}\n`
}

export async function copyLines(client: pg.ClientBase, target: string, columns: string, text: string): Promise<void> {
  const stream = client.query(copyFrom(`copy ${target} (${columns}) from stdin`))
  const finished = once(stream, 'finish')
  stream.end(Buffer.from(text))
  await finished
}

/** Into a table under row-level security, which COPY does not write: by way of a temporary one. */
export async function copyThrough(client: pg.ClientBase, table: string, columns: string, text: string): Promise<void> {
  await client.query(`create temporary table through (like ${table} including defaults) on commit drop`)
  await copyLines(client, 'through', columns, text)
  await client.query(`insert into ${table} (${columns}) select ${columns} from through`)
  await client.query('drop table through')
}

/** Days that have a partition, as last seen: a day that is missing here goes the slower way, and is looked for again a while later. */
const known = { days: new Set<number>(), until: 0 }
const knownForMs = 60_000

async function partitionedDays(client: pg.ClientBase): Promise<ReadonlySet<number>> {
  if (known.until > Date.now()) return known.days
  const { rows } = await client.query<{ day: string }>(
    `select substr(c.relname, 11) as day from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = 'telemetry'::regclass and c.relname ~ '^telemetry_\\d{8}$'`,
  )
  known.days = new Set(rows.map(({ day }) => Date.parse(`${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}T00:00:00Z`) / dayMs))
  known.until = Date.now() + knownForMs
  return known.days
}

/**
 * Straight into the days' partitions: the usual case, in which nothing was stored before. Fails as a whole on the first duplicate.
 * The table above them is under row-level security, which COPY does not write.
 */
export async function copyReadings(client: pg.ClientBase, readings: readonly StoredReading[]): Promise<void> {
  const days = await partitionedDays(client)
  const byDay = Map.groupBy(readings, ({ reading }) => Math.floor(reading.time / dayMs))
  for (const [day, part] of byDay) {
    const target = days.has(day) ? `telemetry_${new Date(day * dayMs).toISOString().slice(0, 10).replaceAll('-', '')}` : undefined
    if (target) await copyLines(client, target, readingColumns, part.map(readingLine).join(''))
    else await copyThrough(client, 'telemetry', readingColumns, part.map(readingLine).join(''))
  }
}

/** By way of a temporary table, for batches in which something comes again. Answers what was new. */
export async function mergeReadings(client: pg.ClientBase, readings: readonly StoredReading[]): Promise<Set<string>> {
  await client.query('create temporary table if not exists telemetry_staging (like telemetry including defaults) on commit delete rows')
  await copyLines(client, 'telemetry_staging', readingColumns, readings.map(readingLine).join(''))
  const { rows } = await client.query<{ device_id: string; ts: Date; seq: number }>(
    `insert into telemetry (${readingColumns}) select ${readingColumns} from telemetry_staging
     on conflict (device_id, ts, seq) do nothing returning device_id, ts, seq`,
  )
  return new Set(rows.map((r) => readingKey(r.device_id, { time: r.ts.getTime(), mark: markGiven(r.seq) })))
}

export interface Latest {
  device: FleetDevice
  receivedAt: number
  reading: Reading | undefined
  /** What earlier readings told of metrics that this one does not have. */
  held?: Record<string, HeldValue>
}

/** The newer of two, which keeps what the other told of other metrics. */
export function newerOf(before: Latest | undefined, one: Latest): Latest {
  if (!before) return one
  const isBefore = before.reading && (!one.reading || before.reading.time > one.reading.time)
  const [winner, loser] = isBefore ? [before, one] : [one, before]
  const held = heldOf(winner, loser)
  return {
    device: one.device,
    receivedAt: Math.max(before.receivedAt, one.receivedAt),
    reading: winner.reading,
    held: held || undefined,
  }
}

function heldOf(winner: Latest, loser: Latest): Record<string, HeldValue> | undefined {
  const { reading } = loser
  if (!reading || reading.flag === flags.clockAhead) return winner.held
  if (winner.reading && subjectKeys.some((key) => winner.reading?.values[key] !== reading.values[key])) return winner.held
  let held = winner.held
  const keep = (key: string, value: HeldValue) => {
    if (winner.reading && key in winner.reading.values) return
    if ((held?.[key]?.[0] ?? Number.NEGATIVE_INFINITY) > value[0]) return
    held = { ...held, [key]: value }
  }
  for (const [key, value] of Object.entries(loser.held ?? {})) keep(key, value)
  for (const [key, value] of Object.entries(reading.values)) keep(key, [reading.time, value, reading.quality?.[key] ?? null])
  return held
}

const lacking = new Map<string, Record<string, null>>()
const mostRemembered = 1_000

/** The metrics of the family that a reading does not have. A machine sends the same ones all day: they are looked up once. */
function lackingIn(device: FleetDevice, values: Record<string, unknown>): Record<string, null> {
  const key = `${device.family.key}/${Object.keys(values).join()}`
  const known = lacking.get(key)
  if (known) return known
  const names = device.family.metrics.flatMap((metric) => (metric.key in values ? [] : [[metric.key, null] as const]))
  if (lacking.size >= mostRemembered) lacking.clear()
  const found = Object.fromEntries(names)
  lacking.set(key, found)
  return found
}

const isNewer = `excluded.v <> '{}' and (excluded.ts >= l.ts or l.v = '{}')`
const isSameSubject = subjectKeys.map((key) => `l.v -> '${key}' is not distinct from excluded.v -> '${key}'`).join(' and ')
/** Each metric the new reading lacks: as its own batch told it, else as the reading before had it, else as it was kept already. */
const heldOn = `(select jsonb_object_agg(k, case when jsonb_typeof(excluded.held -> k) = 'array' then excluded.held -> k
    when l.v ? k then jsonb_build_array(round(extract(epoch from l.ts) * 1000), l.v -> k, l.quality -> k) else l.held -> k end)
  from jsonb_object_keys(excluded.held) k where l.v ? k or jsonb_typeof(excluded.held -> k) = 'array' or jsonb_typeof(l.held -> k) = 'array')`

/** The newest reading and sign of life of each device of a batch, in the order of ids so that writers never wait for each other in a ring. */
export async function writeLatest(client: pg.ClientBase, latest: readonly Latest[]): Promise<void> {
  if (latest.length === 0) return
  const ordered = [...latest].sort((a, b) => (a.device.id < b.device.id ? -1 : 1))
  // A clock that is ahead would freeze the newest values for as long as it is: such readings are a sign of life only.
  const used = ordered.map((l) => (l.reading && l.reading.flag !== flags.clockAhead ? l.reading : undefined))
  await client.query(
    `insert into device_latest as l (device_id, ts, received_at, v, quality, held, online, online_since)
     select u.id, coalesce(u.ts, u.received_at), u.received_at, coalesce(u.v, '{}'), u.quality, u.held, true, u.received_at
     from unnest($1::text[], $2::timestamptz[], $3::timestamptz[], $4::jsonb[], $5::jsonb[], $6::jsonb[]) as u(id, ts, received_at, v, quality, held)
     on conflict (device_id) do update set
       ts = case when excluded.v = '{}' then l.ts when l.v = '{}' then excluded.ts else greatest(l.ts, excluded.ts) end,
       v = case when ${isNewer} then excluded.v else l.v end,
       quality = case when ${isNewer} then excluded.quality else l.quality end,
       held = case when not (${isNewer}) then l.held when ${isSameSubject} then ${heldOn} else excluded.held end,
       pace_seconds = case when l.online and excluded.ts > l.ts and ${isNewer} then extract(epoch from excluded.ts - l.ts) else l.pace_seconds end,
       received_at = greatest(l.received_at, excluded.received_at),
       online = true,
       online_since = case when l.online then l.online_since else excluded.online_since end`,
    [
      ordered.map((l) => l.device.id),
      used.map((r) => (r ? new Date(r.time).toISOString() : null)),
      ordered.map((l) => new Date(l.receivedAt).toISOString()),
      used.map((r) => (r ? storableJson({ ...r.standing, ...r.values, ...(r.unknown ?? {}) }) : null)),
      used.map((r) => (r?.quality ? storableJson(r.quality) : null)),
      ordered.map((l, i) => {
        const reading = used[i]
        return reading ? storableJson({ ...lackingIn(l.device, { ...reading.standing, ...reading.values }), ...l.held }) : null
      }),
    ],
  )
}

/**
 * A process that was killed under load may have stored readings whose newest values still stood back. At most a second of them: nobody
 * searches farther.
 */
export async function catchUpLatest(pool: pg.Pool, deviceOf: (id: string) => FleetDevice | undefined): Promise<void> {
  const { rows } = await pool.query<{
    device_id: string
    ts: Date
    seq: number
    received_at: Date
    v: (number | null)[]
    w: (number | null)[] | null
    extra: Record<string, unknown> | null
    quality: Record<string, string> | null
  }>(
    `select t.device_id, t.ts, t.seq, t.received_at, t.v, t.w, t.extra, t.quality from device_latest l, lateral (
       select * from telemetry t where t.device_id = l.device_id and t.ts >= l.ts and t.ts < l.ts + interval '1 minute' and t.flag <> $1
         and (t.ts > l.ts or t.received_at > l.received_at)) t
     order by t.device_id, t.ts, t.received_at, t.seq`,
    [flags.clockAhead],
  )
  const latest = new Map<string, Latest>()
  for (const row of rows) {
    const device = deviceOf(row.device_id)
    if (!device) continue
    const times = { time: row.ts.getTime(), receivedAt: row.received_at.getTime() }
    const values = fromColumns(device.order, row)
    const reading = { ...times, mark: markGiven(row.seq), values, unknown: null, quality: row.quality, flag: flags.live }
    latest.set(device.id, newerOf(latest.get(device.id), { device, receivedAt: times.receivedAt, reading }))
  }
  const client = await pool.connect()
  try {
    await writeLatest(client, [...latest.values()])
  } finally {
    client.release()
  }
}

type DeviceRecord = { device: FleetDevice; item: RecordItem }

/** Values that a device counts by itself may come in several packets: what belongs to one period is one record. */
function withPeriodsMerged(rows: readonly DeviceRecord[]): DeviceRecord[] {
  const merged = new Map<string, DeviceRecord>()
  for (const row of rows) {
    const key = `${row.device.id}/${row.item.time}/${row.item.id}`
    const before = merged.get(key)
    if (!before || row.item.record !== 'period') {
      if (!before) merged.set(key, row)
      continue
    }
    const values = { ...(before.item.data.values as object), ...(row.item.data.values as object) }
    merged.set(key, { device: row.device, item: { ...before.item, data: { ...before.item.data, values } } })
  }
  return [...merged.values()]
}

const itemKey = (deviceId: string, time: number, id: string) => `${deviceId}/${time}/${id}`
/** Whether an item was new when its batch was written; the same again in that batch was not. */
export const takeFresh = (fresh: Set<string>, deviceId: string, item: { time: number; id: string }) =>
  fresh.delete(itemKey(deviceId, item.time, item.id))

/** Answers which were new. */
export async function writeRecords(client: pg.ClientBase, given: readonly DeviceRecord[]): Promise<Set<string>> {
  if (given.length === 0) return new Set()
  const rows = withPeriodsMerged(given)
  const { rows: written } = await client.query<{ device_id: string; ts: Date; id: string; fresh: boolean }>(
    `insert into device_record (device_id, project_code, ts, id, record, data, received_at)
     select device_id, project_code, ts, id, record, data, received_at
     from jsonb_to_recordset($1::jsonb) as r(device_id text, project_code text, ts timestamptz, id text, record text, data jsonb, received_at timestamptz)
     on conflict (device_id, ts, id) do update set
       data = device_record.data || jsonb_build_object('values', (device_record.data -> 'values') || (excluded.data -> 'values'))
       where device_record.record = 'period' and excluded.record = 'period'
     returning device_id, ts, id, xmax = 0 as fresh`,
    [
      storableJson(
        rows.map(({ device, item }) => ({
          device_id: device.id,
          project_code: device.projectCode,
          ts: new Date(item.time),
          id: item.id,
          record: item.record,
          data: item.data,
          received_at: new Date(item.receivedAt),
        })),
      ),
    ],
  )
  return new Set(written.filter((r) => r.fresh).map((r) => itemKey(r.device_id, r.ts.getTime(), r.id)))
}

export async function writeEvents(
  client: pg.ClientBase,
  rows: readonly { deviceId: string; item: Pick<EventItem, 'time' | 'id' | 'type' | 'data'> }[],
): Promise<Set<string>> {
  if (rows.length === 0) return new Set()
  const { rows: written } = await client.query<{ device_id: string; ts: Date; id: string }>(
    `insert into device_event (device_id, ts, id, kind, data)
     select device_id, ts, id, kind, data from jsonb_to_recordset($1::jsonb) as e(device_id text, ts timestamptz, id text, kind text, data jsonb)
     on conflict do nothing returning device_id, ts, id`,
    [
      storableJson(
        rows.map(({ deviceId, item }) => ({ device_id: deviceId, ts: new Date(item.time), id: item.id, kind: item.type, data: item.data })),
      ),
    ],
  )
  return new Set(written.map((r) => itemKey(r.device_id, r.ts.getTime(), r.id)))
}

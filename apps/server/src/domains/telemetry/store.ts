import { once } from 'node:events'
import { dayMs } from '@zhugong/contract/kit/time'
import { currentSchema } from '@zhugong/contract/telemetry/families'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { pick } from '#kit/pick'
import type { FleetDevice } from '../equipment/public.ts'
import {
  type EventItem,
  flags,
  fromColumns,
  type KeptValue,
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
/** Key of a reading: device, time and mark. The mark is stored in the column `seq`. */
export const readingKey = (deviceId: string, { time, mark }: Pick<Reading, 'time' | 'mark'>) => `${deviceId}/${time}/${mark}`

let lastInstant = { at: Number.NaN, text: '' }
/** Readings of a batch have few different receive times, so the last text is cached. */
function instant(at: number): string {
  if (at !== lastInstant.at) lastInstant = { at, text: new Date(at).toISOString() }
  return lastInstant.text
}

/** One line in COPY text format. */
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

/** COPY does not support row-level security, so the rows are copied to a temporary table and inserted from there. */
export async function copyThrough(client: pg.ClientBase, table: string, columns: string, text: string): Promise<void> {
  await client.query(`create temporary table through (like ${table} including defaults) on commit drop`)
  await copyLines(client, 'through', columns, text)
  await client.query(`insert into ${table} (${columns}) select ${columns} from through`)
  await client.query('drop table through')
}

/** Cached days with a partition. A day missing here uses the slower path until the cache expires. */
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
 * Copies readings directly into the daily partitions, the usual case without duplicates. The first duplicate fails the whole COPY.
 * The partitions are used because COPY does not support row-level security, which the parent table has.
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

/** Inserts readings through a temporary table, for batches with duplicates. Returns the keys of the new readings. */
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
  /** Values of earlier readings for metrics missing in this one. */
  held?: Record<string, KeptValue>
}

/** Merges two latest values: the newer one, completed with metrics that only the older one has. */
export function newerOf(before: Latest | undefined, one: Latest): Latest {
  if (!before) return one
  const isBefore = before.reading && (!one.reading || before.reading.time > one.reading.time)
  const [winner, loser] = isBefore ? [before, one] : [one, before]
  const current = keptOf(winner, loser)
  return {
    device: one.device,
    receivedAt: Math.max(before.receivedAt, one.receivedAt),
    reading: winner.reading,
    held: current || undefined,
  }
}

function keptOf(winner: Latest, loser: Latest): Record<string, KeptValue> | undefined {
  const { reading } = loser
  if (!reading || reading.flag === flags.clockAhead) return winner.held
  if (winner.reading && subjectKeys.some((key) => winner.reading?.values[key] !== reading.values[key])) return winner.held
  let current = winner.held
  const keep = (key: string, value: KeptValue) => {
    if (winner.reading && key in winner.reading.values) return
    if ((current?.[key]?.[0] ?? Number.NEGATIVE_INFINITY) > value[0]) return
    current = { ...current, [key]: value }
  }
  for (const [key, value] of Object.entries(loser.held ?? {})) keep(key, value)
  for (const [key, value] of Object.entries(reading.values)) keep(key, [reading.time, value, reading.quality?.[key] ?? null])
  return current
}

const lacking = new Map<string, Record<string, null>>()
const mostRemembered = 1_000

/** Metrics of the family missing in a reading, as null. Cached, because a device always sends the same ones. */
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
/** For each metric missing in the new reading: the value of the batch, else of the previous reading, else the value kept before. */
const keptOn = `(select jsonb_object_agg(k, case when jsonb_typeof(excluded.held -> k) = 'array' then excluded.held -> k
    when l.v ? k then jsonb_build_array(round(extract(epoch from l.ts) * 1000), l.v -> k, l.quality -> k) else l.held -> k end)
  from jsonb_object_keys(excluded.held) k where l.v ? k or jsonb_typeof(excluded.held -> k) = 'array' or jsonb_typeof(l.held -> k) = 'array')`

/** Writes the latest values and receive times of a batch. Rows are sorted by device id, so that concurrent writers cannot deadlock. */
export async function writeLatest(client: pg.ClientBase, latest: readonly Latest[]): Promise<void> {
  if (latest.length === 0) return
  const ordered = [...latest].sort((a, b) => (a.device.id < b.device.id ? -1 : 1))
  // A reading with a future time would block later values, so it only updates the receive time.
  const used = ordered.map((l) => (l.reading && l.reading.flag !== flags.clockAhead ? l.reading : undefined))
  await client.query(
    `insert into device_latest as l (device_id, ts, received_at, v, quality, held, online, online_since)
     select u.id, coalesce(u.ts, u.received_at), u.received_at, coalesce(u.v, '{}'), u.quality, u.held, true, u.received_at
     from unnest($1::text[], $2::timestamptz[], $3::timestamptz[], $4::jsonb[], $5::jsonb[], $6::jsonb[]) as u(id, ts, received_at, v, quality, held)
     on conflict (device_id) do update set
       ts = case when excluded.v = '{}' then l.ts when l.v = '{}' then excluded.ts else greatest(l.ts, excluded.ts) end,
       v = case when ${isNewer} then excluded.v else l.v end,
       quality = case when ${isNewer} then excluded.quality else l.quality end,
       held = case when not (${isNewer}) then l.held when ${isSameSubject} then ${keptOn} else excluded.held end,
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
 * Writes latest values that were still deferred when a process was killed under load. They cover at most one second, so only one minute is
 * searched.
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

/** Device-computed values of one period may come in several packets; they are merged into one record. */
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
/** Whether an item was new when its batch was written. Returns true once; a duplicate in the same batch gets false. */
export const takeFresh = (fresh: Set<string>, deviceId: string, item: { time: number; id: string }) =>
  fresh.delete(itemKey(deviceId, item.time, item.id))

/** Writes records and returns the keys of the new ones. */
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
          ...pick(item, 'id', 'record', 'data'),
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

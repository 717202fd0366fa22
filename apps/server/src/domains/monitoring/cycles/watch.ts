import { familyOf, storedOrder } from '@zhugong/contract/telemetry/families'
import type pg from 'pg'
import type { Log } from '#kit/log'
import { fromColumns } from '../../readings/public.ts'
import { craneCycles } from './crane.ts'
import type { Detector, FoundCycle } from './detector.ts'
import { lifterCycles } from './lifter.ts'
import { unloadingLoads } from './unloading.ts'

const detectors: Readonly<Record<string, Detector>> = {
  towerCrane: craneCycles as Detector,
  lifter: lifterCycles as Detector,
  unloadingPlatform: unloadingLoads as Detector,
}

/** Waits this long for readings in transit. Readings that arrive later are ignored here. */
const settleMs = 20_000
/** A new device is evaluated from one day back. */
const firstLookMs = 86_400_000
const devicesAtOnce = 200
const readingsAtOnce = 2_000
/** Fifty portions cover ten thousand machines. */
const mostPortions = 50
const everyMs = 20_000
/** Key of the advisory lock that ensures that only one jobs process works at a time. */
const lockKey = 2_026_112_110

interface Watched {
  id: string
  project_code: string
  family: string
  params: Record<string, unknown>
  upto: Date
  state: unknown
}
interface Stored {
  device_id: string
  ts: Date
  schema_ver: number
  v: (number | null)[]
  w: (number | null)[] | null
  extra: Record<string, unknown> | null
  quality: Record<string, string> | null
}

/**
 * Evaluates the readings since the last call. Devices are processed in portions, each in its own transaction. Returns the number of cycles
 * found.
 */
export async function findCycles(pool: pg.Pool, now: number): Promise<number> {
  let found = 0
  for (let portion = 0; portion < mostPortions; portion++) {
    const done = await oneTurn(pool, now)
    found += done.found
    if (!done.isFull) break
  }
  return found
}

/** Processes one portion: reads new readings, stores the cycles and the progress, in one transaction. */
async function oneTurn(pool: pg.Pool, now: number): Promise<Turn> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    const { rows: lock } = await client.query<{ held: boolean }>('select pg_try_advisory_xact_lock($1) as held', [lockKey])
    const done = lock[0]?.held ? await turn(client, now) : { found: 0, isFull: false }
    await client.query('commit')
    return done
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  } finally {
    client.release()
  }
}

interface Turn {
  found: number
  /** The portion was full and every device advanced, so more devices may be waiting. */
  isFull: boolean
}

async function turn(client: pg.ClientBase, now: number): Promise<Turn> {
  // Devices that report cycles themselves are skipped; their cycles are more precise than those from readings ten seconds apart.
  const { rows: devices } = await client.query<Watched>(
    `select d.id, d.project_code, d.family, d.params, coalesce(w.upto, $1::timestamptz) as upto, w.state
     from device d join device_latest l on l.device_id = d.id join unnest($3::text[], $4::text[]) f(family, record) on f.family = d.family
       left join cycle_watch w on w.device_id = d.id
     where d.status = '1' and l.ts > coalesce(w.upto, $1::timestamptz) and coalesce(w.upto, $1::timestamptz) < $2
       and not exists (select 1 from device_record r where r.device_id = d.id and r.record = f.record and r.ts > $2::timestamptz - interval '7 days'
         and r.id not like f.record || ':zg%')
     order by w.upto nulls first, d.id limit ${devicesAtOnce}`,
    [new Date(now - firstLookMs), new Date(now - settleMs), Object.keys(detectors), Object.values(detectors).map((d) => d.record)],
  )
  if (devices.length === 0) return { found: 0, isFull: false }
  const { rows: readings } = await client.query<Stored>(
    `select t.* from unnest($1::text[], $2::timestamptz[]) u(id, upto), lateral (
       select device_id, ts, schema_ver, v, w, extra, quality from telemetry
       where device_id = u.id and ts > u.upto and ts <= $3 and flag <> 2 order by ts, seq limit ${readingsAtOnce}) t`,
    [devices.map((d) => d.id), devices.map((d) => d.upto), new Date(now - settleMs)],
  )
  const byDevice = Map.groupBy(readings, (r) => r.device_id)
  const records: { device: Watched; record: string; cycle: FoundCycle }[] = []
  const upto: { id: string; upto: Date; state: unknown }[] = []
  for (const device of devices) {
    const detector = detectors[device.family]
    const own = byDevice.get(device.id)
    if (!detector || !own?.length) continue
    let state: unknown = device.state
    for (const row of own) {
      const values = goodValues(device.family, row)
      const step = detector.step(state, { time: row.ts.getTime(), values }, device.params)
      state = step.state
      for (const cycle of step.found) records.push({ device, record: detector.record, cycle })
    }
    upto.push({ id: device.id, upto: own.at(-1)?.ts ?? device.upto, state })
  }
  if (records.length) {
    await client.query(
      `insert into device_record (device_id, project_code, ts, id, record, data, received_at)
       select device_id, project_code, ts, id, record, data, $2
       from jsonb_to_recordset($1::jsonb) as r(device_id text, project_code text, ts timestamptz, id text, record text, data jsonb) on conflict do nothing`,
      [
        JSON.stringify(
          records.map(({ device, record, cycle }) => ({
            device_id: device.id,
            project_code: device.project_code,
            ts: new Date(cycle.time),
            id: `${record}:zg${cycle.startTime}${typeof cycle.data.cage === 'string' ? cycle.data.cage : ''}`,
            record,
            data: cycle.data,
          })),
        ),
        new Date(now),
      ],
    )
  }
  await client.query(
    `insert into cycle_watch (device_id, upto, state) select id, upto, nullif(state, 'null') from jsonb_to_recordset($1::jsonb) as w(id text, upto timestamptz, state jsonb)
     on conflict (device_id) do update set upto = excluded.upto, state = excluded.state`,
    [JSON.stringify(upto)],
  )
  return { found: records.length, isFull: devices.length === devicesAtOnce && upto.length === devices.length }
}

function goodValues(family: string, row: Stored): Record<string, unknown> {
  const order = storedOrder(family, row.schema_ver)
  if (!order || !familyOf(family)) return {}
  const values = fromColumns(order, row)
  for (const key of Object.keys(row.quality ?? {})) delete values[key]
  return values
}

export interface CycleWatch {
  stop(): Promise<void>
}

/** Searches for cycles every twenty seconds, one run at a time. */
export function watchCycles(pool: pg.Pool, log: Log, now: () => number = Date.now): CycleWatch {
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> = Promise.resolve()
  const run = async () => {
    try {
      await findCycles(pool, now())
    } catch (error) {
      if (!stopped) log.warn({ err: error }, 'looking for working cycles')
    }
    if (!stopped) timer = setTimeout(() => (running = run()), everyMs)
  }
  timer = setTimeout(() => (running = run()), everyMs / 4)
  return {
    async stop() {
      stopped = true
      clearTimeout(timer)
      await running
    },
  }
}

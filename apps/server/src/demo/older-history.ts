import { setTimeout as pause } from 'node:timers/promises'
import { dayMs } from '@zhugong/contract/kit/time'
import { familyOf, storedOrder } from '@zhugong/contract/telemetry/families'
import { buildCity } from '@zhugong/simulator/city'
import type { City } from '@zhugong/simulator/city-types'
import { machineFor } from '@zhugong/simulator/machines'
import { stream } from '@zhugong/simulator/random'
import { copyLines, copyReadings, type StoredReading } from '#domains/telemetry/store'
import { type Database, openDatabase } from '#kit/db'
import type { Log } from '#kit/log'
import { inTransaction } from '#kit/transaction'
import { cranesOn, writeCraneDay } from './older-cranes.ts'
import { writeYardDay, yardOn } from './older-yard.ts'
import { writeAlarms } from './past-alarms.ts'
import { spans, toReading } from './past-readings.ts'
import { type PastAlarm, PastRules } from './past-rules.ts'

/** Days of history on which a rule can be tried. */
const olderDays = 30
/** A track is requested for a week at most. */
const trackedDays = 7
const stepMs = 60_000
/** Waits, so that the first minute after the start is not slowed down. */
const afterMs = 25_000
const restMs = 300
const key = 'demo-history'

interface Written {
  /** Time of the first start (epoch ms); this history precedes the 24 hours before it. */
  from: number
  days: number
}

/**
 * A month of wind, dust, lifting, weighing and unloading before the first day, for trying rules and for analyses. Written in the running
 * demonstration, a day at a time from yesterday backwards; an interrupted run is continued.
 */
export async function growHistory(
  databaseUrl: string,
  { seed, today, now }: { seed: number; today: string; now: number },
  log: Log,
  signal: AbortSignal,
): Promise<void> {
  await pause(afterMs, undefined, { signal, ref: false }).catch(() => undefined)
  if (signal.aborted) return
  const database = openDatabase(databaseUrl, { max: 1, name: 'zhugong-history', owner: true, onError: () => undefined })
  try {
    const city = buildCity({ seed, today })
    let written = await begun(database, now)
    while (written.days < olderDays && !signal.aborted) {
      written = await writeDay(database, city, written)
      await pause(restMs, undefined, { ref: false })
    }
  } catch (error) {
    if (!signal.aborted) log.warn({ err: error }, 'older history of the demonstration')
  } finally {
    await database.close()
  }
}

async function begun(database: Database, now: number): Promise<Written> {
  const { rows } = await database.pool.query<{ value: Written }>(
    `insert into setting (key, value) values ($1, $2)
     on conflict (key) do update set key = excluded.key returning value`,
    [key, JSON.stringify({ from: now, days: 1 })],
  )
  return rows[0]?.value ?? { from: now, days: 1 }
}

async function writeDay(database: Database, city: City, written: Written): Promise<Written> {
  const end = written.from - written.days * dayMs
  const from = end - dayMs
  const readings: StoredReading[] = []
  const alarms: PastAlarm[] = []
  for (const device of city.devices) {
    const family = familyOf(device.family)
    const order = storedOrder(device.family)
    if (device.family !== 'environment' || device.behaviour === 'notActivated' || !family || !order) continue
    const random = stream(city.seed, 'older', device.deviceSn, String(Math.floor(end / dayMs)))
    const at = from + random.int(6, 18) * 3_600_000
    const dusty = random.chance(0.35) ? [{ from: at, to: at + random.int(20, 90) * 60_000, pm10: random.int(70, 130) }] : []
    const machine = machineFor(city, device, { purpose: `older ${from}`, dust: dusty })
    const rules = new PastRules(device)
    for (let time = Math.ceil(from / stepMs) * stepMs; time < end; time += stepMs) {
      const data = machine.telemetry(time)
      if (!data) continue
      rules.take(time, data, alarms)
      readings.push({ device: { id: device.id, order } as StoredReading['device'], reading: toReading(family.metrics, time, data) })
    }
  }
  const cranes = cranesOn(city, from, end, written.from)
  const yard = yardOn(city, from, end, written.days <= trackedDays)
  const next = { ...written, days: written.days + 1 }
  await inTransaction(database.pool, async (client) => {
    await client.query('set local synchronous_commit = off')
    for (const day of [from, end]) await client.query('select telemetry_make_day($1::date)', [new Date(day).toISOString().slice(0, 10)])
    await copyReadings(client, [...readings, ...cranes.evidence, ...yard.positions])
    await writeCraneDay(client, cranes)
    await writeYardDay(client, yard)
    await client.query('create temp table older_spans (like telemetry_5m) on commit drop')
    await copyLines(client, 'older_spans', 'device_id, ts, n, v', spans(city, [...readings, ...cranes.readings, ...yard.readings]))
    await client.query('insert into telemetry_5m (device_id, ts, n, v) select device_id, ts, n, v from older_spans on conflict do nothing')
    // Alarms still active at the end of the day are omitted.
    await writeAlarms(
      client,
      city,
      [...alarms, ...cranes.alarms, ...yard.alarms].filter((a) => a.clearTime !== null),
      written.from,
      false,
    )
    await client.query('update setting set value = $2 where key = $1', [key, JSON.stringify(next)])
  })
  return next
}

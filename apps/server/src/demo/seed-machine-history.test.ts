import { buildCity } from '@zhugong/simulator/city'
import { expect, inject, test } from 'vitest'
import { formatDay } from '#kit/clock'
import { openDatabase } from '#kit/db'
import { createSecrets } from '#kit/secret'
import { cloneDatabase } from '../../test/world.ts'
import { seedAir } from './seed-air.ts'
import { seedMachineHistory } from './seed-machine-history.ts'
import { seedMachines } from './seed-machines.ts'
import { seedTrade } from './seed-trade.ts'

test.each([0, 3_000])('the machines of the demonstration city have a past, started %i ms after a minute', async (after) => {
  const clone = await cloneDatabase(inject('postgresUrl'))
  const database = openDatabase(clone.url, { max: 4, owner: true })
  try {
    const now = Math.floor(Date.now() / 60_000) * 60_000 + after
    const city = buildCity({ seed: 20_260_101, today: formatDay(now) })
    const secrets = createSecrets('a test key of at least thirty-two characters')
    await database.kysely.transaction().execute(async (tx) => {
      await seedTrade(tx, city, secrets)
      await seedMachines(tx, city, secrets)
    })
    await seedMachineHistory(database, city, now)
    const { rows } = await database.pool.query(`
      select (select count(*)::int from telemetry) as readings, (select count(*)::int from telemetry_default) as stray, (select count(*)::int from telemetry_5m) as spans,
        (select count(*)::int from device_record where record = 'workingCycle') as cycles, (select count(*)::int from alarm) as alarms,
        (select count(*)::int from alarm where active) as active, (select count(distinct state)::int from alarm) as states,
        (select count(*)::int from device_latest where online) as online`)
    expect(rows[0].readings).toBeGreaterThan(20_000)
    expect(rows[0].stray).toBe(0)
    // Earlier readings are written by the older history: a duplicate would stop it.
    const before = await database.pool.query('select device_id, ts from telemetry where ts < $1 limit 1', [new Date(now - 86_400_000)])
    expect(before.rows).toEqual([])
    expect(rows[0].spans).toBeGreaterThan(5_000)
    expect(rows[0].cycles).toBeGreaterThan(100)
    expect(rows[0].alarms).toBeGreaterThan(10)
    expect(rows[0].states).toBeGreaterThan(2)
    const cranes = city.devices.filter((d) => d.family === 'towerCrane' && d.behaviour === 'normal')
    const lately = await database.pool.query<{ n: number }>(
      `select count(distinct device_id)::int as n from telemetry where device_id = any ($1) and ts between $2 and $3`,
      [cranes.map((d) => d.id), new Date(now - 600_000), new Date(now - 540_000)],
    )
    expect(lately.rows[0]?.n).toBe(cranes.length)
    await database.kysely.transaction().execute((tx) => seedAir(tx, city, now))
    const air =
      await database.pool.query(`select (select count(*)::int from exceed_cause) as causes, (select count(*)::int from night_permit) as permits,
      (select count(*)::int from exceed_cause c join alarm a on a.id = c.alarm_id where a.family <> 'environment') as astray`)
    expect(air.rows[0].causes).toBeGreaterThan(0)
    expect(air.rows[0].permits).toBeGreaterThan(2)
    expect(air.rows[0].astray).toBe(0)
  } finally {
    await database.close()
    await clone.drop()
  }
})

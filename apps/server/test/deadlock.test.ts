import { removeDevices } from '@zhugong/contract/equipment/endpoints'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from './city.ts'
import type { World } from './world.ts'

let world: World
let city: CityWorld
let other: pg.Client

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  city = await settleCity(world)
  const { rows } = await world.database.pool.query<{ name: string }>('select current_database() as name')
  other = new pg.Client({ connectionString: inject('postgresAdminUrl').replace(/\/postgres(?=\?|$)/, `/${rows[0]?.name}`) })
  await other.connect()
  // Only the request's connection checks for deadlocks, so that the request is the one cancelled.
  await other.query(`set deadlock_timeout = '10min'`)
})
afterAll(async () => {
  await other.end()
  await world.close()
})

/** A device with a due date, neither of them locked. */
async function deviceWithDate(): Promise<string> {
  const { rows } = await other.query<{ id: string }>(
    `insert into device_due (id, device_id, project_code, kind, due_date, create_time)
     select replace(gen_random_uuid()::text, '-', ''), d.id, d.project_code, 'deadlock', current_date, now() from device d
     where not exists (select 1 from device_due u where u.device_id = d.id) limit 1 returning device_id as id`,
  )
  return rows[0]?.id as string
}
const waiting = async () => {
  const { rows } = await other.query('select 1 from pg_locks where not granted and pg_backend_pid() = any (pg_blocking_pids(pid)) limit 1')
  return rows.length > 0
}

test('a request that the database gives up for another goes once more, and says what it has done once', async () => {
  const device = await deviceWithDate()
  const platform = await city.as('admin')
  await other.query('begin')
  await other.query('select 1 from device_due where device_id = $1 for update', [device])
  // Locks the device and waits for its due date.
  const requested = platform.ask(removeDevices, { body: { ids: [device] } })
  while (!(await waiting())) await new Promise((resolve) => setTimeout(resolve, 5))
  // Now both wait for each other.
  await other.query('update device set name = name where id = $1', [device])
  await other.query('commit')
  expect(await requested).toMatchObject({ http: 200, status: 0 })
  const { rows } = await other.query<{ n: number }>(
    `select count(*)::int as n from audit_log where action = 'DELETE /api/v1/iot/device/batch' or summary = '批量删除 1 台设备'`,
  )
  expect(rows).toEqual([{ n: 1 }])
})

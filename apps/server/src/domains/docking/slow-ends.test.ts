import * as connections from '@zhugong/contract/docking/connections'
import { getMyInfo } from '@zhugong/contract/identity/endpoints'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createLog } from '#kit/log'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import { type Manner, type SlowServer, startSlowServer } from '../../../test/slow-server.ts'
import type { World } from '../../../test/world.ts'
import { startUpperPlatform, type UpperPlatform } from '../../docking-upper/upper-platform.ts'
import { startSending } from './sender.ts'
import { appKey, connect, enrol, innerOutgoing, passGates, secret, secrets } from './sending-for-test.ts'

let world: World
let city: CityWorld
let upper: UpperPlatform
let sites: string[]
const soon = { timeout: 30_000 }

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'), {}, { environment: { OUTGOING_INSIDE: '127.0.0.0/8' } })
  city = await settleCity(world)
  upper = await startUpperPlatform({ appKey, secret })
  const { rows } = await sql<{ code: string }>`
    select project_code as code from project_worker where exit_time is null and team_id is not null group by 1 order by count(*) limit 2`.execute(
    world.database.kysely,
  )
  sites = rows.map((row) => row.code)
})
afterAll(async () => {
  await upper.stop()
  await world.close()
})

test.each<Manner>(['dripping', 'silent'])('a platform above that is %s holds up nobody who waits for nothing of it', async (manner) => {
  const slow = await startSlowServer(manner)
  const admin = await city.as('admin')
  const id = await connect(world.database.kysely, slow, `慢平台${manner}`)
  // More than the number of connections for requests.
  const requested = Array.from({ length: 20 }, (_, i) =>
    i % 2 ? admin.ask(connections.testPlatform, { params: { id } }) : admin.ask(connections.runCompare, { params: { id } }),
  )
  await expect.poll(() => slow.hanging, soon).toBe(20)
  const other = await city.as('bj-zhao')
  for (let i = 0; i < 20; i++) expect(await other.ask(getMyInfo)).toMatchObject({ status: 0 })
  expect(slow.hanging).toBe(20)
  slow.letGo()
  for (const answer of await Promise.all(requested)) expect([0, 4]).toContain(answer.status)
  await sql`delete from docking_platform where id = ${id}`.execute(world.database.kysely)
  await slow.stop()
})

test.each<[Manner, number]>([
  ['dripping', 0],
  ['silent', 100],
  ['refusing', 200],
])('handing up: a platform that is %s holds up no other, and not the end', async (manner, from) => {
  const db = world.database.kysely
  const [bad = '', fine = ''] = sites
  const slow: SlowServer = await startSlowServer(manner)
  const slowIds = await Promise.all([1, 2, 3].map((n) => connect(db, slow, `慢 ${manner} ${n}`)))
  const good = await connect(db, upper, `快 ${manner}`)
  for (const one of slowIds) await enrol(db, one, bad)
  const sending = startSending({
    database: world.database,
    clock: { now: () => Date.now() },
    secrets,
    log: createLog('test', 'silent'),
    outgoing: innerOutgoing(),
  })
  await expect.poll(() => slow.called, soon).toBeGreaterThan(2)
  await enrol(db, good, fine)
  await passGates(db, fine, 5, from)
  const waiting = async () => {
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from docking_record where platform_id = ${good} and upload_status in ('1', '3')`.execute(db)
    return rows[0]?.n ?? 0
  }
  await expect.poll(waiting, soon).toBeGreaterThan(10)
  if (manner !== 'refusing') expect(slow.hanging).toBeGreaterThan(0)
  const begun = performance.now()
  await sending.stop()
  expect(performance.now() - begun).toBeLessThan(15_000)
  await slow.stop()
  await sql`delete from docking_platform where id = any (${[...slowIds, good]})`.execute(db)
})

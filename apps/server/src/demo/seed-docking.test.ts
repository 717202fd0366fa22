import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as below from '@zhugong/contract/docking/below'
import * as causes from '@zhugong/contract/docking/causes'
import * as connections from '@zhugong/contract/docking/connections'
import * as mappingCalls from '@zhugong/contract/docking/mapping'
import * as queue from '@zhugong/contract/docking/queue'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createSecrets } from '#kit/secret'
import { type CityWorld, openCity, settleCity } from '../../test/city.ts'
import { testSecretKey, type World } from '../../test/world.ts'
import { startDemoUpper } from '../docking-upper/demo-upper.ts'
import { seedDocking } from './seed-docking.ts'

let world: World
let settled: CityWorld
const folder = mkdtempSync(join(tmpdir(), 'zg-upper-'))

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'), {}, { environment: { OUTGOING_INSIDE: '127.0.0.0/8' } })
  settled = await settleCity(world)
  await seedDocking(world.database.kysely, settled.city, createSecrets(testSecretKey), Date.now(), folder)
})
afterAll(async () => {
  await world.close()
  rmSync(folder, { recursive: true })
})

test('causes of 37, 5 and 1 rows, people who are not verified, one row that is locked, two codes without a translation, twelve refusals below', async () => {
  const admin = await settled.as('admin')
  const { list } = await admin.call(causes.listErrors, { query: {} })
  const counts = Object.fromEntries(list.map((one) => [one.code, one.count]))
  expect(counts).toEqual({ L001: 37, E3001: 5, 'P-2077': 1, L005: expect.any(Number) })
  const { rows } = await world.database.pool.query<{ n: number }>(
    `select count(*)::int as n from docking_record r join worker w on w.id = r.source_id where r.object_type = 'workerBase' and w.real_name_state <> '1'`,
  )
  expect([counts.L005, (counts.L005 ?? 0) > 0]).toEqual([rows[0]?.n, true])
  expect((await admin.call(queue.listRecords, { query: { uploadStatus: '3' } })).total).toBe(1)
  expect((await admin.call(queue.listRecords, { query: { waitFor: '1' } })).total).toBeGreaterThan(37)
  const [platform] = (await admin.call(connections.listPlatforms, { query: {} })).list
  const mapping = await admin.call(mappingCalls.getMapping, {
    params: { objectType: 'attendanceRecord' },
    query: { platformId: platform?.id ?? '' },
  })
  expect(mapping.unmapped.map((one) => one.code)).toEqual(['012', '013'])
  expect(await admin.call(below.listRejected, { query: {} })).toMatchObject({ total: 12 })
  expect(readFileSync(join(folder, 'upper-platform.jsonl'), 'utf8').split('\n').length).toBeGreaterThan(1_000)
})

test('the platform above holds the same days as we say we sent', async () => {
  const upper = await startDemoUpper(world.database.kysely, folder)
  const admin = await settled.as('admin')
  const [platform] = (await admin.call(connections.listPlatforms, { query: {} })).list
  expect(await admin.call(connections.testPlatform, { params: { id: platform?.id ?? '' } })).toMatchObject({ ok: true })
  expect(await admin.call(connections.runCompare, { params: { id: platform?.id ?? '' } })).toEqual({ days: 7, different: 0 })
  await upper?.stop()
})

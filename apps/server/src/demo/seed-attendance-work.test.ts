import { getMonth, listFixes } from '@zhugong/contract/attendance/fix-endpoints'
import { listRecords, recordCounts } from '@zhugong/contract/attendance/records'
import { labourAlarmCounts } from '@zhugong/contract/labour-alarms/endpoints'
import { listDeclarations, listHealthy, listTempAlarms } from '@zhugong/contract/prevention/endpoints'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { verifyStored } from '#domains/attendance/ledger-views'
import { rebuildProject } from '#domains/attendance/recompute'
import { createSecrets } from '#kit/secret'
import { type CityWorld, openCity, settleCity } from '../../test/city.ts'
import type { World } from '../../test/world.ts'
import { seedAttendance } from './seed-attendance.ts'
import { seedAttendanceWork } from './seed-attendance-work.ts'
import { seedHealth } from './seed-health.ts'

const now = Date.parse('2026-11-20T15:30:00+08:00')
let world: World
let settled: CityWorld
let projectCode: string
let road: string

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'), { clock: { now: () => now } })
  settled = await settleCity(world)
  projectCode = settled.city.projects[0]!.projectCode
  road = settled.city.projects.find((p) => p.shortName === '沿江二路管廊')!.projectCode
  await seedAttendance(world.database, settled.city, now, [projectCode, road])
  await world.database.pool.query(`insert into device_latest (device_id, ts, received_at, v, online, online_since)
    select id, now(), now(), '{}', true, now() from device where family = 'faceGate' on conflict do nothing`)
  await seedHealth(world.database.kysely, settled.city, createSecrets(world.config.secretKey), now)
  await seedAttendanceWork(world.database, settled.city, now)
})
afterAll(() => world.close())

test('every page of attendance has something to show, and the ledger holds', async () => {
  const pm = await settled.as('hospital-pm')
  const fixes = await pm.call(listFixes, { query: { projectCode, size: 100 } })
  expect(fixes.waiting).toBe(14)
  expect(fixes.list.filter((f) => f.state === '2').every((f) => f.seq !== null)).toBe(true)
  const month = await pm.call(getMonth, { query: { projectCode, month: '2026-10' } })
  expect(month).toMatchObject({ closed: true, version: 1 })
  expect(month.differences.length).toBeGreaterThan(0)
  const fevers = await pm.call(listTempAlarms, { query: { projectCode } })
  expect(fevers.total).toBeGreaterThan(4)
  expect(fevers.counts.open).toBe(3)
  const warnings = await pm.call(labourAlarmCounts, { query: { projectCode } })
  expect([warnings.open > 1, warnings.ignored > 1, warnings.handledIn30Days > 1]).toEqual([true, true, true])
  expect(warnings.byType.filter((t) => t.open > 0).length).toBeGreaterThan(0)
  expect((await verifyStored(world.database.kysely, projectCode, undefined, undefined, true)).findings).toEqual([])
  const rebuilt = await world.database.kysely.transaction().execute((tx) => rebuildProject(tx, projectCode, now))
  expect(rebuilt.different).toBe(0)
})

test('an influenza that is over stands on file, opened for who may', async () => {
  const pm = await settled.as('hospital-pm')
  const page = await pm.call(listDeclarations, { query: { projectCode, size: 100 } })
  expect(page.mode.on).toBe(false)
  expect(page.list.filter((d) => d.state === '3')).toHaveLength(12)
  const people = await pm.call(listHealthy, { query: { projectCode, size: 100 } })
  expect(people.total).toBe(60)
})

test('people along the road sign in by phone, a few from outside, and their days count', async () => {
  const admin = await settled.as('admin')
  const signed = await admin.call(listRecords, { query: { projectCode: road, source: '3', size: 100 } })
  expect(signed.total).toBeGreaterThan(100)
  expect(signed.list.every((r) => r.lng !== null && r.attendType === '013' && r.fenceMetres !== null)).toBe(true)
  const outside = await admin.call(listRecords, { query: { projectCode: road, source: '3', waiting: true, size: 100 } })
  expect(outside.total).toBeGreaterThan(0)
  expect(outside.list.every((r) => r.outsideFence && r.doubts.includes('outside') && (r.fenceMetres ?? 0) > 0)).toBe(true)
  const counts = await admin.call(recordCounts, { query: { projectCode: road, source: '3' } })
  expect(counts.keyPosts).toBeGreaterThan(0)
  expect((await verifyStored(world.database.kysely, road, undefined, undefined, true)).findings).toEqual([])
})

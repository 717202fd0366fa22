import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getDustCheck, listDustChecks } from '@zhugong/contract/dustchecks/calls'
import { getMachineCheck, listMachineChecks, machineBoard } from '@zhugong/contract/upkeep/inspections'
import { getMaintenance, listMaintenance } from '@zhugong/contract/upkeep/maintenance'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../../test/city.ts'
import type { World } from '../../test/world.ts'
import { seedDust } from './seed-dust.ts'
import { seedLegalMachines } from './seed-legal-machines.ts'
import { seedUpkeep } from './seed-upkeep.ts'

const now = Date.now()
let world: World
let settled: CityWorld
let folder = ''
beforeAll(async () => {
  world = await openCity(inject('postgresUrl'), { clock: { now: () => now } })
  settled = await settleCity(world)
  folder = mkdtempSync(join(tmpdir(), 'zg-upkeep-'))
  const db = world.database.kysely
  await sql`insert into corp_qualification (id, corp_code, cert_type_num, trade_bound_num, title_level_num, cert_code, organ_name, organ_date, end_date, status, create_time,
      update_time, update_by) select md5(corp_code), corp_code, '1', '1', '1', corp_code, '样例', '2019-01-01', '2030-01-01', '001', now(), now(), 'x' from corporation
    on conflict do nothing`.execute(db)
  await db.transaction().execute((tx) => seedLegalMachines(tx, settled.city, now, folder))
  await db.transaction().execute((tx) => seedDust(tx, settled.city, now, folder))
  await db.transaction().execute((tx) => seedUpkeep(tx, settled.city, now, folder))
}, 180_000)
afterAll(async () => {
  await world.close()
  rmSync(folder, { recursive: true, force: true })
})
const all = { projectCode: '*', size: 1000 }

test('six machines with two months of checks: one stands, one monthly check is late', async () => {
  const city = await settled.as('city-fang')
  const { list, counts } = await city.call(listMachineChecks, { query: all })
  expect(new Set(list.map((one) => one.machineId)).size).toBe(6)
  expect([counts.stopped, counts.open]).toEqual([1, 2])
  expect(new Set(list.map((one) => one.code)).size).toBe(list.length)
  const board = await city.call(machineBoard, { query: all })
  expect(
    board.list.filter((row) => row.cells.some((one) => one.type === '4' && one.last !== null && one.late)).length,
  ).toBeGreaterThanOrEqual(1)
  const closed = list.find((one) => one.result === '3' && one.state === '7')
  const file = await city.call(getMachineCheck, { params: { id: closed?.id ?? '' }, query: { projectCode: '*' } })
  expect(file.repairs[0]?.parts[0]).toMatchObject({ name: '起升钢丝绳' })
  expect(file.repairs[0]?.parts[0]?.certificates).toHaveLength(1)
  expect(file.releasedAt).not.toBeNull()
})

test('maintenance by the month, accepted with a signature, one machine late', async () => {
  const city = await settled.as('city-fang')
  const { list } = await city.call(listMaintenance, { query: all })
  expect(list.some((one) => one.parts.some((part) => part.name === '防坠安全器'))).toBe(true)
  expect(list.filter((one) => one.overdueDays > 0).length).toBeGreaterThanOrEqual(1)
  const { signatures } = await city.call(getMaintenance, { params: { id: list[0]?.id ?? '' }, query: { projectCode: '*' } })
  expect(signatures[0]?.state).toBe('signed')
})

test('a month of dust checks with an orange week, earth as the weak item', async () => {
  const site = await settled.as('hospital-safety')
  const { list, counts } = await site.call(listDustChecks, { query: all })
  expect(list).toHaveLength(31)
  expect(list.filter((one) => one.responseLevel === '2')).toHaveLength(7)
  expect(list.filter((one) => one.results['02'] === '2').length).toBeGreaterThanOrEqual(8)
  expect(counts.open).toBe(3)
  const open = list.find((one) => one.state === '4')
  const file = await site.call(getDustCheck, { params: { id: open?.id ?? '' }, query: { projectCode: '*' } })
  expect([file.notices[0]?.state, file.problems[0]?.photos.length]).toEqual(['4', 1])
})

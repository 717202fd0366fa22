import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getMachine, listMachines } from '@zhugong/contract/machines/calls'
import { machineMoves } from '@zhugong/contract/machines/moves'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../../test/city.ts'
import type { World } from '../../test/world.ts'
import { seedLegalMachines } from './seed-legal-machines.ts'

const now = Date.now()
let world: World
let settled: CityWorld
let folder = ''
beforeAll(async () => {
  world = await openCity(inject('postgresUrl'), { clock: { now: () => now } })
  settled = await settleCity(world)
  folder = mkdtempSync(join(tmpdir(), 'zg-legal-'))
  const db = world.database.kysely
  await sql`insert into corp_qualification (id, corp_code, cert_type_num, trade_bound_num, title_level_num, cert_code, organ_name, organ_date, end_date, status, create_time,
      update_time, update_by) select md5(corp_code), corp_code, '1', '1', '1', corp_code, '样例', '2019-01-01', '2030-01-01', '001', now(), now(), 'x' from corporation
    on conflict do nothing`.execute(db)
  await db.transaction().execute((tx) => seedLegalMachines(tx, settled.city, now, folder))
}, 120_000)
afterAll(async () => {
  await world.close()
  rmSync(folder, { recursive: true, force: true })
})
const everything = { projectCode: '*', size: 100 }

test('thirty machines in all states, what is illegal first', async () => {
  const city = await settled.as('city-fang')
  const { list, total, counts } = await city.call(listMachines, { query: everything })
  expect(total).toBe(30)
  expect([...new Set(list.map((one) => one.state))].sort()).toEqual(['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'])
  expect(list.some((one) => one.reasons.includes('超过规定使用年限且无有效评估') && one.ageYears >= 16)).toBe(true)
  expect(list.filter((one) => one.reasons.includes('检测已过期')).length).toBeGreaterThanOrEqual(2)
  expect(list.some((one) => one.usable)).toBe(true)
  expect(list[0]?.usable).toBe(false)
  expect(counts.unregistered).toBe(1)
  for (const account of ['hospital-pm', 'bj-zhao', 'yunze-lu', 'zhigu-pm'])
    expect((await (await settled.as(account)).call(listMachines, { query: everything })).total, account).toBeGreaterThan(0)
})

test('a machine in use has its stages, its crew and five signatures', async () => {
  const site = await settled.as('hospital-pm')
  const { list } = await site.call(listMachines, { query: { ...everything, tab: '6' } })
  const file = await site.call(getMachine, { params: { id: list.at(-1)?.id ?? '' }, query: { projectCode: '*' } })
  expect(file.signatures.filter((one) => one.state === 'signed')).toHaveLength(5)
  expect(file.stages.map((one) => one.title)).toContain('使用登记')
  expect(file.operators.length).toBeGreaterThan(0)
})

test('histories follow the declared moves and lie in the past', async () => {
  type Step = { objectId: string; action: keyof typeof machineMoves | 'create'; fromState: string; toState: string; at: Date }
  const { rows } =
    await sql<Step>`select object_id, action, from_state, to_state, at from process_log where kind = 'spdevice' order by object_id, at`.execute(
      world.database.kysely,
    )
  expect(rows.length).toBeGreaterThan(100)
  let before: Step | undefined
  for (const row of rows) {
    expect(row.at.getTime()).toBeLessThanOrEqual(now)
    if (before?.objectId === row.objectId) expect(row.fromState, `${row.action} after ${before.action}`).toBe(before.toState)
    before = row
    if (row.action !== 'create') expect(machineMoves[row.action].from as readonly string[]).toContain(row.fromState)
  }
})

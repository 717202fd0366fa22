import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getStop, listStops } from '@zhugong/contract/stops/calls'
import { stopMoves } from '@zhugong/contract/stops/moves'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../../test/city.ts'
import type { World } from '../../test/world.ts'
import { seedRectify } from './seed-rectify.ts'
import { seedStops } from './seed-stops.ts'

const now = Date.parse('2026-11-20T10:00:00+08:00')
let world: World
let settled: CityWorld
let folder = ''
beforeAll(async () => {
  world = await openCity(inject('postgresUrl'), { clock: { now: () => now } })
  settled = await settleCity(world)
  folder = mkdtempSync(join(tmpdir(), 'zg-stops-'))
  await world.database.kysely.transaction().execute(async (tx) => {
    await seedRectify(tx, settled.city, now)
    await seedStops(tx, settled.city, now, folder)
  })
})
afterAll(async () => {
  await world.close()
  rmSync(folder, { recursive: true, force: true })
})
const everything = { projectCode: '*', size: 100 }

test('three festival stops, one past its resumption, one resumption in site check with a failed item, one at every desk', async () => {
  const head = await settled.as('bj-wu')
  const { list, counts } = await head.call(listStops, { query: everything })
  expect(counts).toMatchObject({ stopping: 1, overdue: 1 })
  expect(list.filter((one) => one.reasonType === '3' && one.resumedDay)).toHaveLength(2)
  expect(list.some((one) => one.kind === 'order' && one.noticeId)).toBe(true)
  const checking = list.find((one) => one.state === '3')
  const file = await head.call(getStop, { params: { id: checking?.id ?? '' }, query: { projectCode: '*' } })
  expect(file.checks.filter((one) => one.sitePassed === false)).toMatchObject([{ item: '2' }])
  for (const account of ['bj-wu', 'tunnel-jl', 'jiangtan-he'])
    expect((await (await settled.as(account)).call(listStops, { query: { ...everything, tab: 'mine' } })).total, account).toBeGreaterThan(0)
  const own = await (await settled.as('weijian-xia')).call(listStops, { query: everything })
  expect(own.list.map((one) => one.state).toSorted()).toEqual(['0', '4', '4', '5'])
})

test('every project that is stopped has a stop that holds, and no other', async () => {
  const { rows } = await sql<{ status: string; held: boolean }>`select prj_status as status, exists (select from project_stop s
    where s.project_code = p.project_code and s.until_day is null) as held from project p`.execute(world.database.kysely)
  for (const { status, held } of rows) expect(held).toBe(status === '005')
})

test('histories follow the declared moves and lie in the past', async () => {
  const { rows } = await sql<{ action: keyof typeof stopMoves | 'create'; fromState: string; toState: string; at: Date }>`
    select action, from_state, to_state, at from process_log where kind = 'stopapply'`.execute(world.database.kysely)
  for (const { action, fromState, toState, at } of rows) {
    expect(at.getTime()).toBeLessThanOrEqual(now)
    if (action === 'create') continue
    expect(stopMoves[action].from as readonly string[]).toContain(fromState)
    expect([stopMoves[action].to].flat()).toContain(toState)
  }
})

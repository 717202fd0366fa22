import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getWork, listWorks } from '@zhugong/contract/works/calls'
import { everyState, workMoves } from '@zhugong/contract/works/moves'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createSecrets } from '#kit/secret'
import { type CityWorld, openCity, settleCity } from '../../test/city.ts'
import { testSecretKey, type World } from '../../test/world.ts'
import { seedExperts } from './seed-experts.ts'
import { seedRectify } from './seed-rectify.ts'
import { seedWorks } from './seed-works.ts'

const now = Date.parse('2026-11-20T10:00:00+08:00')
let world: World
let settled: CityWorld
let folder = ''
beforeAll(async () => {
  world = await openCity(inject('postgresUrl'), { clock: { now: () => now } })
  settled = await settleCity(world)
  folder = mkdtempSync(join(tmpdir(), 'zg-works-'))
  await world.database.kysely.transaction().execute(async (tx) => {
    await seedRectify(tx, settled.city, now)
    await seedExperts(tx, settled.city, createSecrets(testSecretKey), now, folder)
    await seedWorks(tx, settled.city, now, folder)
  })
}, 120_000)
afterAll(async () => {
  await world.close()
  rmSync(folder, { recursive: true, force: true })
})
const everything = { projectCode: '*', size: 100 }

test('fourteen works in every state, the one begun too early on top', async () => {
  const city = await settled.as('city-fang')
  const { list, total, counts } = await city.call(listWorks, { query: everything })
  expect(total).toBe(14)
  expect([...new Set(list.map((one) => one.state))].sort()).toEqual([...everyState])
  expect(list[0]?.grave).not.toBeNull()
  expect(list.some((one) => one.grave === '开工早于方案通过' && one.name === '门诊楼悬挑脚手架')).toBe(true)
  expect(counts.lacking).toBeGreaterThan(0)
  for (const account of ['hospital-pm', 'hospital-jl', 'bj-zhao', 'yunze-lu', 'dingli-cheng', 'zhigu-pm'])
    expect((await (await settled.as(account)).call(listWorks, { query: everything })).total, account).toBeGreaterThan(0)
})

test('the pit was argued by five experts, is watched, and its open notice keeps it from being finished', async () => {
  const site = await settled.as('hospital-pm')
  const { list } = await site.call(listWorks, { query: { ...everything, name: '医技楼深基坑' } })
  const pit = await site.call(getWork, { params: { id: list[0]?.id ?? '' }, query: { projectCode: '*' } })
  expect(pit.experts.length).toBeGreaterThanOrEqual(5)
  expect(pit.devices.length).toBeGreaterThan(0)
  expect(pit.gaps).toEqual([])
  expect(pit.blocked.find((one) => one.action === 'finish')?.missing[0]?.text).toContain('未闭合')
  expect(pit.signatures.filter((one) => one.state === 'signed').length).toBeGreaterThanOrEqual(6)
  expect(pit.stages.slice(0, 5).map((one) => one.state)).toEqual(['done', 'done', 'done', 'done', 'done'])
})

test('the formwork waits for the signatures of its acceptance', async () => {
  const supervisor = await settled.as('dongwan-jl')
  const { list } = await supervisor.call(listWorks, { query: { ...everything, state: '7' } })
  const work = await supervisor.call(getWork, { params: { id: list[0]?.id ?? '' }, query: { projectCode: '*' } })
  expect(work.blocked.find((one) => one.action === 'accept')?.missing.map((one) => one.text)).toContain('总监理工程师未签字')
})

test('histories follow the declared moves and lie in the past, in order', async () => {
  type Step = { objectId: string; action: keyof typeof workMoves | 'create'; fromState: string; toState: string; at: Date }
  const { rows } = await sql<Step>`select object_id, action, from_state, to_state, at from process_log where kind = 'bigproject'
    order by object_id, at`.execute(world.database.kysely)
  expect(rows.length).toBeGreaterThan(60)
  let before: Step | undefined
  for (const row of rows) {
    expect(row.at.getTime()).toBeLessThanOrEqual(now)
    if (before?.objectId === row.objectId) expect(row.fromState, `${row.action} after ${before.action}`).toBe(before.toState)
    before = row
    if (row.action === 'create') continue
    const move = workMoves[row.action]
    expect(move.from as readonly string[]).toContain(row.fromState)
    expect(move.to === null ? [row.fromState] : [move.to].flat()).toContain(row.toState)
  }
})

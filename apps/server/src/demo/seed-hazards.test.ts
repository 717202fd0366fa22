import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hazardMap, listHazards, listPermits } from '@zhugong/contract/hazards/calls'
import { getPermit } from '@zhugong/contract/hazards/permits'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../../test/city.ts'
import type { Caller, World } from '../../test/world.ts'
import { seedHazards } from './seed-hazards.ts'
import { seedPlaces } from './seed-places.ts'

const now = Date.parse('2026-11-20T00:10:00+08:00')
let world: World
let settled: CityWorld
let site: Caller
let authority: Caller
beforeAll(async () => {
  world = await openCity(inject('postgresUrl'), { clock: { now: () => now } })
  settled = await settleCity(world)
  const folder = await mkdtemp(join(tmpdir(), 'hazards-'))
  for (const seed of [seedPlaces, seedHazards])
    await world.database.kysely.transaction().execute((tx) => seed(tx, settled.city, now, folder))
  site = await settled.as('hospital-pm')
  authority = await settled.as('bj-zhao')
})
afterAll(() => world.close())

test('thirty-five hazards in four colours, two patrols overdue, on plans', async () => {
  const { list, counts } = await site.call(listHazards, { query: { projectCode: '*', size: 100 } })
  expect(list).toHaveLength(35)
  expect(new Set(list.map((one) => one.riskLevel))).toEqual(new Set(['1', '2', '3', '4']))
  expect(counts.overdue).toBe(2)
  const { plans, hazards } = await site.call(hazardMap, { query: { projectCode: list[0]?.projectCode ?? '' } })
  expect(plans.length).toBeGreaterThan(0)
  expect(hazards.length).toBeGreaterThan(30)
})

test('permits in every state, one running with forty minutes left, one closed late; nothing of the future has happened', async () => {
  const { list, counts } = await site.call(listPermits, { query: { projectCode: '*', kind: 'permit', size: 100 } })
  expect(new Set(list.map((one) => one.state))).toEqual(new Set(['0', '1', '2', '3', '4', '5', '6']))
  expect([counts.running, counts.overdue]).toEqual([1, 1])
  const running = list.find((one) => one.state === '3')
  expect((running?.closesBy ?? 0) - now).toBe(40 * 60_000)
  expect(
    list
      .filter((one) => one.late)
      .map((one) => one.state)
      .sort(),
  ).toEqual(['4', '6'])
  for (const { id } of list) {
    const { timeline, people } = await site.call(getPermit, { params: { id }, query: { projectCode: '*' } })
    expect(timeline.every((line) => line.at <= now)).toBe(true)
    expect(people.some((one) => one.role === 'guardian')).toBe(true)
  }
})

test('the authority sees the sites ranked', async () => {
  const { rank } = await authority.call(listHazards, { query: { projectCode: '*', size: 20 } })
  expect(rank.length).toBeGreaterThanOrEqual(2)
  expect(rank.map((one) => one.first)).toEqual([...rank.map((one) => one.first)].sort((a, b) => b - a))
})

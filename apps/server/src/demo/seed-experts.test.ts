import { listActivities, listTrips } from '@zhugong/contract/experts/activities'
import { getDraw, listDraws, verifyDraw } from '@zhugong/contract/experts/draws'
import { getExpert, listExperts } from '@zhugong/contract/experts/library'
import { listPendingScores, listYearScores } from '@zhugong/contract/experts/scores'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createSecrets } from '#kit/secret'
import { type CityWorld, openCity, settleCity } from '../../test/city.ts'
import { type Caller, testSecretKey, type World } from '../../test/world.ts'
import { seedExperts } from './seed-experts.ts'

const now = Date.parse('2026-11-20T10:00:00+08:00')
let world: World
let settled: CityWorld
let clerk: Caller
beforeAll(async () => {
  world = await openCity(inject('postgresUrl'), { clock: { now: () => now } })
  settled = await settleCity(world)
  await world.database.kysely.transaction().execute((tx) => seedExperts(tx, settled.city, createSecrets(testSecretKey), now))
  clerk = await settled.as('city-xu')
})
afterAll(() => world.close())

const query = { projectCode: '*', size: 200 }

test('160 experts in 16 fields, five applications waiting, one to be corrected', async () => {
  const { counts } = await clerk.call(listExperts, { query: { ...query, size: 1 } })
  expect(counts).toMatchObject({ listed: 158, removed: 2, waiting: 5, drafts: 1, draws: 12 })
  const { rows } = await sql<{ n: number }>`select count(distinct specialties[1])::int as n from expert where state = '2'`.execute(
    world.database.kysely,
  )
  expect(rows[0]?.n).toBe(16)
})

test('twelve draws that repeat, one a repeat with a reason, one refusal replaced; the site does not see names yet', async () => {
  const { list } = await clerk.call(listDraws, { query })
  expect(list).toHaveLength(12)
  expect(list.filter((one) => one.run > 1)).toHaveLength(1)
  for (const { id } of list) {
    const proof = await clerk.call(verifyDraw, { params: { id }, query })
    expect([proof.agrees, proof.chain.sound], id).toEqual([true, true])
  }
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from expert_draw_seat where reply = 'refused'`.execute(
    world.database.kysely,
  )
  expect(rows[0]?.n).toBe(1)
  const site = await settled.as('hospital-pm')
  const coming = (await site.call(listDraws, { query })).list.find((one) => one.state === '1')
  expect((await site.call(getDraw, { params: { id: coming?.id ?? '' }, query })).seats).toBeNull()
})

test('forty activities, one cancelled, nine journeys, two reports missing, and the scores of two years with one who fails twice', async () => {
  const { list, counts } = await clerk.call(listActivities, { query })
  expect(list.length).toBeGreaterThanOrEqual(40)
  expect(list.filter((one) => one.state === '5')).toHaveLength(1)
  expect(counts.week).toBeGreaterThanOrEqual(2)
  const trips = await clerk.call(listTrips, { query })
  expect([trips.total, trips.counts]).toEqual([9, { waiting: 1, away: 1, late: 2 }])
  const years = async (year: number) => (await clerk.call(listYearScores, { query: { ...query, year } })).list
  expect((await years(2025)).length).toBeGreaterThan(10)
  expect((await years(2026)).filter((one) => one.warn)).toHaveLength(1)
  const files = (await years(2026)).sort((a, b) => b.times - a.times)
  const full = await clerk.call(getExpert, { params: { id: files[0]?.id ?? '' }, query })
  expect(full.activities.length).toBeGreaterThanOrEqual(10)
  expect((await (await settled.as('bj-wu')).call(listPendingScores, { query })).total).toBeGreaterThanOrEqual(0)
})

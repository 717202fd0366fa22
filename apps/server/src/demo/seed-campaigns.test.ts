import { getCampaign, listCampaigns, verifyCampaignDraw } from '@zhugong/contract/campaigns/calls'
import { campaignMatrix, listCampaignChecks } from '@zhugong/contract/campaigns/checks'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createSecrets } from '#kit/secret'
import { type CityWorld, openCity, settleCity } from '../../test/city.ts'
import { type Caller, testSecretKey, type World } from '../../test/world.ts'
import { seedCampaigns } from './seed-campaigns.ts'
import { seedExperts } from './seed-experts.ts'

const now = Date.parse('2026-11-20T15:00:00+08:00')
const anywhere = { projectCode: '*' }
let world: World
let settled: CityWorld
let city: Caller
beforeAll(async () => {
  world = await openCity(inject('postgresUrl'), { clock: { now: () => now } })
  settled = await settleCity(world)
  const db = world.database.kysely
  const secrets = createSecrets(testSecretKey)
  await db.transaction().execute((tx) => seedExperts(tx, settled.city, secrets, now))
  await seedCampaigns(db, settled.city, secrets, now)
  city = await settled.as('city-fang')
})
afterAll(() => world.close())

test('a closed campaign with its report, one that is checked, one to be drawn, and drafts', async () => {
  const { list } = await city.call(listCampaigns, { query: { ...anywhere, tab: 'own' } })
  expect(list.map((one) => one.state).sort()).toEqual(['0', '0', '1', '3', '5'])
  const running = list.find((one) => one.state === '3')
  const file = await city.call(getCampaign, { params: { id: running?.id ?? '' }, query: anywhere })
  expect(file.tasks.some((one) => one.source === 'replacement' && one.dropped === null)).toBe(true)
  const draw = await city.call(verifyCampaignDraw, { params: { id: file.id }, query: { ...anywhere, run: 1 } })
  expect([draw.agrees, draw.chain.sound]).toEqual([true, true])
  const checks = await city.call(listCampaignChecks, { query: { ...anywhere, planId: file.id } })
  expect(checks.counts).toMatchObject({ due: 4, done: 2 })
  const matrix = await city.call(campaignMatrix, { params: { id: file.id }, query: anywhere })
  const known = matrix.categories.flatMap((one) => (one.mean === null ? [] : [{ code: one.code, mean: one.mean }]))
  expect(known.sort((a, b) => a.mean - b.mean)[0]?.code).toBe('03')
})

test('a site learns of the published campaign only', async () => {
  for (const account of ['hospital-pm', 'zhigu-pm']) {
    const site = await settled.as(account)
    const { list } = await site.call(listCampaigns, { query: anywhere })
    expect(list.filter((one) => one.state !== '5')).toEqual([])
    // The hospital was named for the published one.
    if (account === 'hospital-pm') expect(list).toHaveLength(1)
  }
})

import { getAnnouncement, listAnnouncements } from '@zhugong/contract/announcements/calls'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../../test/city.ts'
import type { World } from '../../test/world.ts'
import { announcementPlans } from './announcement-plan.ts'
import { seedAnnouncements } from './seed-announcements.ts'

const now = Date.parse('2028-02-29T00:10:00+08:00')
const query = { projectCode: '*', size: 100 }
let world: World
let settled: CityWorld
beforeAll(async () => {
  world = await openCity(inject('postgresUrl'), { clock: { now: () => now } })
  settled = await settleCity(world)
  await world.database.kysely.transaction().execute((tx) => seedAnnouncements(tx, settled.city, now))
})
afterAll(() => world.close())

test('thirty notices of six types, in every state', async () => {
  const { rows } = await world.database.pool.query<{ n: number; types: number; states: string[] }>(
    `select count(*)::int as n, count(distinct type)::int as types, array_agg(distinct state order by state) as states from announcement`,
  )
  expect(rows).toEqual([{ n: announcementPlans.length, types: 6, states: ['0', '1', '2', '3', '4', '5'] }])
  expect(announcementPlans).toHaveLength(30)
})

test('the city’s notice has everybody as recipient, some have not signed, and its districts differ', async () => {
  const city = await settled.as('city-fang')
  const { list } = await city.call(listAnnouncements, { query: { ...query, box: 'out' } })
  const first = list.find((one) => one.title === announcementPlans[0]?.title)
  expect(first).toMatchObject({ state: '2', needReceipt: true })
  expect(first?.all).toBeGreaterThan(20)
  expect(first?.receipts).toBeLessThan(first?.all ?? 0)
  const { receipts } = await city.call(getAnnouncement, { params: { id: first?.id ?? '' }, query: { projectCode: '*', part: 'receipts' } })
  expect(receipts?.areas.length).toBeGreaterThan(2)
  const flood = list.find((one) => one.state === '0')
  const draft = await city.call(getAnnouncement, { params: { id: flood?.id ?? '' }, query: { projectCode: '*' } })
  expect(draft.lines).toHaveLength(3)
})

test('every kind of account has notices', async () => {
  for (const account of ['hospital-pm', 'hospital-labour', 'bj-zhao', 'yunze-lu', 'admin'])
    expect((await (await settled.as(account)).call(listAnnouncements, { query })).total, account).toBeGreaterThan(0)
})

import { briefingGaps, getGangBriefing, listGangBriefings, listManagerBriefings, unbriefedPeople } from '@zhugong/contract/briefings/calls'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../../test/city.ts'
import type { Caller, World } from '../../test/world.ts'
import { seedAttendance } from './seed-attendance.ts'
import { seedBriefings } from './seed-briefings.ts'

// Before work begins.
const now = Date.parse('2026-11-20T00:10:00+08:00')
let world: World
let settled: CityWorld
let site: Caller
let projectCode = ''
beforeAll(async () => {
  world = await openCity(inject('postgresUrl'), { clock: { now: () => now } })
  settled = await settleCity(world)
  projectCode = settled.city.personas.find((one) => one.account === 'hospital-pm')?.projectCode ?? ''
  await seedAttendance(world.database, settled.city, now, [projectCode])
  await seedBriefings(
    world.database,
    settled.city,
    now,
    settled.city.projects.map((one) => one.projectCode),
  )
  site = await settled.as('hospital-pm')
}, 240_000)
afterAll(() => world.close())

const everything = { projectCode: '*', size: 1000 }

test('the site has three briefings that wait for signatures, one void and one doubtful', async () => {
  const { list, counts } = await site.call(listGangBriefings, { query: everything })
  expect(list.length).toBe(22)
  expect(counts.open).toBe(3)
  const scaffold = list.find((one) => one.state === '1' && one.name.includes('外脚手架'))
  expect(scaffold && scaffold.total - scaffold.signed).toBe(1)
  expect(list.filter((one) => one.state === '9')).toHaveLength(1)
  expect(list.filter((one) => one.doubts.length > 0).map((one) => one.doubts)).toEqual([['away']])
  const paper = list.find((one) => one.name.includes('混凝土') && one.state === '2')
  const file = await site.call(getGangBriefing, { params: { id: paper?.id ?? '' }, query: { projectCode: '*' } })
  expect(file.receivers.filter((one) => one.state === 'paper').length).toBe(2)
  expect(counts.unbriefed).toBeGreaterThan(0)
  const { total } = await site.call(unbriefedPeople, { query: { ...everything, view: 'people' } })
  expect(total).toBe(counts.unbriefed)
})

test('the authority sees the other sites, one of them signed all at once, and what nobody was briefed for', async () => {
  const authority = await settled.as('city-fang')
  const { list, counts } = await authority.call(listGangBriefings, { query: everything })
  expect(list.length).toBeGreaterThan(40)
  expect(list.some((one) => one.doubts.includes('fast'))).toBe(true)
  const { total } = await authority.call(briefingGaps, { query: { ...everything, view: 'gap' } })
  expect(total).toBe(counts.gaps)
  const { list: managers } = await authority.call(listManagerBriefings, { query: everything })
  expect(managers.map((one) => [one.kind, one.state]).sort()).toEqual([
    ['authority', '1'],
    ['plan', '3'],
    ['supervisor', '2'],
  ])
})

test('a second start adds nothing', async () => {
  const before = await site.call(listGangBriefings, { query: everything })
  await seedBriefings(world.database, settled.city, now, [projectCode])
  expect((await site.call(listGangBriefings, { query: everything })).total).toBe(before.total)
})

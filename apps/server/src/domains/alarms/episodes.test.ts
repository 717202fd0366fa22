import { getAlarm, listAlarms } from '@zhugong/contract/alarms/endpoints'
import { happeningOf, intoEpisodes } from '@zhugong/contract/alarms/episodes'
import { findAlarms } from '@zhugong/contract/alarms/lists'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { openCity, settleCity } from '../../../test/city.ts'
import { givenAlarm } from '../../../test/givens.ts'
import type { Caller, World } from '../../../test/world.ts'

/** One overload opens several alarms: the desk shows one episode, the history every alarm. */
const now = Date.parse('2026-11-20T10:00:00+08:00')
let world: World
let pm: Caller
let site: string
let crane: { id: string; name: string }
const overload: string[] = []
let meters: { id: string; name: string; family: string }[] = []
const dark: string[] = []

const open = (
  alarmKey: string,
  level: number,
  from: number,
  to?: number,
  state = 'open',
  at: { id: string; name: string; family: string } = { ...crane, family: 'towerCrane' },
) => {
  const active = to === undefined
  return givenAlarm(world, {
    projectCode: site,
    device: at,
    at: new Date(now + from * 1000),
    alarmKey,
    level,
    state,
    active,
    clearTime: active ? null : new Date(now + to * 1000),
  })
}
const waiting = { state: 'open,acknowledged', size: 100 }

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'), { clock: { now: () => now } })
  const city = await settleCity(world)
  pm = await city.as('hospital-pm')
  site = city.city.personas.find((p) => p.account === 'hospital-pm')!.projectCode!
  const found = city.city.devices.find((d) => d.projectCode === site && d.family === 'towerCrane')!
  crane = { id: found.id, name: found.name }
  overload.push(await open('momentAlarm', 2, -280, -230))
  overload.push(await open('loadAlarm', 2, -275))
  overload.push(await open('loadWarning', 3, -300, -200, 'acknowledged'))
  overload.push(await open('momentWarning', 3, -290))
  await open('windWarning', 4, -250)
  meters = city.city.devices.filter((d) => d.projectCode === site && d.family === 'electricMeter').slice(0, 3)
  // All three went offline within the hour, and one of them also half a day earlier.
  for (const [i, meter] of meters.entries())
    dark.push(await open(i === 1 ? 'powerOff' : 'offline', i === 1 ? 3 : 4, -3_600 + i * 600, undefined, 'open', meter))
  dark.push(await open('offline', 4, -50_000, -49_000, 'open', meters[0]))
  await open('momentAlarm', 2, -7200, -7100)
}, 120_000)
afterAll(() => world.close())

test('the desk has one row a happening, led by the worst that goes on, with the others beside it', async () => {
  const { list, total } = await pm.call(findAlarms, { query: { projectCode: site, deviceId: crane.id, merged: true, ...waiting } })
  expect(total).toBe(3)
  const lead = list.find((row) => row.id === overload[1])
  expect(lead?.beside?.map((one) => [one.id, one.level, one.state])).toEqual([
    [overload[0], 2, 'open'],
    [overload[3], 3, 'open'],
    [overload[2], 3, 'acknowledged'],
  ])
  expect(list.map((row) => row.beside?.length)).toEqual([3, 0, 0])
  const page = await pm.call(findAlarms, { query: { projectCode: site, deviceId: crane.id, merged: true, ...waiting, size: 2, page: 2 } })
  expect([page.list.length, page.total]).toEqual([1, 3])
})

test('the whole site’s happenings are those the contract makes of its alarms', async () => {
  const alone = await pm.call(findAlarms, { query: { projectCode: site, ...waiting } })
  expect(alone.list.every((row) => row.beside === undefined)).toBe(true)
  const merged = await pm.call(findAlarms, { query: { projectCode: site, merged: true, ...waiting } })
  const said = intoEpisodes(alone.list).map(({ lead, beside }) => [lead.id, ...beside.map((one) => one.id)].join())
  const shown = merged.list.map((row) => [row.id, ...(row.beside ?? []).map((one) => one.id)].join())
  expect(shown.toSorted()).toEqual(said.toSorted())
  expect(merged.total).toBe(said.length)
  // The figures that link to this list.
  expect([merged.alarms, alone.alarms]).toEqual([alone.total, alone.total])
})

test('an alarm’s file names the others of its happening', async () => {
  const file = await pm.call(getAlarm, { params: { id: overload[3] ?? '' }, query: { projectCode: site } })
  expect(file.beside.map((one) => one.id)).toEqual([overload[1], overload[0], overload[2]])
  expect(new Set(file.beside.map((one) => happeningOf(one.alarmLabel)))).toEqual(new Set(['overload']))
})

test('a count by project is one of alarms, merged or not', async () => {
  const query = { projectCode: site, deviceId: crane.id, groupBy: 'project' as const, ...waiting }
  const answers = await Promise.all([pm.call(listAlarms, { query }), pm.call(listAlarms, { query: { ...query, merged: true } })])
  expect(answers[1].list).toEqual(answers[0].list)
})

test('meters that fall silent together are one outage, told with their names', async () => {
  expect(meters).toHaveLength(3)
  const query = { projectCode: site, family: 'electricMeter', alarmKey: 'powerOff,offline', merged: true, ...waiting }
  const { list, total, alarms } = await pm.call(findAlarms, { query })
  const [lead] = list.filter((row) => row.id === dark[1])
  expect(lead?.beside?.map((one) => [one.id, one.deviceName])).toEqual([0, 2].map((i) => [dark[i], meters[i]?.name]))
  expect(list.find((row) => row.id === dark[3])?.beside).toEqual([])
  expect(alarms - total).toBe(2)
  const file = await pm.call(getAlarm, { params: { id: dark[2] ?? '' }, query: { projectCode: site } })
  expect(file.beside.map((one) => one.id)).toEqual([dark[1], dark[0]])
  expect((await pm.call(getAlarm, { params: { id: dark[3] ?? '' }, query: { projectCode: site } })).beside).toEqual([])
})

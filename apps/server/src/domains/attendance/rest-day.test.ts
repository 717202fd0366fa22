import * as daysCalls from '@zhugong/contract/attendance/days'
import * as presenceCalls from '@zhugong/contract/attendance/presence'
import * as settingCalls from '@zhugong/contract/attendance/setting'
import { isRestDate } from '@zhugong/contract/kit/rest-days'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type CityWorld, settleCity } from '../../../test/city.ts'
import { type Caller, openWorld, type World } from '../../../test/world.ts'
import { seedAttendance } from '../../demo/seed-attendance.ts'

/** A Sunday evening; the simulated sites rest on Sundays. */
const now = Date.parse('2026-11-22T20:30:00+08:00')
const sunday = '2026-11-22'
const friday = '2026-11-20'
let world: World
let settled: CityWorld
let manager: Caller

beforeAll(async () => {
  world = await openWorld(inject('postgresUrl'), { clock: { now: () => now } })
  settled = await settleCity(world, sunday)
  await seedAttendance(world.database, settled.city, now)
  manager = await settled.as('hospital-pm')
})
afterAll(() => world.close())

test('a rest day has no rate and nobody missing, though some came; a working day has both', async () => {
  const rest = await manager.call(daysCalls.dailyCounts, { query: { date: sunday } })
  expect(rest).toMatchObject({ rest: true, rate: null, expected: 0, absent: 0, keyAbsent: 0 })
  expect(rest.inPlace).toBeGreaterThan(0)
  expect(await manager.call(presenceCalls.realtimeOverview, { query: {} })).toMatchObject({ date: sunday, rate: null })
  const worked = await manager.call(daysCalls.dailyCounts, { query: { date: friday } })
  expect(worked.rest).toBe(false)
  expect(worked.rate).toBeCloseTo((worked.attended / worked.expected) * 100, 1)
})

test('each figure of a day is the total of the list its link opens, for each kind of account', async () => {
  for (const account of ['hospital-pm', 'yunze-lu', 'bj-zhao', 'city-fang', 'admin']) {
    const who = await settled.as(account)
    for (const date of [friday, sunday]) {
      const counts = await who.call(daysCalls.dailyCounts, { query: { date } })
      for (const chip of ['wrong', 'absent', 'inside', 'due', 'came', 'entered', 'keyAbsent'] as const) {
        const { total } = await who.call(daysCalls.listDaily, { query: { date, chip } })
        const figure = { due: counts.expected, came: counts.attended, entered: counts.came }
        expect([account, date, chip, total]).toEqual([account, date, chip, { ...counts, ...figure }[chip]])
      }
    }
  }
})

test('a stopped site is rated by nobody, and its key posts are due nowhere', async () => {
  const stopped = settled.city.projects.find((p) => p.prjStatus === '005')?.projectCode ?? ''
  const city = await settled.as('city-fang')
  expect(await city.call(daysCalls.dailyCounts, { query: { projectCode: stopped, date: friday } })).toMatchObject({
    rest: true,
    rate: null,
    keyAbsent: 0,
  })
})

test('weekdays rest by their pattern, save those that are made up', async () => {
  const reason = '冬季每周日休息'
  const body = { restDates: [], restWeekdays: [7], workDates: [sunday], effectiveFrom: '2026-11-16', reason }
  await manager.call(settingCalls.saveSetting, { body })
  const setting = (await manager.call(settingCalls.getSetting, { query: {} })) as unknown as Parameters<typeof isRestDate>[0]
  expect(isRestDate(setting, '2026-11-29')).toBe(true)
  expect(isRestDate(setting, sunday)).toBe(false)
  // A person's month marks the same rest days.
  const [someone] = (await manager.call(daysCalls.listDaily, { query: { date: sunday, size: 1 } })).list
  const month = await manager.call(daysCalls.personalDays, { query: { workerId: someone?.workerId ?? '', month: '2026-11' } })
  const sundays = ['2026-11-01', '2026-11-08', '2026-11-15', '2026-11-22', '2026-11-29']
  expect(month.restDates).toEqual(sundays.filter((date) => date !== sunday))
  const counts = await manager.call(daysCalls.dailyCounts, { query: { date: sunday } })
  expect(counts.rest).toBe(false)
  expect(counts.expected).toBeGreaterThan(0)
})

test('saving what is in force makes no version; a change that recomputes days asks for its reason at the field', async () => {
  const before = await manager.call(settingCalls.getSetting, { query: {} })
  const { version, effectiveFrom } = before
  expect(await manager.call(settingCalls.saveSetting, { body: { workStart: String(before.workStart) } })).toEqual({
    version,
    effectiveFrom,
    days: 0,
    changed: false,
  })
  const silent = await manager.ask(settingCalls.saveSetting, { body: { workStart: '06:45' } })
  expect(silent).toMatchObject({ http: 400, data: { field: 'reason' } })
  expect(silent.message).toContain('请填写调整原因')
  expect((await manager.call(settingCalls.getSetting, { query: {} })).versions).toEqual(before.versions)
  const later = await manager.call(settingCalls.saveSetting, { body: { workStart: '06:45', effectiveFrom: '2026-12-01' } })
  expect(later).toMatchObject({ changed: true, days: 0 })
})

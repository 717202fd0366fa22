import { dailyCounts, listDaily } from '@zhugong/contract/attendance/days'
import { realtimeOverview } from '@zhugong/contract/attendance/presence'
import { corpStats, inPlaceStats } from '@zhugong/contract/attendance/stats'
import { getMainPage } from '@zhugong/contract/home/endpoints'
import { listTeamStays } from '@zhugong/contract/labour/teams'
import { getTeamStay } from '@zhugong/contract/labour/unit-info'
import { stayFigures } from '@zhugong/contract/personnel/people'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { openCity, settleCity } from '../../../test/city.ts'
import type { Caller, World } from '../../../test/world.ts'
import { seedAttendance } from '../../demo/seed-attendance.ts'

/** 出勤率 is 实到 of 应到 from the day's own rows on every page, and does not change when the roster changes later. */

const now = Date.parse('2026-11-20T15:30:00+08:00')
const [yesterday, today] = ['2026-11-19', '2026-11-20']
let world: World
let labour: Caller
let projectCode: string

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'), { clock: { now: () => now } })
  const settled = await settleCity(world)
  projectCode = settled.city.personas.find((p) => p.account === 'hospital-labour')?.projectCode ?? ''
  await seedAttendance(world.database, settled.city, now, [projectCode])
  labour = await settled.as('hospital-labour')
})
afterAll(() => world.close())

const total = async (date: string, chip: 'due' | 'came' | 'absent' | 'entered') =>
  (await labour.call(listDaily, { query: { date, chip, size: 1 } })).total
const round = (part: number, whole: number) => Math.round((part / whole) * 10_000) / 100

test('the figures of a day are its rows: expected are those who came and those who did not', async () => {
  for (const date of [yesterday, today]) {
    const counts = await labour.call(dailyCounts, { query: { date } })
    expect(counts.expected).toBe(counts.attended + counts.absent)
    expect(counts.expected).toBeLessThan(counts.inPlace)
    expect(counts.rate).toBe(round(counts.attended, counts.expected))
    expect({
      expected: await total(date, 'due'),
      attended: await total(date, 'came'),
      absent: await total(date, 'absent'),
      came: await total(date, 'entered'),
    }).toEqual({ expected: counts.expected, attended: counts.attended, absent: counts.absent, came: counts.came })
    expect(counts.units.reduce((n, u) => n + u.due, 0)).toBe(counts.expected)
    expect(counts.units.reduce((n, u) => n + u.came, 0)).toBe(counts.attended)
  }
})

/** 应到, 实到 and the rate from each page. */
async function everywhere(date: string) {
  const counts = await labour.call(dailyCounts, { query: { date } })
  const range = { startDate: date, endDate: date }
  const { list: days } = await labour.call(inPlaceStats.byDay, { query: range })
  const { list: corps } = await labour.call(corpStats.rank, { query: { ...range, size: 100 } })
  return {
    list: [counts.expected, counts.attended, counts.rate],
    days: days.map((d) => [d.expected, d.arrived, d.rate]),
    ranks: corps.reduce((sum, c) => [sum[0]! + c.expected, sum[1]! + c.arrived], [0, 0]),
  }
}

test('one rate on list, statistics, overview, home and team', async () => {
  for (const date of [yesterday, today]) {
    const { list, days, ranks } = await everywhere(date)
    expect(days).toEqual([list])
    expect(ranks).toEqual(list.slice(0, 2))
  }
  const counts = await labour.call(dailyCounts, { query: {} })
  const overview = await labour.call(realtimeOverview, { query: {} })
  expect([overview.expected, overview.arrived, overview.rate, overview.attended]).toEqual([
    counts.expected,
    counts.attended,
    counts.rate,
    counts.came,
  ])
  expect(overview.corps.reduce((n, c) => n + c.arrived, 0)).toBe(counts.attended)
  const home = await labour.call(getMainPage, { query: {} })
  const figure = home.figures.find((f) => f.key === 'attended')
  expect(figure?.value).toBe(counts.came)
  expect(figure?.note).toBe(`应到 ${counts.expected}，实到 ${counts.attended}，出勤率 ${counts.rate}%`)
  expect(home.week.at(-2)).toMatchObject({ day: yesterday, attended: await total(yesterday, 'entered') })
  const { list: teams } = await labour.call(listTeamStays, { query: { size: 3 } })
  for (const { id, teamName, corpCode } of teams) {
    const team = await labour.call(getTeamStay, { params: { id } })
    const unit = counts.units.find((u) => u.teamName === teamName && u.corpCode === corpCode)
    expect(team.today).toEqual({ expected: unit?.due ?? 0, arrived: unit?.came ?? 0 })
  }
})

/** Yesterday's figures on pages with past days: the week of the home page and of the people list. */
async function lookingBack() {
  const home = await labour.call(getMainPage, { query: {} })
  return {
    home: home.week.find((d) => d.day === yesterday),
    people: (await labour.call(stayFigures, { query: { projectCode } })).cameByDay.at(-2),
  }
}

test('nobody who leaves or is registered today changes a figure of a day', async () => {
  const before = [await everywhere(yesterday), await everywhere(today)]
  const seenBack = await lookingBack()
  expect(seenBack.people).toBe(seenBack.home?.attended)
  const seen = await labour.call(realtimeOverview, { query: {} })
  const { rowCount } = await world.database.pool.query(
    `update project_worker set exit_time = $2 where id in (select id from project_worker where project_code = $1 and exit_time is null limit 30)`,
    [projectCode, new Date(now - 60_000)],
  )
  expect(rowCount).toBe(30)
  expect([await everywhere(yesterday), await everywhere(today)]).toEqual(before)
  expect(await lookingBack()).toEqual(seenBack)
  const after = await labour.call(realtimeOverview, { query: {} })
  expect(after.inPlace).toBe(seen.inPlace - 30)
  expect({ ...after, inPlace: 0, onDuty: 0, corps: [], workers: 0, managers: 0 }).toEqual({
    ...seen,
    inPlace: 0,
    onDuty: 0,
    corps: [],
    workers: 0,
    managers: 0,
  })
})

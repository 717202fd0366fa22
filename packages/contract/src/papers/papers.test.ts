import { describe, expect, test } from 'vitest'
import { cellState, isLate, lotWorks, paperColumns } from './catalogue.ts'
import { type DutyCalendar, daysLeft, duesOf, duties, dutyGroups, dutyState, mondayOf, periodOf, type Rhythm } from './duties.ts'

test.each([
  [true, { done: 0, waiting: 0 }, 'missing'],
  [false, { done: 0, waiting: 0 }, 'none'],
  [true, { done: 1, waiting: 0 }, 'full'],
  [false, { done: 1, waiting: 0 }, 'full'],
  [true, { done: 3, waiting: 1 }, 'waiting'],
  [false, { done: 0, waiting: 1 }, 'waiting'],
] as const)('a cell that is needed (%s) with %o: %s', (needed, counts, state) => {
  expect(cellState(needed, counts)).toBe(state)
})

test('a paper of the seventh day after the work is in time, of the eighth late', () => {
  expect([isLate('2026-02-24', '2026-03-03'), isLate('2026-02-24', '2026-03-04'), isLate('2026-12-29', '2027-01-06')]).toEqual([
    false,
    true,
    true,
  ])
})

test('catalogues name each thing once, and every work needs the acceptance of its lot', () => {
  expect(new Set(lotWorks.map((one) => one.code)).size).toBe(lotWorks.length)
  expect(lotWorks.every((one) => one.needs.includes('lot') && one.needs.every((column) => column in paperColumns))).toBe(true)
  expect(new Set(duties.map((one) => one.code)).size).toBe(duties.length)
  expect(new Set(duties.map((one) => one.group))).toEqual(new Set(Object.keys(dutyGroups)))
})

const dayMs = 86_400_000
const plus = (day: string, days: number) => new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10)
/** A small generator of its own: the same cases on every day and machine. */
function random(seed: number) {
  let seedState = seed
  return (below: number) => {
    seedState = (seedState * 1_103_515_245 + 12_345) % 2_147_483_648
    return seedState % below
  }
}
const always = () => true
const calendar = (since: string, today: string, works: DutyCalendar['works'] = always): DutyCalendar => ({ since, today, works })

describe('due dates', () => {
  test('a week is due on its last working day, a month on its last, whatever the day today is', () => {
    const stopped = (day: string) => day < '2026-02-07' || day > '2026-02-20'
    expect(duesOf('week', calendar('2026-02-04', '2026-02-22', stopped))).toEqual([
      { period: '2026-02-02', due: '2026-02-06' },
      { period: '2026-02-16', due: '2026-02-22' },
    ])
    expect(duesOf('month', calendar('2026-01-31', '2026-03-01'))).toEqual([
      { period: '2026-01', due: '2026-01-31' },
      { period: '2026-02', due: '2026-02-28' },
      { period: '2026-03', due: '2026-03-31' },
    ])
    expect(duesOf('day', calendar('2026-02-28', '2026-03-01')).map((one) => one.due)).toEqual(['2026-02-28', '2026-03-01'])
  })

  test('once on the first day; a node on its own day, from the first day to thirty days ahead', () => {
    expect(duesOf('once', calendar('2026-05-01', '2026-05-01'))).toEqual([{ period: 'once', due: '2026-05-01' }])
    const nodes = ['2026-04-30', '2026-05-01', '2026-06-09', '2026-06-10'].map((due) => ({ period: due, due }))
    expect(duesOf('node', calendar('2026-05-01', '2026-05-10'), nodes).map((one) => one.due)).toEqual(['2026-05-01', '2026-06-09'])
    for (const rhythm of ['once', 'day', 'week', 'month', 'node'] as const)
      expect(duesOf(rhythm, calendar('2026-05-02', '2026-05-01'), nodes)).toEqual([])
  })

  test.each(Array.from({ length: 60 }, (_, seed) => seed))('hold on any calendar, %i', (seed) => {
    const draw = random(seed + 1)
    const since = plus('2025-12-01', draw(400))
    const today = plus(since, draw(200))
    const stops = Array.from({ length: 3 }, () => plus(since, draw(200))).map((from) => [from, plus(from, draw(40))] as const)
    const works = (day: string) => stops.every(([from, until]) => day < from || day > until)
    for (const rhythm of ['day', 'week', 'month'] as const satisfies Rhythm[]) {
      const dues = duesOf(rhythm, calendar(since, today, works))
      expect(new Set(dues.map((one) => one.period)).size).toBe(dues.length)
      for (const { period, due } of dues) {
        expect([works(due), due >= since, periodOf(rhythm, due)]).toEqual([true, true, period])
        expect(period <= periodOf(rhythm, today)).toBe(true)
      }
      // Every working day up to today lies in a period that is owed, and no period without one is.
      for (let day = since; day <= today; day = plus(day, 1))
        if (works(day)) expect(dues.some((one) => one.period === periodOf(rhythm, day))).toBe(true)
    }
  })

  test('a Sunday belongs to the week of the Monday before', () => {
    expect([mondayOf('2026-11-30'), mondayOf('2026-11-29'), mondayOf('2027-01-03')]).toEqual(['2026-11-30', '2026-11-23', '2026-12-28'])
  })
})

test.each([
  [{ filed: true, exempt: true, due: '2026-05-01', expires: false }, 'filed'],
  [{ filed: false, exempt: true, due: '2026-05-01', expires: false }, 'exempt'],
  [{ filed: false, exempt: false, due: '2026-05-09', expires: false }, 'overdue'],
  [{ filed: false, exempt: false, due: '2026-05-10', expires: false }, 'open'],
  [{ filed: false, exempt: false, due: '2026-05-10', expires: true }, 'ending'],
  [{ filed: false, exempt: false, due: '2026-05-09', expires: true }, 'overdue'],
] as const)('%o on 10 May: %s', (given, state) => {
  expect(dutyState({ ...given, today: '2026-05-10' })).toBe(state)
  expect(daysLeft('2026-05-09', '2026-05-10')).toBe(-1)
})

import { readFileSync } from 'node:fs'
import { keyPosts } from '@zhugong/contract/attendance/facts'
import { rehearseInput } from '@zhugong/contract/attendance/rehearsal'
import { describe, expect, test } from 'vitest'
import { affectedByEvent, affectedByMove, affectedByPeriod, affectedBySetting, affectedByState, eventWindow } from './affected.ts'
import { byHour } from './by-hour.ts'
import { computeDays, daysOf, evaluate } from './day.ts'
import { correction, dayOf, eventFrom, full, site } from './given-for-test.ts'
import { keyPostFigures, keyPostOutlook, postMonth, thresholdOf } from './key-post.ts'
import { datesOfMonth, unitTotalsOf } from './month.ts'
import { attendanceRate, attendedToday, isInPlaceNow } from './now.ts'
import { factsOf } from './rehearse.ts'

const march = { from: '2026-03-01', to: '2026-03-31' }
const dates = (month: string, n: number) => Array.from({ length: n }, (_, i) => `${month}-${String(i + 1).padStart(2, '0')}`)
const fullDays = (days: string[]) => days.flatMap((d) => [`${d} 07:00 in`, `${d} 18:00 out`])

describe('A51-A53 month', () => {
  test('A51 sheets have 28 to 31 columns', () => {
    expect(['2026-02', '2028-02', '2026-04', '2026-12'].map((m) => datesOfMonth(m).length)).toEqual([28, 29, 30, 31])
  })
  test('A51 the night of the 31st belongs wholly to its month', () => {
    const out = site({ from: '2026-03-31', to: '2026-04-01', events: ['03-31 19:00 in', '04-01 07:00 out'] })
    expect(out.months['2026-03']).toMatchObject({ attendDays: 1, workHours: 12, night: 1 })
    expect(out.months['2026-04']).toMatchObject({ attendDays: 0, workHours: 0 })
  })
  test('A52 the sheet adds up from rounded days', () => {
    const events = dates('2026-03', 31).flatMap((d) => [`${d} 07:00:00 in`, `${d} 15:03:00 out`])
    const out = site({ ...march, events })
    expect(out.months['2026-03']).toMatchObject({ attendDays: 31, workHours: 251.1, early: 31, late: 0, overtimeHours: 0 })
  })
  test('A52 counts days with each result; overtime hours when on', () => {
    const setting = { standardHours: 9.5 }
    const events = [
      ...fullDays(['2026-03-02', '2026-03-03']),
      '03-04 08:00 in',
      '03-04 18:00 out',
      '03-05 07:00 in',
      { at: '03-06 07:00 in', received: '03-09 07:00:00' },
      '03-06 18:00 out',
    ]
    const corrections = [
      correction('l', 'leave', {
        fromDay: '2026-03-09',
        toDay: '2026-03-10',
        requestedAt: '2026-03-08 08:00:00',
        approvedAt: '2026-03-08 09:00:00',
      }),
      correction('a', 'add', {
        time: '2026-03-05 18:00:00',
        direction: '02',
        requestedAt: '2026-03-06 08:00:00',
        approvedAt: '2026-03-06 09:00:00',
      }),
    ]
    expect(site({ from: '2026-03-02', to: '2026-03-11', setting, events, corrections }).months['2026-03']).toEqual({
      attendDays: 5,
      workHours: 54,
      late: 1,
      early: 0,
      missing: 0,
      absent: 3,
      leave: 2,
      overtime: 5,
      stop: 0,
      night: 0,
      lateData: 1,
      corrected: 1,
      overtimeHours: 6.5,
    })
  })
  test('A52 days not in place are no days; a month without any has no sheet', () => {
    const rows = [{ entryTime: '2026-03-30', exitTime: '2026-03-31', corpCode: 'C', teamSysNo: 'T' }]
    const out = site({ from: '2026-03-01', to: '2026-04-10', rows })
    expect(out.days).toHaveLength(2)
    expect(Object.keys(out.months)).toEqual(['2026-03'])
  })
  test('A53 whoever changed team stands under each, and the columns add up', () => {
    const rows = [
      { entryTime: '2026-01-05', exitTime: '2026-03-03 12:00:00', corpCode: 'C1', teamSysNo: 'T1' },
      { entryTime: '2026-03-03 12:00:00', corpCode: 'C1', teamSysNo: 'T2' },
    ]
    const input = rehearseInput.parse({
      worker: { workerId: 'w1', rows },
      events: fullDays(['2026-03-02', '2026-03-03', '2026-03-04']).map(eventFrom),
      ...march,
      now: full('04-20 12:00'),
    })
    expect(unitTotalsOf(computeDays(factsOf(input), '2026-03-01', '2026-03-31'))).toEqual([
      { corpCode: 'C1', teamSysNo: 'T1', attendDays: 1, workHours: 16 },
      { corpCode: 'C1', teamSysNo: 'T2', attendDays: 2, workHours: 17 },
    ])
  })
})

describe('A54-A57 key posts', () => {
  const worker = { post: '1009' }
  const rows = [{ entryTime: '2026-02-15', corpCode: 'C1' }]
  const present = (n: number) =>
    site({ ...march, rows, worker: { workerId: 'w1', post: '1009', rows }, events: fullDays(dates('2026-03', n)) }).keyPost['2026-03']
  test('A54-A56 present, needed, rate, below; exactly the threshold is not below', () => {
    expect(present(25)).toEqual({ required: 31, present: 25, needed: 25, rate: 80.65, below: false })
    expect(present(24)).toEqual({ required: 31, present: 24, needed: 25, rate: 77.42, below: true })
    expect(keyPostFigures(30, 24, 80)).toEqual({ required: 30, present: 24, needed: 24, rate: 80, below: false })
    expect(keyPostFigures(3, 2, 66.67)).toMatchObject({ below: true, needed: 3 })
    expect(keyPostFigures(3, 2, 66.66)).toMatchObject({ below: false, needed: 2 })
  })
  test('A56 required 0: no rate, nobody below', () => {
    expect(keyPostFigures(0, 0, 80)).toEqual({ required: 0, present: 0, needed: 0, rate: null, below: false })
  })
  test('A56 the larger of setting and post; other posts have none', () => {
    expect(thresholdOf('1009', 60)).toBe(80)
    expect(thresholdOf('1009', 90)).toBe(90)
    expect(thresholdOf('1011', 60)).toBe(60)
    expect(thresholdOf('1014', 60)).toBeUndefined()
    expect(thresholdOf(null, 60)).toBeUndefined()
    expect(site({ events: [] }).keyPost).toEqual({})
  })
  test('A54 key posts are those of the dictionary', () => {
    const text = readFileSync(new URL('../../../../../../packages/contract/src/data/dictionaries.json', import.meta.url), 'utf8')
    const dictionary = JSON.parse(text) as { managerPost: { items: { code: string; key?: boolean; minPresence?: number }[] } }
    const expected = dictionary.managerPost.items
      .filter((i) => i.key)
      .map((i) => [i.code, { minPresence: Math.round((i.minPresence ?? 0) * 100) }])
    expect(keyPosts).toEqual(Object.fromEntries(expected))
  })
  const keyPost = (given: Partial<Parameters<typeof site>[0]>) =>
    site({ ...march, worker: { workerId: 'w1', ...worker, rows }, ...given }).keyPost['2026-03']
  test('A54 first and last day of the stay, rest dates, stopped days are not required; leave lessens nothing', () => {
    const short = [{ entryTime: '2026-03-02', exitTime: '2026-03-11', corpCode: 'C1' }]
    expect(keyPost({ worker: { workerId: 'w1', ...worker, rows: short } })?.required).toBe(8)
    expect(keyPost({ setting: { restDates: ['2026-03-08', '2026-03-15'] } })?.required).toBe(29)
    expect(
      keyPost({
        project: {
          states: [
            { state: '003', from: '2026-01-01 00:00:00' },
            { state: '005', from: '2026-03-10 17:00:00' },
            { state: '003', from: '2026-03-12 07:00:00' },
          ],
        },
      })?.required,
    ).toBe(29)
    expect(keyPost({ corrections: [correction('l', 'leave', { fromDay: '2026-03-03', toDay: '2026-03-20' })] })?.required).toBe(31)
  })
  test('A54 not before the day is closed', () => {
    expect(keyPost({ now: '03-11 03:59:59' })?.required).toBe(9)
    expect(keyPost({ now: '03-11 04:00:00' })?.required).toBe(10)
  })
  test('A55 a single punch is not presence', () => {
    expect(
      keyPost({ events: ['03-02 07:00 in', '03-03 07:00 in', '03-03 07:02:59 out', '03-04 07:00 in', '03-04 07:03 out'] })?.present,
    ).toBe(1)
  })

  const facts = (now: string, events: string[]) =>
    factsOf(
      rehearseInput.parse({ worker: { workerId: 'w1', post: '1009', rows }, events: events.map(eventFrom), ...march, now: full(now) }),
    )
  test('A57 a warning as soon as the month cannot be reached, not a day sooner', () => {
    const outlook = (now: string, events: string[] = []) => {
      const f = facts(now, events)
      return keyPostOutlook(f, evaluate(f), '2026-03', '1009')!
    }
    expect(outlook('03-07 12:00')).toMatchObject({ required: 6, unreachable: false, settled: false })
    expect(outlook('03-08 12:00')).toMatchObject({ required: 7, unreachable: true })
    expect(outlook('04-01 03:59:59').settled).toBe(false)
    expect(outlook('04-01 04:00:00')).toMatchObject({ required: 31, settled: true, below: true })
  })
  test('A57 a post: days any holder was present of days required of any', () => {
    const of = (events: string[]) => computeDays(facts('04-20 12:00', events), '2026-03-02', '2026-03-05')
    expect(postMonth([of(fullDays(['2026-03-02', '2026-03-03'])), of(fullDays(['2026-03-03', '2026-03-04']))], 80)).toEqual({
      required: 4,
      present: 3,
      needed: 4,
      rate: 75,
      below: true,
    })
  })
})

describe('A58-A61 now', () => {
  const onDuty = (events: Parameters<typeof site>[0]['events'], now: string, more = {}) => site({ events, now, ...more }).onDuty
  test('A58 half-open: entered and not exited at this moment', () => {
    const rows = [{ entryTime: 1000, exitTime: 2000, formalFrom: null, corpCode: 'C', teamSysNo: null }]
    expect([999, 1000, 1999, 2000].map((now) => isInPlaceNow(rows, now))).toEqual([false, true, true, false])
  })
  test('A59 an in this work day, an inferred one too', () => {
    const attended = (events: string[], now: string) => {
      const f = factsOf(
        rehearseInput.parse({
          worker: { workerId: 'w1', rows: [{ entryTime: '2026-01-05', corpCode: 'C' }] },
          events: events.map(eventFrom),
          ...march,
          now: full(now),
        }),
      )
      return attendedToday(f, evaluate(f))
    }
    expect(attended(['03-02 07:00 in'], '03-02 12:00')).toBe(true)
    expect(attended(['03-02 07:00'], '03-02 12:00')).toBe(true)
    expect(attended(['03-02 07:00 out'], '03-02 12:00')).toBe(false)
    expect(attended(['03-02 07:00 in'], '03-03 03:59:59')).toBe(true)
    expect(attended(['03-02 07:00 in'], '03-03 04:00:00')).toBe(false)
  })
  test('A60 last passage an in, at most 24 h old, inclusive', () => {
    expect(onDuty(['03-02 07:00:00 in'], '03-03 07:00:00')).toBe(true)
    expect(onDuty(['03-02 07:00:00 in'], '03-03 07:00:01')).toBe(false)
    expect(onDuty(['03-02 07:00 in', '03-02 12:00 out'], '03-02 13:00')).toBe(false)
    expect(onDuty(['03-02 07:00 in', '03-02 12:00 out', '03-02 12:30'], '03-02 13:00')).toBe(true)
    expect(onDuty([], '03-02 13:00')).toBe(false)
  })
  test('A60 no 007 at or after it; an earlier one says nothing', () => {
    const cleared = (at: string) => ['03-02 07:00:00 in', { at, type: '007' }]
    expect(onDuty(cleared('03-02 07:00:00 out'), '03-02 13:00')).toBe(false)
    expect(onDuty(cleared('03-02 12:00:00 out'), '03-02 13:00')).toBe(false)
    expect(onDuty(cleared('03-02 06:59:59 out'), '03-02 13:00')).toBe(true)
  })
  test('A60 by event time: a late upload of an earlier exit does not take a person out', () => {
    expect(onDuty(['03-02 13:00 in', { at: '03-02 12:00 out', received: '03-02 14:00:00' }], '03-02 15:00')).toBe(true)
  })
  test('A60 an inner passage says nothing, who has exited is not on duty', () => {
    expect(onDuty(['03-02 07:00 in', { at: '03-02 09:00 out', gate: 'G2' }], '03-02 10:00', { gates: { G2: { role: 'inner' } } })).toBe(
      true,
    )
    const rows = [{ entryTime: '2026-01-05', exitTime: '2026-03-02 12:00:00', corpCode: 'C' }]
    expect(onDuty(['03-02 07:00 in'], '03-02 11:59:59', { rows })).toBe(true)
    expect(onDuty(['03-02 07:00 in'], '03-02 12:00:00', { rows })).toBe(false)
  })
  test('A61 two decimals, null when nobody is expected', () => {
    expect([attendanceRate(2, 3), attendanceRate(1, 8), attendanceRate(431, 431), attendanceRate(0, 0)]).toEqual([66.67, 12.5, 100, null])
  })
})

describe('A62 by hour', () => {
  const hoursOf = (events: Parameters<typeof site>[0]['events'], more: Partial<Parameters<typeof site>[0]> = {}) =>
    site({ events, ...more }).byHour['2026-03-02']!
  test('A62 counts by the wall clock, inside with start < T <= end', () => {
    const out = hoursOf(['03-02 07:00:00 in', '03-02 12:00:00 out', '03-02 13:00:00 in', '03-02 17:59:59 out'])
    expect([out['06'], out['07'], out['11'], out['12'], out['13'], out['17'], out['18']]).toEqual([
      [0, 0, 0],
      [1, 0, 1],
      [0, 0, 1],
      [0, 1, 0],
      [1, 0, 1],
      [0, 1, 0],
      [0, 0, 0],
    ])
    expect(Object.keys(out)).toHaveLength(24)
  })
  test('A62 an entry exactly at the end of an hour is not inside yet', () => {
    expect(hoursOf(['03-02 08:00:00 in', '03-02 09:00:00 out'])).toMatchObject({ '07': [0, 0, 0], '08': [1, 0, 1], '09': [0, 1, 0] })
  })
  test('A62 after an unpaired entry until the next passage, or maxSpanHours', () => {
    const out = hoursOf(['03-02 07:30 in', '03-02 09:30 in', '03-02 10:30 out'])
    expect([out['07'], out['08'], out['09'], out['10']]).toEqual([
      [1, 0, 1],
      [0, 0, 1],
      [1, 0, 1],
      [0, 1, 0],
    ])
    const alone = hoursOf(['03-02 07:00 in'])
    expect([alone['22'], alone['23']]).toEqual([
      [0, 0, 1],
      [0, 0, 0],
    ])
  })
  test('A62 order of the work day: the hours before the cut are those of the next date', () => {
    const input = rehearseInput.parse({
      worker: { workerId: 'w1', rows: [{ entryTime: '2026-01-05', corpCode: 'C' }] },
      events: ['03-02 19:00 in', '03-03 03:30 out'].map(eventFrom),
      ...march,
      now: full('04-20 12:00'),
    })
    const rows = byHour(
      [evaluate(factsOf(input))],
      '2026-03-02',
      4 * 3_600_000,
      input.now.length === 0 ? 0 : Date.parse('2026-04-20T12:00:00+08:00'),
    )
    expect(rows.map((r) => r.hour).join(' ')).toBe('04 05 06 07 08 09 10 11 12 13 14 15 16 17 18 19 20 21 22 23 00 01 02 03')
    expect(rows.at(-1)).toEqual({ hour: '03', inCount: 0, outCount: 1, onDuty: 0 })
    expect(rows.at(-2)?.onDuty).toBe(1)
  })
  test('A62 repeats and inner passages are not passages; the running hour shows now, later ones nobody', () => {
    const gates = { G2: { role: 'inner' } }
    const out = hoursOf(['03-02 07:00:00 in', '03-02 07:00:40 in', { at: '03-02 07:30 in', gate: 'G2' }], { gates, now: '03-02 09:30' })
    expect([out['07'], out['09'], out['10']]).toEqual([
      [1, 0, 1],
      [0, 0, 1],
      [0, 0, 0],
    ])
  })
})

describe('A40, A48 what to recompute', () => {
  test('A48 an event: the day before, its own, the day after', () => {
    expect(affectedByEvent('2026-03-01')).toEqual({ from: '2026-02-28', to: '2026-03-02' })
    expect(affectedByEvent('2026-03-05', '2026-03-02')).toEqual({ from: '2026-03-01', to: '2026-03-06' })
  })
  test('A48 leave: its days', () => {
    expect(affectedByPeriod({ fromDay: '2026-03-02', toDay: '2026-03-04' })).toEqual({ from: '2026-03-02', to: '2026-03-04' })
    expect(affectedByPeriod({ fromDay: null, toDay: null })).toBeUndefined()
  })
  test('A40 a moved exit: all days between, and a neighbour stay', () => {
    const at = (d: string) => Date.parse(`${d}T12:00:00+08:00`)
    expect(affectedByMove(at('2026-03-10'), at('2026-03-05'), '2026-04-01')).toEqual({ from: '2026-03-04', to: '2026-03-11' })
    expect(affectedByMove(at('2026-03-10'), null, '2026-04-01')).toEqual({ from: '2026-03-09', to: '2026-04-02' })
  })
  test('A48 states and settings', () => {
    expect(affectedByState(Date.parse('2026-03-10T05:00:00+08:00'), Date.parse('2026-03-12T05:00:00+08:00'), '2026-04-01')).toEqual({
      from: '2026-03-09',
      to: '2026-03-12',
    })
    expect(affectedBySetting('2026-03-10', false, '2026-03-01', '2026-04-01')).toEqual({ from: '2026-03-10', to: '2026-04-01' })
    expect(affectedBySetting('2026-03-10', true, '2026-03-01', '2026-04-01')).toEqual({ from: '2026-03-09', to: '2026-04-01' })
    expect(affectedBySetting('2026-02-10', false, '2026-03-01', '2026-04-01')?.from).toBe('2026-03-01')
    expect(affectedBySetting('2026-05-01', false, '2026-03-01', '2026-04-01')).toBeUndefined()
    expect(eventWindow({ from: '2026-03-01', to: '2026-03-02' })).toEqual({ from: '2026-02-27', to: '2026-03-04' })
  })
})

test('A57 a day says whether it was required and whether its holder was there', () => {
  const input = rehearseInput.parse({
    worker: { workerId: 'w1', rows: [{ entryTime: '2026-01-05', corpCode: 'C' }] },
    events: [],
    ...march,
    now: full('04-20 12:00'),
  })
  const f = factsOf(input)
  expect(daysOf(f, evaluate(f), '2026-03-02', '2026-03-02')).toMatchObject([
    { required: true, present: false, expected: true, settled: true },
  ])
  expect(dayOf({}).results).toEqual([5])
})

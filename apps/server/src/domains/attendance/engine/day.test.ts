import { rehearseInput } from '@zhugong/contract/attendance/rehearsal'
import { describe, expect, test } from 'vitest'
import { atClose, tenthsOf } from './day.ts'
import { correction, dayOf, eventFrom, site } from './given-for-test.ts'
import { factsOf } from './rehearse.ts'

const worked = ['03-02 07:00 in', '03-02 18:00 out']
const results = (given: Parameters<typeof site>[0]) => dayOf(given).results

describe('A25-A28 figures', () => {
  test('A25 firstIn is the first counted in, paired or not', () => {
    expect(dayOf({ events: ['03-02 06:00 in', '03-02 07:00 in', '03-02 18:00 out'] }).firstIn).toBe('2026-03-02 06:00:00')
  })
  test.each([
    ['12:00-13:00', [['12:00', '13:00']], 10],
    ['as objects', [{ from: '12:00', to: '13:00' }], 10],
    [
      'overlapping breaks count once',
      [
        ['12:00', '13:00'],
        ['12:30', '13:30'],
      ],
      9.5,
    ],
    ['until 24:00', [['23:00', '24:00']], 11],
    ['a whole day out', [['04:00', '23:00']], 0],
  ])('A26 breaks: %s', (_, breaks, hours) => {
    expect(dayOf({ events: worked, setting: { breaks } }).workHours).toBe(hours)
  })
  test('A26 who punched out for the break loses nothing twice', () => {
    const events = ['03-02 07:00 in', '03-02 12:10 out', '03-02 12:50 in', '03-02 18:00 out']
    expect(dayOf({ events, setting: { breaks: [['12:00', '13:00']] } }).workHours).toBe(10)
  })
  test('A26 a break past midnight, on whatever date', () => {
    expect(dayOf({ events: ['03-02 19:00 in', '03-03 07:00 out'], setting: { breaks: [['23:30', '00:30']] } }).workHours).toBe(11)
    expect(dayOf({ events: ['03-02 19:00 in', '03-03 07:00 out'], setting: { breaks: [['02:00', '03:00']] } }).workHours).toBe(11)
    expect(dayOf({ events: ['03-02 04:10 in', '03-02 06:10 out'], setting: { breaks: [['23:10', '05:10']] } }).workHours).toBe(1)
  })
  test.each([
    ['00:02:59', 0],
    ['00:03:00', 0.1],
    ['08:02:59', 8],
    ['08:03:00', 8.1],
    ['08:08:59', 8.1],
    ['08:09:00', 8.2],
  ])('A27 half up at x.x5 h: %s is %s h', (length, hours) => {
    const [h, m, s] = length.split(':').map(Number) as [number, number, number]
    expect(tenthsOf((h * 3600 + m * 60 + s) * 1000) / 10).toBe(hours)
    const out = new Date(Date.UTC(2026, 2, 2, 7 + h, m, s)).toISOString().slice(5, 19).replace('T', ' ')
    expect(dayOf({ events: ['03-02 07:00:00 in', `${out} out`] }).workHours).toBe(hours)
  })
  test('A27 rounded once per day, not per pair', () => {
    const events = ['03-02 07:00:00 in', '03-02 07:02:00 out', '03-02 08:00:00 in', '03-02 08:02:00 out']
    expect(dayOf({ events }).workHours).toBe(0.1)
  })
  test('A27 at most 24 h', () => {
    const setting = { maxSpanHours: 24 }
    const events = ['03-02 04:00:00 in', '03-03 03:00:00 out', '03-03 03:30:00 in', '03-04 03:00:00 out']
    const day = dayOf({ setting, events })
    expect(day.workHours).toBe(24)
    expect(day.parts).toEqual([{ corpCode: 'C1', teamSysNo: 'T1', workHours: 24, attendDay: 1 }])
  })
  test('A28 minHours equal is a day, as displayed', () => {
    const setting = { minHours: 8 }
    expect(dayOf({ setting, events: ['03-02 07:00:00 in', '03-02 15:00:00 out'] }).attendDay).toBe(1)
    expect(dayOf({ setting, events: ['03-02 07:00:00 in', '03-02 14:57:00 out'] })).toMatchObject({ workHours: 8, attendDay: 1 })
    expect(dayOf({ setting, events: ['03-02 07:00:00 in', '03-02 14:56:59 out'] })).toMatchObject({
      workHours: 7.9,
      attendDay: 0,
      results: [3, 5],
    })
  })
})

describe('A29 closed and settled', () => {
  const at = (now: string, events: string[] = ['03-02 07:30 in', '03-02 17:00 out']) => dayOf({ events, now })
  test('A29 days up to today only; today begins at the cut', () => {
    expect(site({ to: '2026-03-05', now: '03-04 03:59:59' }).days.map((d) => d.workDay)).toEqual(['2026-03-02', '2026-03-03'])
    expect(site({ to: '2026-03-05', now: '03-04 04:00:00' }).days).toHaveLength(3)
  })
  test('A29 before the close 2 is given, 1, 3, 4, 5 are not', () => {
    expect(at('03-03 03:59:59').results).toEqual([2])
    expect(at('03-03 04:00:00').results).toEqual([2, 3])
    expect(at('03-03 03:59:59', ['03-02 07:00 in', '03-02 18:00 out'])).toMatchObject({ results: [], attendDay: 1, workHours: 11 })
    expect(at('03-03 03:59:59', []).results).toEqual([])
    expect(at('03-03 04:00:00', []).results).toEqual([5])
    expect(at('03-03 03:59:59', ['03-02 18:00 out']).results).toEqual([])
    expect(at('03-03 04:00:00', ['03-02 18:00 out']).results).toEqual([4])
  })
  test('A29 an open entry is pending until entry + maxSpanHours where that is later', () => {
    expect(at('03-03 10:59:59', ['03-02 19:00 in']).results).toEqual([])
    expect(at('03-03 11:00:00', ['03-02 19:00 in']).results).toEqual([4])
    expect(at('03-03 04:00:00', ['03-02 07:00 in']).results).toEqual([4])
  })
  test('A29, A33 a fault that is certain is told although another entry is pending', () => {
    expect(at('03-03 05:00:00', ['03-02 06:00 in', '03-02 18:30 in']).results).toEqual([4])
    expect(at('03-03 05:00:00', ['03-02 06:00 in', '03-02 17:00 out', '03-02 18:30 in']).results).toEqual([])
  })
  test('A44, A82 what came after `now` does not exist yet', () => {
    expect(dayOf({ events: worked, now: '03-02 12:00' })).toMatchObject({ recordCount: 1, lastOut: null })
  })
})

describe('A30 expected', () => {
  test('A30, A34 absent', () => expect(results({})).toEqual([5]))
  const states = (...s: [string, string][]) => ({ project: { states: s.map(([state, from]) => ({ state, from })) } })
  test.each([
    [
      'stopped at workStart',
      [
        ['003', '2026-01-01 00:00:00'],
        ['005', '2026-03-02 07:00:00'],
      ],
      [8],
    ],
    [
      'stopped one second before workEnd',
      [
        ['003', '2026-01-01 00:00:00'],
        ['005', '2026-03-02 17:59:59'],
      ],
      [8],
    ],
    [
      'stopped at workEnd',
      [
        ['003', '2026-01-01 00:00:00'],
        ['005', '2026-03-02 18:00:00'],
      ],
      [5],
    ],
    [
      'resumed at workStart',
      [
        ['005', '2026-01-01 00:00:00'],
        ['003', '2026-03-02 07:00:00'],
      ],
      [5],
    ],
    [
      'resumed one second later',
      [
        ['005', '2026-01-01 00:00:00'],
        ['003', '2026-03-02 07:00:01'],
      ],
      [8],
    ],
    [
      'stopped and resumed inside the shift',
      [
        ['003', '2026-01-01 00:00:00'],
        ['005', '2026-03-02 10:00:00'],
        ['003', '2026-03-02 11:00:00'],
      ],
      [8],
    ],
    ['in preparation', [['001', '2026-01-01 00:00:00']], []],
    [
      'completed during the shift',
      [
        ['003', '2026-01-01 00:00:00'],
        ['004', '2026-03-02 12:00:00'],
      ],
      [],
    ],
    ['before the first known state', [['003', '2026-03-02 07:00:01']], []],
  ] as [string, [string, string][], number[]][])('A30, A35 %s', (_, s, expected) => {
    expect(results(states(...s))).toEqual(expected)
  })
  test('A35 stop-work: records, hours and the day count as usual, 2, 3, 5 are not given', () => {
    const stop = states(['003', '2026-01-01 00:00:00'], ['005', '2026-03-02 10:00:00'])
    expect(dayOf({ ...stop, events: ['03-02 08:00 in', '03-02 16:00 out'] })).toMatchObject({ workHours: 8, attendDay: 1, results: [1, 8] })
    expect(results({ ...stop, events: ['03-02 08:00 in'] })).toEqual([4, 8])
  })
  test('A30, A37 a rest date: nothing is expected, who comes has a normal day', () => {
    const setting = { restDates: ['2026-03-02'] }
    expect(results({ setting })).toEqual([])
    expect(results({ setting, events: ['03-02 09:00 in', '03-02 15:00 out'] })).toEqual([1])
  })
  test('A30 formal not later than the shift begins', () => {
    const row = { entryTime: '2026-01-05 08:00:00', corpCode: 'C', teamSysNo: 'T' }
    expect(results({ rows: [{ ...row, formalFrom: '2026-03-02 07:00:00' }] })).toEqual([5])
    expect(results({ rows: [{ ...row, formalFrom: '2026-03-02 07:00:01' }] })).toEqual([])
    expect(results({ rows: [{ ...row, formalFrom: null }] })).toEqual([])
    expect(results({ rows: [row] })).toEqual([5])
  })
  test('a shift that meets a suspension from work expects nobody and says so; before and after it all is as ever', () => {
    const paused = (from: string, until?: string) =>
      results({ rows: [{ entryTime: '2026-01-05 08:00:00', corpCode: 'C', teamSysNo: 'T', pauses: [{ from, until }] }] })
    expect(paused('2026-02-27 00:00:00')).toEqual([12])
    expect(paused('2026-03-02 14:00:00')).toEqual([12])
    expect(paused('2026-02-27 00:00:00', '2026-03-02 07:00:01')).toEqual([12])
    expect(paused('2026-02-27 00:00:00', '2026-03-02 07:00:00')).toEqual([5])
    expect(paused('2026-03-02 20:00:00')).toEqual([5])
  })
})

describe('A31 late', () => {
  const late = (time: string, setting: Record<string, unknown> = {}) =>
    results({ setting, events: [`03-02 ${time} in`, '03-02 18:30:00 out'] }).includes(2)
  test.each([
    ['07:00:59', 0, false],
    ['07:01:00', 0, true],
    ['07:05:59', 5, false],
    ['07:06:00', 5, true],
    ['09:00:59', 120, false],
    ['09:01:00', 120, true],
    ['17:59:59', 0, true],
    ['18:00:00', 0, false],
  ])('A31 in at %s with %s min of grace: %s', (time, lateMinutes, expected) => {
    expect(late(time, { lateMinutes })).toBe(expected)
  })
  test('A31 not when the first passage is an out', () => {
    expect(results({ events: ['03-02 06:00 out', '03-02 09:00 in', '03-02 18:00 out'] })).toEqual([4])
  })
  test('A31 not on the first day of the stay', () => {
    const rows = [{ entryTime: '2026-03-02 10:00:00', corpCode: 'C', teamSysNo: 'T' }]
    expect(results({ rows, events: ['03-02 10:00 in', '03-02 18:00 out'] })).toEqual([1])
    expect(dayOf({ rows, from: '2026-03-03', events: ['03-03 10:00 in', '03-03 18:00 out'] }).results).toEqual([2])
  })
  test('A31 not beside 9, unless the shift crosses midnight', () => {
    expect(results({ events: ['03-02 15:00 in', '03-03 01:00 out'] })).toEqual([1, 9])
    const night = { workStart: '19:00', workEnd: '07:00', crossMidnight: true, dayCut: '12:00' }
    expect(results({ setting: night, events: ['03-02 19:01 in', '03-03 06:59 out'] })).toEqual([2, 3, 9])
    expect(results({ setting: night, events: ['03-02 19:00:59 in', '03-03 06:59:01 out'] })).toEqual([1, 9])
  })
})

describe('A32 early', () => {
  const early = (time: string, setting: Record<string, unknown> = {}) =>
    results({ setting, events: ['03-02 06:50:00 in', `03-02 ${time} out`] }).includes(3)
  test.each([
    ['17:59:00', 0, true],
    ['17:59:01', 0, false],
    ['18:00:00', 0, false],
    ['17:54:00', 5, true],
    ['17:55:00', 5, false],
    ['17:54:01', 5, false],
    ['07:00:00', 0, false],
    ['07:00:01', 0, true],
  ])('A32 out at %s with %s min of grace: %s', (time, earlyMinutes, expected) => {
    expect(early(time, { earlyMinutes })).toBe(expected)
  })
  test('A32 not when the last passage is an in', () => {
    expect(results({ events: ['03-02 07:00 in', '03-02 12:00 out', '03-02 13:00 in'] })).toEqual([4])
  })
  test('A32 not on the last day of the stay; absent neither', () => {
    const rows = [{ entryTime: '2026-01-05 08:00:00', exitTime: '2026-03-02 12:00:00', corpCode: 'C', teamSysNo: 'T' }]
    expect(results({ rows, events: ['03-02 07:00 in', '03-02 11:00 out'] })).toEqual([1])
    expect(results({ rows })).toEqual([])
    expect(dayOf({ rows, from: '2026-03-01' }).results).toEqual([5])
  })
  test('A14 a stay runs on where the dates touch', () => {
    const row = { corpCode: 'C', teamSysNo: 'T' }
    const rows = (next: string) => [
      { ...row, entryTime: '2026-01-05 08:00:00', exitTime: '2026-03-02 12:00:00' },
      { ...row, entryTime: next },
    ]
    expect(results({ rows: rows('2026-03-03 09:00:00') })).toEqual([5])
    expect(results({ rows: rows('2026-03-04 09:00:00') })).toEqual([])
    expect(results({ rows: rows('2026-03-02 13:00:00') })).toEqual([5])
  })
})

describe('A35, A36 beside the day', () => {
  test('A35 leave: records count, 2, 3, 5 are not given', () => {
    const corrections = [correction('l', 'leave', { fromDay: '2026-03-02', toDay: '2026-03-03' })]
    expect(results({ corrections })).toEqual([6])
    expect(dayOf({ corrections, events: ['03-02 09:00 in', '03-02 12:00 out'] })).toMatchObject({
      results: [1, 6],
      attendDay: 1,
      workHours: 3,
    })
    expect(dayOf({ corrections, from: '2026-03-04' }).results).toEqual([5])
  })
  test('A35 overtime is more than the standard hours, not equal', () => {
    expect(results({ events: worked, setting: { standardHours: 11 } })).toEqual([1])
    expect(results({ events: worked, setting: { standardHours: 10.9 } })).toEqual([1, 7])
    expect(results({ events: worked })).toEqual([1])
  })
  test('A36 night: 3 h between 22:00 and 06:00, exactly', () => {
    expect(results({ events: ['03-02 15:00:00 in', '03-03 01:00:00 out'] })).toEqual([1, 9])
    expect(results({ events: ['03-02 15:00:00 in', '03-03 00:59:59 out'] })).not.toContain(9)
    expect(results({ events: ['03-02 04:00:00 in', '03-02 18:00:00 out'] })).not.toContain(9)
    expect(results({ events: ['03-03 02:00:00 in', '03-03 07:00:00 out'] })).toContain(9)
    expect(results({ events: ['03-02 15:00:00 in', '03-03 01:00:00 out'], setting: { breaks: [['23:00', '23:01']] } })).not.toContain(9)
  })
  test('A36 late data: more than 48 h, not exactly', () => {
    expect(results({ events: [{ at: '03-02 07:00:00 in', received: '03-04 07:00:00' }, '03-02 18:00 out'] })).toEqual([1])
    expect(results({ events: [{ at: '03-02 07:00:00 in', received: '03-04 07:00:01' }, '03-02 18:00 out'] })).toEqual([1, 10])
    expect(results({ events: [...worked, { at: '03-02 07:00:30 in', received: '03-09 07:00:00' }] })).toEqual([1, 10])
  })
  test('A36 a late event that does not count marks nothing', () => {
    expect(results({ events: [...worked, { at: '03-02 08:00 in', received: '03-09 07:00:00', pass: 0 }] })).toEqual([1])
  })
})

describe('A38, A39 a change inside the day', () => {
  const rows = [
    { entryTime: '2026-01-05 08:00:00', exitTime: '2026-03-02 12:00:00', corpCode: 'C1', teamSysNo: 'T1' },
    { entryTime: '2026-03-02 12:00:00', corpCode: 'C2', teamSysNo: 'T2' },
  ]
  test('A38 time is split at the instant, A39 the day goes to the larger part', () => {
    expect(dayOf({ rows, events: worked }).parts).toEqual([
      { corpCode: 'C1', teamSysNo: 'T1', workHours: 5, attendDay: 0 },
      { corpCode: 'C2', teamSysNo: 'T2', workHours: 6, attendDay: 1 },
    ])
  })
  test('A39 a tie goes to the earlier', () => {
    expect(dayOf({ rows, events: ['03-02 07:00 in', '03-02 17:00 out'] }).parts.map((p) => p.attendDay)).toEqual([1, 0])
  })
  test('A38 only parts with time are listed', () => {
    expect(dayOf({ rows, events: ['03-02 12:00 in', '03-02 17:00 out'] }).parts).toEqual([
      { corpCode: 'C2', teamSysNo: 'T2', workHours: 5, attendDay: 1 },
    ])
  })
  test('A39 without hours to the row of the first counted passage', () => {
    expect(dayOf({ rows, events: ['03-02 11:59:59 in'] }).parts).toEqual([{ corpCode: 'C1', teamSysNo: 'T1', workHours: 0, attendDay: 1 }])
    expect(dayOf({ rows, events: ['03-02 12:00:00 in'] }).parts).toEqual([{ corpCode: 'C2', teamSysNo: 'T2', workHours: 0, attendDay: 1 }])
    expect(dayOf({ rows, setting: { minHours: 1 }, events: ['03-02 12:00:00 in'] }).parts).toEqual([
      { corpCode: 'C2', teamSysNo: 'T2', workHours: 0, attendDay: 0 },
    ])
  })
  test('A38 the last part takes the remainder, so that parts add up', () => {
    const day = dayOf({
      rows: [rows[0]!, { ...rows[1]!, entryTime: '2026-03-02 12:03:00' }],
      events: ['03-02 07:00:00 in', '03-02 17:06:00 out'],
    })
    expect(day.workHours).toBe(10.1)
    expect(day.parts.map((p) => p.workHours)).toEqual([5.1, 5])
  })
  test('A38 before the first row the first holds the time', () => {
    const fresh = [{ entryTime: '2026-03-02 10:00:00', corpCode: 'C9', teamSysNo: 'T9' }]
    expect(dayOf({ rows: fresh, events: worked }).parts).toEqual([{ corpCode: 'C9', teamSysNo: 'T9', workHours: 11, attendDay: 1 }])
  })
  test('A38 a gap between rows of one stay belongs to the row entered last', () => {
    const gap = [{ ...rows[0]!, exitTime: '2026-03-02 09:00:00' }, rows[1]!]
    expect(dayOf({ rows: gap, events: worked }).parts.map((p) => p.workHours)).toEqual([5, 6])
  })
  test("A38 a night pair: time after the change is the new team's, on the day of the entry", () => {
    const moved = [
      { ...rows[0]!, exitTime: '2026-03-03 00:00:00' },
      { ...rows[1]!, entryTime: '2026-03-03 00:00:00' },
    ]
    const day = dayOf({ rows: moved, events: ['03-02 19:00 in', '03-03 07:00 out'] })
    expect(day.parts).toEqual([
      { corpCode: 'C1', teamSysNo: 'T1', workHours: 5, attendDay: 0 },
      { corpCode: 'C2', teamSysNo: 'T2', workHours: 7, attendDay: 1 },
    ])
  })
})

describe('A80, A81 versions and shifts', () => {
  test('A80 each day by the version in force on it', () => {
    const versions = [{ effectiveFrom: '2026-03-03', setting: { workStart: '08:00' } }]
    const out = site({ to: '2026-03-03', versions, events: ['03-02 08:00 in', '03-02 18:00 out', '03-03 08:00 in', '03-03 18:00 out'] })
    expect(out.days.map((d) => d.results)).toEqual([[2], [1]])
  })
  const setting = {
    shifts: { 晚班: { workStart: '13:00', workEnd: '22:00' } },
    teamShifts: [{ teamSysNo: 'T2', shift: '晚班', from: '2026-03-02' }],
  }
  const rows = [
    { entryTime: '2026-01-05 08:00:00', exitTime: '2026-03-02 11:00:00', corpCode: 'C1', teamSysNo: 'T1' },
    { entryTime: '2026-03-02 11:00:00', corpCode: 'C1', teamSysNo: 'T2' },
  ]
  test('A81 the shift is that of the team at the first passage', () => {
    expect(results({ setting, rows, events: ['03-02 10:00 in', '03-02 22:00 out'] })).toEqual([2])
    expect(results({ setting, rows, events: ['03-02 12:00 in', '03-02 22:00 out'] })).toEqual([1])
  })
  test('A81 without a passage that at noon', () => {
    const project = {
      states: [
        { state: '003', from: '2026-01-01 00:00:00' },
        { state: '005', from: '2026-03-02 20:00:00' },
      ],
    }
    expect(results({ setting, rows, project })).toEqual([8])
    expect(results({ setting: { ...setting, teamShifts: [] }, rows, project })).toEqual([5])
  })
  test('A81 a shift from its date on, the latest stated holds', () => {
    const later = { ...setting, teamShifts: [{ teamSysNo: 'T1', shift: '晚班', from: '2026-03-03' }] }
    const events = ['03-02 13:00 in', '03-02 22:00 out', '03-03 13:00 in', '03-03 22:00 out']
    expect(site({ setting: later, events, to: '2026-03-03' }).days.map((d) => d.results)).toEqual([[2], [1]])
  })
})

describe('A50 at close', () => {
  const facts = (input: Record<string, unknown>[], now: string, more: Record<string, unknown> = {}) =>
    factsOf(
      rehearseInput.parse({
        worker: { workerId: 'w1', rows: [{ entryTime: '2026-01-05 08:00:00', corpCode: 'C', teamSysNo: 'T' }] },
        events: input,
        from: '2026-03-02',
        to: '2026-03-02',
        now,
        ...more,
      }),
    )
  test('A50 a late upload changes the day, not the figures at close', () => {
    const events = [eventFrom('03-02 07:00 in'), eventFrom({ at: '03-02 18:00 out', received: '03-06 08:00:00' }, 1)]
    expect(atClose(facts(events, '2026-03-20 00:00:00'), '2026-03-02')).toMatchObject({ workHours: 0, results: [4] })
  })
  test('A50 not before it settles; a pending entry puts the moment off', () => {
    const events = [eventFrom('03-02 19:00 in'), eventFrom('03-03 07:00 out', 1)]
    expect(atClose(facts(events, '2026-03-03 03:59:59'), '2026-03-02')).toBeUndefined()
    expect(atClose(facts(events.slice(0, 1), '2026-03-03 10:59:59'), '2026-03-02')).toBeUndefined()
    expect(atClose(facts(events, '2026-03-03 11:00:00'), '2026-03-02')).toMatchObject({ workHours: 12, settled: true })
  })
  test('A50 a correction after the close stands in the present figures only', () => {
    const events = [eventFrom('03-02 07:00 in')]
    const corrections = [correction('c', 'add', { time: '2026-03-02 18:00:00', direction: '02' })]
    const known = facts(events, '2026-03-20 00:00:00', { corrections })
    expect(atClose(known, '2026-03-02')).toMatchObject({ results: [4] })
  })
})

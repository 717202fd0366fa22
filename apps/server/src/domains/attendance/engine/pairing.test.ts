import { describe, expect, test } from 'vitest'
import { dayOf, site } from './given-for-test.ts'
import { textOf } from './time.ts'

const days = (given: Parameters<typeof site>[0]) => site({ from: '2026-03-01', to: '2026-03-04', ...given }).days
const hours = (given: Parameters<typeof site>[0]) => Object.fromEntries(days(given).map((d) => [d.workDay.slice(8), d.workHours]))
const on = (workDay: string, given: Parameters<typeof site>[0]) => days(given).find((d) => d.workDay === `2026-${workDay}`)!

describe('A11-A13 what counts', () => {
  test.each([
    ['A11 not let through', { pass: 0 }],
    ['A11 liveness failed', { live: '2' }],
    ['A12 007 is no record', { type: '007' }],
    ['A12 008 is no record', { type: '008' }],
    ['A11 a stranger', { stranger: true }],
    ['A12 009 without a direction', { type: '009', at: '03-02 07:00:00' }],
  ])('%s', (_, differs) => {
    expect(dayOf({ events: [{ at: '03-02 07:00:00 in', ...differs }] })).toMatchObject({
      recordCount: 0,
      attendDay: 0,
      firstIn: null,
      results: [5],
    })
  })
  test.each([
    ['A11 pass and liveness unknown', {}],
    ['A11 liveness not judged', { live: '3' }],
    ['A12 009 with a direction', { type: '009' }],
    ['A11 a phone', { type: '013', gate: 'mobile:w1' }],
  ])('%s counts', (_, differs) => {
    expect(dayOf({ events: [{ at: '03-02 07:00:00 in', ...differs }] })).toMatchObject({ recordCount: 1, attendDay: 1 })
  })
  test('A12 009 through a gate of one direction has a direction', () => {
    expect(dayOf({ events: [{ at: '03-02 07:00:00', type: '009' }], gates: { G1: { direction: '01' } } }).firstIn).toBe(
      '2026-03-02 07:00:00',
    )
  })
  test('A12 007 does not hide a later true exit', () => {
    expect(dayOf({ events: ['03-02 07:00:00 in', { at: '03-02 17:00:00 out', type: '007' }, '03-02 18:00:00 out'] })).toMatchObject({
      workHours: 11,
      recordCount: 2,
    })
  })

  const rows = [
    { entryTime: '2026-03-02 10:00:00', exitTime: '2026-03-03 15:00:00', formalFrom: '2026-03-02 10:00:00', corpCode: 'C', teamSysNo: 'T' },
  ]
  test('A13 in place from the date of entry to the date of exit, both inclusive', () => {
    const out = days({
      rows,
      events: [
        '03-01 07:00 in',
        '03-01 18:00 out',
        '03-02 07:00 in',
        '03-02 18:00 out',
        '03-03 07:00 in',
        '03-03 18:00 out',
        '03-04 07:00 in',
      ],
    })
    expect(out.map((d) => [d.workDay, d.workHours])).toEqual([
      ['2026-03-02', 11],
      ['2026-03-03', 11],
    ])
  })
  test('A13 the date of an import is a work day as it stands', () => {
    const out = days({
      rows: [{ entryTime: '2026-03-02', exitTime: '2026-03-02', corpCode: 'C', teamSysNo: 'T' }],
      events: ['03-03 02:00 in', '03-03 03:59:59 out', '03-03 04:00:00 in'],
    })
    expect(out).toMatchObject([{ workDay: '2026-03-02', workHours: 2, recordCount: 2 }])
  })
  test('A13, A20 an exit after the last day closes a pair begun in place', () => {
    const out = days({ rows, events: ['03-03 19:00 in', '03-04 06:00:00 out', '03-04 06:00:30 out', '03-04 06:05:00 out'] })
    expect(out.at(-1)).toMatchObject({ workDay: '2026-03-03', workHours: 11, lastOut: '2026-03-04 06:00:30', recordCount: 3 })
  })
  test('A13 an entry, or an exit that closes nothing, counts nowhere after the last day', () => {
    const out = days({ rows, events: ['03-03 07:00 in', '03-03 17:00 out', '03-04 06:00 out', '03-04 07:00 in', '03-04 08:00 out'] })
    expect(out.at(-1)).toMatchObject({ workHours: 10, recordCount: 2, lastOut: '2026-03-03 17:00:00' })
  })
})

describe('A15 inner gates', () => {
  const gates = { G2: { role: 'inner' } }
  test('A15 only inner records: a day of attendance, nothing else, missing', () => {
    expect(
      dayOf({
        gates,
        events: [
          { at: '03-02 08:00 in', gate: 'G2' },
          { at: '03-02 17:00 out', gate: 'G2' },
        ],
      }),
    ).toMatchObject({
      attendDay: 1,
      workHours: 0,
      firstIn: null,
      lastOut: null,
      recordCount: 2,
      results: [4],
    })
  })
  test('A15 an inner passage neither pairs nor is a repeat', () => {
    const events = ['03-02 07:00:00 in', { at: '03-02 07:00:30 out', gate: 'G2' }, { at: '03-02 12:00 out', gate: 'G2' }, '03-02 18:00 out']
    expect(dayOf({ gates, events })).toMatchObject({ workHours: 11, recordCount: 4, results: [1] })
  })
})

describe('A16 day cut', () => {
  test('A16 cut - 1 s, cut, cut + 1 s', () => {
    const dayOfIn = (at: string) => days({ events: [`${at} in`] }).find((d) => d.recordCount > 0)?.workDay
    expect(dayOfIn('03-03 03:59:59')).toBe('2026-03-02')
    expect(dayOfIn('03-03 04:00:00')).toBe('2026-03-03')
    expect(dayOfIn('03-03 04:00:01')).toBe('2026-03-03')
  })
  test('A16 a cut of midnight', () => {
    expect(on('03-03', { setting: { dayCut: '00:00' }, events: ['03-03 00:00:00 in'] }).recordCount).toBe(1)
  })
  test.each([
    ['31st to 1st', '2026-01-31', ['2026-01-31 19:00:00 in', '2026-02-01 07:00:00 out']],
    ['28 February to 1 March', '2026-02-28', ['2026-02-28 19:00:00 in', '2026-03-01 07:00:00 out']],
    ['29 February', '2028-02-29', ['2028-02-29 19:00:00 in', '2028-03-01 07:00:00 out']],
    ['31 December', '2026-12-31', ['2026-12-31 19:00:00 in', '2027-01-01 07:00:00 out']],
  ])('A16, A51 a night over %s belongs to its entry', (_, workDay, events) => {
    expect(dayOf({ events, from: workDay, now: '2029-01-01 00:00:00' })).toMatchObject({ workDay, workHours: 12 })
  })
  test('A48 where the cut changes, the windows meet', () => {
    const versions = [{ effectiveFrom: '2026-03-03', setting: { dayCut: '06:00' } }]
    expect(on('03-02', { versions, events: ['03-03 05:59:59 in'] }).recordCount).toBe(1)
    expect(on('03-03', { versions, events: ['03-03 06:00:00 in'] }).recordCount).toBe(1)
    expect(on('03-02', { versions, events: ['03-02 04:00:00 in'] }).recordCount).toBe(1)
    expect(on('03-03', { versions, events: ['03-04 05:59:59 in'] }).recordCount).toBe(1)
  })
  test('A81 a team has its own cut', () => {
    const setting = {
      shifts: { 夜班: { workStart: '19:00', workEnd: '07:00', crossMidnight: true, dayCut: '12:00' } },
      teamShifts: [{ teamSysNo: 'T1', shift: '夜班', from: '2026-03-02' }],
    }
    expect(on('03-02', { setting, events: ['03-03 11:59:59 in'] }).recordCount).toBe(1)
    expect(on('03-03', { setting, events: ['03-03 12:00:00 in'] }).recordCount).toBe(1)
  })
})

describe('A17 order', () => {
  test('A17 out before in in one second', () => {
    expect(dayOf({ events: ['03-02 07:00:00 in', '03-02 12:00:00 in', '03-02 12:00:00 out', '03-02 18:00:00 out'] })).toMatchObject({
      workHours: 11,
      results: [1],
    })
  })
  test('A17 none comes after in in one second', () => {
    expect(dayOf({ events: ['03-02 12:00:00 none', '03-02 12:00:00 in', '03-02 18:00:00 out'] })).toMatchObject({
      workHours: 6,
      recordCount: 3,
    })
  })
})

describe('A18 direction', () => {
  test('A18 no direction at all: in, out, in, out', () => {
    expect(dayOf({ events: ['03-02 07:00', '03-02 12:00', '03-02 13:00', '03-02 18:00'] })).toMatchObject({
      firstIn: '2026-03-02 07:00:00',
      lastOut: '2026-03-02 18:00:00',
      workHours: 10,
      results: [1],
    })
  })
  test('A18 within repeatSeconds: a repeat of the one before, at the limit too', () => {
    expect(dayOf({ events: ['03-02 07:00:00', '03-02 07:01:00', '03-02 18:00:00', '03-02 18:00:59'] })).toMatchObject({
      workHours: 11,
      recordCount: 4,
      lastOut: '2026-03-02 18:00:59',
    })
    expect(dayOf({ events: ['03-02 07:00:00', '03-02 07:01:01'] })).toMatchObject({
      lastOut: '2026-03-02 07:01:01',
      workHours: 0,
      results: [3],
    })
  })
  test('A18 the event says more than the gate, the gate more than inference', () => {
    const gates = { G2: { direction: '02' } }
    expect(dayOf({ gates, events: ['03-02 07:00 in', { at: '03-02 12:00', gate: 'G2' }] })).toMatchObject({ workHours: 5 })
    expect(dayOf({ gates, events: [{ at: '03-02 12:00', gate: 'G2' }] })).toMatchObject({ firstIn: null, lastOut: '2026-03-02 12:00:00' })
    expect(dayOf({ gates, events: [{ at: '03-02 12:00 in', gate: 'G2' }] })).toMatchObject({ firstIn: '2026-03-02 12:00:00' })
  })
  test('A18 one missed punch does not turn the next day round', () => {
    const out = hours({ events: ['03-02 07:00', '03-03 07:00', '03-03 18:00', '03-04 07:00', '03-04 18:00'] })
    expect(out).toEqual({ '01': 0, '02': 0, '03': 11, '04': 11 })
  })
  test('A18 inference never looks across the cut, though the entry is but two hours old', () => {
    const out = days({ events: ['03-03 03:00:00', '03-03 05:00:00'] })
    expect(out[1]).toMatchObject({ workDay: '2026-03-02', firstIn: '2026-03-03 03:00:00', lastOut: null })
    expect(out[2]).toMatchObject({ workDay: '2026-03-03', firstIn: '2026-03-03 05:00:00', lastOut: null })
  })
  test('A18 an entry older than maxSpanHours is not closed by inference', () => {
    const setting = { maxSpanHours: 4 }
    expect(dayOf({ setting, events: ['03-02 07:00:00', '03-02 11:00:00'] })).toMatchObject({ workHours: 4 })
    expect(dayOf({ setting, events: ['03-02 07:00:00', '03-02 11:00:01'] })).toMatchObject({ workHours: 0, lastOut: null })
  })
  test('A18 stated and inferred directions mix', () => {
    expect(dayOf({ events: ['03-02 07:00 in', '03-02 12:00', '03-02 13:00', '03-02 18:00 out'] })).toMatchObject({ workHours: 10 })
  })
})

describe('A19 repeats', () => {
  test('A19 exactly 60 s is a repeat, 61 s is not', () => {
    expect(dayOf({ events: ['03-02 07:00:00 in', '03-02 07:01:00 in', '03-02 18:00 out'] })).toMatchObject({ workHours: 11, results: [1] })
    expect(dayOf({ events: ['03-02 07:00:00 in', '03-02 07:01:01 in', '03-02 18:00 out'] })).toMatchObject({
      firstIn: '2026-03-02 07:00:00',
      workHours: 11,
      results: [4],
    })
  })
  test('A19 a hundred repeats chain to one passage: first in, last out', () => {
    const chain = (start: string, way: string) =>
      Array.from({ length: 100 }, (_, i) => `${textOf(Date.parse(`2026-03-02T${start}:00+08:00`) + i * 50_000).slice(5)} ${way}`)
    expect(dayOf({ events: [...chain('06:00', 'in'), ...chain('17:00', 'out')] })).toMatchObject({
      firstIn: '2026-03-02 06:00:00',
      lastOut: '2026-03-02 18:22:30',
      recordCount: 200,
      workHours: 12.4,
      results: [1],
    })
  })
  test('A19 something between breaks the repeat', () => {
    expect(dayOf({ events: ['03-02 07:00:00 in', '03-02 07:00:20 out', '03-02 07:00:40 in', '03-02 18:00:00 out'] })).toMatchObject({
      recordCount: 4,
      workHours: 11,
    })
  })
  test('A19 all gates of the project together', () => {
    expect(
      dayOf({ events: ['03-02 07:00:00 in', { at: '03-02 07:00:30 in', gate: 'G2' }, { at: '03-02 18:00 out', gate: 'G3' }] }),
    ).toMatchObject({ workHours: 11, results: [1] })
  })
  test('A19 a passage that straddles the cut belongs to the day of its first record', () => {
    const out = days({ events: ['03-03 03:59:50 in', '03-03 04:00:30 in', '03-03 08:00:00 out'] })
    expect(out[1]).toMatchObject({ firstIn: '2026-03-03 03:59:50', recordCount: 3, workHours: 4 })
    expect(out[2]).toMatchObject({ recordCount: 0 })
  })
  test('A19 repeatSeconds 0: the same second only', () => {
    const setting = { repeatSeconds: 0 }
    expect(dayOf({ setting, events: ['03-02 07:00:00 in', { at: '03-02 07:00:00 in', gate: 'G2' }, '03-02 18:00 out'] }).results).toEqual([
      1,
    ])
    expect(dayOf({ setting, events: ['03-02 07:00:00 in', '03-02 07:00:01 in', '03-02 18:00 out'] }).results).toEqual([4])
  })
})

describe('A20-A23 pairs', () => {
  test('A20 exactly 16 h pairs, past midnight and past the cut', () => {
    expect(on('03-02', { events: ['03-02 19:00:00 in', '03-03 11:00:00 out'] })).toMatchObject({
      workHours: 16,
      lastOut: '2026-03-03 11:00:00',
      recordCount: 2,
    })
  })
  test('A20, A21, A22 16 h and 1 s: a missing out on one day, an orphan on the next', () => {
    const out = days({ events: ['03-02 19:00:00 in', '03-03 11:00:01 out'] })
    expect(out[1]).toMatchObject({ workDay: '2026-03-02', workHours: 0, lastOut: null, recordCount: 1, attendDay: 1, results: [4] })
    expect(out[2]).toMatchObject({
      workDay: '2026-03-03',
      workHours: 0,
      firstIn: null,
      lastOut: '2026-03-03 11:00:01',
      recordCount: 1,
      attendDay: 1,
      results: [3, 4],
    })
  })
  test('A20 24 h when the setting says so', () => {
    expect(on('03-02', { setting: { maxSpanHours: 24 }, events: ['03-02 07:00:00 in', '03-03 07:00:00 out'] }).workHours).toBe(24)
    expect(on('03-02', { setting: { maxSpanHours: 24 }, events: ['03-02 07:00:00 in', '03-03 07:00:01 out'] }).workHours).toBe(0)
  })
  test('A21 in after in: the earlier entry stays unpaired and costs no other pair', () => {
    expect(dayOf({ events: ['03-02 07:00 in', '03-02 11:00 out', '03-02 12:00 in', '03-02 14:00 in', '03-02 18:00 out'] })).toMatchObject({
      workHours: 8,
      results: [4],
    })
  })
  test('A22 an orphan out is a record, sets lastOut, gives no hours', () => {
    expect(dayOf({ events: ['03-02 18:00 out'] })).toMatchObject({
      firstIn: null,
      lastOut: '2026-03-02 18:00:00',
      workHours: 0,
      attendDay: 1,
      results: [4],
    })
  })
  test('A22 after a pair a second out is an orphan', () => {
    expect(dayOf({ events: ['03-02 07:00 in', '03-02 12:00 out', '03-02 18:00 out'] })).toMatchObject({
      workHours: 5,
      lastOut: '2026-03-02 18:00:00',
      results: [4],
    })
  })
  test('A23 two gates with clocks a minute apart', () => {
    const events = [
      '03-02 07:00:00 in',
      { at: '03-02 07:00:59 in', gate: 'G2' },
      { at: '03-02 18:01:00 out', gate: 'G2' },
      '03-02 18:00:00 out',
    ]
    expect(dayOf({ events })).toMatchObject({ workHours: 11, lastOut: '2026-03-02 18:01:00', results: [1] })
  })
  test('§14 one punch only, no punch', () => {
    expect(dayOf({ events: ['03-02 07:00 in'] })).toMatchObject({ attendDay: 1, workHours: 0, results: [4] })
    expect(dayOf({})).toMatchObject({ attendDay: 0, workHours: 0, recordCount: 0, results: [5], parts: [] })
  })
  test('§14 a gate three days offline: the same day, marked', () => {
    const late = { received: '03-05 19:00:00' }
    expect(
      dayOf({
        events: [
          { at: '03-02 07:00 in', ...late },
          { at: '03-02 18:00 out', ...late },
        ],
      }),
    ).toMatchObject({ workHours: 11, results: [1, 10] })
  })
  test('§16.5 a night 19:00-07:00 under the day setting pairs past the cut', () => {
    expect(on('03-02', { events: ['03-02 19:00 in', '03-03 07:00 out'] })).toMatchObject({ workHours: 12, results: [1, 9] })
  })
})

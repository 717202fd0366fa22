import { describe, expect, test } from 'vitest'
import { isRestDate } from '../kit/rest-days.ts'
import { rehearseInput, rehearseOutput } from './rehearsal.ts'
import { attendanceSetting } from './setting-model.ts'

const problems = (v: unknown) => attendanceSetting.safeParse(v).error?.issues.map((i) => i.message) ?? []

test.each([
  ['a Sunday of a week that rests on Sundays', '2026-11-22', true],
  ['a Saturday of it', '2026-11-21', false],
  ['a Sunday that is worked', '2026-11-29', false],
  ['a named date', '2026-10-01', true],
])('rest: %s', (_, date, rests) => {
  expect(isRestDate({ restWeekdays: [7], restDates: ['2026-10-01'], workDates: ['2026-11-29'] }, date)).toBe(rests)
})

describe('setting', () => {
  test('defaults are those of section 13', () => {
    expect(attendanceSetting.parse({})).toMatchObject({
      workStart: '07:00',
      workEnd: '18:00',
      crossMidnight: false,
      lateMinutes: 0,
      earlyMinutes: 0,
      dayCut: '04:00',
      minHours: 0,
      supplementDays: 3,
      repeatSeconds: 60,
      maxSpanHours: 16,
      breaks: [],
      restDates: [],
      standardHours: 0,
      keyPostRate: 80,
    })
  })
  test.each([
    ['lateMinutes', 0, 120],
    ['earlyMinutes', 0, 120],
    ['minHours', 0, 12],
    ['supplementDays', 0, 7],
    ['repeatSeconds', 0, 1800],
    ['maxSpanHours', 1, 24],
    ['standardHours', 0, 12],
    ['keyPostRate', 0, 100],
  ])('%s from %s to %s', (field, min, max) => {
    expect(problems({ [field]: min })).toEqual([])
    expect(problems({ [field]: max })).toEqual([])
    expect(problems({ [field]: min - 1 })).toHaveLength(1)
    expect(problems({ [field]: max + 1 })).toHaveLength(1)
    expect(problems({ [field]: 'x' })).toHaveLength(1)
    expect(problems({ [field]: Number.NaN })).toHaveLength(1)
  })
  test.each([
    ['A16 a cut at noon needs work from then on', { dayCut: '12:00', workStart: '12:00' }, true],
    ['A16 a cut after noon', { dayCut: '12:01', workStart: '13:00' }, false],
    ['A16 not later than workStart', { dayCut: '07:01' }, false],
    ['A16 equal to workStart', { dayCut: '07:00' }, true],
    ['workEnd may be 24:00', { workEnd: '24:00' }, true],
    ['workStart may not', { workStart: '24:00' }, false],
    ['A16 a night without the tick', { workStart: '19:00', workEnd: '07:00', dayCut: '12:00' }, false],
    ['A16 a night with a cut before its end', { workStart: '19:00', workEnd: '07:00', crossMidnight: true, dayCut: '06:59' }, false],
    ['A16 a night with the cut at its end', { workStart: '19:00', workEnd: '07:00', crossMidnight: true, dayCut: '07:00' }, true],
    ['six breaks', { breaks: Array.from({ length: 6 }, (_, i) => [`1${i}:00`, `1${i}:30`]) }, true],
    ['seven breaks', { breaks: Array.from({ length: 7 }, (_, i) => [`1${i}:00`, `1${i}:30`]) }, false],
    ['a break of nothing', { breaks: [['12:00', '12:00']] }, false],
    ['a rest date that does not exist', { restDates: ['2026-02-29'] }, false],
    ['rest on Saturday and Sunday', { restWeekdays: [6, 7] }, true],
    ['an eighth weekday', { restWeekdays: [8] }, false],
    ['a weekday twice', { restWeekdays: [7, 7] }, false],
    [
      'A81 a shift is checked with the setting it overrides',
      { shifts: { 夜: { workStart: '19:00', workEnd: '07:00', crossMidnight: true } } },
      false,
    ],
    [
      'A81 a shift with its own cut',
      { shifts: { 夜: { workStart: '19:00', workEnd: '07:00', crossMidnight: true, dayCut: '12:00' } } },
      true,
    ],
    ['A81 a team needs a shift that exists', { teamShifts: [{ teamSysNo: 'T', shift: '夜', from: '2026-03-02' }] }, false],
    ['A81 not one that objects have by nature', { teamShifts: [{ teamSysNo: 'T', shift: 'constructor', from: '2026-03-02' }] }, false],
  ])('%s: %s', (_, setting, holds) => {
    expect(problems(setting).length === 0).toBe(holds)
  })
  test('messages are Chinese', () => {
    const all = problems({ workStart: 7, lateMinutes: 1.5, breaks: 'x', teamShifts: [{ teamSysNo: '', shift: 'a', from: 'x' }] })
    expect(all.length).toBeGreaterThan(3)
    for (const message of all) expect(message).toMatch(/\p{Script=Han}/u)
  })
})

const least = {
  worker: { workerId: 'w', rows: [{ entryTime: '2026-01-01' }] },
  from: '2026-03-02',
  to: '2026-03-02',
  now: '2026-03-04 00:00:00',
}

describe('rehearsal', () => {
  test('A82 the least that can be rehearsed', () => {
    expect(rehearseInput.parse(least)).toMatchObject({
      setting: { workStart: '07:00' },
      events: [],
      corrections: [],
      project: { states: [] },
    })
  })
  test.each([
    ['to before from', { to: '2026-03-01' }],
    ['more than 366 days', { to: '2027-03-03' }],
    ['a date that does not exist', { from: '2026-02-30' }],
    ['an event without id', { events: [{ time: '2026-03-02 07:00:00' }] }],
    ['a time that is none', { events: [{ id: 'a', time: '2026-03-02 25:00:00' }] }],
    ['a direction that is none', { events: [{ id: 'a', time: '2026-03-02 07:00:00', direction: 'in' }] }],
    ['an unknown kind', { corrections: [{ id: 'a', kind: 'delete', state: '2', requestedAt: '2026-03-02 07:00:00' }] }],
    ['an exit before the entry', { worker: { workerId: 'w', rows: [{ entryTime: '2026-01-02', exitTime: '2026-01-01' }] } }],
    ['a setting out of range', { setting: { maxSpanHours: 25 } }],
  ])('A82 refuses %s', (_, differs) => {
    expect(rehearseInput.safeParse({ ...least, ...differs }).success).toBe(false)
  })
  test('A82 366 days hold', () => expect(rehearseInput.safeParse({ ...least, from: '2026-03-02', to: '2027-03-02' }).success).toBe(true))
  test('A82 a direction of null is none, as is one left out; pass and liveness in any spelling', () => {
    const { events } = rehearseInput.parse({
      ...least,
      events: [
        { id: 1, time: '2026-03-02 24:00:00', direction: null, pass: 0, live: 2, type: '001' },
        { id: 'b', time: '2026-03-02 07:00:00', pass: true, live: '1', gate: 'G' },
        { id: 'c', time: '2026-03-02 07:00:00', pass: '0', live: false, type: 2 },
      ],
    })
    expect(events.map((e) => [e.id, e.direction, e.pass, e.live, e.type])).toEqual([
      ['1', null, '0', '2', '001'],
      ['b', null, '1', '1', '001'],
      ['c', null, '0', '2', '006'],
    ])
  })
  test('A82 the output is what its schema says', () => {
    expect(
      rehearseOutput.safeParse({ days: [], months: {}, keyPost: {}, onDuty: false, byHour: {}, quarantined: [], refused: [] }).success,
    ).toBe(true)
  })
})

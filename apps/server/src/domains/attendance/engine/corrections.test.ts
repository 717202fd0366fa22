import { describe, expect, test } from 'vitest'
import { supplementWindow } from './corrections.ts'
import { correction, dayOf, site } from './given-for-test.ts'

const worked = ['03-02 07:00 in', '03-02 18:00 out']
const inOnly = ['03-02 07:00 in']
const add = (more: Record<string, unknown> = {}) => correction('c1', 'add', { time: '2026-03-02 18:00:00', direction: '02', ...more })
const day = (corrections: Record<string, unknown>[], given: Partial<Parameters<typeof site>[0]> = {}) =>
  dayOf({ events: inOnly, corrections, ...given })
const refused = (corrections: Record<string, unknown>[], given: Partial<Parameters<typeof site>[0]> = {}) =>
  site({ events: inOnly, corrections, ...given }).refused

describe('A42 kinds', () => {
  test('A42 add: an event that pairs like any other', () => {
    expect(day([add()])).toMatchObject({ workHours: 11, recordCount: 2, results: [1, 11] })
  })
  test('A45 an added event is a repeat like any other, and is never asked for its clock', () => {
    expect(day([add({ time: '2026-03-02 07:00:30', direction: '01' })])).toMatchObject({ recordCount: 2, results: [4, 11] })
    expect(day([add({ requestedAt: '2026-04-15 09:00:00', approvedAt: '2026-04-15 09:00:00', byCompany: true })])).toMatchObject({
      workHours: 11,
      results: [1, 11],
    })
  })
  test('A45 an added event out of the stay counts nowhere', () => {
    const rows = [{ entryTime: '2026-03-03', corpCode: 'C', teamSysNo: 'T' }]
    expect(site({ rows, from: '2026-03-01', to: '2026-03-03', corrections: [add()] }).days).toMatchObject([
      { workDay: '2026-03-03', recordCount: 0 },
    ])
  })
  test('A42 void: the event does not count', () => {
    expect(day([correction('c', 'void', { target: 'e2' })], { events: worked })).toMatchObject({
      lastOut: null,
      recordCount: 1,
      results: [4, 11],
    })
  })
  test('A42 void of what never counted has no effect on the day', () => {
    expect(
      day([correction('c', 'void', { target: 'e3' })], { events: [...worked, { at: '03-02 12:00 in', type: '008' }] }).results,
    ).toEqual([1])
  })
  test('A42 direction', () => {
    const events = ['03-02 07:00 in', '03-02 18:00 in']
    expect(day([correction('c', 'direction', { target: 'e2', direction: '02' })], { events })).toMatchObject({
      workHours: 11,
      results: [1, 11],
    })
  })
  test('A45 of several directions the latest approved holds; void beats all', () => {
    const events = ['03-02 07:00 in', '03-02 18:00 in']
    const out = correction('b', 'direction', { target: 'e2', direction: '02', approvedAt: '2026-03-03 11:00:00' })
    const back = correction('a', 'direction', { target: 'e2', direction: '01', approvedAt: '2026-03-03 12:00:00' })
    expect(day([out, back], { events })).toMatchObject({ workHours: 0, results: [4] })
    expect(day([back, { ...out, approvedAt: '2026-03-03 13:00:00' }], { events })).toMatchObject({ workHours: 11 })
    expect(day([correction('v', 'void', { target: 'e2' }), out], { events })).toMatchObject({ recordCount: 1 })
  })
  test('A42 assign: a stranger is claimed', () => {
    const events = ['03-02 07:00 in', { at: '03-02 18:00 out', stranger: true }]
    expect(day([], { events })).toMatchObject({ recordCount: 1 })
    expect(day([correction('c', 'assign', { target: 'e2' })], { events })).toMatchObject({
      recordCount: 2,
      workHours: 11,
      results: [1, 11],
    })
    expect(refused([correction('c', 'assign', { target: 'e1' })])).toEqual(['c'])
  })
  test('A10 release as it is: counts from then on, lateness as received', () => {
    const events = [{ at: '03-02 07:00 in', clockOffsetMs: 400_000 }, '03-02 18:00 out']
    const c = correction('r', 'release', { target: 'e1', requestedAt: '2026-04-15 09:00:00', approvedAt: '2026-04-15 10:00:00' })
    expect(site({ events, corrections: [c] })).toMatchObject({ quarantined: [], refused: [], days: [{ workHours: 11, results: [1, 11] }] })
    expect(site({ events, corrections: [c], now: '04-15 09:59:59' })).toMatchObject({
      quarantined: [{ id: 'e1', reason: 'clockOffset' }],
      days: [{ workHours: 0 }],
    })
    const old = [{ at: '03-02 07:00 in', received: '04-03 07:00:00' }, '03-02 18:00 out']
    expect(site({ events: old, corrections: [c] })).toMatchObject({ days: [{ workHours: 11, results: [1, 10, 11] }] })
  })
  test('A10 release with the right time', () => {
    const events = [{ at: '03-05 07:00 in', received: '03-02 07:30:00' }, '03-02 18:00 out']
    const c = correction('r', 'release', { target: 'e1', time: '2026-03-02 07:30:00' })
    expect(dayOf({ events, corrections: [c] })).toMatchObject({ firstIn: '2026-03-02 07:30:00', workHours: 10.5, results: [2, 11] })
  })
  test('A10 release of one gate and period with a shift', () => {
    const wrong = { gate: 'G9', clockOffsetMs: 3_600_000 }
    const events = [
      { at: '03-02 08:00 in', ...wrong },
      { at: '03-02 19:00 out', ...wrong },
      { at: '03-02 19:30 in', gate: 'G8', clockOffsetMs: 3_600_000 },
    ]
    const c = correction('r', 'release', {
      gate: 'G9',
      fromTime: '2026-03-02 08:00:00',
      toTime: '2026-03-02 19:00:00',
      shiftMs: -3_600_000,
    })
    expect(site({ events, corrections: [c] })).toMatchObject({
      quarantined: [{ id: 'e3' }],
      days: [{ firstIn: '2026-03-02 07:00:00', lastOut: '2026-03-02 18:00:00', results: [1, 11] }],
    })
  })
  test('A10 a release moves no event that counts already', () => {
    expect(
      dayOf({ events: worked, corrections: [correction('r', 'release', { target: 'e1', time: '2026-03-02 05:00:00' })] }),
    ).toMatchObject({ workHours: 11, results: [1] })
  })
  test('A42 stopDay: 8 and 11, no 2, 3, 5; hours and the day count', () => {
    const c = correction('s', 'stopDay', { fromDay: '2026-03-02', toDay: '2026-03-02' })
    expect(dayOf({ corrections: [c] }).results).toEqual([8, 11])
    expect(dayOf({ corrections: [c], events: ['03-02 09:00 in', '03-02 12:00 out'] })).toMatchObject({
      attendDay: 1,
      workHours: 3,
      results: [1, 8, 11],
    })
  })
  test('A36 leave makes no 11', () => {
    expect(dayOf({ corrections: [correction('l', 'leave', { fromDay: '2026-03-02', toDay: '2026-03-02' })] }).results).toEqual([6])
  })
  test('A42 revoke takes a correction back, and may be revoked itself', () => {
    const revoke = correction('r', 'revoke', { target: 'c1', requestedAt: '2026-04-01 09:00:00', approvedAt: '2026-04-01 10:00:00' })
    expect(day([add(), revoke])).toMatchObject({ workHours: 0, results: [4] })
    expect(day([add(), revoke], { now: '04-01 09:59:59' })).toMatchObject({ workHours: 11 })
    const again = correction('r2', 'revoke', { target: 'r', requestedAt: '2026-04-02 09:00:00', approvedAt: '2026-04-02 10:00:00' })
    expect(day([again, revoke, add()])).toMatchObject({ workHours: 11, results: [1, 11] })
    expect(day([add({ approvedAt: '2026-03-03 10:00:00' }), { ...revoke, approvedAt: '2026-03-03 10:00:00' }])).toMatchObject({
      workHours: 0,
    })
    expect(refused([correction('r', 'revoke', { target: 'nothing' })])).toEqual(['r'])
  })
  test('A45 an added event may be voided by the id of its correction', () => {
    expect(day([add(), correction('v', 'void', { target: 'c1' })])).toMatchObject({ recordCount: 1 })
  })
  test('A42 an id that an event bears means the event, not the correction of the same name', () => {
    const both = [{ ...add(), id: 'e2' }, correction('v', 'void', { target: 'e2' })]
    expect(day(both, { events: [...inOnly, '03-02 17:00 out'] })).toMatchObject({ lastOut: '2026-03-02 18:00:00', recordCount: 2 })
  })
})

describe('A42 what a kind cannot do without', () => {
  test.each([
    ['add without direction', add({ direction: null })],
    ['add without time', add({ time: null })],
    ['void without target', correction('c1', 'void')],
    ['void of an unknown event', correction('c1', 'void', { target: 'e99' })],
    ['direction without direction', correction('c1', 'direction', { target: 'e1' })],
    ['leave without dates', correction('c1', 'leave', { fromDay: '2026-03-02' })],
    ['leave that ends before it begins', correction('c1', 'leave', { fromDay: '2026-03-02', toDay: '2026-03-01' })],
  ])('%s is refused', (_, c) => {
    expect(refused([c])).toEqual(['c1'])
    expect(day([c])).toMatchObject({ recordCount: 1, results: [4] })
  })
})

describe('A43 window', () => {
  test.each([
    ['same day', '2026-03-02 20:00:00', 3, true],
    ['three days', '2026-03-05 23:59:59', 3, true],
    ['four days', '2026-03-06 00:00:00', 3, false],
    ['none when 0, the same day too', '2026-03-02 20:00:00', 0, false],
    ['seven days', '2026-03-09 10:00:00', 7, true],
  ])('A43 %s', (_, requestedAt, supplementDays, holds) => {
    const c = add({ requestedAt, approvedAt: '2026-03-20 10:00:00' })
    expect(refused([c], { setting: { supplementDays } })).toEqual(holds ? [] : ['c1'])
    expect(day([c], { setting: { supplementDays } }).workHours).toBe(holds ? 11 : 0)
    expect(day([{ ...c, byCompany: true }], { setting: { supplementDays } }).workHours).toBe(11)
  })
  test('A43 counts from the work day, not the date: 03:59:59 is yesterday', () => {
    const c = add({ time: '2026-03-03 03:59:59', requestedAt: '2026-03-06 09:00:00', approvedAt: '2026-03-06 09:00:00' })
    expect(refused([c])).toEqual(['c1'])
    expect(refused([{ ...c, time: '2026-03-03 04:00:00' }])).toEqual([])
  })
  test('A43 void and direction by the work day of their event', () => {
    const late = { requestedAt: '2026-03-06 09:00:00', approvedAt: '2026-03-06 09:00:00', target: 'e1' }
    expect(refused([correction('v', 'void', late), correction('d', 'direction', { ...late, direction: '02' })])).toEqual(['d', 'v'])
  })
  test('A43 release and revoke are free of it; leave may be asked beforehand', () => {
    const late = { requestedAt: '2026-04-10 09:00:00', approvedAt: '2026-04-10 10:00:00' }
    const events = [{ at: '03-02 07:00 in', clockOffsetMs: 400_000 }]
    expect(refused([correction('r', 'release', { target: 'e1', ...late })], { events })).toEqual([])
    expect(refused([add(), correction('r', 'revoke', { target: 'c1', ...late })])).toEqual([])
    expect(refused([correction('l', 'leave', { fromDay: '2026-03-20', toDay: '2026-03-25' })])).toEqual([])
    expect(refused([correction('l', 'leave', { fromDay: '2026-03-02', toDay: '2026-03-25', requestedAt: '2026-03-06 00:00:00' })])).toEqual(
      ['l'],
    )
  })
  test('A43 the answer says until when it was possible', () => {
    expect(supplementWindow('add', '2026-03-02', Date.parse('2026-03-06T09:00:00+08:00'), 3)).toEqual({
      within: false,
      until: '2026-03-05',
    })
    expect(supplementWindow('release', '2026-03-02', Date.parse('2026-09-06T09:00:00+08:00'), 0).within).toBe(true)
  })
})

describe('A44 approval', () => {
  test.each(['0', '1', '3', '4', '5', '已驳回'])('A44 state %s leaves no trace', (state) => {
    const out = site({ events: inOnly, corrections: [add({ state, approvedBy: null, approvedAt: null })] })
    expect(out).toMatchObject({ refused: [], days: [{ recordCount: 1, results: [4] }] })
  })
  test('A44 from the approval on', () => {
    expect(day([add()], { now: '03-03 09:59:59' })).toMatchObject({ workHours: 0 })
    expect(day([add()], { now: '03-03 10:00:00' })).toMatchObject({ workHours: 11 })
    expect(day([add({ state: '已通过' })])).toMatchObject({ workHours: 11 })
  })
  test('A44 the approver is neither requester nor worker', () => {
    expect(refused([add({ approvedBy: 'clerk' })])).toEqual(['c1'])
    expect(refused([add({ approvedBy: 'w1' })])).toEqual(['c1'])
    expect(refused([add({ requestedBy: 'w1' })])).toEqual([])
    expect(refused([add({ approvedBy: null })])).toEqual(['c1'])
  })
})

test('A36 11 stands on every day a correction changes, on no other', () => {
  const events = ['03-02 19:00 in', '03-03 07:00 out', '03-04 07:00 in', '03-04 18:00 out']
  const out = site({ events, from: '2026-03-01', to: '2026-03-05', corrections: [correction('v', 'void', { target: 'e1' })] })
  expect(out.days.filter((d) => d.results.includes(11)).map((d) => d.workDay)).toEqual(['2026-03-02', '2026-03-03'])
})

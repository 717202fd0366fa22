import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { dayOf, site } from './given-for-test.ts'
import { dedupKey, mobileGate, survivorOf } from './identity.ts'
import { attendTypeOf, directionOf, isSuspicious, lateness, parseDeviceTime, quarantineReason } from './intake.ts'

const event = { gate: 'G1', workerId: 'w1', pictureHash: null, recordId: '7', direction: '01', time: 1772406000999, pass: '1', live: '1' }
const sha = (text: string) => createHash('sha256').update(text).digest('hex')

describe('A2 identity', () => {
  test.each([
    ['a known person: no record number, whole seconds', {}, 'G1|w1|01|1772406000'],
    ['no direction', { direction: null }, 'G1|w1||1772406000'],
    ['a stranger by picture', { workerId: null, pictureHash: 'ab' }, 'G1|?ab|01|1772406000'],
    ['a stranger without picture by record number', { workerId: null }, 'G1|?7|01|1772406000'],
    ['not let through', { pass: '0' }, 'G1|w1|01|1772406000|refused'],
    ['no living face', { live: '2' }, 'G1|w1|01|1772406000|refused'],
    ['liveness not judged is no refusal', { live: '3' }, 'G1|w1|01|1772406000'],
    ['a phone', { gate: mobileGate('w1') }, 'mobile:w1|w1|01|1772406000'],
  ])('A2 %s', (_, differs, text) => {
    expect(dedupKey({ ...event, ...differs })).toBe(sha(text))
  })
  test('A2 a refused attempt never hides the passage in the same second', () => {
    const day = dayOf({ events: [{ at: '03-02 07:00:00 in', pass: '0' }, '03-02 07:00:00 in', '03-02 18:00:00 out'] })
    expect(day).toMatchObject({ firstIn: '2026-03-02 07:00:00', recordCount: 2, workHours: 11 })
  })
  test('A41 an alias leads to the survivor, a circle ends', () => {
    expect(
      survivorOf(
        new Map([
          ['a', 'b'],
          ['b', 'c'],
        ]),
        'a',
      ),
    ).toBe('c')
    expect(['a', 'b']).toContain(
      survivorOf(
        new Map([
          ['a', 'b'],
          ['b', 'a'],
        ]),
        'a',
      ),
    )
    expect(survivorOf(new Map(), 'a')).toBe('a')
  })
})

test('A3 the same batch twice counts once, and a correction may name any copy', () => {
  const events = [
    { at: '03-02 07:00:00 in', id: 'a' },
    { at: '03-02 18:00:00 out', id: 'b' },
    { at: '03-02 07:00:00 in', id: 'a2', received: '03-05 07:00:00' },
    { at: '03-02 18:00:00 out', id: 'b2', received: '03-05 07:00:00' },
  ]
  expect(dayOf({ events })).toMatchObject({ recordCount: 2, workHours: 11, results: [1] })
  const voided = {
    id: 'c',
    kind: 'void',
    state: '2',
    target: 'b2',
    requestedBy: 'x',
    requestedAt: '2026-03-03 08:00:00',
    approvedBy: 'y',
    approvedAt: '2026-03-03 08:00:00',
  }
  expect(dayOf({ events, corrections: [voided] })).toMatchObject({ recordCount: 1, lastOut: null })
})
test('A3 the earliest received copy stays: the late one makes no late data', () => {
  const copies = [
    { at: '03-02 07:00:00 in', received: '03-09 07:00:00' },
    { at: '03-02 07:00:00 in', received: '03-02 07:00:05' },
    '03-02 18:00:00 out',
  ]
  expect(dayOf({ events: copies }).results).toEqual([1])
})

describe('A4 codes', () => {
  test('A4 a gate says 0 and 1, the dictionary 01 and 02', () => {
    expect([0, '0', '01', 1, '1', '02', null, '', '9'].map(directionOf)).toEqual(['01', '01', '01', '02', '02', '02', null, null, null])
  })
  test('A4 modes', () => {
    expect([1, 2, '3', 4, 5, '013', 6, null].map(attendTypeOf)).toEqual(['001', '006', '006', '005', '010', '013', '003', '011'])
  })
})

describe('A5 time', () => {
  test.each([
    ['2026-03-02 07:00:00', '2026-03-01T23:00:00Z'],
    ['2026-03-02T07:00:00', '2026-03-01T23:00:00Z'],
    ['2026-03-02T07:00:00.999+08:00', '2026-03-01T23:00:00Z'],
    ['2026-03-02T07:00:00Z', '2026-03-02T07:00:00Z'],
    ['2026-03-02T07:00:00-0330', '2026-03-02T10:30:00Z'],
    ['2026-03-02 24:00:00', '2026-03-02T16:00:00Z'],
    ['2026-02-28 24:00:00', '2026-02-28T16:00:00Z'],
    ['2028-02-29 12:00', '2028-02-29T04:00:00Z'],
    ['1772406000999', '2026-03-01T23:00:00Z'],
  ])('A5 %s', (text, utc) => {
    expect(parseDeviceTime(text)).toBe(Date.parse(utc))
  })
  test.each(['2026-02-29 07:00:00', '2026-03-02 24:00:01', '2026-03-02 07:60:00', '2026-13-01 00:00:00', 'yesterday', '', '2026-03-02'])(
    'A5 %s is no time',
    (text) => {
      expect(parseDeviceTime(text)).toBeUndefined()
    },
  )
  test('A5 an exit at 24:00:00 is midnight of the next date and belongs to its entry', () => {
    expect(dayOf({ events: ['03-02 14:00:00 in', '03-02 24:00:00 out'] })).toMatchObject({ lastOut: '2026-03-03 00:00:00', workHours: 10 })
  })
})

const received = Date.parse('2026-03-02T12:00:00+08:00')
const arrival = (delayMs: number, more: Partial<{ clockOffsetMs: number; outsideFence: boolean }> = {}) => ({
  time: received - delayMs,
  receivedAt: received,
  clockOffsetMs: null,
  outsideFence: false,
  ...more,
})
const [min, h, d] = [60_000, 3_600_000, 86_400_000]

describe('A6-A10 quarantine', () => {
  test.each([
    ['A6 exactly 5 min ahead counts', arrival(-5 * min), undefined],
    ['A6 5 min and 1 s ahead', arrival(-5 * min - 1000), 'clockAhead'],
    ['A5 milliseconds are cut off first', arrival(-5 * min - 999), undefined],
    ['A7 exactly 30 days counts', arrival(30 * d), undefined],
    ['A7 30 days and 1 s', arrival(30 * d + 1000), 'tooOld'],
    ['A8 exactly 5 min off counts', arrival(0, { clockOffsetMs: -5 * min }), undefined],
    ['A8 more than 5 min slow', arrival(0, { clockOffsetMs: -5 * min - 1 }), 'clockOffset'],
    ['A8 more than 5 min fast', arrival(0, { clockOffsetMs: 5 * min + 1 }), 'clockOffset'],
    ['A10 a phone outside the fence', arrival(0, { outsideFence: true }), 'outsideFence'],
  ])('%s', (_, e, reason) => {
    expect(quarantineReason(e)).toBe(reason)
  })
  test('A6-A10 what is quarantined is listed with its reason and does not count', () => {
    const out = site({
      events: [
        { at: '03-02 07:00:00 in', received: '03-02 06:54:59' },
        { at: '03-02 08:00:00 in', clockOffsetMs: 300_001 },
        { at: '03-02 09:00:00 in', gate: 'mobile:w1', outsideFence: true },
        { at: '03-02 10:00:00 in', received: '04-01 10:00:01' },
        { at: '03-02 11:00:00 in', received: '04-01 11:00:00' },
        { at: '03-02 12:00:00', received: '03-02 11:00:00', stranger: true },
      ],
    })
    expect(out.quarantined).toEqual([
      { id: 'e1', reason: 'clockAhead' },
      { id: 'e2', reason: 'clockOffset' },
      { id: 'e3', reason: 'outsideFence' },
      { id: 'e4', reason: 'tooOld' },
      { id: 'e6', reason: 'clockAhead' },
    ])
    expect(out.days[0]).toMatchObject({ firstIn: '2026-03-02 11:00:00', recordCount: 1, results: [2, 4, 10] })
  })
  test('A9 late after 10 min, late data after 48 h, both exclusive', () => {
    expect(lateness(arrival(10 * min))).toEqual({ late: false, lateData: false })
    expect(lateness(arrival(10 * min + 1000))).toEqual({ late: true, lateData: false })
    expect(lateness(arrival(48 * h))).toEqual({ late: true, lateData: false })
    expect(lateness(arrival(48 * h + 1000))).toEqual({ late: true, lateData: true })
  })
  test('A11 a score below the threshold is suspicious, at it is not', () => {
    expect([79.99, 80, null].map((s) => isSuspicious(s, 80))).toEqual([true, false, false])
  })
})

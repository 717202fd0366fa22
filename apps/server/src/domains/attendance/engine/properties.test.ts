import { type RehearseInput, rehearseInput } from '@zhugong/contract/attendance/rehearsal'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { eventWindow } from './affected.ts'
import { computeDays, evaluate } from './day.ts'
import { factsOf, rehearse } from './rehearse.ts'
import { addDays, dateOf, startOf, textOf } from './time.ts'

/* A49: results depend only on the set of facts, not on order, batches or duplicates. Generates facts of eight days, many at boundaries. */

const firstDay = '2026-02-25'
const begin = startOf(firstDay)
const days = 8
const seconds = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 0, max: days * 86_400 - 1 }) },
  // Times around the day cut, the shift and midnight, and within a minute of each other.
  {
    weight: 3,
    arbitrary: fc
      .tuple(
        fc.integer({ min: 0, max: days - 1 }),
        fc.constantFrom(0, 4, 7, 12, 18, 20),
        fc.constantFrom(-61, -60, -1, 0, 1, 30, 59, 60, 61, 120),
      )
      .map(([d, h, s]) => Math.max(0, d * 86_400 + h * 3_600 + s)),
  },
)
const delays = fc.constantFrom(0, 3, 600, 601, 172_800, 172_801, -300, -301, 2_592_000, 2_592_001)
const event = fc
  .record({
    second: seconds,
    delay: delays,
    direction: fc.constantFrom('01', '02', '01', '02', null),
    gate: fc.constantFrom('G1', 'G2', 'IN', 'OUT'),
    type: fc.constantFrom('001', '001', '001', '006', '007', '008', '009'),
    pass: fc.constantFrom(undefined, '1', '1', '0'),
    stranger: fc.constantFrom(undefined, undefined, undefined, true),
  })
  .map(({ second, delay, ...rest }) => ({
    ...rest,
    time: textOf(begin + second * 1000),
    receivedAt: textOf(begin + (second + delay) * 1000),
  }))

const date = fc.integer({ min: 0, max: days - 1 }).map((n) => addDays(firstDay, n))
const corrected = fc.record({
  kind: fc.constantFrom('add', 'void', 'direction', 'assign', 'release', 'leave', 'stopDay', 'revoke'),
  state: fc.constantFrom('2', '2', '2', '1', '3'),
  target: fc.integer({ min: 1, max: 12 }),
  second: seconds,
  direction: fc.constantFrom('01', '02'),
  fromDay: date,
  approvedAfter: fc.integer({ min: 0, max: 5 }),
})

const input = fc
  .record({
    events: fc.array(event, { maxLength: 24 }),
    corrections: fc.array(corrected, { maxLength: 4 }),
    change: fc.option(fc.integer({ min: 0, max: days * 24 })),
    minHours: fc.constantFrom(0, 8),
    breaks: fc.constantFrom([], [['12:00', '13:00']], [['23:30', '00:30']]),
    stop: fc.option(fc.integer({ min: 0, max: days * 24 })),
  })
  .map(({ events, corrections, change, minHours, breaks, stop }) => {
    const moved = change === null ? undefined : textOf(begin + change * 3_600_000)
    return rehearseInput.parse({
      setting: { minHours, breaks, supplementDays: 7, standardHours: 8 },
      project: {
        states: [
          { state: '003', from: '2025-01-01 00:00:00' },
          ...(stop === null ? [] : [{ state: '005', from: textOf(begin + stop * 3_600_000) }]),
        ],
      },
      gates: { IN: { direction: '01' }, OUT: { role: 'inner' } },
      worker: {
        workerId: 'w1',
        post: '1009',
        rows: moved
          ? [
              { entryTime: '2026-02-20 08:00:00', exitTime: moved, corpCode: 'C1', teamSysNo: 'T1' },
              { entryTime: moved, corpCode: 'C1', teamSysNo: 'T2' },
            ]
          : [{ entryTime: '2026-02-20 08:00:00', corpCode: 'C1', teamSysNo: 'T1' }],
      },
      events: events.map((e, i) => ({ ...e, id: `e${i + 1}` })),
      corrections: corrections.map(({ second, target, approvedAfter, ...c }, i) => ({
        ...c,
        id: `c${i + 1}`,
        target: c.kind === 'revoke' ? `c${(target % 4) + 1}` : `e${target}`,
        time: c.kind === 'add' ? textOf(begin + second * 1000) : undefined,
        toDay: addDays(c.fromDay, 1),
        requestedBy: 'clerk',
        requestedAt: '2026-03-05 09:00:00',
        approvedBy: 'manager',
        approvedAt: textOf(startOf('2026-03-06') + approvedAfter * 1000),
        byCompany: true,
      })),
      from: firstDay,
      to: addDays(firstDay, days),
      now: '2026-04-30 12:00:00',
    })
  })

const run = { numRuns: 250, seed: 20260302 }

describe('A49 the set of facts alone', () => {
  test('A49 any order, any duplication: the same output', () => {
    fc.assert(
      fc.property(input, fc.infiniteStream(fc.nat()), (given, chance) => {
        const shuffled = <T>(list: readonly T[]): T[] =>
          list
            .map((v) => [chance.next().value, v] as const)
            .sort((a, b) => a[0] - b[0])
            .map(([, v]) => v)
        const twice = <T>(list: readonly T[]): T[] => [...list, ...list.filter(() => chance.next().value % 2 === 0)]
        const other: RehearseInput = {
          ...given,
          events: shuffled(twice(given.events)),
          corrections: shuffled(twice(given.corrections)),
          worker: { ...given.worker, rows: shuffled(given.worker.rows) },
          project: { states: shuffled(given.project.states) },
        }
        expect(rehearse(other)).toEqual(rehearse(given))
      }),
      run,
    )
  })
  test('A49 a late second copy never changes a day', () => {
    fc.assert(
      fc.property(input, (given) => {
        const copies = given.events.map((e) => ({ ...e, id: `${e.id}x`, receivedAt: '2026-04-29 00:00:00' }))
        // A stranger without a picture is identified by the gate's record number, which copies repeat.
        const known = copies.filter((e) => !e.stranger)
        expect(rehearse({ ...given, events: [...known, ...given.events] })).toEqual(rehearse(given))
      }),
      run,
    )
  })
  test('A48 a day computed alone, from the events around it, is the day of the whole', () => {
    fc.assert(
      fc.property(input, (given) => {
        const facts = factsOf({ ...given, corrections: given.corrections.filter((c) => c.kind !== 'release') })
        const whole = computeDays(facts, given.from, given.to)
        const alone = whole.flatMap((d) => {
          const window = eventWindow({ from: d.workDay, to: d.workDay })
          const near = facts.events.filter((e) => dateOf(e.time) >= window.from && dateOf(e.time) <= window.to)
          // A correction of an event outside the window does not affect the day.
          return computeDays({ ...facts, events: near }, d.workDay, d.workDay)
        })
        expect(alone).toEqual(whole)
      }),
      run,
    )
  })
})

test('A47 a day is a pure function of its facts: none is changed by computing, and computing again gives the same', () => {
  const frozen = <T>(value: T): T => {
    if (typeof value === 'object' && value !== null) for (const part of Object.values(value)) frozen(part)
    return Object.freeze(value)
  }
  fc.assert(
    fc.property(input, (given) => {
      const facts = frozen(factsOf(given))
      const once = computeDays(facts, given.from, given.to)
      expect(computeDays(facts, given.from, given.to)).toEqual(once)
    }),
    { ...run, numRuns: 60 },
  )
})

describe('A52 totals add up', () => {
  test('A38, A39, A52 parts, days and months', () => {
    fc.assert(
      fc.property(input, (given) => {
        const out = rehearse(given)
        const tenths = (hours: number) => Math.round(hours * 10)
        for (const d of out.days) {
          expect(d.parts.reduce((n, p) => n + tenths(p.workHours), 0)).toBe(tenths(d.workHours))
          if (d.parts.length > 0) expect(d.parts.reduce((n, p) => n + p.attendDay, 0)).toBe(d.attendDay)
          else expect([d.attendDay, d.recordCount]).toEqual([0, 0])
          expect(d.parts.every((p) => p.workHours >= 0)).toBe(true)
          expect(d.workHours).toBeLessThanOrEqual(24)
          expect(d.results).toEqual([...new Set(d.results)].sort((a, b) => a - b))
          if (d.results.includes(1)) expect(d.results.some((r) => r >= 2 && r <= 5)).toBe(false)
          if (d.attendDay === 1) expect(d.results).not.toContain(5)
        }
        const hours = Object.values(out.months).reduce((n, m) => n + tenths(m.workHours), 0)
        expect(hours).toBe(out.days.reduce((n, d) => n + tenths(d.workHours), 0))
      }),
      run,
    )
  })
  test('A11 every event is accounted for: it counts on one day or has a reason not to', () => {
    fc.assert(
      fc.property(input, (given) => {
        const facts = factsOf(given)
        const evaluation = evaluate(facts)
        const counted = evaluation.traced.filter((t) => t.countsOn !== null)
        expect(counted.every((t) => t.standing === 'counted')).toBe(true)
        expect(evaluation.traced.filter((t) => t.standing === 'counted').every((t) => t.countsOn !== null)).toBe(true)
        const stays = computeDays(facts, '2026-02-01', '2026-04-30')
        expect(stays.reduce((n, d) => n + d.recordCount, 0)).toBe(counted.length)
      }),
      run,
    )
  })
  test('A62 every passage stands in one hour of one work day', () => {
    fc.assert(
      fc.property(input, (given) => {
        const out = rehearse({ ...given, from: '2026-02-20', to: '2026-03-31' })
        const passages = evaluate(factsOf(given)).passages
        const sum = (i: 0 | 1) => Object.values(out.byHour).reduce((n, hours) => n + Object.values(hours).reduce((m, h) => m + h[i], 0), 0)
        expect([sum(0), sum(1)]).toEqual([
          passages.filter((p) => p.direction === '01').length,
          passages.filter((p) => p.direction === '02').length,
        ])
      }),
      run,
    )
  })
})

test('a rehearsal of the largest size answers in time', () => {
  const events = Array.from({ length: 20_000 }, (_, i) => ({
    id: `e${i}`,
    time: textOf(begin + i * 1_500_000),
    direction: i % 2 ? '02' : '01',
    gate: 'G1',
    type: '001',
  }))
  const given = rehearseInput.parse({
    worker: { workerId: 'w1', rows: [{ entryTime: '2026-01-01', corpCode: 'C' }] },
    events,
    corrections: Array.from({ length: 2_000 }, (_, i) => ({
      id: `c${i}`,
      kind: 'void',
      state: '2',
      target: `e${i * 7}`,
      requestedBy: 'a',
      approvedBy: 'b',
      requestedAt: textOf(begin + i * 7 * 1_500_000),
      approvedAt: textOf(begin + i * 7 * 1_500_000),
    })),
    from: '2026-03-01',
    to: '2027-02-01',
    now: '2028-01-01 00:00:00',
  })
  expect(rehearse(given).days).toHaveLength(338)
})

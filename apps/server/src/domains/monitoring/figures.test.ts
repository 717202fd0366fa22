import { formworkShare, nextPourSteps } from '@zhugong/contract/monitoring/formwork/formwork'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { verdictOf } from './formwork/formwork.ts'
import { splitAtFalls, totalUsage, usageSpans, withoutMisread } from './meter/usage.ts'
import { conclusion } from './pit/pit-daily-print.ts'
import { pitState } from './pit/pit-of.ts'
import { pitValue, ratePerDay } from './shared/points.ts'
import { readRecordKey } from './shared/records.ts'
import { tonnes, toTicket, weights } from './weigh/ticket.ts'

const hour = 3_600_000

describe('use of a counter', () => {
  const span = (h: number, low: number, high: number) => ({ time: h * hour, low, high })
  test('is the difference of readings, times the transformers', () => {
    expect(usageSpans([span(1, 10, 11), span(2, 11, 13)], hour, 40, { time: 0, reading: 10 }).map((u) => u.usage)).toEqual([40, 80])
  })
  test('a gap is spread evenly and marked', () => {
    const spans = usageSpans([span(0, 9, 10), span(4, 21, 22)], hour)
    expect(spans.map((u) => [u.time / hour, u.usage, u.estimated])).toEqual([
      [0, 1, false],
      [1, 3, true],
      [2, 3, true],
      [3, 3, true],
      [4, 3, true],
    ])
  })
  test('a counter that was changed never gives negative use', () => {
    const spans = usageSpans([span(0, 99, 100), span(1, 0, 2), span(2, 2, 5)], hour)
    expect(spans.map((u) => [u.usage, u.rollback])).toEqual([
      [1, false],
      [2, true],
      [3, false],
    ])
    expect(totalUsage([span(0, 99, 100), span(1, 0, 2), span(2, 2, 5)])).toEqual({ usage: 6, rollbacks: 1, reading: 5 })
  })
})

describe('a counter that falls', () => {
  const runs = (h: number, ...list: [number, number][]) => ({
    time: h * hour,
    low: Math.min(...list.flat()),
    high: Math.max(...list.flat()),
    runs: list.map(([first, last]) => ({ first, last })),
  })
  const day = (before: number | undefined, register: number | undefined, ...list: [number, number][]) =>
    usageSpans([runs(1, ...list)], hour, 1, before === undefined ? undefined : { time: 0, reading: before }, register).map((u) => [
      u.usage,
      u.reading,
      u.rollback,
    ])

  test('within a span: the use before and after are added', () => {
    expect(day(100, undefined, [101, 110], [3, 8])).toEqual([[15, 8, true]])
    expect(day(undefined, undefined, [101, 110], [3, 8], [0, 1])).toEqual([[15, 1, true]])
    // The final value is higher than any before.
    expect(day(5, undefined, [5, 6], [0, 9])).toEqual([[10, 9, true]])
  })
  test('over the end of its register nothing is missing', () => {
    expect(day(999_990, undefined, [999_991, 999_998], [2, 5])).toEqual([[15, 5, true]])
    expect(day(999_990, undefined, [2, 5])).toEqual([[15, 5, true]])
    expect(day(9_990, 10_000, [9_995, 9_999], [1, 4])).toEqual([[14, 4, true]])
    // A fall far from the register's end is a replacement.
    expect(day(980_000, undefined, [2, 5])).toEqual([[3, 5, true]])
  })
  test('over a gap it is the span’s own, never spread and never less than nothing', () => {
    const spans = usageSpans([runs(0, [10, 11]), runs(5, [2, 6])], hour)
    expect(spans.map((u) => [u.time / hour, u.usage, u.estimated, u.rollback])).toEqual([
      [0, 1, false, false],
      [5, 4, false, true],
    ])
  })

  const readings = (...values: number[]) => values.map((value, i) => ({ time: i * 60_000, value }))
  test.each([
    ['nothing odd', [1, 2, 3], [[1, 3]]],
    ['one that is nothing', [100, 0, 101], [[100, 101]]],
    ['several', [100, 0, 0, 1, 101], [[100, 101]]],
    ['one leap', [100, 999_999, 101, 102], [[100, 102]]],
    [
      'another meter',
      [100, 101, 3, 4, 5],
      [
        [100, 101],
        [3, 5],
      ],
    ],
    [
      'another meter that soon stands higher',
      [5, 6, 0, 1, 2, 3, 4, 5, 6, 7],
      [
        [5, 6],
        [0, 7],
      ],
    ],
  ] as const)('%s', (_name, values, expected) => {
    expect(splitAtFalls(withoutMisread(readings(...values))).map((run) => [run.first, run.last])).toEqual(expected)
  })
  test('what lasts is no misreading', () => {
    const hours = [100, 0, 0, 101].map((value, i) => ({ time: i * hour, value }))
    expect(splitAtFalls(withoutMisread(hours))).toHaveLength(2)
  })
  test('however it falls, use is never negative and never less than what was counted between', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 1_000 }), { minLength: 2, maxLength: 40 }), (values) => {
        const own = splitAtFalls(readings(...values))
        const { usage, rollbacks } = totalUsage(
          [{ time: 0, low: Math.min(...values), high: Math.max(...values), runs: own }],
          1,
          undefined,
          1e9,
        )
        const grown = values.reduce((sum, v, i) => sum + Math.max(0, v - (values[i - 1] ?? v)), 0)
        expect([usage, rollbacks]).toEqual([grown, own.length - 1])
      }),
    )
  })
})

describe('weighings', () => {
  test('net is gross less tare, actual less the deduction, with three decimals', () => {
    expect(weights({ grossWeight: 46.32, tareWeight: 14.9, deduction: 0.2, plannedWeight: 32 })).toMatchObject({
      net: 31.42,
      actual: 31.22,
      deviation: -0.78,
      percent: -2.44,
    })
    expect(tonnes(1.0005)).toBe(1.001)
  })
  const row = {
    id: 'weighRecord:20260701-0031',
    key: 'k',
    deviceId: 'd',
    deviceName: '1# 地磅',
    projectCode: 'P',
    projectName: '项目',
    record: 'weighRecord',
    ts: new Date(0),
    receivedAt: new Date(0),
    params: {},
    fields: null,
    pending: null,
    voidReason: null,
    version: null,
    isFixed: false,
    fixVersion: 0,
  }
  test('one weighing waits for the second, and is flagged after a day', () => {
    const ticket = toTicket({ ...row, data: { grossWeight: 40 } }, 25 * hour)
    expect([ticket.status, ticket.netWeight, ticket.overdue, ticket.deviationState]).toEqual(['1', null, true, 'none'])
  })
  test('what is corrected lies over what the device sent', () => {
    const data = { recordNo: '0031', plateNo: '鄂A1', grossWeight: 40, tareWeight: 10, plannedWeight: 30 }
    const ticket = toTicket({ ...row, data, fields: { plateNo: '鄂A12345', deduction: 0.5 } }, hour)
    expect(ticket).toMatchObject({ plateNo: '鄂A12345', actualWeight: 29.5, deviationState: 'short', corrected: true, status: '2' })
  })
  test('keys are read back or refused', () => {
    expect(readRecordKey('0123456789abcdef0123456789abcdef.1782873000000.0123abcd')).toMatchObject({
      mark: '0123abcd',
      at: new Date(1_782_873_000_000),
    })
    for (const bad of ['', 'x', '1.2.3', "a.1782873000000.0123abcd'", '0123.1782873000000.0123ABCD'])
      expect(readRecordKey(bad)).toBeUndefined()
  })
})

describe('points of a pit', () => {
  test('70, 85 and 100 percent of control', () => {
    expect([null, 10, 70, 85, 100].map((share) => pitState(share, false))).toEqual(['unset', 'fine', 'warning', 'alarm', 'over'])
    expect(pitState(200, true)).toBe('silent')
  })
  test('a rate needs a reading at least three quarters of a day older', () => {
    expect(ratePerDay({ time: 18 * hour, value: 6 }, { time: 0, value: 3 })).toBe(4)
    expect(ratePerDay({ time: 17 * hour, value: 6 }, { time: 0, value: 3 })).toBeNull()
  })
  test('an inclinometer is judged by its greatest bulge, sign kept', () => {
    expect(
      pitValue('deepHorizontal', {
        points: [
          { depth: 1, deepHorizontalDisplacement: 3 },
          { depth: 2, deepHorizontalDisplacement: -9 },
        ],
      }),
    ).toBe(-9)
    expect(pitValue('tilt', { tiltX: 3, tiltY: 4 })).toBe(5)
  })
})

describe('a pour', () => {
  test('is judged by the limit that is nearest; displacement by the height of the support', () => {
    expect(
      formworkShare({ axialForce: 10, settlement: -9, horizontalDisplacement: 3 }, { designForce: 20, supportHeight: 9 }),
    ).toMatchObject({ share: 90, worstMetric: 'settlement', displacementLimit: 30 })
  })
  const point = (share: number, state: 'fine' | 'warning' | 'alarm' | 'silent') => ({
    pointCode: 'GZ-07',
    share,
    worstMetric: 'axialForce',
    state,
    silentSeconds: 130,
  })
  test('one sentence says whether it may go on', () => {
    expect(verdictOf([point(50, 'fine')], true)).toEqual({ verdict: 'go', verdictText: '可继续浇筑' })
    expect(verdictOf([point(84, 'warning')], true).verdictText).toBe('注意：GZ-07 轴力 84 %')
    expect(verdictOf([point(101, 'alarm')], false).verdict).toBe('stop')
    expect(verdictOf([point(20, 'silent')], true).verdict).toBe('stop')
    expect(verdictOf([point(20, 'fine')], false).verdict).toBe('idle')
  })
})

describe('the conclusion of a pit’s daily report', () => {
  const row = (more: object) => ({
    deviceId: 'D',
    projectName: '项目',
    pitName: '基坑',
    pointCode: 'CX-07',
    pointType: 'deepHorizontal',
    pointTypeName: '深层水平位移',
    unit: 'mm',
    day: '2026-07-01',
    time: 1,
    value: 12,
    change: 1,
    ratePerDay: 1,
    control: 40,
    controlRate: 3,
    share: 30,
    rateShare: 33.3,
    manual: false,
    profile: [],
    ...more,
  })
  test('nothing measured is never called calm', () => {
    expect(conclusion([])).toContain('不能作出判断')
    expect(conclusion([row({ value: null, share: null, rateShare: null })])).toContain('不能作出判断')
  })
  test('the gravest stands first, gaps are named, calm names the nearest', () => {
    const reported = conclusion([
      row({ share: 74 }),
      row({ pointCode: 'DB-01', share: 20, rateShare: 102 }),
      row({ value: null, share: null }),
    ])
    expect(reported.indexOf('超控制值：DB-01')).toBe(0)
    expect(reported).toContain('预警：CX-07')
    expect(reported).toContain('缺测 1 点')
    expect(conclusion([row({})])).toContain('最大为 CX-07，占控制值 33 %')
  })
})

test('nobody goes on before everybody is out, and nothing ends twice', () => {
  expect(nextPourSteps(undefined)).toEqual(['start'])
  expect(nextPourSteps('stop')).toEqual(['evacuated'])
  expect(nextPourSteps('evacuated')).toEqual(['resume', 'end'])
  expect(nextPourSteps('end')).toEqual(['start'])
})

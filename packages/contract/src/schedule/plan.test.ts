import { describe, expect, test } from 'vitest'
import {
  curveOf,
  dayNumber,
  delayOf,
  judge,
  leafShares,
  type PlannedTask,
  percentOf,
  planPercentOf,
  type StopSpan,
  scheduleStates,
  shiftDay,
  stateOf,
  stoppedDays,
} from './plan.ts'
import { phaseOfName, phaseReached, reportFault } from './report.ts'

const task = (given: Partial<PlannedTask> = {}): PlannedTask => ({
  id: 'a',
  parentId: null,
  weight: 100,
  critical: false,
  planStart: '2026-03-01',
  planEnd: '2026-03-10',
  actualStart: null,
  actualEnd: null,
  percent: 0,
  ...given,
})
const begun = (percent: number, more: Partial<PlannedTask> = {}) => task({ actualStart: '2026-03-01', percent, ...more })
const pause = (from: string, until: string | null): StopSpan => ({ from, until })

/** Reckoned by hand with a calendar. Ten planned days, 1 to 10 March. */
describe('delay', () => {
  test.each([
    ['before its first day nothing is late', task(), '2026-02-20', [], 0],
    ['on its first day nothing is late yet', task(), '2026-03-01', [], 0],
    ['one day after the first without a beginning', task(), '2026-03-02', [], 1],
    ['a week after', task(), '2026-03-08', [], 7],
    ['never begun, far behind', task(), '2026-04-10', [], 40],
    ['half done after half the time', begun(50), '2026-03-06', [], 0],
    ['half done at the end', begun(50), '2026-03-11', [], 5],
    ['80% after 5 of 10 days is 3 ahead', begun(80), '2026-03-06', [], -3],
    ['finished on the day', begun(100, { actualEnd: '2026-03-10' }), '2026-05-01', [], 0],
    ['finished two days early', begun(100, { actualEnd: '2026-03-08' }), '2026-05-01', [], -2],
    ['finished twelve days late', begun(100, { actualEnd: '2026-03-22' }), '2026-05-01', [], 12],
    ['a stop of 5 days is no delay', begun(50), '2026-03-11', [pause('2026-03-04', '2026-03-09')], 0],
    ['a stop that still lasts', begun(50), '2026-03-20', [pause('2026-03-06', null)], 0],
    ['a finished task after a stop', begun(100, { actualEnd: '2026-03-22' }), '2026-05-01', [pause('2026-03-05', '2026-03-15')], 2],
    ['a stop after the end changes nothing', begun(100, { actualEnd: '2026-03-12' }), '2026-05-01', [pause('2026-04-01', '2026-04-09')], 2],
  ] as const)('%s', (_, one, today, stops, days) => expect(delayOf(one, today, stops)).toBe(days))

  test('every further day without progress is one day more', () => {
    for (let n = 0; n < 60; n++)
      for (const percent of [0, 10, 50, 90]) {
        const today = shiftDay('2026-03-12', n)
        expect(delayOf(begun(percent), shiftDay(today, 1), []) - delayOf(begun(percent), today, [])).toBe(1)
      }
  })

  test('more progress is never a greater delay, and moving plan and day together changes nothing', () => {
    for (const today of ['2026-03-01', '2026-03-05', '2026-03-10', '2026-04-01'])
      for (let percent = 0; percent < 100; percent += 5) {
        expect(delayOf(begun(percent + 5, { percent: percent + 5 }), today, [])).toBeLessThanOrEqual(delayOf(begun(percent), today, []))
        const later = begun(percent, { planStart: '2026-04-01', planEnd: '2026-04-10', actualStart: '2026-04-01' })
        expect(delayOf(later, shiftDay(today, 31), [])).toBe(delayOf(begun(percent), today, []))
      }
  })

  test('a stop of n days takes n days off, wherever it lies before today', () => {
    for (let length = 1; length < 20; length++)
      for (const from of ['2026-03-02', '2026-03-09', '2026-03-15']) {
        const stops = [pause(from, shiftDay(from, length))]
        expect(delayOf(begun(30), '2026-05-01', stops)).toBe(delayOf(begun(30), '2026-05-01', []) - length)
      }
  })
})

test('days of overlapping stops count once', () => {
  expect(stoppedDays('2026-03-31', [pause('2026-03-01', '2026-03-11'), pause('2026-03-06', '2026-03-16')])).toBe(15)
  expect(stoppedDays('2026-03-05', [pause('2026-03-01', '2026-03-11'), pause('2026-03-02', '2026-03-03')])).toBe(5)
  expect(stoppedDays('2026-02-28', [pause('2026-03-01', null)])).toBe(0)
})

test.each([
  [7, false, scheduleStates.normal],
  [8, false, scheduleStates.late],
  [30, false, scheduleStates.late],
  [31, false, scheduleStates.severe],
  [-7, false, scheduleStates.normal],
  [-8, false, scheduleStates.ahead],
  [99, true, scheduleStates.stopped],
])('%i days behind, stopped %s: state %s', (days, stopped, state) =>
  expect(stateOf({ percent: 40, actualStart: '2026-03-01' }, days, stopped)).toBe(state),
)

describe('a tree', () => {
  const tree = [
    task({ id: 'root', weight: 100 }),
    task({ id: 'one', parentId: 'root', weight: 40, percent: 100, actualStart: '2026-03-01', actualEnd: '2026-03-10' }),
    task({
      id: 'two',
      parentId: 'root',
      weight: 60,
      planStart: '2026-03-11',
      planEnd: '2026-03-30',
      percent: 50,
      actualStart: '2026-03-12',
    }),
  ]
  test('a parent has the dates, share and worst delay of its parts', () => {
    const { tasks, figures } = judge(tree, { today: '2026-03-31', stops: [] })
    const root = tasks.find((one) => one.id === 'root')
    expect(root).toMatchObject({
      planStart: '2026-03-01',
      planEnd: '2026-03-30',
      percent: 70,
      planPercent: 100,
      delayDays: 10,
      weightSum: null,
    })
    expect(figures).toMatchObject({ percent: 70, planPercent: 100, delayDays: 10, finishDeviation: 10, late: 1, severe: 0 })
  })

  test('weights that are not 100 stand at the parent, and are scaled', () => {
    const odd = tree.map((one) => (one.id === 'two' ? { ...one, weight: 40 } : one))
    const { tasks, figures } = judge(odd, { today: '2026-03-31', stops: [] })
    expect(tasks.find((one) => one.id === 'root')?.weightSum).toBe(80)
    expect(figures?.percent).toBe(75)
  })

  test('only the delay beyond its float moves the end, but that of a critical task whole', () => {
    const short = task({ id: 'short', percent: 0, actualStart: '2026-03-01' })
    const long = task({ id: 'long', planEnd: '2026-06-30', actualStart: '2026-03-01', percent: 60 })
    const at = { today: '2026-03-31', stops: [] }
    expect(judge([short, long], at).figures?.finishDeviation).toBe(0)
    expect(judge([{ ...short, critical: true }, long], at).figures?.finishDeviation).toBe(30)
  })

  test('shares of leaves are 1 together, in random trees', () => {
    let seed = 7
    const random = () => {
      seed = (seed * 1103515245 + 12345) % 2147483648
      return seed / 2147483648
    }
    for (let n = 1; n < 60; n++) {
      const tasks = Array.from({ length: n }, (_, i) =>
        task({
          id: String(i),
          parentId: i === 0 || random() < 0.2 ? null : String(Math.floor(random() * i)),
          weight: Math.floor(random() * 4) * 25,
        }),
      )
      const sum = [...leafShares(tasks).values()].reduce((a, b) => a + b, 0)
      expect(sum).toBeCloseTo(1, 9)
      const { figures } = judge(tasks, { today: '2026-03-05', stops: [] })
      expect(figures?.planPercent).toBeCloseTo(50, 1)
      expect(percentOf(tasks.map((one) => ({ ...one, percent: 100 })))).toBeCloseTo(100, 1)
    }
  })

  test('an empty plan has no figures', () => expect(judge([], { today: '2026-03-01', stops: [] })).toEqual({ tasks: [], figures: null }))
})

test('the curve never falls where it is planned, ends at 100, and has no actual value ahead', () => {
  const tasks = [task({ id: 'a', weight: 30 }), task({ id: 'b', weight: 70, planStart: '2026-03-05', planEnd: '2026-06-20' })]
  const reports = [
    { taskId: 'a', day: '2026-03-10', percent: 100 },
    { taskId: 'a', day: '2026-03-03', percent: 20 },
  ]
  const points = curveOf(tasks, reports, { today: '2026-03-15', stops: [] })
  expect(points.at(-1)?.plan).toBe(100)
  for (const [i, one] of points.entries()) if (i > 0) expect(one.plan).toBeGreaterThanOrEqual(points[i - 1]?.plan ?? 0)
  expect(points.filter((one) => one.day > '2026-03-15').every((one) => one.actual === null)).toBe(true)
  expect(points.find((one) => one.day === '2026-03-15')?.actual).toBe(30)
  expect(new Set(points.map((one) => one.day)).size).toBe(points.length)
  const long = curveOf([task({ planEnd: '2032-03-01' })], [], { today: '2026-03-15', stops: [] })
  expect(long.length).toBeLessThan(130)
})

test('planned shares are even over the days', () => {
  expect(planPercentOf(task(), '2026-02-28', [])).toBe(0)
  expect(planPercentOf(task(), '2026-03-05', [])).toBe(50)
  expect(planPercentOf(task(), '2026-03-10', [])).toBe(100)
  expect(dayNumber('1970-01-02')).toBe(1)
})

describe('a report', () => {
  const before = { planStart: '2026-03-01', planEnd: '2026-03-10', percent: 40, delayReason: null }
  const at = { today: '2026-03-11', stops: [] }
  const given = { percent: 90, actualStart: '2026-03-01', actualEnd: null, reason: '' }
  test.each([
    [{}, undefined],
    [{ actualStart: null }, 'actualStart'],
    [{ actualStart: '2026-03-12' }, 'actualStart'],
    [{ percent: 100 }, 'actualEnd'],
    [{ percent: 100, actualEnd: '2026-03-11' }, undefined],
    [{ percent: 100, actualEnd: '2026-03-12' }, 'actualEnd'],
    [{ percent: 100, actualEnd: '2026-02-12' }, 'actualEnd'],
    [{ actualEnd: '2026-03-10' }, 'percent'],
    [{ percent: 30 }, 'reason'],
    [{ percent: 30, reason: '上次误填' }, undefined],
  ])('%o is wrong at %s', (more, field) => expect(reportFault(before, { ...given, ...more }, at)?.field).toBe(field))

  test('a delay of more than a week needs a reason once', () => {
    const late = { ...given, percent: 50 }
    expect(reportFault(before, late, { today: '2026-03-14', stops: [] })?.message).toBe('滞后 8 天，超过 7 天请填写滞后原因')
    expect(reportFault({ ...before, delayReason: '连续降雨' }, late, { today: '2026-03-14', stops: [] })).toBeUndefined()
    expect(reportFault(before, late, { today: '2026-03-13', stops: [] })).toBeUndefined()
  })
})

test.each([
  ['三通一平', '1'],
  ['筏板基础', '2'],
  ['地下室结构', '2'],
  ['12层主体结构', '3'],
  ['5层砌体', '4'],
  ['机电安装', '4'],
  ['室外管网', '5'],
  ['竣工验收', '6'],
  ['其他', null],
])('%s is stage %s', (name, phase) => expect(phaseOfName(name)).toBe(phase))

test('a unit has reached the furthest stage that has begun', () => {
  const of = (phase: string, actualStart: string | null, actualEnd: string | null = null) => ({ phase, actualStart, actualEnd })
  expect(phaseReached([of('2', '2026-01-01'), of('3', '2026-02-01'), of('4', null)])).toBe('3')
  expect(phaseReached([of('2', null)])).toBeNull()
  expect(phaseReached([of('2', '2026-01-01', '2026-02-01')])).toBe('7')
})

import { describe, expect, test } from 'vitest'
import { dayMs, hourMs, minuteMs } from '../kit/time.ts'
import {
  type AskedAt,
  gasFaults,
  gasLimits,
  type PermitFacts,
  type PersonFact,
  permitTypes,
  type ReasonKey,
  whyNot,
  whyNotPerson,
} from './permit-rules.ts'

const now = Date.parse('2026-11-20T09:00:00+08:00')
const today = '2026-11-20'
const welder: PersonFact = {
  workerId: 'a',
  name: '张焊',
  role: 'worker',
  onSite: true,
  inside: true,
  listed: false,
  licences: { '07': '2027-01-01' },
}
const guardian: PersonFact = { ...welder, workerId: 'b', name: '李看', role: 'guardian', licences: {} }
const fit: PermitFacts = {
  type: '1',
  level: '二级',
  startTime: now - hourMs,
  endTime: now + hourMs,
  people: [welder, guardian],
  open: [],
  hasDevice: false,
  gas: null,
  stop: null,
}
const air = { oxygen: 20.9, combustible: 0, carbonMonoxide: 0, hydrogenSulfide: 0 }

test('nothing keeps a permit whose facts are right', () => {
  for (const at of ['submit', 'approve', 'start', 'extend'] as const) expect(whyNot(at, fit, now, today)).toEqual([])
})

const space = { ...fit, type: '5', level: null }
test.each<[string, AskedAt, Partial<PermitFacts>, ReasonKey[]]>([
  ['a licence that ended', 'start', { people: [{ ...welder, licences: { '07': '2026-11-19' } }, guardian] }, ['certificate']],
  ['a licence on its last day', 'start', { people: [{ ...welder, licences: { '07': today } }, guardian] }, []],
  ['a licence of another trade', 'approve', { people: [{ ...welder, licences: { '01': '2027-01-01' } }, guardian] }, ['certificate']],
  ['no licence', 'submit', { people: [{ ...welder, licences: {} }, guardian] }, ['certificate']],
  ['a worker who left the site', 'approve', { people: [{ ...welder, onSite: false, inside: false }, guardian] }, ['onSite']],
  ['a worker at home', 'start', { people: [{ ...welder, inside: false }, guardian] }, ['inside']],
  ['a worker at home, not asked before the start', 'approve', { people: [{ ...welder, inside: false }, guardian] }, []],
  ['a guardian at home', 'start', { people: [welder, { ...guardian, inside: false }] }, ['inside']],
  ['a guardian who works', 'submit', { people: [welder, { ...guardian, workerId: 'a' }] }, ['guardian']],
  ['a stop of the site', 'start', { stop: '项目停工中' }, ['stop']],
  ['a stop of the site at the approval', 'approve', { stop: '项目停工中' }, ['stop']],
  ['an unconfirmed measure', 'submit', { open: ['接火斗'] }, ['measures']],
  ['a time that is over', 'approve', { startTime: now - 2 * hourMs, endTime: now }, ['window']],
  ['a time that has not begun', 'start', { startTime: now + minuteMs, endTime: now + hourMs }, ['window']],
  ['an end before the start', 'submit', { startTime: now + hourMs, endTime: now }, ['window']],
  ['three days of level 2', 'submit', { startTime: now, endTime: now + 3 * dayMs }, []],
  ['more than three days of level 2', 'submit', { startTime: now, endTime: now + 3 * dayMs + 1 }, ['window']],
  ['more than a day of level 1', 'submit', { level: '一级', startTime: now, endTime: now + dayMs + 1 }, ['window']],
  ['lifting without a machine', 'submit', { type: '3', level: null, people: [guardian] }, ['device']],
  ['a confined space without a test', 'start', space, ['gas']],
  ['a confined space with a fresh test', 'start', { ...space, gas: { at: now - 30 * minuteMs, faults: [] } }, []],
  ['a confined space with an old test', 'start', { ...space, gas: { at: now - 30 * minuteMs - 1, faults: [] } }, ['gas']],
  ['a confined space with bad air', 'start', { ...space, gas: { at: now, faults: ['氧含量 18 %'] } }, ['gas']],
])('%s at %s', (_what, at, more, keys) => {
  expect(whyNot(at, { ...fit, ...more }, now, today).map((one) => one.key)).toEqual(keys)
})

test('the driver of a lifting machine needs his own licence, the guardian none', () => {
  expect(whyNotPerson('3', { ...welder, role: 'driver' }, today)?.key).toBe('certificate')
  expect(whyNotPerson('3', { ...welder, role: 'driver', licences: { '04': '2027-01-01' } }, today)).toBeUndefined()
  expect(whyNotPerson('1', guardian, today)).toBeUndefined()
  expect(whyNotPerson('1', { ...guardian, listed: true }, today)?.key).toBe('onSite')
})

describe('air', () => {
  test.each([
    [{ oxygen: gasLimits.oxygenLow }, 0],
    [{ oxygen: 19.4 }, 1],
    [{ oxygen: gasLimits.oxygenHigh }, 0],
    [{ oxygen: 23.6 }, 1],
    [{ combustible: 9.9 }, 0],
    [{ combustible: gasLimits.combustible }, 1],
    [{ carbonMonoxide: gasLimits.carbonMonoxide }, 0],
    [{ carbonMonoxide: 20.1, hydrogenSulfide: 10.1 }, 2],
  ])('%o', (more, faults) => {
    expect(gasFaults({ ...air, ...more })).toHaveLength(faults)
  })
})

test('every type has a longest time, an approver and measures', () => {
  for (const { grades, measures } of Object.values(permitTypes)) {
    expect(Object.values(grades).every((one) => one.most > 0)).toBe(true)
    expect(measures.length).toBeGreaterThan(0)
  }
})

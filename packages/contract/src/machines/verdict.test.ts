import { expect, test } from 'vitest'
import { ageLimitOf, type MachineFacts, retireDateOf, verdictOf } from './verdict.ts'

test.each([
  ['1', 629, null, 10],
  ['1', 630, null, 15],
  ['1', 1249.9, null, 15],
  ['1', 1250, null, 20],
  ['1', null, null, null],
  ['2', null, 'SC', 8],
  ['2', null, 'SS', 5],
  ['2', null, null, null],
  ['3', 500, 'SC', null],
])('type %s with moment %s and class %s serves %s years', (type, moment, hoist, years) => {
  expect(ageLimitOf(type, moment, hoist)).toBe(years)
})

test('the last day follows from the day of manufacture', () => {
  expect(retireDateOf('2010-11-03', 15)).toBe('2025-11-03')
  expect(retireDateOf('2012-02-29', 15)).toBe('2027-02-28')
  expect(retireDateOf('2010-11-03', null)).toBeNull()
})

const fit: MachineFacts = {
  state: '6',
  overAge: false,
  untested: false,
  testOverdue: false,
  unregisteredLate: false,
  operators: 2,
  badOperators: 0,
  licensed: true,
  iot: 'online',
  working: true,
}

test('a registered machine with valid papers may be used', () => {
  expect(verdictOf(fit)).toEqual({ usable: true, reasons: [] })
})

test.each([
  [{ overAge: true }, '使用年限'],
  [{ untested: true }, '无检测报告'],
  [{ testOverdue: true }, '检测已过期'],
  [{ operators: 0 }, '未登记司机'],
  [{ badOperators: 1 }, '1 名司机证书无效'],
  [{ licensed: false }, '资质'],
  [{ state: '5' }, '使用登记'],
  [{ state: '5', unregisteredLate: true }, '30 日未登记'],
  [{ state: '7' }, '已停用'],
  [{ state: '9' }, '已拆除'],
] as const)('%o forbids the use', (change, why) => {
  const verdict = verdictOf({ ...fit, ...change })
  expect(verdict.usable).toBe(false)
  expect(verdict.reasons.join()).toContain(why)
})

test('telemetry against the register is a finding, not a verdict of its own', () => {
  expect(verdictOf({ ...fit, iot: 'silent' })).toEqual({ usable: true, reasons: ['监测失联超过 24 小时'] })
  expect(verdictOf({ ...fit, state: '7' }).reasons).toContain('停用期间仍在作业')
  expect(verdictOf({ ...fit, state: '4' }).reasons).toContain('未登记已有监测数据')
  expect(verdictOf({ ...fit, state: '9' }).reasons).toEqual(['已拆除'])
})

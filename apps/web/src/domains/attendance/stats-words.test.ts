import { expect, test } from 'vitest'
import { changeWords, isRest, percent, steadiness, unitsOf } from './stats-words.ts'

const day = (date: string, attended: number, more: object = {}) => ({
  corpCode: 'A',
  corpName: '甲公司',
  teamSysNo: null,
  teamName: null,
  date,
  inPlace: 10,
  expected: 10,
  arrived: attended,
  attended,
  entered: attended,
  workHours: attended * 9,
  rate: attended * 10,
  late: 0,
  early: 0,
  missing: 0,
  absent: 0,
  leave: 0,
  stop: 0,
  night: 0,
  atClose: null,
  ...more,
})

test('rows of days become one line per unit', () => {
  const rows = [day('2026-11-01', 8), day('2026-11-02', 9), { ...day('2026-11-01', 4), corpCode: 'B', corpName: '乙公司' }]
  expect(unitsOf(rows).map((u) => [u.key, u.name, u.days.length])).toEqual([
    ['A|', '甲公司', 2],
    ['B|', '乙公司', 1],
  ])
})

test('a rest day is one on which people are in place and none is due', () => {
  expect(isRest(day('2026-11-01', 0, { expected: 0 }))).toBe(true)
  expect(isRest(day('2026-11-01', 0))).toBe(false)
  expect(isRest(day('2026-11-01', 0, { expected: 0, inPlace: 0 }))).toBe(false)
})

test('steadiness is the mean against the best of the working days, and nothing below three of them', () => {
  const days = [day('2026-11-01', 10), day('2026-11-02', 8), day('2026-11-03', 6)]
  expect(steadiness(days)).toBe(80)
  expect(steadiness([...days, day('2026-11-04', 0, { expected: 0 })])).toBe(80)
  expect(steadiness(days.slice(1))).toBeNull()
})

test('what changed against the period before', () => {
  expect(changeWords(61, 92)).toEqual({ text: '↓ 31.0', tone: 'down' })
  expect(changeWords(92.04, 92)).toEqual({ text: '持平', tone: '' })
  expect(changeWords(null, 92).text).toBe('--')
  expect(percent(1, 0)).toBeNull()
})

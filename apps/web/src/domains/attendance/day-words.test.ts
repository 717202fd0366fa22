import { expect, test } from 'vitest'
import { askable, bareDayWords, confirmedWords, rateWords } from './day-words.ts'

const day = { open: true, came: false, expected: true, inside: false }

test.each([
  ['due and not here yet', day, '未到'],
  ['due, and the day is over without a result', { ...day, open: false }, '未到'],
  ['a rest day', { ...day, expected: false, rest: true }, '休息'],
  ['on leave while others work', { ...day, expected: false }, '不考核'],
  ['came on a rest day and is inside', { ...day, expected: false, rest: true, came: true, inside: true }, '场内'],
  ['out since half past five', { ...day, came: true }, '已出场'],
  ['a rest day that is over', { ...day, open: false, expected: false, rest: true, came: true }, '不考核'],
])('a day without results: %s', (_, given, words) => expect(bareDayWords(given)).toBe(words))

test('a rest day has no rate', () => {
  expect(rateWords({ expected: 0, attended: 0, rate: null, rest: true })).toBe('休息或停工，不计出勤率')
  expect(rateWords({ expected: 8, attended: 7, rate: 87.5, rest: false })).toBe('7 / 8，出勤率 87.50%')
  expect(rateWords(undefined)).toBeUndefined()
})

test('what is asked for already is not offered a second time', () => {
  expect(askable([])).toEqual(['add', 'leave'])
  expect(askable([{ kind: 'add' }, { kind: 'add' }])).toEqual(['leave'])
  expect(askable([{ kind: 'leave' }])).toEqual([])
  expect(askable([{ kind: 'void' }])).toEqual(['add', 'leave'])
})

test('a month agreed to says by whom and for whom', () => {
  const at = { confirmedName: '李敏', confirmedAt: '2026-11-02 09:12:00' }
  expect(confirmedWords({ ...at, confirmedFor: '孙大力' })).toBe('李敏 代班组长孙大力确认 11-02 09:12')
  expect(confirmedWords({ ...at, confirmedFor: null })).toBe('李敏确认 11-02 09:12')
})

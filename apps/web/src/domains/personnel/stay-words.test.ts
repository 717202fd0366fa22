import { expect, test } from 'vitest'
import { absenceWord, badStateWords, priceWords } from './stay-words.ts'

test.each([
  [36_000, '1', '360.00 元 / 日'],
  [36_000, '3', '360.00 元 / 小时'],
  [36_000, '9', '360.00 元'],
  [null, '1', null],
])('a price says what it is for: %s by %s', (cents, type, words) => expect(priceWords(cents, type)).toBe(words))

test.each([
  [[5], true, '缺勤'],
  [[6, 11], false, '请假'],
  [[8], false, '停工'],
  [[], true, '未到'],
  // Entered in the evening, so not expected that day.
  [[], false, '不考核'],
])('a day without entry, results %j, expected %s: %s', (results, expected, word) => expect(absenceWord({ results, expected })).toBe(word))

test('a confirmed bad record is not called passed', () => {
  const row = { auditStatusName: '已通过', counts: true }
  expect(badStateWords({ ...row, auditStatus: '1' })).toBe('已认定')
  expect(badStateWords({ ...row, auditStatus: '1', counts: false })).toBe('已过影响期')
  expect(badStateWords({ ...row, auditStatus: '0', auditStatusName: '待审核' })).toBe('待审核')
})

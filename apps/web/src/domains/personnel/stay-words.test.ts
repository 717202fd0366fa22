import { expect, test } from 'vitest'
import { absenceWord, priceWords } from './stay-words.ts'

test.each([
  [36_000, '1', '360.00 元 / 日'],
  [36_000, '3', '360.00 元 / 小时'],
  [36_000, '9', '360.00 元'],
  [null, '1', null],
])('a price says what it is for: %s by %s', (cents, type, words) => expect(priceWords(cents, type)).toBe(words))

test.each([
  [[5], '缺勤'],
  [[6, 11], '请假'],
  [[8], '停工'],
  [[], '未到'],
])('a day without entry, results %j: %s', (results, word) => expect(absenceWord(results)).toBe(word))

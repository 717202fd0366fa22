import { expect, test } from 'vitest'
import { rangeOf, valueWords } from './field-words.ts'

const field = { key: 'k', label: '名', unit: 'm', type: 'number' }

test.each([
  [null, field, ['--', '']],
  [7.12345, field, ['7.123', 'm']],
  [7.12345, { ...field, precision: 1 }, ['7.1', 'm']],
  ['1', { ...field, values: { '1': '右' } }, ['右', '']],
  [true, undefined, ['是', '']],
  ['2026-07-01T00:00:00Z', { ...field, type: 'datetime' }, ['2026-07-01 08:00:00', '']],
  [1_782_864_000_000, { ...field, type: 'datetime' }, ['2026-07-01 08:00:00', '']],
  ['不是时间', { ...field, type: 'datetime' }, ['不是时间', '']],
])('%j is said in the words of its field', (value, given, words) => {
  expect(valueWords(value, given)).toEqual(words)
})

test('what a field may hold: its range, or its codes', () => {
  expect(rangeOf({ min: 0, max: 60 })).toBe('0～60')
  expect(rangeOf({ values: { '0': '左', '1': '右' } })).toBe('0 左，1 右')
  expect(rangeOf({})).toBe('--')
})

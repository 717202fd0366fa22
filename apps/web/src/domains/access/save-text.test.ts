import { expect, test } from 'vitest'
import { csvCell } from './save-text.ts'

test.each([
  ['查看', '查看'],
  ['a,b', '"a,b"'],
  ['说“好”"了"', '"说“好”""了"""'],
  ['=1+1', "'=1+1"],
  ['-', "'-"],
])('%s is written as %s', (given, written) => {
  expect(csvCell(given)).toBe(written)
})

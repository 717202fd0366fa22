import { expect, test } from 'vitest'
import { openEndOf, unusualPay } from './rules.ts'

test.each([
  ['1', 5_000, '日工资 50 元，低于常见的 100 至 2,000 元，请核对'],
  ['1', 32_000, undefined],
  ['2', 32_000, '月工资 320 元，低于常见的 2,000 至 60,000 元，请核对'],
  ['3', 100_000, '小时工资 1,000 元，高于常见的 12 至 300 元，请核对'],
  ['4', 100, undefined],
  ['1', null, undefined],
])('pay by %s of %s cents', (payment, cents, words) => expect(unusualPay(payment, cents)).toBe(words))

test('a contract for a piece of work ends with the work', () => {
  expect([openEndOf('1'), openEndOf('2')]).toEqual(['工作完成', '无固定期限'])
})

import { expect, test } from 'vitest'
import { changedWords } from './changed.ts'

test('what was and what is, of what changed alone', () => {
  expect(changedWords({ 名称: ['甲', '乙'], 期限: [null, '2027-01-01'], 说明: ['同', '同'], 图标: ['a', undefined] })).toBe(
    '名称 甲→乙，期限 无→2027-01-01',
  )
  expect(changedWords({ 适用: [['企业'], ['企业', '项目']], 默认: [false, true] })).toBe('适用 企业→企业、项目，默认 否→是')
  expect(changedWords({ 说明: ['', 'x'.repeat(50)] })).toBe(`说明 无→${'x'.repeat(40)}…`)
  expect(changedWords({ 名称: ['甲', '甲'] })).toBe('')
})

import { expect, test } from 'vitest'
import { noticeTone, noticeWord } from './notice-words.ts'

test.each([
  ['1', false, null, '待签收', 'warning'],
  ['1', false, 1, '待答复', 'warning'],
  ['1', true, 1, '待答复 · 逾期', 'danger'],
  ['2', false, 1, '已答复', 'fine'],
  ['2', true, 1, '已答复 · 逾期', 'danger'],
  ['3', false, 1, '已退回', 'warning'],
  ['4', false, null, '已撤回', 'neutral'],
] as const)('a notice in state %s, late %s, read at %s says %s', (state, late, readTime, word, tone) => {
  expect([noticeWord({ state, late, readTime }), noticeTone({ state, late, readTime })]).toEqual([word, tone])
})

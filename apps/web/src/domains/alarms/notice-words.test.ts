import { expect, test } from 'vitest'
import { noticeTone, noticeWord } from './notice-words.ts'

test.each([
  ['dust', '1', false, null, '待签收', 'warning'],
  ['dust', '1', false, 1, '待答复', 'warning'],
  ['dust', '1', true, 1, '待答复 · 逾期', 'danger'],
  ['dust', '2', false, 1, '已答复', 'fine'],
  ['dust', '2', true, 1, '已答复 · 逾期', 'danger'],
  ['dust', '3', false, 1, '已退回', 'warning'],
  ['dust', '4', false, null, '已撤回', 'neutral'],
  ['supervise', '2', false, 1, '待核查', 'warning'],
  ['supervise', '5', true, 1, '已通过 · 逾期', 'fine'],
] as const)('a notice of %s in state %s, late %s, read at %s says %s', (kind, state, late, readTime, word, tone) => {
  expect([noticeWord({ kind, state, late, readTime }), noticeTone({ kind, state, late })]).toEqual([word, tone])
})

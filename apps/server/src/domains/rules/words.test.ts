import { expect, test } from 'vitest'
import { wordingOf } from './trigger-store.ts'
import { conditionInWords } from './words.ts'

test('coded values of metrics and records are called by their words', () => {
  const event = wordingOf('videoAi', 'aiEvent')
  expect(conditionInWords({ type: 'state', metric: 'type', equals: 'fallDown' }, event)).toBe('类型 为 人员倒地')
  expect(conditionInWords({ type: 'state', metric: 'stream', notEquals: '1' }, wordingOf('videoAi', undefined))).toBe('码流 不为 正常')
  // What nobody has named stays as it is.
  expect(conditionInWords({ type: 'state', metric: 'type', equals: 'nameless' }, event)).toBe('类型 为 nameless')
})

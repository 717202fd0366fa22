import { families } from '@zhugong/contract/telemetry/families'
import { expect, test } from 'vitest'
import { defaultInWords, isExpressible } from './defaults.ts'
import { conditionInWords, wordingOf } from './words.ts'

test('coded values of metrics and records are called by their words', () => {
  const event = wordingOf('videoAi', 'aiEvent')
  expect(conditionInWords({ type: 'state', metric: 'type', equals: 'fallDown' }, event)).toBe('类型 为 人员倒地')
  expect(conditionInWords({ type: 'state', metric: 'stream', notEquals: '1' }, wordingOf('videoAi'))).toBe('码流 不为 正常')
  expect(conditionInWords({ type: 'expression', expr: "type == 'noHelmet' and confidence > 0.6" }, event)).toBe(
    '类型 = 未戴安全帽 且 置信度 > 0.6',
  )
  // Unnamed codes are shown as they are.
  expect(conditionInWords({ type: 'state', metric: 'type', equals: 'nameless' }, event)).toBe('类型 为 nameless')
})

test('no delivered rule speaks in raw keys', () => {
  const raw = families.flatMap((family) =>
    family.alarms
      .filter(isExpressible)
      .map((alarm) => `${family.key}.${alarm.key}: ${defaultInWords(alarm, family.key)}`)
      .filter((said) => /[a-z]{2}[A-Z_]/.test(said.slice(said.indexOf(': ')))),
  )
  expect(raw).toEqual([])
})

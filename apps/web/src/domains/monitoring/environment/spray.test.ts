import { expect, test } from 'vitest'
import type { SprayLine } from './environment-plan.tsx'
import { reportedOf } from './spray.tsx'

const at = Date.parse('2026-03-10T10:00:00+08:00')
const spray = (state: SprayLine['state']): SprayLine => ({ id: 's1', name: '东线', state, word: '' })
const start = { id: 's1', runs: true, at }

test.each([
  ['sent a moment ago', 'standby', 5_000, /已下发.*等待设备确认/],
  ['the spray says that it runs', 'running', 40_000, /已启动，设备已确认/],
  ['nothing after a minute', 'standby', 61_000, /未启动，请到现场检查/],
  ['a dry line says why', 'dry', 61_000, /未启动：管路无水/],
] as const)('a command to a spray, %s', (_, state, after, words) => {
  expect(reportedOf(start, [spray(state)], at + after)?.text).toMatch(words)
})

test('the last word on a command goes after a while, and with the spray', () => {
  expect(reportedOf(start, [spray('running')], at + 121_000)).toBeUndefined()
  expect(reportedOf(start, [], at + 1_000)).toBeUndefined()
})

import { expect, test } from 'vitest'
import { askedLevel, consequences, exposures, type Level, levelOf, likelihoods, scoreOf, whyNotLevel } from './levels.ts'

test.each([
  [320, '1'],
  [319.9, '2'],
  [160, '2'],
  [159.9, '3'],
  [70, '3'],
  [69.9, '4'],
  [0.1, '4'],
])('a product of %s is level %s', (score, level) => {
  expect(levelOf(score)).toBe(level)
})

test('every combination has a level, and the gravest is level 1', () => {
  for (const { value: likelihood } of likelihoods)
    for (const { value: exposure } of exposures)
      for (const { value: consequence } of consequences)
        expect(['1', '2', '3', '4']).toContain(levelOf(scoreOf({ likelihood, exposure, consequence })))
  expect(askedLevel({ likelihood: 10, exposure: 10, consequence: 100 }, false)).toBe('1')
})

const low = { likelihood: 1, exposure: 1, consequence: 1 }
const high = { likelihood: 6, exposure: 6, consequence: 15 }
test.each<[string, Level, Parameters<typeof whyNotLevel>[1], string | undefined]>([
  ['as judged', '4', { judged: low, overScale: false, reason: null }, undefined],
  ['raised without a reason', '1', { judged: low, overScale: false, reason: null }, undefined],
  ['lowered without a reason', '3', { judged: high, overScale: false, reason: null }, 'levelReason'],
  ['lowered with a reason', '3', { judged: high, overScale: false, reason: '已改为工厂预制' }, undefined],
  ['over-scale as judged', '4', { judged: low, overScale: true, reason: null }, 'riskLevel'],
  ['over-scale with a reason', '3', { judged: low, overScale: true, reason: '面积小' }, 'riskLevel'],
  ['over-scale at level 2', '2', { judged: low, overScale: true, reason: null }, undefined],
  ['below what it was', '4', { judged: low, overScale: false, before: '2', reason: null }, 'levelReason'],
  ['below what it was, with a reason', '4', { judged: low, overScale: false, before: '2', reason: '风险已消除' }, undefined],
])('%s', (_what, level, given, field) => {
  expect(whyNotLevel(level, given)?.field).toBe(field)
})

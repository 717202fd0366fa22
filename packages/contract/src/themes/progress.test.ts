import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { themeCodes, themes } from './catalogue.ts'
import { type ObjectState, objectState, objectStates, reportOf } from './progress.ts'

const facts = fc
  .record({ checked: fc.boolean(), skipped: fc.boolean(), problemCount: fc.nat(5), closed: fc.nat(5) })
  .map(({ closed, ...one }) => ({ ...one, openCount: Math.max(0, one.problemCount - closed) }))

describe('an object of a campaign', () => {
  const table: readonly [boolean, boolean, number, number, ObjectState][] = [
    [false, false, 0, 0, 'unchecked'],
    [true, false, 0, 0, 'fine'],
    [true, true, 0, 0, 'skipped'],
    [true, false, 2, 1, 'problem'],
    [true, true, 2, 1, 'problem'],
    [true, false, 2, 0, 'mended'],
  ]
  test.each(table)('checked %s, skipped %s, %i problems, %i open: %s', (checked, skipped, problemCount, openCount, state) => {
    expect(objectState({ checked, skipped, problemCount, openCount })).toBe(state)
  })
  test('is never fine with an open problem, and unchecked only without a check', () => {
    fc.assert(
      fc.property(facts, (one) => {
        const state = objectState(one)
        expect(state === 'unchecked').toBe(!one.checked)
        if (one.checked && one.openCount > 0) expect(state).toBe('problem')
      }),
    )
  })
})

describe('the report', () => {
  const states = Object.keys(objectStates) as ObjectState[]
  const sampleFacts = fc.record({
    title: fc.constant('雨季前检查'),
    themeName: fc.constant('防汛'),
    startDate: fc.constant('2026-06-01'),
    endDate: fc.constant('2026-06-20'),
    persons: fc.constant(['周安']),
    objects: fc.array(fc.record({ name: fc.constant('北侧'), state: fc.constantFrom(...states) }), { maxLength: 30 }),
    problems: fc.array(
      fc.record({
        objectName: fc.constant('北侧'),
        description: fc.constant('积水'),
        corpName: fc.constant('云泽建设'),
        closed: fc.boolean(),
      }),
      { maxLength: 30 },
    ),
  })
  test('names the figures and at most ten problems', () => {
    fc.assert(
      fc.property(sampleFacts, (given) => {
        const text = reportOf(given)
        expect(text).toContain(`应检对象 ${given.objects.length} 个`)
        expect(text.split('\n').filter((line) => /^\d+\. /.test(line))).toHaveLength(Math.min(10, given.problems.length))
        if (given.problems.length === 0) expect(text).toContain('未发现问题')
      }),
    )
  })
})

test('every theme has points with a requirement, and no point twice', () => {
  for (const code of themeCodes) {
    const { points } = themes[code]
    expect(points.length).toBeGreaterThan(0)
    expect(new Set(points.map(([name]) => name)).size).toBe(points.length)
    for (const [name, requirement] of points) expect(name && requirement).toBeTruthy()
  }
})

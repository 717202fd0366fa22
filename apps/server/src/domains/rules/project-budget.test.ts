import { expect, test } from 'vitest'
import type { Rule } from './device-state.ts'
import { ProjectBudget } from './project-budget.ts'

/** A thousand steps per ten seconds. */
const limits = { stepsPerSecond: 100, windowMs: 10_000 }
const rule = (id: string, kind: 'global' | 'projects' = 'projects') =>
  ({ id, scope: kind === 'global' ? { kind } : { kind, projectCodes: ['P1'] } }) as Rule
const [dear, cheap, everywhere] = [rule('dear'), rule('cheap'), rule('everywhere', 'global')]

test('what stays under the limit, or over it in a burst with a pause behind it, is left alone', () => {
  const budget = new ProjectBudget(limits)
  for (let at = 0; at < 100_000; at += 1_000) expect(budget.spend('P1', dear, 90, at)).toEqual([])
  const burst = new ProjectBudget(limits)
  for (const at of [0, 12_000, 24_000]) expect(burst.spend('P1', dear, 1_000, at)).toEqual([])
})

test('the dearest goes first, and no more than it takes', () => {
  const budget = new ProjectBudget(limits)
  expect(budget.spend('P1', cheap, 300, 0)).toEqual([])
  expect(budget.spend('P1', dear, 600, 1)).toEqual([])
  expect(budget.spend('P1', cheap, 101, 2)).toEqual([dear])
  expect(budget.spend('P1', cheap, 900, 3)).toEqual([])
})

test("a project's own rules go before those that hold everywhere, and one project is not charged for another", () => {
  const budget = new ProjectBudget(limits)
  expect(budget.spend('P2', dear, 900, 0)).toEqual([])
  expect(budget.spend('P1', everywhere, 450, 0)).toEqual([])
  expect(budget.spend('P1', cheap, 250, 1)).toEqual([])
  expect(budget.spend('P1', dear, 320, 2)).toEqual([dear, cheap])
})

import type { RuleCondition } from '@zhugong/contract/rules/conditions'
import { innerOf } from '@zhugong/contract/rules/conditions'
import { type Expression, parseExpression } from '@zhugong/contract/rules/expression'

/**
 * Past readings that one evaluation of a rule may examine over all its windows, at the usual interval of the family. It equals one day of a
 * device that reports every ten seconds. The rule is evaluated at every reading, so this is the cost per device.
 */
export const mostLookedAt = 10_000

/** Seconds of history that a condition examines, over all its windows. */
function walkedSeconds(c: RuleCondition): number {
  const inner = innerOf(c).reduce((sum, one) => sum + walkedSeconds(one), 0)
  switch (c.type) {
    case 'threshold':
      return (c.windowSeconds ?? 0) * (c.fallbackMetric === undefined ? 1 : 2)
    case 'countInWindow':
      return c.record === undefined ? c.windowSeconds : 0
    case 'constant':
      return c.seconds
    case 'dwell':
      // The duration of a stay comes from gate passages, not from readings.
      return c.state === undefined || c.state === 'driving' ? c.seconds + (c.resetRestSeconds ?? 0) : 0
    case 'expression':
      return walkedInExpression(parseExpression(c.expr))
    default:
      return inner
  }
}

function walkedInExpression(tree: Expression): number {
  const own = tree.kind === 'call' ? (tree.seconds ?? 0) : 0
  const parts = 'of' in tree ? [tree.of] : 'left' in tree ? [tree.left, tree.right] : []
  return own + parts.reduce((sum, part) => sum + walkedInExpression(part), 0)
}

/** Past readings that one evaluation of these conditions examines at the given report interval. */
export const lookedAt = (conditions: readonly RuleCondition[], intervalSeconds: number): number =>
  Math.ceil(conditions.reduce((sum, c) => sum + walkedSeconds(c), 0) / intervalSeconds)

import type { RuleCondition } from '@zhugong/contract/rules/conditions'
import { innerOf } from '@zhugong/contract/rules/conditions'
import { type Expression, parseExpression } from '@zhugong/contract/rules/expression'

/**
 * Past readings that one judgement of a rule may look back over, window by window, at the usual interval of its kind of device: a day of a
 * machine that sends every ten seconds. It is done at every reading, so it is what a device costs.
 */
export const mostLookedAt = 10_000

/** Seconds of the past that a condition walks over, all its windows together. */
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
      // How long somebody is inside is told by the passages, not by readings.
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

/** Past readings one judgement of these conditions looks back over when they come every `intervalSeconds`. */
export const lookedAt = (conditions: readonly RuleCondition[], intervalSeconds: number): number =>
  Math.ceil(conditions.reduce((sum, c) => sum + walkedSeconds(c), 0) / intervalSeconds)

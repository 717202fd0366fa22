import type { RuleCondition } from '@zhugong/contract/rules/conditions'
import type { Expression } from '@zhugong/contract/rules/expression'
import { metricsOf } from './conditions.ts'
import { expressionMetrics, treeOf } from './expressions.ts'
import { limitOf } from './limits.ts'

/**
 * metric: not sent. quality: sent, but bad. param: not filled in. neighbour: a machine nearby is silent. cost: needs more steps than a rule
 * may take.
 */
export interface Lack {
  kind: 'metric' | 'quality' | 'param' | 'neighbour' | 'cost'
  key: string
}

/** Data of a device that determines whether a condition can be evaluated. */
export interface LackingRule {
  metrics: Pick<ReadonlySet<string>, 'has'>
  bad: ReadonlySet<string>
  params: Readonly<Record<string, unknown>>
  /** Nearby machines that are silent. */
  unheard: readonly string[]
}

const surveyed = ['originX', 'longitude'] as const
const unique = (all: readonly Lack[]) => [...new Map(all.map((one) => [`${one.kind}.${one.key}`, one])).values()]

function metric(key: string, d: LackingRule): Lack[] {
  if (d.bad.has(key)) return [{ kind: 'quality', key }]
  return d.metrics.has(key) ? [] : [{ kind: 'metric', key }]
}
/** One complete part is enough. */
const anyOf = (parts: readonly Lack[][]): Lack[] => (parts.some((one) => one.length === 0) ? [] : unique(parts.flat()))
const allOf = (parts: readonly Lack[][]): Lack[] => unique(parts.flat())

const isFilled = (value: unknown) => value !== undefined && value !== null && value !== ''
const limit = (c: Parameters<typeof limitOf>[0], d: LackingRule): Lack[] =>
  limitOf(c, { params: d.params, unitOf: () => undefined }) === undefined
    ? [{ kind: 'param', key: c.param ?? Object.keys(c.byParam ?? {})[0] ?? '' }]
    : []

function inExpression(tree: Expression, d: LackingRule): Lack[] {
  switch (tree.kind) {
    case 'name':
      // A name may also be a parameter.
      if (isFilled(d.params[tree.name])) return []
      return anyOf(expressionMetrics(tree).map((key) => metric(key, d)))
    case 'param':
      return isFilled(d.params[tree.name]) ? [] : [{ kind: 'param', key: tree.name }]
    case 'negative':
    case 'not':
    case 'call':
      return inExpression(tree.of, d)
    case 'arithmetic':
    case 'compare':
    case 'and':
      return allOf([inExpression(tree.left, d), inExpression(tree.right, d)])
    case 'or':
      return anyOf([inExpression(tree.left, d), inExpression(tree.right, d)])
    default:
      return []
  }
}

/**
 * What prevents a condition from being evaluated on a device; empty if it can be evaluated. Three-valued like the evaluation, but based on
 * the metrics sent and parameters filled in: `or` needs one part that can be evaluated, `and` all parts.
 */
export function lacksOf(c: RuleCondition, d: LackingRule): Lack[] {
  switch (c.type) {
    case 'threshold': {
      const measured = [metric(c.metric, d), ...(c.fallbackMetric ? [metric(c.fallbackMetric, d)] : [])]
      return allOf([anyOf(measured), limit(c, d)])
    }
    case 'rate':
      return allOf([metric(c.metric, d), limit(c, d)])
    case 'state':
      // A flag is sent only when it is set, so its absence is normal.
      return c.equals === true ? [] : metric(c.metric, d)
    case 'range':
    case 'constant':
    case 'counterDecrease':
      return metric(c.metric, d)
    case 'ratioToAverage':
      return anyOf(c.metrics.map((key) => metric(key, d)))
    case 'geofence':
      return anyOf([allOf([metric('longitude', d), metric('latitude', d)]), allOf([metric('x', d), metric('y', d)])])
    case 'dueDate':
      return isFilled(d.params[c.param]) ? [] : [{ kind: 'param', key: c.param }]
    case 'countInArea':
      return limit(c, d)
    case 'expression':
      return inExpression(treeOf(c.expr), d)
    case 'craneClearance':
    case 'craneZone': {
      const placed = surveyed.some((key) => isFilled(d.params[key]))
      const own = allOf([metric('slewAngle', d), metric('radius', d), placed ? [] : [{ kind: 'param', key: surveyed[0] }]])
      return c.type === 'craneZone' ? own : allOf([own, d.unheard.map((key): Lack => ({ kind: 'neighbour', key }))])
    }
    case 'countInWindow':
      return c.of ? lacksOf(c.of, d) : c.record === undefined ? allOf(metricsOf(c).map((key) => metric(key, d))) : []
    case 'and':
      return allOf(c.of.map((one) => lacksOf(one, d)))
    case 'or':
      return anyOf(c.of.map((one) => lacksOf(one, d)))
    case 'not':
      return lacksOf(c.of[0] as RuleCondition, d)
    default:
      // Silence, records, registers and people depend on the site, not on what the device sends.
      return []
  }
}

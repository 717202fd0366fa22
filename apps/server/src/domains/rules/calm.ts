import type { RuleCondition } from '@zhugong/contract/rules/conditions'
import { limitOf, operatorOf } from './limits.ts'

type Values = Readonly<Record<string, unknown>>

/** Whether one reading alone proves that a condition is not true. `false` means unknown: the condition must be evaluated. */
export type Calm = (values: Values, quality: Readonly<Record<string, string>> | null | undefined, params: Values) => boolean

const never: Calm = () => false
const noUnit = () => undefined

/**
 * A cheap pre-check, because nearly every reading changes nothing: one or two comparisons, no allocation. It must never return true for a
 * condition that the evaluation would find true. A value with a quality mark counts as not true.
 */
export function calmOf(c: RuleCondition): Calm {
  switch (c.type) {
    case 'threshold': {
      if (c.windowSeconds !== undefined || c.fallbackMetric !== undefined) return never
      const { absolute, compare } = operatorOf(c.op)
      const { metric } = c
      const fixed = c.param === undefined && c.byParam === undefined ? c.value : undefined
      return (values, quality, params) => {
        const value = values[metric]
        if (typeof value !== 'number') return false
        if (quality?.[metric]) return true
        const limit = fixed ?? limitOf(c, { params, unitOf: noUnit })
        return limit === undefined || !compare(absolute ? Math.abs(value) : value, limit)
      }
    }
    case 'range': {
      const { metric, low = Number.NEGATIVE_INFINITY, high = Number.POSITIVE_INFINITY, inside = false } = c
      return (values) => {
        const value = values[metric]
        return typeof value === 'number' && (value >= low && value <= high) !== inside
      }
    }
    case 'state': {
      if (c.bit !== undefined) return never
      const { metric, equals, notEquals } = c
      return (values, quality) => {
        const value = values[metric]
        if (value === undefined || value === null) return false
        if (quality?.[metric]) return true
        // The types are usually equal, which avoids converting both to text.
        return notEquals === undefined ? value !== equals && String(value) !== String(equals) : String(value) === String(notEquals)
      }
    }
    case 'and': {
      const all = c.of.map(calmOf)
      return (values, quality, params) => all.some((one) => one(values, quality, params))
    }
    case 'or': {
      const all = c.of.map(calmOf)
      return (values, quality, params) => all.every((one) => one(values, quality, params))
    }
    default:
      return never
  }
}

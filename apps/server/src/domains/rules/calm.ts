import type { RuleCondition } from '@zhugong/contract/rules/conditions'
import { limitOf, operatorOf } from './limits.ts'

type Values = Readonly<Record<string, unknown>>

/** Whether one reading by itself rules out that a condition is true. `false` says nothing: then it has to be judged. */
export type Calm = (values: Values, quality: Readonly<Record<string, string>> | null | undefined, params: Values) => boolean

const never: Calm = () => false
const noUnit = () => undefined

/**
 * Nearly every reading of nearly every rule changes nothing. This is the quick look that finds out: a comparison or two, nothing made.
 * It must never call calm what the judgement would call true; a value that is not good is not true either.
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
        // The same type in nearly every case: only then is the comparison of texts spared.
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

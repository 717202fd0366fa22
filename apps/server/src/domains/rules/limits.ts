import type { ConditionOf } from '@zhugong/contract/rules/conditions'
import { settled } from './digits.ts'
import type { Moment } from './moment.ts'

export const asNumber = (value: unknown): number | undefined => (typeof value === 'number' && Number.isFinite(value) ? value : undefined)

const comparisons: Record<string, (value: number, limit: number) => boolean> = {
  '>=': (v, l) => v >= l,
  '>': (v, l) => v > l,
  '<=': (v, l) => v <= l,
  '<': (v, l) => v < l,
  '==': (v, l) => v === l,
  '!=': (v, l) => v !== l,
}

export const usualMargin = 0.05

const capacityMargin = 0.02

interface Operator {
  absolute: boolean
  compare: (value: number, limit: number) => boolean
  /** +1 if large values are bad, -1 if small ones are, 0 for equality. */
  side: 1 | -1 | 0
}

export function operatorOf(op: string): Operator {
  const absolute = op.startsWith('abs')
  const sign = absolute ? op.slice(3) : op
  return { absolute, compare: comparisons[sign] ?? (() => false), side: sign.startsWith('>') ? 1 : sign.startsWith('<') ? -1 : 0 }
}

type Limited = Pick<ConditionOf<'threshold'>, 'op' | 'value' | 'param' | 'factor' | 'default' | 'byParam' | 'clearValue'> & {
  metric?: string
}

type Around = Pick<Moment, 'params' | 'unitOf'>

const paramNumber = (value: unknown): number | undefined => {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return asNumber(number)
}

/** The limit: chosen by a parameter's value, a device parameter times a factor, or a fixed number. */
export function limitOf(c: Partial<Limited>, around: Around): number | undefined {
  for (const [param, limits] of Object.entries(c.byParam ?? {})) {
    const chosen = String(around.params[param])
    if (Object.hasOwn(limits, chosen)) return limits[chosen]
  }
  if (c.param !== undefined) {
    const base = paramNumber(around.params[c.param]) ?? c.default
    if (base !== undefined) return c.factor === undefined ? base : settled(base * c.factor)
  }
  return c.value
}

/** The value at which an open alarm may close: the rule's own clear value, otherwise 5 % inside the limit (2 % for metrics in percent). */
export function clearLimitOf(c: Partial<Limited>, around: Around): number | undefined {
  const limit = limitOf(c, around)
  if (limit === undefined || c.op === undefined) return c.clearValue
  const { side } = operatorOf(c.op)
  // A limit from device parameters may lie beyond the rule's clear value; then the limit itself is used, so that the alarm cannot close
  // while it is exceeded.
  if (c.clearValue !== undefined) return (limit - c.clearValue) * side < 0 ? limit : c.clearValue
  const margin = around.unitOf(c.metric ?? '') === '%' ? capacityMargin : usualMargin
  return settled(limit - operatorOf(c.op).side * Math.abs(limit) * margin)
}

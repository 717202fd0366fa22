import { innerOf, type RuleCondition } from '@zhugong/contract/rules/conditions'
import type { RuleLevel } from './evaluate.ts'
import type { Schedule } from './schedule.ts'

/** How one rule compares with another; `different` if they cannot be compared. */
export type Strictness = 'same' | 'stricter' | 'looser' | 'different'

function combine(parts: readonly Strictness[]): Strictness {
  if (parts.includes('different')) return 'different'
  if (parts.includes('looser')) return 'looser'
  return parts.includes('stricter') ? 'stricter' : 'same'
}

/** `side` +1: a smaller number triggers earlier; -1: a larger one does. */
function byNumber(before: number | undefined, now: number | undefined, side: 1 | -1): Strictness {
  if (before === now) return 'same'
  if (before === undefined || now === undefined) return 'different'
  return (before - now) * side > 0 ? 'stricter' : 'looser'
}

const sideOf = (op: string): 1 | -1 | 0 => {
  const sign = op.replace('abs', '')
  return sign.startsWith('>') ? 1 : sign.startsWith('<') ? -1 : 0
}

/** The adjustable numbers of a condition, with the direction that triggers earlier. */
function knobs(c: RuleCondition): Record<string, 1 | -1> {
  switch (c.type) {
    case 'threshold':
    case 'rate':
    case 'craneClearance':
    case 'countInArea': {
      const side = sideOf(c.op)
      const own: Record<string, 1 | -1> = side ? { value: side, factor: side, default: side, clearValue: side } : {}
      return c.type === 'craneClearance' ? { ...own, predictSeconds: -1 } : c.type === 'threshold' ? { ...own, minCoverage: 1 } : own
    }
    case 'range':
      return c.inside ? { low: 1, high: -1, clearMargin: -1 } : { low: -1, high: 1, clearMargin: -1 }
    case 'constant':
    case 'noData':
    case 'dwell':
      return { seconds: 1 }
    case 'ratioToAverage':
      return { factor: 1, minAbs: 1 }
    case 'deviationFromHistory':
      return { absolute: 1 }
    case 'noRecord':
      return { withinSeconds: 1 }
    case 'dueDate':
      return { daysBefore: -1 }
    case 'countInWindow':
      return { count: 1, windowSeconds: -1 }
    case 'geofence':
      return { confirmSamples: 1, bufferMeters: c.mode === 'inside' || c.mode === 'enter' ? -1 : 1 }
    case 'craneZone':
      return { marginMeters: -1 }
    default:
      return {}
  }
}

/** Whether `now` is true at least whenever `before` is. */
export function compareConditions(before: RuleCondition, now: RuleCondition): Strictness {
  if (before.type !== now.type) return 'different'
  const directions = knobs(before)
  const [a, b] = [before, now] as unknown as [Record<string, unknown>, Record<string, unknown>]
  const parts: Strictness[] = []
  for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
    if (key === 'of') continue
    const side = directions[key]
    if (side !== undefined) {
      // A missing clear value is derived from the limit.
      if (key === 'clearValue' && (a[key] === undefined || b[key] === undefined)) continue
      parts.push(byNumber(a[key] as number | undefined, b[key] as number | undefined, side))
    } else if (JSON.stringify(a[key]) !== JSON.stringify(b[key])) parts.push('different')
  }
  const [inside, outside] = [innerOf(before), innerOf(now)]
  if (inside.length !== outside.length) parts.push('different')
  else if (inside.length) {
    const inner = combine(inside.map((one, i) => compareConditions(one, outside[i] as RuleCondition)))
    parts.push(before.type === 'not' ? (inner === 'stricter' ? 'looser' : inner === 'looser' ? 'stricter' : inner) : inner)
  }
  return combine(parts)
}

export interface Comparable {
  levels: readonly RuleLevel[]
  schedule: Schedule | null
  onlyWhen: readonly RuleCondition[]
  enabled: boolean
  off: boolean
}

const covers = (wide: Schedule | null, narrow: Schedule | null) => {
  if (!wide) return true
  if (!narrow) return false
  return narrow.every(([from, to]) => wide.some(([a, b]) => a <= from && to <= b))
}

/** Compares a project's rule with the one it replaces. Every level must still trigger at least as early and at least as seriously. */
export function compareRules(before: Comparable, now: Comparable): Strictness {
  if (!now.enabled || now.off) return before.enabled && !before.off ? 'looser' : 'same'
  const parts: Strictness[] = []
  for (const level of before.levels) {
    const answers = now.levels
      .filter((l) => l.level <= level.level)
      .map((l) =>
        combine([
          compareConditions(level.condition, l.condition),
          byNumber(level.forSeconds ?? 0, l.forSeconds ?? 0, 1),
          byNumber(level.clearForSeconds ?? 0, l.clearForSeconds ?? 0, -1),
          l.level < level.level ? 'stricter' : 'same',
        ]),
      )
    parts.push(answers.find((a) => a === 'same') ?? answers.find((a) => a === 'stricter') ?? answers[0] ?? 'looser')
  }
  if (now.levels.length > before.levels.length) parts.push('stricter')
  if (JSON.stringify(before.schedule) !== JSON.stringify(now.schedule))
    parts.push(covers(now.schedule, before.schedule) ? 'stricter' : 'looser')
  if (JSON.stringify(before.onlyWhen) !== JSON.stringify(now.onlyWhen)) parts.push(now.onlyWhen.length ? 'different' : 'stricter')
  return combine(parts)
}

export const isAtLeastAsStrict = (before: Comparable, now: Comparable) => ['same', 'stricter'].includes(compareRules(before, now))

import type { DraftLevel } from './condition-words.ts'

/** Usual share of the limit at which an alarm is over. */
const usualMargin = 0.05

/** A clear value belongs to comparisons with a number. */
export function clearFor(condition: DraftLevel['condition']): number | undefined {
  const { type, op, value, clearValue } = condition
  if ((type !== 'threshold' && type !== 'craneClearance') || typeof value !== 'number') return undefined
  if (typeof clearValue === 'number') return clearValue
  const sign = String(op).replace('abs', '')
  if (!/^[<>]/.test(sign)) return undefined
  return Number((sign.startsWith('>') ? value - Math.abs(value) * usualMargin : value + Math.abs(value) * usualMargin).toFixed(3))
}

/** The level's own clear value stands beside the condition, not in it twice. */
export function withClear({ clearValue, condition, ...level }: DraftLevel): DraftLevel {
  const { clearValue: inside, ...plain } = condition
  const value = clearValue ?? (typeof inside === 'number' ? inside : undefined)
  return { ...level, condition: plain as DraftLevel['condition'], clearValue: value }
}

/** The more serious level must not be easier to reach. */
export function orderProblems(all: readonly DraftLevel[]): [index: number, text: string][] {
  const found: [number, string][] = []
  const numbered = all.flatMap((l, i) =>
    l.condition.type === 'threshold' && typeof l.condition.value === 'number'
      ? [{ ...l, i, value: l.condition.value, op: String(l.condition.op) }]
      : [],
  )
  for (const serious of numbered) {
    for (const mild of numbered) {
      if (serious.level >= mild.level || serious.condition.metric !== mild.condition.metric || serious.op !== mild.op) continue
      const sign = serious.op.replace('abs', '')
      const easier = sign.startsWith('>') ? serious.value < mild.value : sign.startsWith('<') ? serious.value > mild.value : false
      if (easier) found.push([serious.i, `${'一二三四'[serious.level - 1]}级不能比${'一二三四'[mild.level - 1]}级更容易触发`])
    }
  }
  return found
}

import type { DraftLevel } from './condition-words.ts'

/** Default distance of the clear value from the limit, as a fraction of the limit. */
const usualMargin = 0.05

/** Default clear value; only comparisons with a number have one. */
export function clearFor(condition: DraftLevel['condition']): number | undefined {
  const { type, op, value, clearValue } = condition
  if ((type !== 'threshold' && type !== 'craneClearance') || typeof value !== 'number') return undefined
  if (typeof clearValue === 'number') return clearValue
  const sign = String(op).replace('abs', '')
  if (!/^[<>]/.test(sign)) return undefined
  return Number((sign.startsWith('>') ? value - Math.abs(value) * usualMargin : value + Math.abs(value) * usualMargin).toFixed(3))
}

/** Removes the clear value from the condition if the level has its own. */
export function withClear({ clearValue, condition, ...level }: DraftLevel): DraftLevel {
  const { clearValue: inside, ...plain } = condition
  const value = clearValue ?? (typeof inside === 'number' ? inside : undefined)
  return { ...level, condition: plain as DraftLevel['condition'], clearValue: value }
}

/** Error if a more serious level has an easier condition. */
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

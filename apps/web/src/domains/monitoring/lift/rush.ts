import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import type { liftAnalysis } from '@zhugong/contract/monitoring/lift/lift-lists'

type Analysis = OutputFor<typeof liftAnalysis>
/** Share of full runs, in percent, from which a quarter of an hour counts as a rush. */
const pressing = 50
/** Fewest runs in a quarter of an hour for a meaningful share. */
const leastRuns = 5

const minutesOf = (text: string) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3, 5))
const clock = (minutes: number) => `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`

/** The consecutive quarters of an hour with the most full runs, if most of their runs were full. */
export function rushOf(quarters: Analysis['quarters']): { from: string; to: string; fullPercent: number } | undefined {
  const stretches: Analysis['quarters'][] = []
  let last: number | undefined
  for (const one of quarters) {
    if (one.runs < leastRuns || (one.fullPercent ?? 0) < pressing) continue
    const at = minutesOf(one.from)
    if (last !== undefined && at - last === 15) stretches.at(-1)?.push(one)
    else stretches.push([one])
    last = at
  }
  const full = (all: Analysis['quarters']) => all.reduce((sum, one) => sum + one.full, 0)
  const [worst] = stretches.sort((a, b) => full(b) - full(a))
  const [first] = worst ?? []
  const end = worst?.at(-1)
  if (!worst || !first || !end) return undefined
  const runs = worst.reduce((sum, one) => sum + one.runs, 0)
  return { from: first.from, to: clock(minutesOf(end.from) + 15), fullPercent: Math.round((full(worst) / runs) * 100) }
}

/** The main finding in one sentence: when cages are full, the busiest floors, and violations. */
export function sentenceOf(analysis: Analysis): string {
  const { runs, doorOpenRuns, overPersonRuns } = analysis.figures
  if (runs === 0) return analysis.coverage === 0 ? '本期没有数据' : '本期没有运行'
  const rush = rushOf(analysis.quarters)
  const busiest = [...analysis.quarters].sort((a, b) => b.runs - a.runs)[0]
  const [top] = analysis.floors
  const waiting = rush
    ? `${rush.from} 至 ${rush.to} 满载率 ${rush.fullPercent} %，建议错峰上工`
    : `没有连续满载的时段${busiest ? `，最忙在 ${busiest.from}` : ''}`
  const wrong = [doorOpenRuns > 0 ? `开门运行 ${doorOpenRuns} 次` : '', overPersonRuns > 0 ? `超员 ${overPersonRuns} 次` : ''].filter(
    Boolean,
  )
  return [`本期 ${runs} 次运行`, waiting, top ? `${top.from} 层到 ${top.to} 层最多` : '', wrong.length > 0 ? wrong.join('、') : '没有违章']
    .filter(Boolean)
    .join('；')
}

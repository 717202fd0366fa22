import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import type { liftAnalysis } from '@zhugong/contract/monitoring/lift-lists'

type Told = OutputFor<typeof liftAnalysis>
/** From this share of full runs on whoever waits lets cages pass. */
const pressing = 50
/** Of fewer runs in a quarter of an hour a share is chance. */
const leastRuns = 5

const minutesOf = (text: string) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3, 5))
const clock = (minutes: number) => `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`

/** The longest stretch of quarters in a row in which most runs were full: when people wait. */
export function rushOf(quarters: Told['quarters']): { from: string; to: string; fullPercent: number } | undefined {
  const stretches: Told['quarters'][] = []
  let last: number | undefined
  for (const one of quarters) {
    if (one.runs < leastRuns || (one.fullPercent ?? 0) < pressing) continue
    const at = minutesOf(one.from)
    if (last !== undefined && at - last === 15) stretches.at(-1)?.push(one)
    else stretches.push([one])
    last = at
  }
  const full = (all: Told['quarters']) => all.reduce((sum, one) => sum + one.full, 0)
  const [worst] = stretches.sort((a, b) => full(b) - full(a))
  const [first] = worst ?? []
  const end = worst?.at(-1)
  if (!worst || !first || !end) return undefined
  const runs = worst.reduce((sum, one) => sum + one.runs, 0)
  return { from: first.from, to: clock(minutesOf(end.from) + 15), fullPercent: Math.round((full(worst) / runs) * 100) }
}

/** What the period says in one sentence: when cages are full, and what is to be done; else who broke a rule. */
export function sentenceOf(told: Told): string {
  const { runs, doorOpenRuns, overPersonRuns } = told.figures
  if (runs === 0) return told.coverage === 0 ? '本期没有数据' : '本期没有运行'
  const rush = rushOf(told.quarters)
  const busiest = [...told.quarters].sort((a, b) => b.runs - a.runs)[0]
  const [top] = told.floors
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

import { pointResults } from '@zhugong/contract/measuring/judge'
import { taskStates } from '@zhugong/contract/measuring/moves'
import { type ReactNode, useId } from 'react'
import { Tag, type Tone } from '#kit/feedback.tsx'

const stateTones: Readonly<Record<string, Tone>> = {
  [taskStates.assigned]: 'warning',
  [taskStates.running]: 'running',
  [taskStates.own]: 'running',
  [taskStates.toFix]: 'danger',
  [taskStates.toRetest]: 'warning',
  [taskStates.done]: 'fine',
}
export const TaskTag = ({ row }: { row: { state: string; stateName: string } }) => <Tag tone={stateTones[row.state]}>{row.stateName}</Tag>

const resultTones: Readonly<Record<string, Tone>> = {
  [pointResults.passed]: 'fine',
  [pointResults.failed]: 'warning',
  [pointResults.burst]: 'danger',
}
const resultWords: Readonly<Record<string, string>> = {
  [pointResults.passed]: '合格',
  [pointResults.failed]: '不合格',
  [pointResults.burst]: '爆点',
}
export function ResultTag({ result, name }: { result: string | null; name?: string | null }) {
  if (result === null) return <span className="zg-2">未判定</span>
  return <Tag tone={resultTones[result]}>{name ?? resultWords[result]}</Tag>
}
export const resultWord = (result: string | null | undefined): string => (result ? (resultWords[result] ?? result) : '未判定')

/** A rate in percent, with its colour by the usual bounds. */
export function Rate({ value, target = 90 }: { value: number | null; target?: number }) {
  if (value === null) return <span className="zg-2">未测</span>
  return <span className={`zg-num ${value >= target ? '' : value >= target - 10 ? 'tone-warning' : 'tone-danger'}`}>{value}%</span>
}

/** Class of a cell by its rate; nothing measured is hatched. */
export const heatOf = (rate: number | null): string =>
  rate === null ? 'none' : rate >= 95 ? 'best' : rate >= 90 ? 'good' : rate >= 80 ? 'weak' : 'bad'
export const heatLegend = [
  { kind: 'best', label: '≥95%' },
  { kind: 'good', label: '90–95%' },
  { kind: 'weak', label: '80–90%' },
  { kind: 'bad', label: '<80%' },
  { kind: 'none', label: '未测' },
] as const

export const paths = {
  tasks: '/measure_task',
  history: '/measure_history',
  standard: '/measure_standard',
  improvement: '/addqualityImprovement',
} as const
export const anyProject = { projectCode: '*' }

/** A control with its label above and its message below. */
export function Labelled({ label, error, children }: { label: string; error?: string | undefined; children: (id: string) => ReactNode }) {
  const id = useId()
  return (
    <div data-wrong={error ? true : undefined}>
      <label className="zg-label" htmlFor={id}>
        {label}
      </label>
      {children(id)}
      {error && <small className="tone-danger">{error}</small>}
    </div>
  )
}

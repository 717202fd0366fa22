import type { InspectionRow } from '@zhugong/contract/scoring/inspections'
import { type Grade, gradeNames, grades } from '@zhugong/contract/scoring/score'
import type { ReactNode } from 'react'
import { Tag, type Tone } from '#kit/feedback.tsx'
import './scoring.css'

const gradeTones: Readonly<Record<Grade, Tone>> = { 1: 'fine', 2: 'running', 3: 'danger' }
export const GradeTag = ({ grade }: { grade: Grade | null }) =>
  grade === null ? null : (
    <Tag tone={gradeTones[grade]} icon={false}>
      {gradeNames[grade]}
    </Tag>
  )

export const gradeOptions = Object.values(grades).map((value) => ({ value, label: gradeNames[value] }))

export const marks = (value: number | null | undefined): string => (value === null || value === undefined ? '--' : value.toFixed(2))

const stateTones: Readonly<Record<string, Tone>> = {
  0: 'neutral',
  1: 'warning',
  2: 'running',
  3: 'running',
  4: 'running',
  5: 'running',
  6: 'danger',
  7: 'fine',
}
export const InspectionStateTag = ({ row }: { row: Pick<InspectionRow, 'state' | 'stateName'> }) => (
  <Tag tone={stateTones[row.state]}>{row.stateName}</Tag>
)

/** A change of the score against an earlier one. */
export function Change({ now, then }: { now: number | null; then: number | null }) {
  if (now === null || then === null) return <span className="zg-2">--</span>
  const by = Math.round((now - then) * 100) / 100
  if (by === 0) return <span className="zg-2">持平</span>
  return (
    <span className={by > 0 ? 'tone-fine' : 'tone-danger'}>
      {by > 0 ? '升' : '降'} {Math.abs(by).toFixed(2)}
    </span>
  )
}

/** A wide table on a narrow screen: scrolled sideways, also by keyboard. */
export function Sideways({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be focusable, even if it contains nothing focusable.
    <section className="scoring-scroll" aria-label={label} tabIndex={0}>
      {children}
    </section>
  )
}

import { itemResults } from '@zhugong/contract/scoring/score'
import type { StepRow } from '@zhugong/contract/steps/calls'
import { Tag, type Tone } from '#kit/feedback.tsx'

const tones: Readonly<Record<string, Tone>> = { 0: 'neutral', 1: 'warning', 2: 'fine', 3: 'danger', 4: 'neutral' }

export const StateTag = ({ row }: { row: Pick<StepRow, 'state' | 'stateName'> }) => <Tag tone={tones[row.state]}>{row.stateName}</Tag>

/** 合格 or 不合格, and in which round. */
export function ResultTag({ row }: { row: Pick<StepRow, 'result' | 'round'> }) {
  if (row.result === null) return null
  const good = row.result === itemResults.right
  return (
    <span>
      <Tag tone={good ? 'fine' : 'danger'}>{good ? '合格' : '不合格'}</Tag>
      {row.round > 1 && <span className="zg-2"> 第 {row.round} 次</span>}
    </span>
  )
}

export const EarlyTag = ({ row }: { row: Pick<StepRow, 'early'> }) => (row.early ? <Tag tone="danger">提前施工</Tag> : null)

export const paths = { list: '/safetyP/qualityP/list', form: '/safetyP/qualityP/create', detail: '/safetyP/qualityP/details' } as const

/** Calls about one record: its id says enough. */
export const anyProject = { projectCode: '*' }

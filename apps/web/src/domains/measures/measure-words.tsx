import type { MeasureRow } from '@zhugong/contract/measures/measures'
import { Tag, type Tone } from '#kit/feedback.tsx'

const tones: Readonly<Record<string, Tone>> = { 0: 'neutral', 1: 'running', 2: 'fine' }

export const StateTag = ({ row }: { row: Pick<MeasureRow, 'state' | 'stateName'> }) => <Tag tone={tones[row.state]}>{row.stateName}</Tag>

export const DoneTag = ({ row }: { row: Pick<MeasureRow, 'done'> }) => (
  <Tag tone={row.done ? 'fine' : 'warning'}>{row.done ? '已落实' : '未落实'}</Tag>
)

/** The last day, with the days past it. */
export function LastDay({ row }: { row: Pick<MeasureRow, 'endDate' | 'overdueDays'> }) {
  if (row.overdueDays === 0) return <span className="zg-num">{row.endDate}</span>
  return (
    <span className="tone-danger">
      <span className="zg-num">{row.endDate}</span> 逾期 {row.overdueDays} 天
    </span>
  )
}

export const paths = { list: '/safetyMeasuresList', form: '/addsafetyMeasures', detail: '/safetyMeasuresdetail' } as const

/** Calls about one measure: its id says enough. */
export const anyProject = { projectCode: '*' }

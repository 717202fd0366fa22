import type { RectifyRow } from '@zhugong/contract/rectify/calls'
import { stopNotices } from '@zhugong/contract/rectify/moves'
import { Tag, type Tone } from '#kit/feedback.tsx'

const tones: Readonly<Record<string, Tone>> = {
  0: 'neutral',
  1: 'warning',
  2: 'running',
  3: 'running',
  4: 'running',
  5: 'running',
  6: 'danger',
  7: 'fine',
  8: 'neutral',
}

export const RectifyStateTag = ({ row }: { row: Pick<RectifyRow, 'state' | 'stateName'> }) => (
  <Tag tone={tones[row.state]}>{row.stateName}</Tag>
)

/** The deadline, with the days past it. */
export function Deadline({ row }: { row: Pick<RectifyRow, 'deadline' | 'overdueDays'> }) {
  if (row.overdueDays === 0) return <span className="zg-num">{row.deadline}</span>
  return (
    <span className="tone-danger">
      <span className="zg-num">{row.deadline}</span> 逾期 {row.overdueDays} 天
    </span>
  )
}

export const isStop = (noticeType: string): boolean => stopNotices.includes(noticeType)

export const pageOfNotice = ({ origin, id }: Pick<RectifyRow, 'origin' | 'id'>, gov: boolean): [string, { id: string }] => [
  origin === 'site' ? '/safetyP/abarbeitung/details' : gov ? '/jgt/project/project_detail' : '/safetySupervisionRectification/details',
  { id },
]

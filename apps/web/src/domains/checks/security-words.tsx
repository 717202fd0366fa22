import type { PatrolRow } from '@zhugong/contract/checks/patrol'
import { majorLevel } from '@zhugong/contract/rectify/moves'
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

export const StateTag = ({ row }: { row: { state: string; stateName: string } }) => <Tag tone={tones[row.state]}>{row.stateName}</Tag>

export function LevelTag({ row }: { row: { dangerLevel: string | null; dangerLevelName: string | null } }) {
  if (row.dangerLevel === null) return <span className="zg-2">无问题</span>
  return row.dangerLevel === majorLevel ? <Tag tone="danger">{row.dangerLevelName}</Tag> : row.dangerLevelName
}

/** The deadline, with the days past it. */
export function Deadline({ row }: { row: Pick<PatrolRow, 'deadline' | 'overdueDays'> }) {
  if (row.deadline === null) return null
  if (row.overdueDays === 0) return <span className="zg-num">{row.deadline}</span>
  return (
    <span className="tone-danger">
      <span className="zg-num">{row.deadline}</span> 逾期 {row.overdueDays} 天
    </span>
  )
}

export const paths = {
  list: '/securityCheck/securityCheckList',
  add: '/securityCheck/addsecurityCheck',
  detail: '/securityCheck/securityCheckdetail',
} as const

/** Calls about one check: its id says enough. */
export const anyProject = { projectCode: '*' }

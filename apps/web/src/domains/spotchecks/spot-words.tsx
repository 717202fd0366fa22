import { itemResults } from '@zhugong/contract/scoring/score'
import type { SpotRow } from '@zhugong/contract/spotchecks/calls'
import { bodyKind } from '@zhugong/contract/spotchecks/readings'
import { Tag, type Tone } from '#kit/feedback.tsx'

const tones: Readonly<Record<string, Tone>> = { 0: 'neutral', 1: 'running', 2: 'fine', 3: 'danger', 4: 'warning', 5: 'neutral' }

export const StateTag = ({ row }: { row: Pick<SpotRow, 'state' | 'stateName'> }) => <Tag tone={tones[row.state]}>{row.stateName}</Tag>

export const ResultTag = ({ row }: { row: Pick<SpotRow, 'result'> }) =>
  row.result === null ? null : (
    <Tag tone={row.result === itemResults.right ? 'fine' : 'danger'}>{row.result === itemResults.right ? '合格' : '不合格'}</Tag>
  )

/** When the report is due, and how late it is. */
export function LabDue({ row }: { row: Pick<SpotRow, 'labDue' | 'lateDays'> }) {
  if (row.labDue === null) return null
  return row.lateDays === 0 ? (
    <span className="zg-num">{row.labDue}</span>
  ) : (
    <span className="tone-danger">
      <span className="zg-num">{row.labDue}</span> 超期 {row.lateDays} 天
    </span>
  )
}

/** 实体质量 by its test, everything else by its kind. */
export const kindWords = (row: Pick<SpotRow, 'kind' | 'kindName' | 'testName'>): string =>
  row.kind === bodyKind ? row.testName : row.kindName

export const paths = { list: '/qualitySpotCheck', edit: '/qualitySpotCheckEdit', detail: '/qualitySpotCheckDetails' } as const

import type { ImprovementRow } from '@zhugong/contract/quality/improvement'
import { improvementStates } from '@zhugong/contract/quality/improvement-moves'
import { Tag, type Tone } from '#kit/feedback.tsx'

export const checkPaths = { list: '/qualityInspectionList', add: '/addqualityInspection', detail: '/qualityInspectiondetail' } as const
export const improvementPaths = {
  list: '/qualityImprovementList',
  form: '/addqualityImprovement',
  detail: '/qualityImprovementdetail',
} as const

/** Calls about one record: its id says enough. */
export const anyProject = { projectCode: '*' }

const results: Readonly<Record<string, Tone>> = { 1: 'fine', 2: 'danger', 3: 'neutral', 4: 'warning' }
export const ResultTag = ({ row }: { row: { result: string; resultName: string } }) => (
  <Tag tone={results[row.result]}>{row.resultName}</Tag>
)

const conclusions: Readonly<Record<string, Tone>> = { 1: 'fine', 2: 'running', 3: 'warning', 4: 'danger' }
export const ConclusionTag = ({ row }: { row: { conclusion: string | null; conclusionName: string | null } }) =>
  row.conclusion === null ? null : (
    <Tag tone={conclusions[row.conclusion]} icon={false}>
      {row.conclusionName}
    </Tag>
  )

/** What became of an improvement after it was closed. */
export function VerdictTag({ row }: { row: Pick<ImprovementRow, 'verdict' | 'state'> }) {
  if (row.verdict === 'effective') return <Tag tone="fine">验证有效</Tag>
  if (row.verdict === 'ineffective') return <Tag tone="danger">验证无效</Tag>
  return row.state === improvementStates.closed ? <Tag tone="warning">待验证</Tag> : null
}

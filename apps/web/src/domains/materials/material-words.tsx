import type { MaterialRow } from '@zhugong/contract/materials/calls'
import { Tag, type Tone } from '#kit/feedback.tsx'

const tones: Readonly<Record<string, Tone>> = { 0: 'warning', 1: 'fine', 2: 'running', 3: 'danger', 4: 'warning' }

export const StateTag = ({ row }: { row: Pick<MaterialRow, 'state' | 'stateName' | 'exited'> }) =>
  row.exited ? <Tag tone="neutral">已退场</Tag> : <Tag tone={tones[row.state]}>{row.stateName}</Tag>

/** May it be used? */
export const UseTag = ({ row }: { row: Pick<MaterialRow, 'usable' | 'exited'> }) =>
  row.exited ? null : <Tag tone={row.usable ? 'fine' : 'danger'}>{row.usable ? '可使用' : '不得使用'}</Tag>

export function RetestTag({ row }: { row: Pick<MaterialRow, 'needRetest' | 'retestPassed'> }) {
  if (!row.needRetest) return <span className="zg-2">不需复验</span>
  if (row.retestPassed === null) return <Tag tone="warning">未出报告</Tag>
  return <Tag tone={row.retestPassed ? 'fine' : 'danger'}>{row.retestPassed ? '合格' : '不合格'}</Tag>
}

/** Sets of samples taken of those needed. */
export const SampleCount = ({ row }: { row: Pick<MaterialRow, 'needRetest' | 'samplesTaken' | 'samplesDue'> }) =>
  row.needRetest ? (
    <span className={row.samplesTaken < row.samplesDue ? 'tone-warning' : undefined}>
      {row.samplesTaken} / {row.samplesDue} 组
    </span>
  ) : (
    <span className="zg-2">--</span>
  )

export const Deviation = ({ row }: { row: Pick<MaterialRow, 'deviation' | 'deviates'> }) =>
  row.deviation === null ? null : (
    <span className={row.deviates ? 'tone-danger' : undefined}>
      {row.deviation > 0 ? '+' : ''}
      {row.deviation}‰
    </span>
  )

export const paths = { management: '/material/management', records: '/material/records', detail: '/material/details' } as const

/** Calls about one batch: its id says enough. */
export const anyProject = { projectCode: '*' }

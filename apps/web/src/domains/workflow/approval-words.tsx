import type { ApprovalRow } from '@zhugong/contract/workflow/endpoints'
import { approvalStates } from '@zhugong/contract/workflow/flow'
import { Tag, type Tone } from '#kit/feedback.tsx'
import { age, daysLeft } from '#kit/format.ts'

const tones: Readonly<Record<string, Tone>> = {
  [approvalStates.running]: 'running',
  [approvalStates.passed]: 'fine',
  [approvalStates.rejected]: 'danger',
}

export const StateTag = ({ row }: { row: Pick<ApprovalRow, 'state' | 'stateName'> }) => (
  <Tag tone={tones[row.state] ?? 'neutral'}>{row.stateName}</Tag>
)

/** The time left until the deadline, or since it passed. */
export function Deadline({ row, now }: { row: Pick<ApprovalRow, 'deadline' | 'overdue' | 'state'>; now?: number }) {
  if (!row.deadline) return <span className="zg-2">--</span>
  if (row.overdue) return <span className="tone-danger">逾期 {age(row.deadline, now).replace(/前$/, '')}</span>
  return <span title={row.deadline}>{row.state === approvalStates.running ? daysLeft(row.deadline, now) : row.deadline.slice(0, 16)}</span>
}

/** Hours as text: 3 小时, 2 天. */
export const stayWords = (hours: number): string =>
  hours < 1 ? '不到 1 小时' : hours < 48 ? `${Math.floor(hours)} 小时` : `${Math.floor(hours / 24)} 天`

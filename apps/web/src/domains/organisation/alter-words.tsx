import { approvalStates } from '@zhugong/contract/workflow/flow'
import { Tag, type Tone } from '#kit/feedback.tsx'

export const alterPath = '/projectAlter'

const tones: Readonly<Record<string, Tone>> = {
  [approvalStates.running]: 'warning',
  [approvalStates.passed]: 'fine',
  [approvalStates.rejected]: 'danger',
}
export function AlterState({ row }: { row: { state: string; stateName: string } }) {
  return (
    <Tag tone={tones[row.state] ?? 'neutral'} icon={false}>
      {row.stateName}
    </Tag>
  )
}

const hoursPerDay = 24
export const stayWords = (hours: number | null): string | null =>
  hours === null ? null : hours < hoursPerDay ? `${Math.round(hours)} 小时` : `${(hours / hoursPerDay).toFixed(1)} 天`

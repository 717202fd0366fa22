import type { AdviceRow } from '@zhugong/contract/advice/calls'
import { complaint } from '@zhugong/contract/advice/moves'
import { Tag, type Tone } from '#kit/feedback.tsx'

const tones: Readonly<Record<string, Tone>> = { 0: 'warning', 1: 'fine', 2: 'neutral' }
export const AdviceStateTag = ({ row }: { row: Pick<AdviceRow, 'state' | 'stateName'> }) => (
  <Tag tone={tones[row.state]}>{row.stateName}</Tag>
)

export const TypeTag = ({ row }: { row: Pick<AdviceRow, 'type' | 'typeName'> }) =>
  row.type === complaint ? <Tag tone="danger">{row.typeName}</Tag> : row.typeName

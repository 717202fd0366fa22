import { houseStates } from '@zhugong/contract/houses/moves'
import { Tag, type Tone } from '#kit/feedback.tsx'

const tones: Readonly<Record<string, Tone>> = {
  [houseStates.fresh]: 'neutral',
  [houseStates.running]: 'running',
  [houseStates.toFix]: 'danger',
  [houseStates.toRecheck]: 'warning',
  [houseStates.passed]: 'fine',
}
export const HouseTag = ({ row }: { row: { state: string; stateName: string } }) => <Tag tone={tones[row.state]}>{row.stateName}</Tag>
export const path = '/house_async'
export const anyProject = { projectCode: '*' }

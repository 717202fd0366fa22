import type { CampaignCard, CampaignObject } from '@zhugong/contract/themes/calls'
import { themeCodes, themeName } from '@zhugong/contract/themes/catalogue'
import { campaignStates } from '@zhugong/contract/themes/moves'
import { Tag, type Tone } from '#kit/feedback.tsx'

export const paths = {
  list: '/safetyP/checksP/list',
  form: '/safetyP/checksP/create',
  detail: '/safetyP/checksP/details',
} as const

/** Calls about one record: its id says enough. */
export const anyProject = { projectCode: '*' }
/** Of a check; campaigns have states of their own. */
export const draftState = '0'
export const themeOptions = themeCodes.map((value) => ({ value, label: themeName(value) }))

const stateTones: Readonly<Record<string, Tone>> = {
  [campaignStates.draft]: 'neutral',
  [campaignStates.running]: 'running',
  [campaignStates.closed]: 'fine',
  [campaignStates.archived]: 'neutral',
}
export const CampaignTag = ({ row }: { row: Pick<CampaignCard, 'state' | 'stateName' | 'overdueDays'> }) =>
  row.overdueDays > 0 ? <Tag tone="danger">超期 {row.overdueDays} 天</Tag> : <Tag tone={stateTones[row.state]}>{row.stateName}</Tag>

const objectTones: Readonly<Record<CampaignObject['state'], Tone>> = {
  unchecked: 'neutral',
  fine: 'fine',
  problem: 'danger',
  mended: 'running',
  skipped: 'neutral',
}
export const ObjectTag = ({ row }: { row: Pick<CampaignObject, 'state' | 'stateName' | 'added'> }) => (
  <Tag tone={row.added && row.state === 'unchecked' ? 'warning' : objectTones[row.state]}>
    {row.added && row.state === 'unchecked' ? '新增未检' : row.stateName}
  </Tag>
)

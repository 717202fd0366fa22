import type { CampaignDetail } from '@zhugong/contract/campaigns/calls'
import type { CampaignAction } from '@zhugong/contract/campaigns/moves'

export const anywhere = { projectCode: '*' }
export const keyOf = (file: Pick<CampaignDetail, 'id'>) => ({ params: { id: file.id }, query: anywhere })
/** Whether the caller may take an action on a campaign now. */
export const may = (file: Pick<CampaignDetail, 'actions'>, action: CampaignAction): boolean =>
  file.actions.some((one) => one.action === action)

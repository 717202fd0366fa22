export { campaignRoutes } from './calls.ts'
export { registerCampaignExports } from './export.ts'

export { registerSprayPlanExport } from './spray-plans.ts'
export { startLinkage } from './worker.ts'

export { planRoutes } from './calls.ts'
export { arrangeVisits, computeRisks } from './follow.ts'
export { registerPlanExport, registerPlanPrint } from './print.ts'

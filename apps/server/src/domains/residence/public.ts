export { residenceRoutes } from './calls.ts'
export { registerResidenceExports } from './export.ts'

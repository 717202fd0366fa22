export { policyRoutes } from './calls.ts'
export { registerPolicyExport } from './export.ts'

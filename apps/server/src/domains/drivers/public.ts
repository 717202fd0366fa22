export { driverRoutes } from './calls.ts'
export { registerDriverExport } from './export.ts'
export { driverKindName, driverTodos } from './kind.ts'
export { endLicences } from './writes.ts'

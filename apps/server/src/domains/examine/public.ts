export { examineRoutes } from './calls.ts'
export { registerExamineExports } from './export.ts'
export { examinePatrol } from './kind.ts'

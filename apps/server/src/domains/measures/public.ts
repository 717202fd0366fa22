export { measureRoutes } from './calls.ts'
export { registerMeasureExport } from './export.ts'
export { measureKind } from './kind.ts'
export { measureLadder } from './late.ts'

export { adviceRoutes } from './calls.ts'
export { closeAnswered } from './expire.ts'
export { registerAdviceExport } from './export.ts'
export { adviceKind, maskOf, toStated } from './kind.ts'

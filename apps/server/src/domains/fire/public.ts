export { fireRoutes } from './calls.ts'
export { registerFireExports } from './export.ts'
export { fireTodos, fireType } from './kind.ts'
export { registerFirePrints } from './print.ts'

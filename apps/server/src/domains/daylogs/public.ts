export { dayLogRoutes } from './calls.ts'
export { registerDayLogExports } from './export.ts'
export { todosOf } from './kind.ts'
export { registerDayLogPrints } from './print.ts'

export { civilRoutes } from './calls.ts'
export { registerCivilExports } from './export.ts'
export { standardItems } from './library.ts'
export { civilPatrol } from './patrol.ts'

export { trackRoutes } from './calls.ts'
export { forgetPlaces } from './forget.ts'

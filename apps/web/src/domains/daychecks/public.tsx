export { useIsRegulator } from './regulator.ts'

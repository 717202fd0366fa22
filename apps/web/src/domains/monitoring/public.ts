export { useBudget, whyNot } from './video/stream.ts'

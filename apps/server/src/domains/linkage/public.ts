export { startLinkage } from './worker.ts'

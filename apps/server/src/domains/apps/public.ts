export { applyPackage } from './batches.ts'
export { getPackage } from './defaults.ts'

export { documentRoutes } from './calls.ts'
export { clearBins } from './clear.ts'
export { registerDocumentExports } from './export.ts'

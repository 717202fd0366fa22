export { scoringRoutes } from './calls.ts'
export { phrasesFor } from './detail.ts'
export { registerScoringExports } from './export.ts'
export { proposalFor, proposalOf } from './figures.ts'
export { itemsForSheets } from './items.ts'
export { inspectionKind, inspectionType } from './kind.ts'
export { registerCivilLibrary } from './libraries.ts'
export { registerInspectionPrint } from './print.ts'
export { inspectionSeats } from './seats.ts'
export {
  beginScore,
  freezeScore,
  insertSheet,
  markSaved,
  type NewItem,
  removeSheet,
  showSheets,
  widenSheets,
  writeResults,
} from './sheet-writes.ts'
export { type StoredSheet, scoreOf, sheetsOf, toSheet } from './sheets.ts'
export { qualityItems, qualitySheets, sheetName, sheetOf, sheetTitle, standardCategories, standardSheets } from './standard.ts'

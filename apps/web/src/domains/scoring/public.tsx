export { Change, GradeTag, gradeOptions, marks, Sideways } from './score-words.tsx'
export { type Found, foundOf, SheetCards } from './sheet-cards.tsx'
export { SheetTable } from './sheet-table.tsx'

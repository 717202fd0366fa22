export { plain, workbook, xlsx } from './workbook.ts'

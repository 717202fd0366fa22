export { openByType } from './find.ts'
export { keepLabourAlarms } from './keep.ts'

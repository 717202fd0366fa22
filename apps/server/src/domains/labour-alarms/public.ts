export { openByType } from './find.ts'
export { keepLabourAlarms } from './keep.ts'
export { tellLabourAlarms } from './tell.ts'

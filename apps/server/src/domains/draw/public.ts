export { entryAfter } from './chain.ts'
export { fileOf } from './file.ts'
export { drawRun, freezeList, showResults } from './run.ts'

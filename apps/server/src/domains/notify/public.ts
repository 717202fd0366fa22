export { registerExecLogExport } from './log.ts'
export { type Senders, sendersFor } from './senders.ts'
export { tellKeepers } from './tell-keepers.ts'
export { startNotices } from './worker.ts'

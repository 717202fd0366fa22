export { type Senders, sendersFor } from './senders.ts'
export { startNotices } from './worker.ts'

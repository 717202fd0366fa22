export { type Senders, sendersFor } from './senders.ts'
export { tellKeepers } from './tell-keepers.ts'
export { tellRoles } from './tell-roles.ts'
export { startNotices } from './worker.ts'

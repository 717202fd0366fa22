export { groupCardsOf } from './groups.ts'
export { enterGroup, logIn } from './log-in.ts'
export { requireOwnPassword } from './own-password.ts'
export { linkWorker } from './own-worker.ts'

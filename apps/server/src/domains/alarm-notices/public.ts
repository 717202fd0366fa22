export { registerAlarmSource } from './source.ts'
export { startAlarmNotices } from './worker.ts'

export { type Awaiting, awaitingByProject, awaitingGrave, awaits, graveLevel } from './awaiting.ts'
export { logAlarms, markHeardAgain, markStale, openDrill } from './by-others.ts'
export {
  type AlarmOp,
  type ClearAlarm,
  type ClearReason,
  clearReasons,
  type OpenAlarm,
  type OpenAlarmRow,
  openAlarms,
  stoppedKey,
  suspendedKey,
  writeAlarmOps,
} from './ops.ts'
export { alarmHappened, forgetHappenings, markLinked, markNoticed, markRectified } from './outbox.ts'
export { type AlarmRecord, alarmColumns, toAlarm, wornOf } from './store.ts'
export { quietMs, turnWorkAlarms, type WorkingMachine } from './work-alarms.ts'

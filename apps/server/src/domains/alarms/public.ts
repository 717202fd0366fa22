export {
  type AlarmOp,
  type ClearAlarm,
  type ClearReason,
  clearReasons,
  type OpenAlarm,
  type OpenAlarmRow,
  openAlarms,
  writeAlarmOps,
} from './ops.ts'

/** Devices, readings and records as calls answer them: for the pages of the families. */
export { warnRefused } from '../cabin.ts'
export {
  type DeviceRow,
  findDeviceRows,
  getDeviceRow,
  latestOf,
  ownerColumns,
  toDeviceNow,
} from '../devices.ts'
export { fileOf, infoOf, lineOf, rangesWhere, readingsOf } from '../family-reads.ts'
export { cut, inRange, rankPage, saysOf, sorted } from '../in-memory.ts'
export {
  alarmCountWords,
  alarmTable,
  figure,
  type MonthQuery,
  monthAlarms,
  monthScope,
  monthSheet,
  named,
  wordsOfDay,
} from '../month.ts'
export { daySeconds, longest, type Period, type PeriodQuery, periodOf } from '../period.ts'
export { field, fieldAnyOf, fieldContains, fieldTrue, isTrue, numericField, type Range, within } from '../record-fields.ts'
export { type RecordRow, recordKeySql, toRecord } from '../records.ts'

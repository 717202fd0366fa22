/** Devices, readings and records as calls answer them: for the pages of the families. */
export {
  type DeviceRow,
  findDeviceRows,
  getDeviceRow,
  latestOf,
  toDeviceNow,
} from '../devices.ts'
export { fileOf, infoOf, lineOf, rangesWhere, readingsOf } from '../family-reads.ts'
export { longest, type Period, type PeriodQuery, periodOf } from '../period.ts'
export { field, fieldAnyOf, fieldContains, fieldTrue, isTrue, numericField } from '../record-fields.ts'
export { type RecordRow, toRecord } from '../records.ts'

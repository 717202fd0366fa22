/** Devices, readings and records as calls answer them: for the pages of the families. */
export {
  type DeviceRow,
  findDeviceRows,
  getDeviceRow,
  latestOf,
  toDeviceNow,
} from '../devices.ts'
export { fileOf, infoOf, lineOf, readingsOf } from '../family-reads.ts'
export { longest, type Period, type PeriodQuery, periodOf } from '../period.ts'
export { type RecordRow, toRecord } from '../records.ts'

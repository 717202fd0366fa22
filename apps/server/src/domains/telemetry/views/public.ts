/** Devices, readings and records as calls answer them: for the pages of the families. */
export {
  type DeviceRow,
  familyRequired,
  findDeviceRows,
  getDeviceRow,
  latestOf,
  limitsOf,
  toDeviceNow,
} from '../devices.ts'
export { lastRecord, openAlarmsOf, toRecord } from '../records.ts'
export { countReadings, findLine, findReadings, type Period, type ReadingRow, toReading } from '../series.ts'

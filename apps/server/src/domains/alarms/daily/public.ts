/** Alarm counts by day, device or project, for the pages of the device families. */
export { dailyAlarms } from '../statistics.ts'

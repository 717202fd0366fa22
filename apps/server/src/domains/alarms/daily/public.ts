/** Alarms counted by day, device or project: for the pages of the families. */
export { dailyAlarms } from '../statistics.ts'

import { z } from 'zod'
import { dayRange, numericRange, several, text } from '../../kit/fields.ts'

/** Filters of the cranes' lists, in addition to device and period. */
const range = numericRange.optional()
const yes = z.enum(['0', '1'], { error: '应为 1 或 0' }).optional()

export const craneReadingRanges = {
  load: range,
  loadPercent: range,
  momentPercent: range,
  radius: range,
  hookHeight: range,
  windSpeed: range,
  tilt: range,
}

export const cycleFilters = {
  cycleNo: text(40).optional(),
  driverName: text(40).optional(),
  deviceName: text(50).optional(),
  illegal: yes,
  durationSeconds: range,
  maxLoad: range,
  maxLoadPercent: range,
  maxMomentPercent: range,
  maxWindSpeed: range,
  /** Whether the crane reported the cycle or the platform detected it in the readings. */
  source: z.enum(['device', 'platform'], { error: '来源应为 device 或 platform' }).optional(),
}

export const craneDayFilters = {
  deviceName: text(50).optional(),
  projectName: text(50).optional(),
  day: dayRange.optional(),
  reportPercent: range,
  cycles: range,
  maxMomentPercent: range,
  noDriverMinutes: range,
}

export const offlineFilters = {
  deviceName: text(50).optional(),
  cause: several.optional(),
  workedMeanwhile: yes,
  /** `0` leaves out machines switched off for the night. */
  night: yes,
  durationSeconds: range,
}

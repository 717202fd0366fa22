import { z } from 'zod'
import { dayRange, numericRange, several, text } from '../../kit/fields.ts'

/** Filters of the lifts' lists, in addition to device and period. */
const range = numericRange.optional()
const named = text(50).optional()

export const liftReadingRanges = {
  load: range,
  loadPercent: range,
  personCount: range,
  height: range,
  floor: range,
  speed: range,
  windSpeed: range,
}

export const liftDayFilters = {
  deviceName: named,
  projectName: named,
  day: dayRange.optional(),
  reportPercent: range,
  overPersonRuns: range,
  doorOpenRuns: range,
  noDriverMinutes: range,
  /** Days until the safety device must be calibrated. */
  expiryDays: range,
}

export const liftRunFilters = {
  cage: text(2).optional(),
  deviceName: named,
  driverName: text(40).optional(),
  illegal: z.enum(['0', '1'], { error: '应为 1 或 0' }).optional(),
  direction: several.optional(),
  startFloor: range,
  endFloor: range,
  durationSeconds: range,
  maxLoadPercent: range,
  maxPersonCount: range,
  maxSpeed: range,
  /** Hour of the day in which the run ended. */
  hour: range,
}

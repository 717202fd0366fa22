import { numericRange, several, text } from '../../kit/fields.ts'

const range = numericRange.optional()

export const sprayFilters = {
  deviceName: text(50).optional(),
  trigger: several.optional(),
  durationSeconds: range,
  waterVolume: range,
  effect: range,
}

export const sprayDayFilters = {
  projectName: text(50).optional(),
  overMinutes: range,
  responsePercent: range,
}

export const stationFilters = {
  deviceName: text(50).optional(),
  projectName: text(50).optional(),
  state: several.optional(),
  pm10: range,
  delta: range,
}

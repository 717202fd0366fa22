import { parseInstant } from '../kit/fields.ts'

const numberIn = (data: Readonly<Record<string, unknown>>, key: string): number | null => {
  const value = data[key]
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}
const textIn = (data: Readonly<Record<string, unknown>>, key: string): string | null => {
  const value = data[key]
  return typeof value === 'string' && value !== '' ? value : null
}
const instantIn = (data: Readonly<Record<string, unknown>>, key: string): number | undefined => {
  const value = data[key]
  return typeof value === 'number' ? value : typeof value === 'string' ? parseInstant(value) : undefined
}

/** Where a load was: radius and height in m, bearing in degrees. */
export interface LoadPlace {
  radius: number | null
  height: number | null
  angle: number | null
}

const placeIn = (data: Readonly<Record<string, unknown>>, part: 'lift' | 'unload'): LoadPlace => ({
  radius: numberIn(data, `${part}Radius`),
  height: numberIn(data, `${part}Height`),
  angle: numberIn(data, `${part}Angle`),
})

/** A lifting cycle as its record tells it; loads in t, shares in %, wind in m/s. What a crane did not say is null. */
export function cycleOf({ time, data }: { time: number; data: Readonly<Record<string, unknown>> }) {
  const seconds = numberIn(data, 'durationSeconds')
  const endTime = instantIn(data, 'endTime') ?? time
  return {
    cycleNo: textIn(data, 'cycleNo') ?? (typeof data.cycleNo === 'number' ? String(data.cycleNo) : null),
    startTime: instantIn(data, 'startTime') ?? endTime - (seconds ?? 0) * 1000,
    endTime,
    durationSeconds: seconds,
    maxLoad: numberIn(data, 'maxLoad'),
    maxLoadPercent: numberIn(data, 'maxLoadPercent'),
    maxMomentPercent: numberIn(data, 'maxMomentPercent'),
    maxWindSpeed: numberIn(data, 'maxWindSpeed'),
    overMomentCount: numberIn(data, 'overMomentCount') ?? 0,
    overWind: data.overWind === true,
    illegal: data.illegal === true,
    /** Why a person blamed it or took that back, and who. */
    illegalReason: textIn(data, 'illegalReason'),
    illegalBy: textIn(data, 'illegalBy'),
    fall: numberIn(data, 'fall'),
    from: placeIn(data, 'lift'),
    to: placeIn(data, 'unload'),
    driverName: textIn(data, 'driverName'),
    byPlatform: data.detectedBy === 'platform',
    /** Readings stopped meanwhile: its end is not known. */
    cut: data.cut === true,
  }
}
export type Cycle = ReturnType<typeof cycleOf>

/** A run of a spray line: dust before and after in μg/m³, water in m³. */
export function sprayRunOf({ time, data }: { time: number; data: Readonly<Record<string, unknown>> }) {
  const seconds = numberIn(data, 'durationSeconds')
  const before = numberIn(data, 'pm10Before')
  const after = numberIn(data, 'pm10After')
  return {
    startTime: instantIn(data, 'startTime') ?? time - (seconds ?? 0) * 1000,
    endTime: instantIn(data, 'endTime') ?? time,
    durationSeconds: seconds,
    trigger: textIn(data, 'trigger'),
    waterVolume: numberIn(data, 'waterVolume'),
    pm10Before: before,
    pm10After: after,
    /** By how many percent dust fell; negative where it rose. */
    effect: before !== null && after !== null && before > 0 ? Math.round(((before - after) / before) * 1000) / 10 : null,
  }
}
export type SprayRun = ReturnType<typeof sprayRunOf>
export const sprayTriggers: Readonly<Record<string, string>> = { manual: '手动', timer: '定时', linkage: '联动' }

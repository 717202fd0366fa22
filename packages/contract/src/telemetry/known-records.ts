import { parseInstant } from '../kit/fields.ts'

type Data = Readonly<Record<string, unknown>>
export const numberIn = (data: Data, key: string): number | null => {
  const value = data[key]
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}
export const textIn = (data: Data, key: string): string | null => {
  const value = data[key]
  return typeof value === 'string' && value !== '' ? value : null
}
const instantIn = (data: Data, key: string): number | undefined => {
  const value = data[key]
  return typeof value === 'number' ? value : typeof value === 'string' ? parseInstant(value) : undefined
}

/** Position of a load: radius and height in m, bearing in degrees. */
export interface LoadPlace {
  radius: number | null
  height: number | null
  angle: number | null
}

const placeIn = (data: Data, part: 'lift' | 'unload'): LoadPlace => ({
  radius: numberIn(data, `${part}Radius`),
  height: numberIn(data, `${part}Height`),
  angle: numberIn(data, `${part}Angle`),
})

/** What the working cycles of cranes and lifts have in common; loads in t, shares in %. Missing values are null. */
export function workingCycleOf({ time, data }: { time: number; data: Data }) {
  const seconds = numberIn(data, 'durationSeconds')
  const endTime = instantIn(data, 'endTime') ?? time
  return {
    startTime: instantIn(data, 'startTime') ?? endTime - (seconds ?? 0) * 1000,
    endTime,
    durationSeconds: seconds,
    maxLoad: numberIn(data, 'maxLoad'),
    maxLoadPercent: numberIn(data, 'maxLoadPercent'),
    illegal: data.illegal === true,
    /** Reason for marking a violation, or for removing the mark, and by whom. */
    illegalReason: textIn(data, 'illegalReason'),
    illegalBy: textIn(data, 'illegalBy'),
    driverName: textIn(data, 'driverName'),
    byPlatform: data.detectedBy === 'platform',
    /** Readings stopped during the cycle, so its end is not known. */
    cut: data.cut === true,
  }
}

/** A crane's cycle: one lift of a load. Wind in m/s. */
export const cycleOf = ({ time, data }: { time: number; data: Data }) => ({
  ...workingCycleOf({ time, data }),
  cycleNo: textIn(data, 'cycleNo') ?? (typeof data.cycleNo === 'number' ? String(data.cycleNo) : null),
  maxMomentPercent: numberIn(data, 'maxMomentPercent'),
  maxWindSpeed: numberIn(data, 'maxWindSpeed'),
  overMomentCount: numberIn(data, 'overMomentCount') ?? 0,
  overWind: data.overWind === true,
  fall: numberIn(data, 'fall'),
  from: placeIn(data, 'lift'),
  to: placeIn(data, 'unload'),
})
export type Cycle = ReturnType<typeof cycleOf>

/** A run of a spray line: dust before and after it in μg/m³, water in m³. */
export function sprayRunOf({ time, data }: { time: number; data: Data }) {
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
    /** Decrease of dust in percent; negative if it rose. */
    effect: before !== null && after !== null && before > 0 ? Math.round(((before - after) / before) * 1000) / 10 : null,
  }
}
export type SprayRun = ReturnType<typeof sprayRunOf>
export const sprayTriggers: Readonly<Record<string, string>> = { manual: '手动', timer: '定时', linkage: '联动' }

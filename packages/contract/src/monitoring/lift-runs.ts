import { parseInstant } from '../kit/fields.ts'

/** The cages of a lift, as its readings and runs name them. */
export const cageNames: Readonly<Record<string, string>> = { '0': '单笼', '1': '左笼', '2': '右笼' }
export const runDirections: Readonly<Record<string, string>> = { '1': '上行', '2': '下行' }

type Data = Readonly<Record<string, unknown>>
const numberIn = (data: Data, key: string): number | null => {
  const value = data[key]
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}
const textIn = (data: Data, key: string): string | null => {
  const value = data[key]
  return typeof value === 'string' && value !== '' ? value : null
}
const instantIn = (data: Data, key: string): number | undefined => {
  const value = data[key]
  return typeof value === 'number' ? value : typeof value === 'string' ? parseInstant(value) : undefined
}

/** One move of a cage between two stops, as its record tells it: heights in m, speeds in m/s, loads in t. What it did not say is null. */
export function runOf({ time, data }: { time: number; data: Data }) {
  const seconds = numberIn(data, 'durationSeconds')
  const endTime = instantIn(data, 'endTime') ?? time
  return {
    cage: textIn(data, 'cage') ?? '0',
    startTime: instantIn(data, 'startTime') ?? endTime - (seconds ?? 0) * 1000,
    endTime,
    durationSeconds: seconds,
    startFloor: numberIn(data, 'startFloor'),
    endFloor: numberIn(data, 'endFloor'),
    startHeight: numberIn(data, 'startHeight'),
    endHeight: numberIn(data, 'endHeight'),
    maxLoad: numberIn(data, 'maxLoad'),
    maxLoadPercent: numberIn(data, 'maxLoadPercent'),
    maxPersonCount: numberIn(data, 'maxPersonCount'),
    averageSpeed: numberIn(data, 'averageSpeed'),
    maxSpeed: numberIn(data, 'maxSpeed'),
    maxTilt: numberIn(data, 'maxTilt'),
    direction: textIn(data, 'direction'),
    illegal: data.illegal === true,
    /** Of a person's mark: why, and whose; of one taken back as well. */
    illegalReason: textIn(data, 'illegalReason'),
    illegalBy: textIn(data, 'illegalBy'),
    driverName: textIn(data, 'driverName'),
    byPlatform: data.detectedBy === 'platform',
    /** Readings stopped meanwhile: its end is not known. */
    cut: data.cut === true,
  }
}
export type LiftRun = ReturnType<typeof runOf>

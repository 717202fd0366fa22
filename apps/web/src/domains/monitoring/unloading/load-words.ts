import type { RecordView } from '@zhugong/contract/telemetry/model'

export interface Load {
  startTime: number
  endTime: number
  maxWeight: number | null
  maxWeightPercent: number | null
  durationSeconds: number | null
  overload: boolean
  teamName: string | null
  /** Detected from readings, not reported by the device. */
  byPlatform: boolean
  /** Readings were interrupted during the load. */
  cut: boolean
}

const numberIn = (value: unknown) => (typeof value === 'number' && Number.isFinite(value) ? value : null)
const instantIn = (value: unknown) => {
  const at = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isNaN(at) ? undefined : at
}

/** A load from its record; missing values are null, never 0. */
export function loadOf({ time, data }: Pick<RecordView, 'time' | 'data'>): Load {
  const durationSeconds = numberIn(data.durationSeconds)
  const endTime = instantIn(data.endTime) ?? time
  return {
    startTime: instantIn(data.startTime) ?? (durationSeconds === null ? endTime : endTime - durationSeconds * 1000),
    endTime,
    maxWeight: numberIn(data.maxWeight),
    maxWeightPercent: numberIn(data.maxWeightPercent),
    durationSeconds,
    overload: data.overload === true,
    teamName: typeof data.teamName === 'string' && data.teamName !== '' ? data.teamName : null,
    byPlatform: data.detectedBy === 'platform',
    cut: data.cut === true,
  }
}

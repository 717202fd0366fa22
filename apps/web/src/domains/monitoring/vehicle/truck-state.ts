import type { LngLat } from '#kit/geo.ts'
import type { Reading } from '#kit/live-store.ts'
import type { PointState } from '#kit/map-props.ts'
import { numberIn } from '../crane-state.ts'

/** The family's codes of load, cover and tipper. */
const loads: Readonly<Record<string, string>> = { '0': '空车', '1': '半载', '2': '', '3': '满载' }
const codes = { full: '3', coverOpen: '0', lifted: '1' } as const
/** Below this speed a truck counts as standing, km/h. */
const stateKmh = 1
/** An older position is shown as the last known one. */
export const oldPlaceMs = 90_000

export type Motion = 'driving' | 'standing' | 'off' | 'away'
export const motionWords: Record<Motion, string> = { driving: '行驶', standing: '停车', off: '熄火', away: '离线' }

export interface TruckNow {
  at: LngLat | undefined
  motion: Motion
  speed: number | undefined
  direction: number | undefined
  load: string
  cover: string
  /** Empty if the terminal does not report it. */
  body: string
  isLifted: boolean
  /** Loaded, uncovered and moving. */
  isUncovered: boolean
}

export function truckOf(reading: Reading | undefined, online: boolean): TruckNow {
  const values = reading?.values
  const lng = numberIn(values, 'longitude')
  const lat = numberIn(values, 'latitude')
  const speed = numberIn(values, 'speed')
  const moves = speed !== undefined && speed >= stateKmh
  const isOpen = values?.cover === codes.coverOpen
  return {
    at: lng === undefined || lat === undefined ? undefined : [lng, lat],
    motion: !online ? 'away' : moves ? 'driving' : values?.accOn === false ? 'off' : 'standing',
    speed,
    direction: numberIn(values, 'direction'),
    load: loads[String(values?.loadState ?? '')] ?? '',
    cover: values?.cover === undefined ? '' : isOpen ? '未密闭' : '密闭',
    body: values?.lift === undefined ? '' : values.lift === codes.lifted ? '举升' : '落下',
    isLifted: values?.lift === codes.lifted,
    isUncovered: isOpen && values?.loadState === codes.full && moves,
  }
}

export function pointStateOf(truck: TruckNow, alarmLevel: number | null): PointState {
  if (truck.motion === 'away') return 'offline'
  if (alarmLevel !== null && alarmLevel <= 2) return 'alarm'
  if (truck.isUncovered || truck.isLifted || alarmLevel !== null) return 'warning'
  return 'normal'
}

/** Label of a truck on the map: `鄂B32817 36 km/h 满载`. */
export const labelOf = (plateNo: string, { speed, load, motion }: TruckNow): string =>
  [plateNo, motion === 'driving' && speed !== undefined ? `${speed.toFixed(0)} km/h` : motionWords[motion], load].filter(Boolean).join(' ')

export type SpeedBand = 'slow' | 'usual' | 'fast'
/** Speed bands of city roads: slow below 20, fast above 60 km/h. */
export const bandOf = (speed: number | null): SpeedBand => (speed === null || speed < 20 ? 'slow' : speed <= 60 ? 'usual' : 'fast')

export interface TrackPoint {
  time: number
  lng: number
  lat: number
  speed: number | null
}

/** Splits a line where its speed band changes; neighbours share a point, so that there is no gap. */
export function banded<P extends TrackPoint>(points: readonly P[]): { band: SpeedBand; points: P[] }[] {
  const pieces: { band: SpeedBand; points: P[] }[] = []
  for (const point of points) {
    const band = bandOf(point.speed)
    const last = pieces.at(-1)
    const end = last?.points.at(-1)
    if (last && last.band === band) last.points.push(point)
    else pieces.push({ band, points: end ? [end, point] : [point] })
  }
  return pieces.filter((one) => one.points.length > 1)
}

/** The newest point not after a moment, from lines in order of time. */
export function pointAt<P extends TrackPoint>(segments: readonly (readonly P[])[], at: number): P | undefined {
  let found: P | undefined
  for (const segment of segments) {
    const [first] = segment
    if (!first || first.time > at) break
    let [low, high] = [0, segment.length - 1]
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if ((segment[middle]?.time ?? 0) <= at) low = middle
      else high = middle - 1
    }
    found = segment[low]
  }
  return found
}

const escaped = (text: string) =>
  text.replace(/[<>&"]/g, (sign) => ({ '<': '&lt;', '>': '&gt;', '&': '&amp;', '"': '&quot;' })[sign] ?? sign)

/** The track as GPX 1.1, one segment per line. */
export function gpxOf(name: string, segments: readonly (readonly TrackPoint[])[]): string {
  const line = ({ lng, lat, time }: TrackPoint) => `<trkpt lat="${lat}" lon="${lng}"><time>${new Date(time).toISOString()}</time></trkpt>`
  const lines = segments.map((segment) => `<trkseg>${segment.map(line).join('')}</trkseg>`).join('')
  return `<?xml version="1.0" encoding="UTF-8"?><gpx version="1.1" creator="zhugong" xmlns="http://www.topografix.com/GPX/1/1"><trk><name>${escaped(name)}</name>${lines}</trk></gpx>`
}

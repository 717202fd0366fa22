import type { Work } from '#kit/off-thread/messages'
import { toReading } from '../../readings/public.ts'
import { numberOr, textOr } from '../shared/family.ts'
import { cleaned, distanceKm, metersBetween, type Position, split, stopsOf, thinned, tipsOf, tripsOf } from '../shared/track.ts'

export const family = 'truckMonitor'
const truckTopKmh = 150
const siteMeters = 500

export interface Site {
  name: string
  lng: number
  lat: number
}
export interface AlarmOnTrack {
  id: string
  time: number
  alarmKey: string
  label: string
  level: number
}
/** Input of a truck's track, beside its positions, which come as JSON text from the database. */
export interface TrackWork {
  most: number
  sites: Site[]
  /** Dump sites: rings of longitude and latitude. */
  dumps: { name: string; points: [number, number][] }[]
  alarms: AlarmOnTrack[]
}
type StoredPosition = [
  time: number,
  flag: number,
  schemaVer: number,
  v: (number | null)[],
  w: (number | null)[] | null,
  extra: Record<string, unknown> | null,
]

/** Lines, stops and trips of a period: hundreds of thousands of positions for a truck that reports every second. */
export const work = async ({ most, sites, dumps, alarms }: TrackWork, pieces: AsyncIterable<string>) => {
  const positions: Position[] = []
  for await (const piece of pieces) {
    for (const row of JSON.parse(piece) as StoredPosition[]) {
      const position = positionOf(row)
      if (position) positions.push(position)
    }
  }
  const { points, jumps } = cleaned(positions, 1_000, truckTopKmh)
  const isAt = (p: { lng: number; lat: number }) => (s: Site) => metersBetween(s, p) <= siteMeters
  const isIn = (p: Position) => (d: TrackWork['dumps'][number]) => liesIn(d.points, p)
  const nameOf = (p: Position) => dumps.find(isIn(p))?.name ?? sites.find(isAt(p))?.name ?? `${p.lng.toFixed(4)}, ${p.lat.toFixed(4)}`
  const stops = stopsOf(points)
  const tips = tipsOf(points)
  const moments = [...stops.flatMap((s) => [s.startTime, s.endTime]), ...tips.map((t) => t.time), ...alarms.map((a) => a.time)]
  const lines = split(points)
  const segments = thinned(lines, most, moments)
  return {
    segments: segments.map((s) => s.map(({ accOn: _acc, ...p }) => p)),
    stops,
    distanceKm: distanceKm(lines),
    maxSpeed: points.length ? points.reduce((top, p) => Math.max(top, p.speed ?? 0), 0) : null,
    points: segments.reduce((sum, s) => sum + s.length, 0),
    thinnedFrom: points.length,
    jumps,
    trips: tripsOf(points, stops, tips).map(({ from, to, ...trip }) => ({ ...trip, startPlace: nameOf(from), endPlace: nameOf(to) })),
    tips: tips.map((t) => ({ time: t.time, lng: t.lng, lat: t.lat, onSite: sites.some(isAt(t)), dump: dumps.find(isIn(t))?.name ?? null })),
    alarms: alarms.map((alarm) => {
      const at = points.findLast((p) => p.time <= alarm.time)
      return { ...alarm, lng: at?.lng, lat: at?.lat }
    }),
  }
}
export type TrackOutcome = Awaited<ReturnType<typeof work>>
// The thread loader requires exactly this type.
work satisfies Work<TrackWork, TrackOutcome, string>

/** Whether a place is in a ring: an odd number of sides lies to the east. */
export function liesIn(ring: readonly (readonly [number, number])[], { lng, lat }: { lng: number; lat: number }): boolean {
  let isInside = false
  for (const [i, [x, y]] of ring.entries()) {
    const [px, py] = ring[(i + ring.length - 1) % ring.length] ?? [x, y]
    if (y > lat !== py > lat && lng < ((px - x) * (lat - y)) / (py - y) + x) isInside = !isInside
  }
  return isInside
}

function positionOf([time, flag, schemaVer, v, w, extra]: StoredPosition): Position | undefined {
  const ts = new Date(time)
  const { values } = toReading(family, { deviceId: '', ts, seq: 0, receivedAt: ts, schemaVer, v, w, extra, quality: null, flag })
  const [lng, lat] = [numberOr(values.longitude), numberOr(values.latitude)]
  if (lng === null || lat === null || values.positioned === false) return undefined
  return {
    time,
    lng,
    lat,
    speed: numberOr(values.speed),
    direction: numberOr(values.direction),
    accuracy: null,
    late: flag === 1,
    load: textOr(values.loadState),
    cover: textOr(values.cover),
    lift: textOr(values.lift),
    accOn: typeof values.accOn === 'boolean' ? values.accOn : null,
  }
}

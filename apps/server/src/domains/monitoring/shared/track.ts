/**
 * Tracks from positions: pure geometry. Impossible jumps are removed and counted, gaps split the line, and the rest is thinned for display
 * on a map. Stops and important moments are never removed.
 */
export interface Position {
  time: number
  lng: number
  lat: number
  speed: number | null
  direction: number | null
  accuracy: number | null
  late: boolean
  load: string | null
  cover: string | null
  lift: string | null
  accOn: boolean | null
}
export interface Stop {
  startTime: number
  endTime: number
  lng: number
  lat: number
  seconds: number
}

const gapMs = 10 * 60_000
const stopMs = 5 * 60_000
const stopMeters = 40
const metersPerDegree = 111_320

export function metersBetween(a: { lng: number; lat: number }, b: { lng: number; lat: number }): number {
  const x = (b.lng - a.lng) * Math.cos(((a.lat + b.lat) / 2) * (Math.PI / 180))
  return Math.hypot(x, b.lat - a.lat) * metersPerDegree
}

/** Sorts by time; keeps at most one point per `leastMs` and removes jumps faster than `topKmh`. */
export function cleaned(positions: readonly Position[], leastMs: number, topKmh: number): { points: Position[]; jumps: number } {
  const points: Position[] = []
  let jumps = 0
  let inARow = 0
  for (const p of [...positions].sort((a, b) => a.time - b.time)) {
    const last = points.at(-1)
    if (last && p.time - last.time < leastMs) continue
    if (last && p.time - last.time <= gapMs) {
      const kmh = metersBetween(last, p) / 1000 / ((p.time - last.time) / 3_600_000)
      // After several consecutive jumps the new positions are accepted: the earlier point was wrong.
      if (kmh > topKmh && inARow < 3) {
        jumps++
        inARow++
        continue
      }
    }
    inARow = 0
    points.push(p)
  }
  return { points, jumps }
}

/** Splits a track into lines without gaps. */
export function split(points: readonly Position[]): Position[][] {
  const segments: Position[][] = []
  for (const p of points) {
    const last = segments.at(-1)?.at(-1)
    if (!last || p.time - last.time > gapMs) segments.push([p])
    else segments.at(-1)?.push(p)
  }
  return segments
}

/** Stops: stays within 40 metres for at least five minutes. */
export function stopsOf(points: readonly Position[]): Stop[] {
  const stops: Stop[] = []
  let i = 0
  while (i < points.length) {
    const first = points[i]
    if (!first) break
    let j = i
    for (
      let next = points[j + 1];
      next && metersBetween(first, next) <= stopMeters && next.time - (points[j]?.time ?? 0) <= gapMs;
      next = points[j + 1]
    )
      j++
    const last = points[j]
    if (last && last.time - first.time >= stopMs) {
      stops.push({
        startTime: first.time,
        endTime: last.time,
        lng: first.lng,
        lat: first.lat,
        seconds: Math.round((last.time - first.time) / 1000),
      })
      i = j + 1
    } else i++
  }
  return stops
}

export function distanceKm(segments: readonly (readonly Position[])[]): number {
  let meters = 0
  for (const segment of segments)
    for (const [i, p] of segment.entries()) meters += i && segment[i - 1] ? metersBetween(segment[i - 1] as Position, p) : 0
  return Math.round(meters) / 1000
}

/** Depth of splits at the farthest point; enough for any road. Beyond it, for jitter at one place, spans are halved. */
const deepestSplit = 20

/**
 * Ramer-Douglas-Peucker for all tolerances at once: the worth of each point in metres. At a tolerance, points with a greater worth are
 * kept. The ends and `must` have infinite worth.
 * Each split level examines every point once, and the number of levels is bounded for any shape.
 */
function worthOf(points: readonly Position[], must: ReadonlySet<number>): Float64Array {
  const worth = new Float64Array(points.length)
  const anchors = [...new Set([0, ...must, points.length - 1])].filter((i) => i >= 0 && i < points.length).sort((a, b) => a - b)
  for (const i of anchors) worth[i] = Number.POSITIVE_INFINITY
  const work = anchors.slice(1).map((to, i) => ({ from: anchors[i] ?? 0, to, most: Number.POSITIVE_INFINITY, depth: 0 }))
  for (let span = work.pop(); span; span = work.pop()) {
    const { from, to, depth } = span
    const { at, meters } = farthest(points, from, to)
    if (meters <= 0) continue
    const split = depth < deepestSplit ? at : (from + to) >> 1
    const most = Math.min(span.most, meters)
    worth[split] = most
    work.push({ from, to: split, most, depth: depth + 1 }, { from: split, to, most, depth: depth + 1 })
  }
  return worth
}

/** The point farthest from the straight line between two points, with its distance. */
function farthest(points: readonly Position[], from: number, to: number): { at: number; meters: number } {
  const [a, b] = [points[from] as Position, points[to] as Position]
  const scale = Math.cos(a.lat * (Math.PI / 180))
  const [bx, by] = [(b.lng - a.lng) * scale, b.lat - a.lat]
  const length = bx * bx + by * by
  let [at, worst] = [-1, 0]
  for (let i = from + 1; i < to; i++) {
    const p = points[i] as Position
    const [px, py] = [(p.lng - a.lng) * scale, p.lat - a.lat]
    const share = length === 0 ? 0 : Math.min(1, Math.max(0, (px * bx + py * by) / length))
    const [dx, dy] = [px - share * bx, py - share * by]
    const square = dx * dx + dy * dy
    if (square > worst) {
      worst = square
      at = i
    }
  }
  return { at, meters: Math.sqrt(worst) * metersPerDegree }
}

/** Simplifies a line at a tolerance; `must` are indexes that are always kept. */
export function simplify(points: readonly Position[], toleranceMeters: number, must: ReadonlySet<number> = new Set()): Position[] {
  if (points.length <= 2) return [...points]
  const worth = worthOf(points, must)
  return points.filter((_, i) => (worth[i] ?? 0) > toleranceMeters)
}

const firstToleranceMeters = 1

/** At most `most` points over all segments; the tolerance is increased until they fit. */
export function thinned(segments: readonly Position[][], most: number, moments: readonly number[] = []): Position[][] {
  const total = segments.reduce((sum, s) => sum + s.length, 0)
  if (total <= most) return segments.map((s) => [...s])
  const wanted = [...moments].sort((a, b) => a - b)
  const musts = segments.map((segment) => new Set(wanted.map((at) => nearest(segment, at)).filter((i) => i >= 0)))
  const worths = segments.map((s, i) => worthOf(s, musts[i] as Set<number>))
  const keptAt = (tolerance: number) => worths.reduce((sum, worth) => sum + worth.reduce((n, w) => (w > tolerance ? n + 1 : n), 0), 0)
  let tolerance = firstToleranceMeters
  while (tolerance * 1.6 < 100_000 && keptAt(tolerance) > most) tolerance *= 1.6
  return segments.map((s, i) => s.filter((_, k) => (worths[i]?.[k] ?? 0) > tolerance))
}

function nearest(points: readonly Position[], at: number): number {
  const first = points[0]?.time ?? Number.POSITIVE_INFINITY
  const last = points.at(-1)?.time ?? Number.NEGATIVE_INFINITY
  if (at < first || at > last) return -1
  let low = 0
  let high = points.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if ((points[middle]?.time ?? 0) < at) low = middle + 1
    else high = middle
  }
  return low
}

export interface Trip {
  startTime: number
  endTime: number
  from: Position
  to: Position
  distanceKm: number
  maxSpeed: number
  stops: number
  fullMinutes: number
  uncoveredMinutes: number
  tipped: number
}

/** A stop this long ends a trip; shorter ones are stops within the trip. */
const tripEndMs = 20 * 60_000
const shortestTripKm = 0.3

/** Trips between long stops. */
export function tripsOf(points: readonly Position[], stops: readonly Stop[], tips: readonly { time: number }[]): Trip[] {
  const ends = stops.filter((s) => s.endTime - s.startTime >= tripEndMs)
  const spans: [number, number][] = []
  let from = points[0]?.time ?? 0
  for (const stop of ends) {
    spans.push([from, stop.startTime])
    from = stop.endTime
  }
  spans.push([from, points.at(-1)?.time ?? 0])
  return spans.flatMap(([start, end]) => {
    const own = points.filter((p) => p.time >= start && p.time <= end)
    const [first, last] = [own[0], own.at(-1)]
    const km = distanceKm(split(own))
    if (!first || !last || km < shortestTripKm) return []
    const minutesWhere = (test: (p: Position) => boolean) =>
      Math.round(
        own.reduce((sum, p, i) => sum + (test(p) && own[i + 1] ? Math.min(gapMs, (own[i + 1] as Position).time - p.time) : 0), 0) / 6_000,
      ) / 10
    return [
      {
        startTime: first.time,
        endTime: last.time,
        from: first,
        to: last,
        distanceKm: km,
        maxSpeed: own.reduce((most, p) => Math.max(most, p.speed ?? 0), 0),
        stops: stops.filter((s) => s.startTime > first.time && s.endTime < last.time).length,
        fullMinutes: minutesWhere((p) => p.load === '3' || p.load === '1'),
        uncoveredMinutes: minutesWhere((p) => p.cover === '0' && (p.load === '3' || p.load === '1')),
        tipped: tips.filter((t) => t.time >= first.time && t.time <= last.time).length,
      },
    ]
  })
}

/** Moments at which the tipper body was raised, once per lifting. */
export function tipsOf(points: readonly Position[]): Position[] {
  return points.filter((p, i) => p.lift === '1' && points[i - 1]?.lift !== '1')
}

export interface StationRead {
  time: number
  stationId: string
  battery: number | null
}
export interface Stay {
  stationId: string
  enterTime: number
  leaveTime: number | null
  lost: boolean
}

const enterWithinMs = 10_000
const leaveAfterMs = 60_000
const emptyBattery = 5

/**
 * Stays at base stations. A stay starts with two reads within ten seconds, or within the device's interval if that is longer. It ends after
 * a minute without reads. A single read at a neighbouring station does not count as a move.
 */
export function staysOf(reads: readonly StationRead[], until: number, paceMs = enterWithinMs): Stay[] {
  const within = Math.max(enterWithinMs, paceMs * 1.5)
  const leave = Math.max(leaveAfterMs, paceMs * 3)
  const stays: Stay[] = []
  let current: { stay: Stay; last: StationRead } | undefined
  let candidate: StationRead | undefined
  const close = (lost: boolean) => {
    if (current) stays.push({ ...current.stay, leaveTime: current.last.time, lost })
    current = undefined
  }
  for (const read of [...reads].sort((a, b) => a.time - b.time)) {
    if (current && read.time - current.last.time > leave) {
      close((current.last.battery ?? 100) <= emptyBattery)
      candidate = undefined
    }
    if (current?.stay.stationId === read.stationId) {
      current.last = read
      candidate = undefined
    } else if (candidate?.stationId === read.stationId && read.time - candidate.time <= within) {
      close(false)
      current = { stay: { stationId: read.stationId, enterTime: candidate.time, leaveTime: null, lost: false }, last: read }
      candidate = undefined
    } else candidate = read
  }
  if (current) {
    if (until - current.last.time > leave) close((current.last.battery ?? 100) <= emptyBattery)
    else stays.push(current.stay)
  }
  return stays
}

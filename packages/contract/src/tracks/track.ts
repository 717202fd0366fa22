/** Tracks of officers from their reported positions. Pure: used by server, page and tests. */

export interface Place {
  /** Epoch milliseconds. */
  time: number
  lng: number
  lat: number
  /** Metres. */
  accuracy: number
  /** The site whose fence it lies in. */
  projectCode: string | null
}
export interface Stay {
  projectCode: string
  from: number
  to: number
  minutes: number
}
export interface Track {
  /** Lines without gaps: nothing is drawn or counted between two of them. */
  segments: Place[][]
  /** Positions that nobody can have reached: flagged, and neither drawn nor counted. */
  jumps: Place[]
  km: number
}

/** Longer without a position: a gap. */
export const gapMs = 10 * 60_000
/** Faster than any car in a city. */
const topKmh = 150
/** After so many impossible positions in a row the earlier one was wrong: a new line begins. */
const mostJumps = 3
/** Positions less accurate than this place nobody in a fence. */
export const usableMeters = 200
/** Shorter stops in a fence are passing by. */
const leastStayMs = 3 * 60_000
const metersPerDegree = 111_320

export function metersApart(a: Pick<Place, 'lng' | 'lat'>, b: Pick<Place, 'lng' | 'lat'>): number {
  const x = (b.lng - a.lng) * Math.cos(((a.lat + b.lat) / 2) * (Math.PI / 180))
  return Math.hypot(x, b.lat - a.lat) * metersPerDegree
}

/** Lines, impossible positions and kilometres of a day. A gap is never travelled straight, and a jump counts no distance. */
export function trackOf(places: readonly Place[]): Track {
  const segments: Place[][] = []
  const jumps: Place[] = []
  let meters = 0
  let inARow: Place[] = []
  for (const place of [...places].sort((a, b) => a.time - b.time)) {
    const line = segments.at(-1)
    const last = line?.at(-1)
    if (!line || !last || place.time - last.time > gapMs) {
      segments.push([place])
      inARow = []
      continue
    }
    const apart = metersApart(last, place)
    const kmh = apart / 1000 / (Math.max(1_000, place.time - last.time) / 3_600_000)
    if (kmh > topKmh) {
      jumps.push(place)
      inARow.push(place)
      if (inARow.length >= mostJumps) {
        segments.push(inARow)
        inARow = []
      }
      continue
    }
    inARow = []
    meters += apart
    line.push(place)
  }
  return { segments, jumps, km: Math.round(meters / 100) / 10 }
}

/** Stays in fences: positions of one site in a row, joined over interruptions that are no gaps. */
export function staysOf(segments: readonly (readonly Place[])[]): Stay[] {
  const stays: { projectCode: string; from: number; to: number }[] = []
  for (const { projectCode, time } of segments.flat()) {
    if (projectCode === null) continue
    const last = stays.at(-1)
    if (last && last.projectCode === projectCode && time - last.to <= gapMs) last.to = time
    else stays.push({ projectCode, from: time, to: time })
  }
  return stays
    .filter((one) => one.to - one.from >= leastStayMs)
    .map((one) => ({ ...one, minutes: Math.round((one.to - one.from) / 60_000) }))
}

/** Minutes before and after a stay in which a check still belongs to it. */
const slackMs = 15 * 60_000
/** The stay during which a check was held; undefined: a check without a stay. */
export const stayOfCheck = (stays: readonly Stay[], check: { projectCode: string; time: number }): Stay | undefined =>
  stays.find((one) => one.projectCode === check.projectCode && check.time >= one.from - slackMs && check.time <= one.to + slackMs)

export interface DutyHours {
  /** HH:mm. */
  begin: string
  end: string
  /** 1 Monday to 7 Sunday. */
  weekdays: readonly number[]
}
export const usualDuty: DutyHours & { keepDays: number } = { begin: '08:00', end: '18:00', weekdays: [1, 2, 3, 4, 5], keepDays: 90 }

/** Beijing has no daylight saving time. */
const beijingMs = 8 * 3_600_000
/** Whether an instant lies in the duty hours, in Beijing. */
export function isOnDuty({ begin, end, weekdays }: DutyHours, time: number): boolean {
  const at = new Date(time + beijingMs)
  const clock = at.toISOString().slice(11, 16)
  const weekday = at.getUTCDay() === 0 ? 7 : at.getUTCDay()
  return weekdays.includes(weekday) && clock >= begin && clock < end
}

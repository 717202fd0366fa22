/**
 * One episode, several alarms. At most one alarm is open per key, so a single overload opens up to four: for the moment and for the load,
 * each with its warning. Users see the episode once, at its worst level.
 */

/** Alarm keys that report the same kind of event, mapped to one name. */
export const sharedHappenings: Readonly<Record<string, string>> = {
  momentWarning: 'overload',
  momentAlarm: 'overload',
  loadWarning: 'overload',
  loadAlarm: 'overload',
  momentOverload: 'overload',
  windDanger: 'wind',
  heatYellow: 'heat',
  heatOrange: 'heat',
  heatRed: 'heat',
}
/** A warning and the alarm that follows it have the same name except for this ending. */
export const happeningEnds = '(Warning|Alarm)$'
const ends = new RegExp(happeningEnds)

export const happeningOf = (alarmKey: string): string => sharedHappenings[alarmKey] ?? alarmKey.replace(ends, '')

/** An alarm that begins within this time after the end of the last one belongs to the same episode. */
export const episodeGapMs = 60_000

/** Devices that go offline together have a common cause: power of a site's meters, base station of its helmets. */
interface Outage {
  family: string
  alarmKeys: readonly string[]
  /** Longest gap between two devices going offline. */
  gapMs: number
}
export const outages: readonly Outage[] = [
  { family: 'electricMeter', alarmKeys: ['powerOff', 'offline'], gapMs: 20 * 60_000 },
  { family: 'baseStationHelmet', alarmKeys: ['offline'], gapMs: 60_000 },
  { family: 'smartHelmet', alarmKeys: ['offline'], gapMs: 60_000 },
]
/** Fewer devices than this are treated as single failures. */
export const leastOfOutage = 3
const outageOf = (alarm: Pick<EpisodeAlarm, 'family' | 'alarmKey'>): Outage | undefined =>
  outages.find((one) => one.family === alarm.family && one.alarmKeys.includes(alarm.alarmKey))

export interface EpisodeAlarm {
  id: string
  projectCode: string
  family: string
  deviceId: string
  point: string
  alarmKey: string
  level: number
  active: boolean
  startTime: number
  clearTime: number | null
}

export interface Episode<Row> {
  /** The worst alarm; among equals the active one, then the earliest. */
  lead: Row
  beside: readonly Row[]
}

const worstFirst = (a: EpisodeAlarm, b: EpisodeAlarm): number =>
  a.level - b.level || Number(b.active) - Number(a.active) || a.startTime - b.startTime || (a.id < b.id ? -1 : 1)

const byStart = (a: EpisodeAlarm, b: EpisodeAlarm): number => a.startTime - b.startTime || (a.id < b.id ? -1 : 1)

/** Groups of devices of one site and family that went offline shortly after one another, if large enough for an outage. */
function outagesIn<Row extends EpisodeAlarm>(rows: readonly Row[]): Row[][] {
  const dark = rows.filter((row) => outageOf(row))
  return [...Map.groupBy(dark, (row) => `${row.projectCode} ${row.family}`).values()].flatMap((own) => {
    const gapMs = outageOf(own[0] as Row)?.gapMs ?? 0
    const runs: Row[][] = []
    for (const row of own.toSorted(byStart)) {
      const run = runs.at(-1)
      const last = run?.at(-1)
      if (run && last && row.startTime <= last.startTime + gapMs) run.push(row)
      else runs.push([row])
    }
    return runs.filter((run) => new Set(run.map((row) => row.deviceId)).size >= leastOfOutage)
  })
}

/**
 * Groups alarms of one machine that report the same kind of event without a gap, and those of an outage. Keeps the order of the leading
 * alarms.
 */
export function intoEpisodes<Row extends EpisodeAlarm>(rows: readonly Row[]): Episode<Row>[] {
  const episodes = new Map<Row, Episode<Row>>()
  const together = outagesIn(rows)
  for (const one of together) {
    const [lead, ...beside] = one.toSorted(worstFirst)
    if (lead) episodes.set(lead, { lead, beside })
  }
  const reported = new Set(together.flat())
  const bySubject = Map.groupBy(
    rows.filter((row) => !reported.has(row)),
    (row) => `${row.deviceId} ${row.point} ${happeningOf(row.alarmKey)}`,
  )
  for (const alike of bySubject.values()) {
    let members: Row[] = []
    let until = Number.NEGATIVE_INFINITY
    const close = () => {
      const [lead, ...beside] = members.toSorted(worstFirst)
      if (lead) episodes.set(lead, { lead, beside })
    }
    for (const row of alike.toSorted(byStart)) {
      if (row.startTime > until + episodeGapMs) {
        close()
        members = []
      }
      members.push(row)
      until = Math.max(until, row.clearTime ?? Number.POSITIVE_INFINITY)
    }
    close()
  }
  return rows.flatMap((row) => episodes.get(row) ?? [])
}
